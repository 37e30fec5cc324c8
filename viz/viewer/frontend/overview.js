// All heads at a glance: rows are layers, columns are heads, then their mean; in the last row the mean over all.

import { packedHex, ramp } from "./colours.js";
import { MEAN } from "./declared.js";
import { element, placeOn, sized, write } from "./dom.js";
import { usesFinger } from "./hand.js";
import { HeadFilter } from "./head_filter.js";
import { rolesOf } from "./head_roles.js";
import { listed, toSay, tr } from "./language.js";
import { MOST_8 } from "./payload.js";
import { SmallMaps } from "./small_maps.js";

export class Overview {
  constructor(model) {
    Object.assign(this, { model, maps: new SmallMaps(model), done: "", layers: 0, over: null });
    this.canvas = element("canvas", {
      role: "grid", tabindex: 0, "aria-describedby": "overview-help",
      onclick: (event) => this.choose(this.at(event)),
      onkeydown: (event) => this.press(event),
      onpointermove: (event) => this.hover(event.pointerType === "touch" ? null : this.at(event)),
      onpointerleave: () => this.hover(null),
    });
    this.chosen = element("div", { class: "chosen" });
    this.pointed = element("div", { class: "pointed" });
    this.preview = element("div", { class: "preview", hidden: true, "aria-hidden": true }, element("canvas"), element("span"));
    this.help = element("p", { class: "hint" });
    this.bar = element("span", { class: "overview-bar" });
    this.end = element("span");
    this.legend = element("p", { class: "overview-legend" }, element("span", {}, "0"), this.bar, this.end);
    this.said = element("span", { class: "unseen", "aria-live": "polite" });
    this.filter = new HeadFilter(model);
    this.node = element("div", { class: "overview" }, this.canvas, this.filter.veil, this.chosen, this.pointed, this.legend,
      this.filter.node, this.help, this.said, this.preview);
  }

  draw(colours) {
    const width = this.node.clientWidth;
    if (!width) return;
    this.colours = colours;
    const grid = gridOf(this.model.shown, width);
    this.paintNew(grid, colours);
    this.filter.draw(grid, placesOf(this.model.shown), ({ layer, head }) => boxOf(grid, layer, head), colours);
    this.frame(this.chosen, grid, { layer: this.model.choices.layer, head: this.model.headIndex });
    this.frame(this.pointed, grid, this.over);
    if (this.over && this.preview.hidden) this.showPreview(); // its map may have come
    this.bar.style.background = `linear-gradient(to right, ${colours.sequential.join(", ")})`;
    write(this.end, legendOf(this.maps));
    const title = titleOf(this.model.choices);
    this.canvas.setAttribute("aria-label", tr("All heads of all layers. Chosen: {title}.", { title }));
    this.canvas.setAttribute("aria-rowcount", this.model.shown.nLayers);
    this.canvas.setAttribute("aria-colcount", this.model.shown.nHeads + 1);
    write(this.said, [title, ...rolesOf(this.model, this.model.choices).map(({ said }) => said)].join(", "));
    const { rowStep } = this.model.shown;
    write(this.help, [usesFinger() ? tr(TAP_HELP) : tr(POINT_HELP), rowStep > 1 ? sampled(rowStep) : ""].filter(Boolean).join(" "));
  }

  size(width) {
    return gridOf(this.model.shown, width);
  }

  /** The whole overview, with its labels. */
  paint(context, { width, colours }) {
    const grid = gridOf(this.model.shown, width);
    labels(context, grid, this.model.shown, colours);
    for (const place of placesOf(this.model.shown)) this.paintMap(context, grid, place, colours);
  }

  /** Paint what has arrived since the last time; everything anew if size, theme, kind or maps have changed. */
  paintNew(grid, colours) {
    const kind = this.model.shown;
    const seen = [grid.width, colours.ground, window.devicePixelRatio];
    const state = [this.model.about.id, kind.kind, ...seen, this.maps.name].join(" ");
    if (state !== this.done) {
      labels(sized(this.canvas, grid.width, grid.height), grid, kind, colours);
      Object.assign(this, { done: state, layers: 0, table: codesToColours(colours) });
    }
    const context = this.canvas.getContext("2d");
    for (; this.layers <= kind.nLayers && kind.has(this.layers); this.layers++) {
      for (const place of placesOf(kind)) if (place.layer === this.layers) this.paintMap(context, grid, place, colours);
    }
  }

  paintMap(context, grid, { layer, head }, colours) {
    const map = this.maps.map(layer, head);
    if (map) drawCodes(context, map, this.table ?? codesToColours(colours), boxOf(grid, layer, head));
  }

