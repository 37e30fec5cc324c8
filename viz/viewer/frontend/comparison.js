// Two heads side by side: what is chosen, what it is compared with, and the signed difference of their weights.

import { dressed } from "./colours.js";
import { ComparedArcs } from "./comparison_arcs.js";
import { comparisonArchive, comparisonTable } from "./comparison_files.js";
import { ComparisonMaps } from "./comparison_maps.js";
import { Choice, PICTURES } from "./controls.js";
import { attribute, element, isDark, placeOn, say, sized, write } from "./dom.js";
import { FilesMenu } from "./files_menu.js";
import { handOver } from "./hand_over.js";
import { toSay, tr, trParts } from "./language.js";
import { unpack } from "./payload.js";
import { Panel } from "./panel.js";
import { drawingFile, framed, imageFile } from "./picture_files.js";
import { threeDigits } from "./text_numbers.js";
import { Tip } from "./tip.js";

/** Show the comparison of an embedded file in `root`. */
export function openFile(root, contents) {
  const shown = new Comparison(root);
  shown.show(contents);
  return shown;
}

/** Mount into, or update inside, a component of Streamlit; `data` is {about, numbers: base64, picture, fits}. As in viewer.js. */
export function openComponent({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector("[data-root]");
  let shown = OPEN.get(root);
  if (!shown) OPEN.set(root, (shown = new Comparison(root)));
  const call = (shown.newestCall = {});
  shown.tellPage = setStateValue;
  shown.wantPage = () => setTriggerValue("page", true);
  shown.show(data);
  return () => {
    if (shown.newestCall !== call) return;
    shown.close();
    OPEN.delete(root);
  };
}

export class Comparison {
  constructor(root) {
    Object.assign(this, { root, cell: null, fits: false, said: {}, maps: null, choices: { picture: "arcs" } });
    this.title = element("h3");
    this.pictures = new Choice(this, "picture", tr("Picture"), PICTURES);
    this.arcs = new ComparedArcs(this);
    this.finding = element("p", { class: "compared-finding" });
    this.measured = element("p");
    const why = new Panel("?", tr("How this is measured"), this.measured);
    why.button.setAttribute("aria-label", tr("How this is measured"));
    this.canvas = element("canvas", { "aria-hidden": true });
    this.spoken = element("div", { role: "gridcell", id: `compared-cell-${++made}` });
    this.grid = element("div", { class: "map-grid", role: "grid", tabindex: 0, "aria-label": tr("Two heads and their difference"),
      onkeydown: (event) => this.press(event), onblur: () => this.leave(), onpointerleave: (event) => { if (event.pointerType !== "touch") this.leave(); },
      onpointermove: (event) => this.hover(event), onpointerdown: (event) => this.hover(event) },
    this.canvas, element("div", { role: "row", class: "unseen" }, this.spoken));
    this.tip = new Tip(this.grid);
    this.reading = element("p", { class: "reading", "aria-live": "polite" });
    this.note = element("p", { class: "compared-note" });
    this.scale = element("select", { "aria-label": tr("Scale"), onchange: () => this.rescale() },
      element("option", { value: "one" }, tr("0 to 1")), element("option", { value: "map" }, tr("Fit the two maps")));
    const scale = element("label", { class: "compared-scale" }, element("span", {}, tr("Scale")), this.scale);
    this.news = element("p", { class: "news", role: "status" });
    const menu = (this.menu = new FilesMenu(FILES_OF_COMPARISON, (name, make) => this.take(name, make)));
    const foot = element("div", { class: "compared-foot" }, element("div", { class: "take-away" }, menu.node, this.news), scale);
    const finding = element("div", { class: "compared-found" }, this.finding, why.button, why.node);
    const head = element("div", { class: "compared-head" }, finding, element("div", { class: "controls" }, this.pictures.node));
    this.ofMaps = [this.grid, this.reading, this.note, scale];
    this.frame = element("div", { class: "viewer compared", "data-comparison": true },
      head, ...this.arcs.nodes, this.title, this.grid, this.reading, this.note, foot);
    root.replaceChildren(this.frame);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(root);
    this.redraw = () => this.draw();
    DARK_PAGE.addEventListener("change", this.redraw);
    document.fonts.ready.then(() => this.shown && this.remake());
  }

  /** Show another comparison; `about` and the numbers as viz/viewer/comparison.py writes them. `page` is the document
   * that was asked for. */
  show({ about, numbers, picture, fits, page }) {
    this.menu.buttons.get("HTML").hidden = !this.wantPage;
    if (page) this.handPage?.(page);
    if (picture !== this.said.picture) this.choices.picture = picture; // else the reader may have chosen another since
    if (fits !== this.said.fits) this.scaleTo(fits);
    this.said = { picture, fits };
    if (this.shown?.numbers !== numbers || JSON.stringify(this.shown.about) !== JSON.stringify(about)) {
      const bytes = Uint8Array.from(atob(numbers), (character) => character.charCodeAt(0));
      Object.assign(this, { shown: { about, numbers, arrays: unpack(bytes.buffer).arrays }, cell: null });
      this.remake();
    }
    this.draw();
  }

  remake() {
    const { about } = this.shown;
    this.maps = new ComparisonMaps(this.shown, getComputedStyle(this.frame).fontFamily);
    this.arcs.show(this.shown);
    write(this.title, about.title);
    write(this.finding, about.finding);
    write(this.measured, about.measured);
    write(this.note, about.note);
    if (this.frame.dataset.shown && this.root.clientWidth) this.drawNow(); // no frame without the arcs of before
    else this.draw();
  }

  draw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      if (this.maps && this.root.clientWidth) this.drawNow();
    });
  }

  drawNow() {
    const colours = (this.colours = this.shown.about.palettes[isDark(this.root) ? "dark" : "light"]);
    dressed(this.frame, colours);
    const isMap = this.choices.picture === "map";
    for (const node of this.ofMaps) node.hidden = !isMap;
    this.pictures.draw();
    this.arcs.draw(colours, !isMap);
    attribute(this.frame, "data-shown", this.shown.about.file);
    if (isMap) this.drawMaps();
  }

  drawMaps() {
    const { maps, cell, fits, colours } = this;
    const width = this.grid.clientWidth;
    if (this.scene?.width !== width || this.scene.maps !== maps) this.scene = { ...maps.layOut(width), maps };
    const context = sized(this.canvas, width, this.scene.height);
    maps.paint(context, { scene: this.scene, colours, cell, density: this.canvas.width / width, fits });
    say(this.reading, cell ? this.ofCell(cell) : [tr(HINT)]);
    write(this.spoken, cell ? this.reading.textContent : "");
    attribute(this.grid, "aria-activedescendant", cell && this.spoken.id);
    this.tip.show(cell && this.ofCell(cell).map((part) => (typeof part === "string" ? part.replaceAll(" · ", "\n") : part)));
    this.report();
  }

  /** Where the cells stand and what is shown, for tests. */
  report() {
    const { layout: { plot }, places, top } = this.scene;
    const plots = places.map(({ x, y }) => [x + plot.x, y + top + plot.y, plot.width, plot.height].join(" "));
    attribute(this.grid, "data-plots", plots.join(";"));
  }

  /** Parts of a sentence: plain text, or {token}. */
  ofCell({ query, key }) {
    const { rows, columns, names, distances } = this.maps;
    const row = { token: rows[query].name };
    if (key === null) {
      return Number.isNaN(distances[query]) ? trParts("{token} · stands in one text alone", { token: row })
        : trParts("{token} · distance of the rows {distance}", { token: row, distance: threeDigits(distances[query]) });
    }
    const [one, other] = [this.maps.value("one", { query, key }), this.maps.value("other", { query, key })];
    const difference = other - one;
    const number = `${difference < 0 ? "−" : "+"}${threeDigits(Math.abs(difference))}`;
    const differs = tr("difference {number}", { number });
    return [row, " → ", { token: columns[key].name }, ` · ${names.one} ${numberOrNone(one)} · ${names.other} ${numberOrNone(other)}`,
      Number.isNaN(difference) ? "" : ` · ${differs}`];
  }

  hover(event) {
    if (!this.scene) return;
    this.tip.follow(event);
    this.point(this.maps.cellAt(placeOn(this.grid, event), this.scene));
    if (this.tip.node.hidden && this.cell) this.draw(); // the keys have been to that cell
  }

  leave() {
    this.tip.leave();
    this.point(null);
  }

  point(cell) {
    if (cell?.query === this.cell?.query && cell?.key === this.cell?.key) return;
    this.cell = cell;
    this.draw();
  }

  press(event) {
    const step = STEPS_OF_KEYS[event.key];
    if (event.key === "Escape") this.point(null);
    if (!step || !this.maps) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.cell ?? { query: 0, key: -step[0] };
    const within = (index, size) => Math.min(Math.max(index, 0), size - 1);
    this.tip.leave();
    this.point({
      query: within(from.query + (this.cell ? step[1] : 0), this.maps.rows.length),
      key: within((from.key ?? -1) + step[0], this.maps.columns.length),
    });
  }

  /** Another picture is chosen. */
  set({ picture }) {
    this.choices.picture = this.said.picture = picture;
    this.tellPage?.("picture", picture);
    this.draw();
  }

  rescale() {
    this.scaleTo(this.scale.value === "map");
    this.said.fits = this.fits;
    this.tellPage?.("fits", this.fits);
    this.draw();
  }

  /** The two maps end at their largest weight, or at 1. */
  scaleTo(fits) {
    this.fits = Boolean(fits);
    this.scale.value = this.fits ? "map" : "one";
  }

  /** The picture in its frame, as picture_files.js takes it: the arcs below each other, or the maps beside each other. */
  get picture() {
    const { maps, fits, colours, shown: { about } } = this;
    const font = getComputedStyle(this.frame).fontFamily;
    const words = { title: about.title, colours, font };
    if (this.choices.picture === "arcs") return framed(this.arcs.part, { ...words, lines: [about.finding, about.models] });
    const scene = maps.layOut(WIDE_PICTURE);
    const part = {
      size: () => ({ width: scene.width, height: scene.height }),
      paint: (context, { colours }) => maps.paint(context, { scene, colours, cell: null, density: DENSITY, fits }),
    };
    return framed(part, { ...words, lines: [about.finding, about.note, about.models] });
  }

  /** Make a file and hand it to the browser; say what happened. */
  async take(name, make) {
    try {
      const { parts, type } = await make(this);
      const file = `${this.shown.about.file}.${name.toLowerCase()}`;
      write(this.news, `${file}, ${handOver(new Blob(parts, { type }), file)}.`);
    } catch (error) {
      write(this.news, tr("No {name} file. {reason}", { name, reason: error.message }));
    }
  }

  /** The whole as one document, which the server makes. */
  askPage() {
    return new Promise((resolve, refuse) => {
      this.handPage = resolve; // another request for it, or the page once more, changes nothing
      setTimeout(() => refuse(new Error(tr(NO_ANSWER))), LONGEST_WAIT);
      this.wantPage();
    });
  }

  close() {
    cancelAnimationFrame(this.waiting);
    this.observer.disconnect();
    DARK_PAGE.removeEventListener("change", this.redraw);
  }
}

