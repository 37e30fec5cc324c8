// The chosen head, large: a row is the query token, a column the key token that it attends to.

import { ramp } from "./colours.js";
import { nameOfQuantity, paintColourBar } from "./colour_bar.js";
import { element, sized, write } from "./dom.js";
import { usesFinger } from "./hand.js";
import { paintCells, paintLines, paintMarks, paintNumbers } from "./map_cells.js";
import { MapGestures } from "./map_gestures.js";
import { heldRows, paintLabels } from "./map_labels.js";
import { layOutMap, Ruler } from "./map_layout.js";
import { MapRasters } from "./map_raster.js";
import { MapView } from "./map_view.js";
import { Minimap } from "./minimap.js";

export class HeadMap {
  constructor(model) {
    Object.assign(this, { model, axes: null, view: new MapView(1, 1, 1), focused: null });
    Object.assign(this, { rasters: new MapRasters(), tables: new Map() });
    this.canvas = element("canvas", { "aria-hidden": true });
    this.minimap = new Minimap((place) => this.centre(place));
    this.cell = element("div", { role: "gridcell", id: `map-cell-${++made}` });
    this.row = element("div", { role: "row", class: "unseen" }, this.cell);
    this.pointing = element("span", { class: "map-pointing" });
    this.keys = element("span", { class: "map-keys" }, KEYS);
    this.hint = element("p", { class: "map-hint", id: `map-hint-${made}` }, this.pointing, this.keys);
    this.grid = element("div", { class: "map-grid", role: "grid", tabindex: 0, "aria-describedby": this.hint.id,
      onfocus: () => this.focus(), onblur: () => this.leave() }, this.canvas, this.minimap.canvas, this.row);
    this.note = element("p", { class: "map-note" });
    this.tools = new Tools(this);
    const notes = element("div", { class: "map-notes" }, this.note, this.hint);
    const foot = element("div", { class: "map-foot" }, notes, this.tools.node);
    this.node = element("div", { class: "head-map" }, this.grid, foot);
    this.gestures = new MapGestures(this.grid, this);
    document.fonts.ready.then(() => this.measureAgain());
  }

  /** The font of the page may have come after the first picture. */
  measureAgain() {
    if (!this.layout) return;
    this.ruler = this.newRuler();
    this.layout = layOutMap(this.model, this.layout.width, this.ruler);
    this.redraw();
  }

  draw(colours) {
    const { model } = this;
    this.node.hidden = model.choices.picture !== "map";
    if (this.node.hidden || !this.node.clientWidth) return;
    this.colours = colours;
    const before = this.axes;
    this.layOut(this.node.clientWidth);
    if (before === this.axes && this.isWaiting()) return; // for a moment, the picture before is better than none
    const { width, height } = this.layout;
    const context = sized(this.canvas, width, height);
    this.paintScene(context, { cell: model.cell, density: this.canvas.width / width });
    this.describe();
    this.minimap.draw(this, this.rasters.whole, colours);
    this.tools.draw(this.view);
    this.report();
    this.grid.classList.toggle("enlarged", !this.view.isWhole);
  }

  /** Whether numbers that have been asked for may still come in a moment. */
  isWaiting() {
    if (this.subject() || !this.model.queries.length) {
      this.missingSince = null;
      return false;
    }
    this.missingSince ??= performance.now();
    const waited = performance.now() - this.missingSince;
    if (waited < PATIENCE) setTimeout(() => this.redraw(), PATIENCE - waited + 1);
    return waited < PATIENCE;
  }

  /** Where the plot stands and which cells are seen on it, for tests and for whoever measures. */
  report() {
    const { layout: { plot }, view: { region }, grid } = this;
    attribute(grid, "data-plot", [plot.x, plot.y, plot.width, plot.height].join(" "));
    attribute(grid, "data-seen", [region.top, region.bottom, region.left, region.right].join(" "));
  }

  /** The size of the picture, for a file: {width, height}. */
  size(width) {
    return layOutMap(this.model, width, this.newRuler(FALLBACK_ROOM));
  }

  /** Paint the picture as it is seen, without what is pointed at. */
  paint(context, { width, colours }) {
    if (this.axes !== this.model.axes) this.layOut(width);
    const { layout, ruler } = this;
    const roomy = this.newRuler(FALLBACK_ROOM);
    Object.assign(this, { colours, ruler: roomy, layout: layOutMap(this.model, width, roomy) });
    this.paintScene(context, { cell: null, density: EXPORT_DENSITY });
    Object.assign(this, { layout, ruler });
  }