  /** Lay a frame around a map; the maps below need not be painted again. */
  frame(node, grid, place) {
    node.hidden = !place;
    if (!place) return;
    const { x, y, width, height } = boxOf(grid, place.layer, place.head);
    Object.assign(node.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  }

  /** Which map is under a pointer, {layer, head}; null for none. */
  at(event) {
    const grid = gridOf(this.model.shown, this.node.clientWidth);
    const { x, y } = placeOn(this.canvas, event);
    const place = { layer: Math.floor((y - grid.top) / grid.tall), head: Math.floor((x - grid.left) / grid.wide) };
    const { nLayers, nHeads } = this.model.shown;
    const inside = place.layer >= 0 && place.head >= 0 && place.head <= nHeads && place.layer <= nLayers;
    return inside && (place.layer < nLayers || place.head === nHeads) ? place : null;
  }

  choose(place) {
    if (!place || place.layer === this.model.shown.nLayers) return;
    this.model.set({ layer: place.layer, head: place.head === this.model.shown.nHeads ? MEAN : place.head });
  }

  press(event) {
    const { nHeads, nLayers } = this.model.shown;
    const { layer } = this.model.choices;
    const head = this.model.headIndex;
    const to = {
      ArrowRight: [layer, head + 1], ArrowLeft: [layer, head - 1], ArrowDown: [layer + 1, head], ArrowUp: [layer - 1, head],
      Home: [layer, 0], End: [layer, nHeads], PageUp: [0, head], PageDown: [nLayers - 1, head],
    }[event.key];
    if (!to || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.hover(null); // the keys walk: what the pointer rested on is not asked any more
    const within = (value, most) => Math.min(Math.max(value, 0), most);
    this.choose({ layer: within(to[0], nLayers - 1), head: within(to[1], nHeads) });
  }

  /** A larger preview beside the small maps. */
  hover(place) {
    if (!this.colours || (place?.layer === this.over?.layer && place?.head === this.over?.head)) return;
    this.over = place;
    this.draw(this.colours);
    this.showPreview();
  }

  /** The map under the pointer, larger; nothing until it has come. */
  showPreview() {
    const [kind, place] = [this.model.shown, this.over];
    const map = place && this.maps.map(place.layer, place.head);
    this.preview.hidden = !map;
    if (!map) return;
    const scale = PREVIEW / Math.max(kind.tall, kind.wide);
    const size = { x: 0, y: 0, width: Math.round(kind.wide * scale), height: Math.round(kind.tall * scale) };
    const [canvas, caption] = this.preview.children;
    drawCodes(sized(canvas, size.width, size.height), map, this.table, size);
    const head = place.head === kind.nHeads ? MEAN : place.head;
    const title = place.layer === kind.nLayers ? tr("Mean over all layers and heads") : titleOf({ layer: place.layer, head });
    const known = rolesOf(this.model, { layer: place.layer, head }).map(({ said }) => said);
    caption.textContent = [tr("{title} · up to {number}", { title, number: map.most.toFixed(2) }), ...known].join("\n");
    const isBeside = this.node.getBoundingClientRect().left + this.node.clientWidth + PREVIEW + 2 * BESIDE < innerWidth;
    const top = Math.max(0, boxOf(gridOf(kind, this.node.clientWidth), place.layer, 0).y - PREVIEW / 2);
    Object.assign(this.preview.style, isBeside
      ? { left: `${this.node.clientWidth + BESIDE}px`, top: `${top}px`, bottom: "" }
      : { left: 0, top: "", bottom: `calc(100% + ${BESIDE}px)` });
  }
}

/** "Layer 0 · Head 3". */
export function titleOf({ layer, head }) {
  return head === MEAN ? tr("Layer {layer} · mean of the heads", { layer }) : tr("Layer {layer} · Head {head}", { layer, head });
}

const TAP_HELP = toSay("Tap one.");
const POINT_HELP = toSay("Click one, or use the arrow keys.");
const PREVIEW = 200; // CSS pixels of the longer side
const LARGEST = 64; // of a small map
const LABEL = 13;
const [LABELS_WIDE, LABELS_TALL] = [46, 40]; // CSS pixels left of the small maps and above them
const BESIDE = 8; // CSS pixels between the small maps and the preview

/** What the strongest colour of the small maps is, of which quantity, and what they do not show. */
function legendOf({ scale, ignored }) {
  const end = tr(SCALE_ENDS[scale]);
  return ignored.length ? tr("{end}. Only the large map shows {choices}.", { end, choices: listed(ignored) }) : end;
}

const SCALE_ENDS = {
  one: toSay("1 (weight)"), map: toSay("largest weight of each map"), row: toSay("largest weight of each row"),
};

/** Steps are powers of 2. */
function sampled(step) {
  if (step === 2) return tr("The text is long: the small maps look at every 2nd row.");
  return tr("The text is long: the small maps look at every {step}th row.", { step });
}

function placesOf({ nLayers, nHeads }) {
  const all = Array.from({ length: nLayers * (nHeads + 1) }, (_, index) => ({
    layer: Math.floor(index / (nHeads + 1)), head: index % (nHeads + 1),
  }));
  return [...all, { layer: nLayers, head: nHeads }];
}

/** Where the maps are: the first at (left, top), one every `wide` and `tall` CSS pixels. */
function gridOf({ nLayers, nHeads, tall, wide }, width) {
  const [left, top] = [LABELS_WIDE, LABELS_TALL];
  const across = Math.min((width - left) / (nHeads + 1), LARGEST * Math.min(1, wide / tall) + 5);
  const gap = Math.max(1, Math.min(5, across * 0.1));
  const map = { width: across - gap, height: Math.max(6, (across - gap) * Math.min(3, tall / wide)) };
  const down = map.height + gap;
  const narrowest = left + across * (nHeads + 1);
  return { left, top, wide: across, tall: down, gap, map, width: Math.ceil(narrowest), height: Math.ceil(top + down * (nLayers + 1)) };
}

function boxOf(grid, layer, head) {
  return { x: grid.left + head * grid.wide, y: grid.top + layer * grid.tall, ...grid.map };
}

/** What rows and columns are, and their numbers; the mean stands at the right end, and heads beside it give way. */
function labels(context, grid, { nLayers, nHeads }, colours) {
  Object.assign(context, { fillStyle: colours.quiet, font: `${LABEL}px ${fontOf()}`, textBaseline: "middle" });
  const every = (size) => Math.ceil((LABEL + 7) / size);
  const [line, end] = [grid.top - 12, grid.left + (nHeads + 1) * grid.wide - grid.gap];
  context.textAlign = "right";
  context.fillText(tr("layer"), grid.left - 8, line);
  for (let layer = 0; layer < nLayers; layer += every(grid.tall)) {
    context.fillText(layer, grid.left - 8, grid.top + (layer + 0.5) * grid.tall - grid.gap / 2);
  }
  context.fillText(tr("all"), grid.left + nHeads * grid.wide - 8, grid.top + (nLayers + 0.5) * grid.tall - grid.gap / 2);
  context.fillText(tr("mean"), end, line);
  const room = end - context.measureText(tr("mean")).width - LABEL;
  context.textAlign = "center";
  for (let head = 0; head < nHeads; head += every(grid.wide)) {
    const x = grid.left + (head + 0.5) * grid.wide - grid.gap / 2;
    if (x < room) context.fillText(head, x, line);
  }
  context.textAlign = "left";
  context.fillText(tr("head"), grid.left, line - LABEL - 4);
}

/** The font of the page, for a canvas. */
export function fontOf(node = document.querySelector("[data-viewer]") ?? document.body) {
  return getComputedStyle(node).fontFamily;
}

/** Codes of 8 bits as an image in a box. On the screen its pixels are those of the screen: nothing is scaled. */
function drawCodes(context, map, table, box) {
  const density = context.getTransform?.().a;
  if (density) {
    const image = pooledImage(map, table, Math.round(box.width * density), Math.round(box.height * density));
    context.putImageData(image, Math.round(box.x * density), Math.round(box.y * density));
    return;
  }
  const image = pooledImage(map, table, map.wide, map.tall);
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").putImageData(image, 0, 0);
  context.drawImage(canvas, box.x, box.y, box.width, box.height);
}

/** An image of `width` x `height` pixels: each the largest code under it. It is used again for the next map. */
function pooledImage({ codes, tall, wide }, table, width, height) {
  if (again?.image.width !== width || again.image.height !== height) {
    again = { image: new ImageData(width, height), pooled: new Int16Array(width * height) };
    again.pixels = new Uint32Array(again.image.data.buffer);
  }
  const { image, pixels, pooled } = again;
  pooled.fill(-1);
  const [rows, columns] = [spans(tall, height), spans(wide, width)];
  for (let i = 0; i < tall; i++) {
    for (let j = 0; j < wide; j++) {
      const code = codes[i * wide + j];
      if (code > MOST_8) continue;
      for (let y = rows[2 * i]; y < rows[2 * i + 1]; y++) {
        for (let x = columns[2 * j]; x < columns[2 * j + 1]; x++) {
          if (code > pooled[y * width + x]) pooled[y * width + x] = code;
        }
      }
    }
  }
  for (let at = 0; at < pixels.length; at++) pixels[at] = table[pooled[at] < 0 ? MOST_8 + 1 : pooled[at]];
  return image;
}

let again = null;

/** The pixels that each of `n` cells covers on a side of `size` pixels: from, to; at least one. */
function spans(n, size) {
  const ends = new Int32Array(2 * n);
  for (let index = 0; index < n; index++) {
    ends[2 * index] = Math.floor((index * size) / n);
    ends[2 * index + 1] = Math.max(Math.floor(((index + 1) * size) / n), ends[2 * index] + 1);
  }
  return ends;
}

function codesToColours(colours) {
  const steps = ramp(colours.sequential);
  const table = Uint32Array.from({ length: MOST_8 + 2 }, (_, code) => steps[Math.round((code / MOST_8) ** 2 * (steps.length - 1)) ]);
  table[MOST_8 + 1] = packedHex(colours.masked);
  return table;
}