const OPEN = new WeakMap();
const DARK_PAGE = matchMedia("(prefers-color-scheme: dark)");
let made = 0;
const HINT = toSay("Point at a cell or a token, or walk with the arrow keys, to read both numbers.");
const STEPS_OF_KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NO_ANSWER = toSay("The server has not answered. Try again.");
const LONGEST_WAIT = 30_000; // milliseconds, for a document that takes the server a second
const WIDE_PICTURE = 1290;
const DENSITY = 2;
const FILES_OF_COMPARISON = [
  { name: "PNG", title: toSay("this picture, for a text or a slide"),
    make: async ({ picture }) => ({ parts: (await imageFile(picture)).parts, type: "image/png" }) },
  { name: "SVG", title: toSay("this picture, sharp at any size, to print or to edit"),
    make: ({ picture }) => ({ parts: drawingFile(picture), type: "image/svg+xml" }) },
  { name: "CSV", title: toSay("both numbers of every cell, for a spreadsheet"),
    make: ({ maps }) => ({ parts: comparisonTable(maps), type: "text/csv" }) },
  { name: "NPZ", title: toSay("the same as arrays for NumPy"),
    make: ({ maps, shown }) => ({ parts: comparisonArchive(maps, shown), type: "application/octet-stream" }) },
  { name: "HTML", title: toSay("this picture as one file that opens without a server"),
    make: async (comparison) => ({ parts: [await comparison.askPage()], type: "text/html" }) },
];

function numberOrNone(value) {
  return Number.isNaN(value) ? tr("not there") : threeDigits(value);
}
