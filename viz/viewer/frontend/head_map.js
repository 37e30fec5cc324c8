// The chosen head, large: a row is the query token, a column the key token that it attends to.

import { ramp } from "./colours.js";
import { briefOfCell } from "./brief.js";
import { nameOfQuantity, paintColourBar } from "./colour_bar.js";
import { attribute, element, sized } from "./dom.js";
import { toSay, tr } from "./language.js";
import { cellAt } from "./map_cell_at.js";
import { frameOfPlot, paintCells, paintLines, paintMarks, paintNumbers, writeOnPlot } from "./map_cells.js";
import { MapGestures } from "./map_gestures.js";
import { heldRows, paintLabels, titlesOfAxes } from "./map_labels.js";
import { layOutMap, MAP_SPACING, Ruler } from "./map_layout.js";
import { paintMargin } from "./map_margin.js";
import { MapRasters } from "./map_raster.js";
import { MapTools, STEP_OF_ZOOM } from "./map_tools.js";
import { MapView } from "./map_view.js";
import { MapWords } from "./map_words.js";
import { Minimap } from "./minimap.js";
import { Tip } from "./tip.js";
import { wordButton } from "./words.js";

export class HeadMap {
  constructor(model) {
    Object.assign(this, { model, axes: null, view: new MapView(1, 1, 1), focused: null });
    Object.assign(this, { rasters: new MapRasters(), tables: new Map() });
    this.canvas = element("canvas", { "aria-hidden": true });
    this.minimap = new Minimap((place) => this.centre(place));
    this.words = new MapWords();
    this.grid = element("div", { class: "map-grid", role: "grid", tabindex: 0, "aria-describedby": this.words.hint.id,
      onfocus: () => this.focus(), onblur: () => this.leave() }, this.canvas, this.minimap.canvas, this.words.row);
    this.tip = new Tip(this.grid);
    this.tools = new MapTools(this);
    const foot = element("div", { class: "map-foot" }, this.words.notes, this.tools.node);
    this.axisWords = { key: wordButton("key", "", tr("key")), query: wordButton("query", "", tr("query")) };
    this.node = element("div", { class: "head-map" }, this.grid, ...Object.values(this.axisWords), foot);
    this.gestures = new MapGestures(this.grid, this);
    document.fonts.ready.then(() => this.measureAgain());
  }

  /** The font of the page may have come after the first picture. */
  measureAgain() {
    if (!this.layout) return;
    this.ruler = this.newRuler();
    this.layout = layOutMap(this.model, this.layout.width, this.ruler, { tallest: this.tallest });
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
    const hasMasked = this.subject() && this.rasters.whole?.masked;
    this.words.describe(this.grid, model, { layout: this.layout, hasMasked, canZoom: this.view.most > 1 });
    this.minimap.draw(this, this.rasters.whole, colours);
    this.say(model.cell);
    this.tools.draw(this.view);
    this.placeWords();
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

  /** Over the words "key" and "query", which are painted at the sides of the map. */
  placeWords() {
    const { layout, ruler, axisWords } = this;
    const titles = titlesOfAxes(layout, ruler);
    const long = (text) => ruler.width(text, layout.sizes.title);
    const tall = layout.sizes.title * MAP_SPACING;
    const place = ({ text }, word) => ({ before: long(text.slice(0, Math.max(text.indexOf(word), 0))), size: long(word) });
    const [{ key, query }, ofKey, ofQuery] = [titles, place(titles.key, tr("key")), place(titles.query, tr("query"))];
    lay(axisWords.key, { left: key.x - key.half + ofKey.before, top: key.y, width: ofKey.size, height: tall });
    const low = query.y + query.half - ofQuery.before; // it stands, and begins below
    lay(axisWords.query, { left: query.x, top: low - ofQuery.size, width: tall, height: ofQuery.size });
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
      this.zoomTaken = "";
    }
    const tallest = Math.max(innerHeight - (AROUND[model.choices.shows] ?? AROUND.picture), LEAST_TALL);
    const room = [width, tallest, model.choices.quantity].join(" ");
    if (!this.layout || this.room !== room) this.layout = layOutMap(model, width, this.ruler, { tallest });
    Object.assign(this, { tallest, room });
    const { cell, sizes } = this.layout;
    this.view.most = Math.max(1, sizes.zoomed / Math.min(cell.width, cell.height));
    if (String(model.choices.zoom) !== this.zoomTaken) this.view.take(model.choices.zoom);
    this.zoomTaken = String(model.choices.zoom);
  }

