// What was read, a picture or a sound, beside the map: what is pointed at is marked in it, what it attends to is shaded.

import { positioned } from "./axis.js";
import { written } from "./brief.js";
import { QUANTITY_NAMES } from "./colour_bar.js";
import { attribute, element, placeOn, say, sized, write } from "./dom.js";
import { toSay, tr, trParts } from "./language.js";
import { heldRows } from "./map_labels.js";
import { Photograph } from "./source_picture.js";
import { Wave } from "./source_sound.js";

export class SourcePane {
  constructor(model) {
    Object.assign(this, { model, drawing: null, about: null });
    this.canvas = element("canvas", { role: "img" });
    this.query = element("p", { class: "source-query" });
    this.key = element("p", { class: "source-key" });
    this.caption = element("p", { class: "source-caption" });
    this.node = element("section", { class: "source" }, this.canvas, this.query, this.key, this.caption);
    for (const name of ["pointermove", "pointerdown"]) this.canvas.addEventListener(name, (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", ({ pointerType }) => { if (pointerType !== "touch") this.leave(); });
  }

  draw(colours) {
    const { model } = this;
    if (this.about !== model.about) this.open(model.about);
    this.node.hidden = ![model.queries, model.keys].some((entries) => entries.some(({ place }) => place));
    if (this.node.hidden || !this.node.clientWidth) return;
    const shown = this.shown();
    const width = Math.min(this.node.clientWidth, WIDEST);
    this.size = { width, height: this.drawing.height(width) };
    this.drawing.paint(sized(this.canvas, width, this.size.height), { ...this.size, ...shown, colours });
    this.say(shown);
    attribute(this.node, "data-query", shown.query?.position ?? "");
    attribute(this.node, "data-key", shown.key?.position ?? "");
  }

  open(about) {
    this.about = about;
    const { source } = about;
    this.drawing = source.kind === "picture" ? new Photograph(source) : new Wave(source, about);
    attribute(this.node, "aria-label", tr(NAMES[source.kind]));
  }

  /** {rows, query, key, shares}: the entries that are marked, and of each place how much of the largest number it has. */
  shown() {
    const { model } = this;
    const { cell, queries, keys } = model;
    const pointed = cell && cell.query < queries.length && (cell.key ?? 0) < keys.length ? cell : null;
    const rows = pointed ? [pointed.query] : heldRows(model);
    const key = pointed && pointed.key !== null ? keys[pointed.key] : null;
    return { rows, query: rows.length === 1 ? queries[rows[0]] : null, key, ...this.shading(rows) };
  }

  /** `shares` are pairs [place, 0..1]; null where nothing is pointed at or its numbers are on their way. */
  shading(rows) {
    const { model } = this;
    const matrix = model.matrix();
    if (!rows.length || !matrix || matrix.step) return { shares: null, largest: null };
    const values = summed(rows.map((row) => matrix.row(row)));
    const isScores = model.choices.quantity === "scores";
    const places = model.keys.flatMap(({ place }, key) => (place && !Number.isNaN(values[key]) ? [[place, values[key]]] : []));
    const largest = places.reduce((high, [, value]) => Math.max(high, value), isScores ? -Infinity : 0);
    const share = (value) => (isScores ? Math.exp(value - largest) : value / (largest || 1)); // as their weights compare
    return { shares: places.map(([place, value]) => [place, share(value)]), largest };
  }

  say({ rows, query, key, shares, largest }) {
    const { kind } = this.about.source;
    const { quantity } = this.model.choices;
    say(this.query, query ? trParts("query: {token}", { token: { token: positioned(query) } }) : [held(rows)]);
    say(this.key, key ? trParts("key: {token}", { token: { token: positioned(key) } }) : [""]);
    for (const [node, entry] of [[this.query, query], [this.key, key]]) node.classList.toggle("placed", Boolean(entry?.place));
    const number = shares?.length ? written(largest, quantity, this.model.matrix().exact, { brief: true }) : "";
    write(this.caption, number ? tr(SHADED[kind], { quantity: tr(QUANTITY_NAMES[quantity]), number }) : tr(HINTS[kind]));
    attribute(this.canvas, "aria-label", tr(NAMES[kind]));
  }

  /** The pointer on the picture or the sound is on the row of the token that stands there. */
  point(event) {
    if (this.model.choices.picture !== "map") return;
    const { x, y } = placeOn(this.canvas, event);
    const at = this.drawing.at(x, y, this.size);
    const query = this.model.queries.findIndex(({ place }) => place && this.drawing.holds(place, at));
    if (query >= 0) this.model.point({ query, key: null });
  }

  leave() {
    if (this.model.choices.picture === "map") this.model.point(null);
  }
}

const WIDEST = 420; // CSS pixels
const NAMES = { picture: toSay("The picture that the model reads"), sound: toSay("The sound that the model hears") };
const HINTS = {
  picture: toSay("Point at a row of the map, or at a patch: what it attends to stays clear."),
  sound: toSay("Point at a row of the map: the stretches that it attends to are shaded."),
};
const SHADED = {
  picture: toSay("The clearer a patch, the larger its {quantity}; of the clearest it is {number}."),
  sound: toSay("The stronger the shade, the larger the {quantity}; where it is strongest, {number}."),
};

/** What is said of several rows that are held. */
function held(rows) {
  return rows.length ? tr("the sum of the rows that are held") : "";
}

/** The sum of rows, a number that is masked in all of them stays none. */
function summed(rows) {
  if (rows.length === 1) return rows[0];
  return rows[0].map((_, j) => rows.reduce((sum, row) => (Number.isNaN(row[j]) ? sum : (Number.isNaN(sum) ? 0 : sum) + row[j]), NaN));
}

/** Set what was read beside the map of a viewer; gives the viewer. */
export function addSourcePane(viewer, { about }) {
  const pane = new SourcePane(viewer.model);
  viewer.parts.push(pane);
  viewer.frame.dataset.source = about.source.kind;
  viewer.frame.querySelector(".pictures").append(pane.node);
  return viewer;
}