  layOut(width) {
    const { model } = this;
    if (this.axes !== model.axes) {
      Object.assign(this, { axes: model.axes, layout: null, focused: null, ruler: this.newRuler() });
      this.view = new MapView(Math.max(model.queries.length, 1), Math.max(model.keys.length, 1), 1);
    }
    if (this.layout?.width !== width) this.layout = layOutMap(model, width, this.ruler);
    const { cell, sizes } = this.layout;
    this.view.most = Math.max(1, sizes.zoomed / Math.min(cell.width, cell.height));
  }

  newRuler(spare = 1) {
    return new Ruler(getComputedStyle(this.node).fontFamily, spare);
  }

  paintScene(context, { cell, density }) {
    const { layout, view, colours, model } = this;
    const { queries, keys } = model;
    const scene = { layout, view, queries, keys, ruler: this.ruler, locked: new Set(heldRows(model)), cell };
    const subject = this.subject();
    const pixels = { width: layout.plot.width * density, height: layout.plot.height * density };
    if (subject) {
      paintCells(context, scene, this.images(subject, pixels), colours);
      paintLines(context, scene, colours);
      paintNumbers(context, scene, subject, colours);
      paintColourBar(context, scene, scaleOf(subject, model), colours);
    } else {
      writeOnPlot(context, scene, queries.length && keys.length ? LOADING : NOTHING_LEFT, colours);
    }
    frameOfPlot(context, layout.plot, colours);
    paintLabels(context, scene, colours);
    paintMarks(context, scene, colours);
  }

  /** What is drawn, as map_raster.js takes it; null until the numbers are here. */
  subject() {
    const { model, colours } = this;
    const matrix = model.matrix();
    if (!matrix || !matrix.nQuery || !matrix.nKey) return null;
    const { kind, layer, head, quantity, words, special, scale, threshold, top } = model.choices;
    const signed = quantity === "scores";
    const chosen = [model.about.id, kind, layer, head, quantity, words, special, scale, threshold, top];
    const name = [model.about.id, ...chosen, matrix.exact, matrix.wide, colours.ground].join(" ");
    const table = this.table(signed ? colours.diverging : colours.sequential);
    return { name, matrix, rule: model.rule, reach: model.reach, signed, table };
  }

  table(palette) {
    const name = palette.join();
    if (!this.tables.has(name)) this.tables.set(name, ramp(palette));
    return this.tables.get(name);
  }

  /** The images of the cells. The sharp one of a part of a long text is made when everything rests. */
  images(subject, pixels) {
    const whole = this.rasters.all(subject, pixels);
    const { region } = this.view;
    if (this.rasters.needs(subject, region, pixels)) this.refineLater(subject, pixels);
    const part = this.rasters.last(subject);
    return part ? [whole, part] : [whole];
  }

  refineLater(subject, pixels, rest = REST) {
    clearTimeout(this.refining);
    this.refining = setTimeout(() => {
      if (!this.rasters.needs(subject, this.view.region, pixels)) return;
      if (!this.rasters.refine(subject, this.view.region, pixels, BUDGET)) this.refineLater(subject, pixels, 0);
      else this.redraw();
    }, rest);
  }