  /** The reader has zoomed or moved: it becomes a choice when the map rests. */
  moved() {
    clearTimeout(this.settling);
    const { axes } = this;
    this.settling = setTimeout(() => {
      if (axes !== this.axes) return;
      const zoom = this.view.choice;
      this.zoomTaken = String(zoom);
      this.model.set({ zoom });
    }, SETTLED);
    this.redraw();
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
      if (layout.aside) paintMargin(context, scene, { shareOf: (row) => model.inMargin(row), names: model.specialNames }, colours);
      paintColourBar(context, scene, scaleOf(subject, model), colours);
    } else {
      writeOnPlot(context, scene, queries.length && keys.length ? tr(LOADING) : tr(NOTHING_LEFT), colours);
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

  // What gestures mean.

  zoom(factor, place) {
    this.view.zoomAt(factor, place ? this.shareOf(place) : this.anchor());
    this.moved();
  }

  drag(dx, dy) {
    this.tip.leave();
    const { plot } = this.layout;
    this.view.pan(-dx / plot.width, -dy / plot.height);
    this.moved();
  }

  pan(x, y) {
    this.view.pan(x, y);
    this.moved();
  }

  centre({ x, y }) {
    const { view } = this;
    view.moveTo(y * view.nQuery - view.rows / 2, x * view.nKey - view.columns / 2);
    this.moved();
  }

  showAll() {
    this.view.whole();
    this.moved();
  }

  hover(place, event) {
    this.tip.follow(event);
    const cell = cellAt(place, this);
    this.grid.classList.toggle("on-token", cell?.key === null);
    this.model.point(cell);
    this.say(cell);
  }

  /** The label at the pointer: what a cell holds. */
  say(cell) {
    this.tip.show(cell && briefOfCell(this.model, cell));
  }

  /** A double click on a token at the side is two clicks on it. */
  double(factor, place) {
    if (cellAt(place, this)?.key !== null) this.zoom(factor, place);
  }

  leave() {
    this.tip.leave();
    this.model.point(this.grid.matches(":focus-visible") ? this.focused : null);
  }

  /** A click on a token at the side holds its row alone, with Shift one more; one on a cell reads it. */
  click(place, event) {
    this.tip.follow(event);
    const cell = cellAt(place, this);
    this.focused = cell;
    this.model.point(cell);
    this.say(cell);
    if (cell && cell.key === null && place.x < this.layout.plot.x) this.model.hold(this.model.queries[cell.query], { adds: event.shiftKey || event.ctrlKey || event.metaKey });
    if (event.pointerType !== "mouse") this.grid.focus({ preventScroll: true });
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

  hold({ adds }) {
    if (this.focused) this.model.hold(this.model.queries[this.focused.query], { adds });
  }

  escape() {
    this.tip.leave();
    this.model.point(null);
    if (this.model.choices.locked.length) this.model.set({ locked: [] });
  }

  pointTo(cell) {
    this.tip.leave();
    this.focused = cell;
    this.view.reveal(cell);
    this.model.point(cell);
    this.moved();
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
}

const SETTLED = 300; // milliseconds without a gesture until what is seen is a choice
const AROUND = { all: 370, picture: 330, map: 290 }; // CSS pixels of a window above the map: what asks, titles, tools
const LEAST_TALL = 320;
const REST = 60; // milliseconds without a change until the sharp picture of a part is made
const BUDGET = 10; // milliseconds that are spent on it at a time
const FAR = 10;
const EXPORT_DENSITY = 2;
const FALLBACK_ROOM = 1.3; // a file may be opened without our font: DejaVu Sans and Verdana are wider by a quarter
const PATIENCE = 200; // milliseconds
const LOADING = toSay("Loading …");
const NOTHING_LEFT = toSay("No tokens left");

function lay(node, box) {
  for (const [side, pixels] of Object.entries(box)) node.style[side] = `${pixels}px`;
}

function scaleOf({ signed, reach, table }, model) {
  return { low: signed ? -reach : 0, high: reach, table, share: model.scale === "row", name: nameOfQuantity(model) };
}