  redraw() {
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = null;
      if (this.colours && this.axes) this.draw(this.colours);
    });
  }

  /** The grid as a screen reader hears of it, and the lines below. */
  describe() {
    const { model, grid } = this;
    const { layer, head } = model.choices;
    const [rows, columns] = [model.queries.length, model.keys.length];
    const title = `Layer ${layer}, ${head === "mean" ? "mean over the heads" : `head ${head}`}: ${nameOfQuantity(model)}s`;
    attribute(grid, "aria-label", `${title}, ${rows} query tokens by ${columns} key tokens`);
    attribute(grid, "aria-rowcount", rows);
    attribute(grid, "aria-colcount", columns);
    attribute(grid, "aria-activedescendant", model.cell && this.cell.id);
    const masked = this.subject() && this.rasters.whole?.masked ? MASKED_NOTE : "";
    write(this.note, [model.note, masked, this.pooled()].filter(Boolean).join(" "));
    const hints = usesFinger() ? TOUCH_HINTS : POINTER_HINTS;
    write(this.pointing, [this.view.most > 1 ? hints.zoom : "", hints.hold].filter(Boolean).join(" "));
    grid.classList.toggle("touched", usesFinger());
    if (!model.cell) return;
    const { query, key } = model.cell;
    attribute(this.row, "aria-rowindex", query + 1);
    attribute(this.cell, "aria-colindex", (key ?? 0) + 1);
    const names = [model.queries[query], ...(key === null ? [] : [model.keys[key]])].map((entry) => entry.text);
    write(this.cell, names.join(" → "));
  }

  /** In a long text, many cells share a point of the picture. */
  pooled() {
    const size = Math.ceil(1 / this.layout.cell.width - 0.5);
    return size > 1 ? `A long text: a point shows the strongest of about ${size} × ${size} cells until you zoom in.` : "";
  }

  // What gestures mean.

  zoom(factor, place) {
    this.view.zoomAt(factor, place ? this.shareOf(place) : this.anchor());
    this.redraw();
  }

  drag(dx, dy) {
    const { plot } = this.layout;
    this.view.pan(-dx / plot.width, -dy / plot.height);
    this.redraw();
  }

  pan(x, y) {
    this.view.pan(x, y);
    this.redraw();
  }

  centre({ x, y }) {
    const { view } = this;
    view.moveTo(y * view.nQuery - view.rows / 2, x * view.nKey - view.columns / 2);
    this.redraw();
  }

  showAll() {
    this.view.whole();
    this.redraw();
  }

  hover(place) {
    const cell = this.cellAt(place);
    this.grid.classList.toggle("on-token", cell?.key === null);
    this.model.point(cell);
  }

  /** A double click on a token at the side is two clicks on it. */
  double(factor, place) {
    if (this.cellAt(place)?.key !== null) this.zoom(factor, place);
  }

  leave() {
    this.model.point(this.grid.matches(":focus-visible") ? this.focused : null);
  }

  /** A click on a token at the side holds its row, or lets it go; one on a cell reads it. */
  click(place, { pointerType }) {
    const cell = this.cellAt(place);
    this.focused = cell;
    this.model.point(cell);
    if (cell && cell.key === null && place.x < this.layout.plot.x) this.toggle(cell.query);
    if (pointerType !== "mouse") this.grid.focus({ preventScroll: true });
  }

  focus() {
    if (!this.axes || !this.model.queries.length || !this.model.keys.length) return;
    this.focused ??= this.model.cell ?? { query: Math.floor(this.view.top), key: Math.floor(this.view.left) };
    if (this.grid.matches(":focus-visible")) this.model.point(this.focused);
  }

  /** Move the focused cell; left of the first key is the row as a whole. `far` jumps by ten. */
  step(x, y, far = false) {
    const { queries, keys } = this.model;
    if (!queries.length || !keys.length) return;
    const from = this.focused ?? { query: 0, key: 0 };
    const by = far ? FAR : 1;
    const query = Math.min(Math.max(from.query + y * by, 0), queries.length - 1);
    const key = Math.min(Math.max((from.key ?? -1) + x * by, x < 0 && Number.isFinite(x) ? -1 : 0), keys.length - 1);
    this.pointTo({ query, key: x === 0 ? from.key : key < 0 ? null : key });
  }

  page(direction) {
    this.step(0, direction * Math.max(1, Math.floor(Math.min(this.view.rows / 2, FAR))));
  }

  hold() {
    if (this.focused) this.toggle(this.focused.query);
  }

  escape() {
    this.model.point(null);
    if (this.model.choices.locked.length) this.model.set({ locked: [] });
  }

  pointTo(cell) {
    this.focused = cell;
    this.view.reveal(cell);
    this.model.point(cell);
    this.redraw();
  }

  toggle(query) {
    const { position, positions } = this.model.queries[query];
    const { locked } = this.model.choices;
    const others = locked.filter((each) => !positions.includes(each));
    this.model.set({ locked: others.length < locked.length ? others : [...locked, position] });
  }

  /** The place on the plot, as shares of its sides, 0..1. */
  shareOf({ x, y }) {
    const { plot } = this.layout;
    const within = (share) => Math.min(Math.max(share, 0), 1);
    return { x: within((x - plot.x) / plot.width), y: within((y - plot.y) / plot.height) };
  }

  /** Where keys and buttons zoom: around the focused cell if it is seen. */
  anchor() {
    const { view, focused } = this;
    if (!focused) return undefined;
    const x = ((focused.key ?? view.left) + 0.5 - view.left) / view.columns;
    const y = (focused.query + 0.5 - view.top) / view.rows;
    return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : undefined;
  }

  /** The cell at a place of the canvas; beside the plot, the row; else null. */
  cellAt({ x, y }) {
    if (!this.layout) return null;
    const { layout: { plot }, view, model } = this;
    const inside = y >= plot.y && y < plot.y + plot.height && x < plot.x + plot.width;
    if (!inside || !model.keys.length || !model.queries.length) return null;
    const query = Math.min(Math.floor(view.top + ((y - plot.y) / plot.height) * view.rows), view.nQuery - 1);
    if (x < plot.x) return { query, key: null };
    const key = Math.min(Math.floor(view.left + ((x - plot.x) / plot.width) * view.columns), view.nKey - 1);
    return strongest(model.matrix(), { query, key }, view, plot);
  }
}

class Tools {
  constructor(map) {
    const button = (label, text, onclick) =>
      element("button", { type: "button", "aria-label": label, title: label, onclick }, text);
    this.out = button("Zoom out", "−", () => map.zoom(1 / STEP_OF_ZOOM));
    this.in = button("Zoom in", "+", () => map.zoom(STEP_OF_ZOOM));
    this.all = button("Show the whole map", "Whole", () => map.showAll());
    this.node = element("div", { class: "map-tools", role: "group", "aria-label": "Zoom" }, this.out, this.in, this.all);
  }

  draw(view) {
    this.node.hidden = view.most <= 1;
    this.in.disabled = view.zoom >= view.most;
    this.out.disabled = this.all.disabled = view.isWhole;
  }
}

let made = 0;
const REST = 60; // milliseconds without a change until the sharp picture of a part is made
const BUDGET = 10; // milliseconds that are spent on it at a time
const FAR = 10;
const STEP_OF_ZOOM = 2;
const EXPORT_DENSITY = 2;
const FALLBACK_ROOM = 1.3; // a file may be opened without our font: DejaVu Sans and Verdana are wider by a quarter
const TOUCH_HINTS = { zoom: "Pinch or double tap to zoom, drag to move.", hold: "Tap a token on the left to hold its row." };
const POINTER_HINTS = {
  zoom: "Zoom: Ctrl or ⌘ and wheel, double click, + and −; drag to move.", hold: "Click a token on the left to hold its row.",
};
const KEYS = "Arrows read cells, Shift and arrows move the map, + and − zoom, 0 shows all, Enter holds the row, Escape lets it go.";
const MASKED_NOTE = "Grey: masked, a query may not look there.";
const PATIENCE = 200; // milliseconds
const LOADING = "Loading …";
const NOTHING_LEFT = "No tokens left";

/** Change an attribute, or a text, only if it differs: the page is not laid out again for nothing. */
function attribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

function scaleOf({ signed, reach, table }, model) {
  return { low: signed ? -reach : 0, high: reach, table, share: model.scale === "row", name: nameOfQuantity(model) };
}

function frameOfPlot(context, { x, y, width, height }, { border }) {
  Object.assign(context, { strokeStyle: border, lineWidth: 1, globalAlpha: 0.35 });
  context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
  context.globalAlpha = 1;
}

function writeOnPlot(context, { layout: { plot, sizes }, ruler }, text, { quiet }) {
  Object.assign(context, { font: ruler.font(sizes.label), fillStyle: quiet, direction: "ltr" });
  Object.assign(context, { textAlign: "left", textBaseline: "middle" });
  context.fillText(text, plot.x + sizes.gap, plot.y + plot.height / 2);
}

/** Where a pixel shows several cells, the largest of them is what is seen, and what is read. */
function strongest(matrix, { query, key }, view, plot) {
  const step = Math.min(Math.max(under(view.rows / plot.height), under(view.columns / plot.width)), MOST_UNDER);
  if (!matrix?.exact || step === 1) return { query, key };
  const size = matrix.coarse && !matrix.isFine(view.region, plot.height) ? matrix.coarse.step : step;
  const [rows, columns] = [blockOf(query, size, view.nQuery), blockOf(key, size, view.nKey)];
  let best = { query, key, value: -Infinity };
  for (let i = rows.first; i < rows.end; i++) {
    const row = matrix.row(i);
    for (let j = columns.first; j < columns.end; j++) if (row[j] > best.value) best = { query: i, key: j, value: row[j] };
  }
  return { query: best.query, key: best.key };
}

const MOST_UNDER = 16;
const NEARLY_ONE = 1.5; // cells a pixel, up to which the eye takes a pixel for a cell

function under(cells) {
  return cells <= NEARLY_ONE ? 1 : Math.ceil(cells);
}

function blockOf(index, step, size) {
  const first = Math.floor(index / step) * step;
  return { first, end: Math.min(first + step, size) };
}
