// What is under the pointer or the focus, in words: for eyes, and for a screen reader.

import { positioned } from "./axis.js";
import { written } from "./brief.js";
import { QUANTITY_NAMES } from "./colour_bar.js";
import { Companion } from "./companion.js";
import { element, say } from "./dom.js";
import { usesFinger } from "./hand.js";
import { heldRows } from "./map_labels.js";
import { largestPlaces } from "./text_numbers.js";
import { tokenWorded, worded } from "./words.js";

export class Readout {
  constructor(model) {
    this.model = model;
    this.companion = new Companion(model);
    this.sentence = element("p", { class: "reading", "aria-live": "polite" });
    this.about = element("p", { class: "row-about" });
    this.list = element("ol", { class: "row-list" });
    this.row = element("div", { class: "row-reading" }, this.about, this.list);
    this.node = element("div", { class: "readout" }, this.sentence, this.row);
  }

  draw() {
    const { model } = this;
    this.rows = Math.min(SHOWN, model.keys.length);
    this.node.style.setProperty("--readout-rows", this.rows);
    const cell = inside(model.cell, model) ? model.cell : null;
    say(this.sentence, cell ? this.ofCell(cell) : [hintOf(model.choices.locked)]);
    this.drawRow(cell);
  }

  /** Parts of a sentence: plain text, or {token}. */
  ofCell({ query, key }) {
    const { model } = this;
    const matrix = model.matrix();
    if (matrix?.step) return this.ofBlock(matrix, query, key);
    this.asked = "";
    if (key === null) return this.ofRow(matrix, query);
    const value = matrix?.row(query)[key];
    const pair = [{ token: positioned(model.queries[query]) }, " → ", { token: positioned(model.keys[key]) }];
    if (value === undefined) return [...pair, " · the numbers are on their way"];
    if (Number.isNaN(value)) return [...pair, " · masked: this query cannot look here"];
    const others = matrix.exact ? this.companion.of({ query, key }) : [];
    return [...pair, ...[[model.choices.quantity, value], ...others].map(([quantity, number]) =>
      ` · ${QUANTITY_NAMES[quantity]} ${written(number, quantity, matrix.exact)}`)];
  }

  ofRow(matrix, query) {
    const start = [{ token: positioned(this.model.queries[query]) }, " attends"];
    if (!matrix?.exact) return [...start, " …"];
    const row = matrix.row(query);
    const places = largestPlaces(row, SPOKEN);
    if (!places.length) return [{ token: positioned(this.model.queries[query]) }, " cannot look anywhere"];
    return [...start, " most to ", ...places.flatMap((place, index) => [
      index ? ", " : "", { token: positioned(this.model.keys[place]) }, ` ${written(row[place], this.model.choices.quantity, true)}`,
    ])];
  }

  /** Only the largest number of a block is known: say so, and ask for the rest. */
  ofBlock(matrix, query, key) {
    const { model } = this;
    const range = (entries, index) => {
      const first = Math.floor(index / matrix.step) * matrix.step;
      return [entries[first], entries[Math.min(first + matrix.step, entries.length) - 1]].map(positioned);
    };
    const rows = range(model.queries, query);
    const name = ([first, last]) => (first === last ? [{ token: first }] : [{ token: first }, " to ", { token: last }]);
    if (!matrix.asks) return [...name(rows), " · the numbers are on their way"];
    this.askForAll();
    const isRough = !model.source.live; // the blocks of a file
    if (key === null || isRough) return [...name(rows), " · the numbers of this row are on their way"];
    const value = matrix.row(query)[key];
    const size = `${matrix.step} × ${matrix.step}`;
    const most = Number.isNaN(value) ? "masked" : `up to ${written(value, model.choices.quantity, true)}`;
    return [...name(rows), " → ", ...name(range(model.keys, key)), ` · ${most} in these ${size} tokens`];
  }

  /** The mean of a long text is completed when a reader rests on it. */
  askForAll() {
    const { model } = this;
    const name = JSON.stringify([model.about.id, model.choices]);
    if (this.asked === name) return;
    this.asked = name;
    clearTimeout(this.asking);
    this.asking = setTimeout(() => model.complete().catch((error) => this.refused(error)), DWELL);
  }

  refused(error) {
    if (!this.model.stop.signal.aborted) this.about.textContent = error.message;
  }

  /** What the row of the cell attends to, or the sum of the rows that are held: the strongest keys as bars. */
  drawRow(cell) {
    const { model } = this;
    const found = cell ? this.rowOf(cell) : (this.sumOfHeld() ?? this.strongestCells());
    this.row.style.visibility = found ? "visible" : "hidden"; // its room stays, so that nothing moves
    if (!found) return;
    say(this.about, found.about.flatMap((part) => (part.token === undefined ? worded(part) : [part])));
    const met = new Set();
    const places = found.places ?? largestPlaces(found.values, SHOWN);
    const most = places.reduce((high, place) => Math.max(high, Math.abs(found.values[place])), found.least);
    while (this.list.children.length > places.length) this.list.lastChild.remove();
    while (this.list.children.length < places.length) this.list.append(item());
    this.list.classList.toggle("pairs", Boolean(found.isOfCells));
    places.forEach((place, index) => {
      const value = found.values[place];
      const token = found.isOfCells ? this.pairAt(place) : positioned(model.keys[place]);
      const text = written(value, model.choices.quantity, found.exact, { brief: true });
      fill(this.list.children[index], { token, value, share: Math.abs(value) / most, text, chosen: place === cell?.key }, met);
    });
  }

  rowOf({ query }) {
    const { model } = this;
    const matrix = model.matrix();
    if (!matrix || matrix.step) return null;
    const order = ` · the ${plural(this.rows, "strongest key")}, by ${QUANTITY_NAMES[model.choices.quantity]}`;
    const about = [{ token: positioned(model.queries[query]) }, order];
    return { values: matrix.row(query), about, exact: matrix.exact, least: this.isShare ? 1 : 0 };
  }

  sumOfHeld() {
    const { model } = this;
    const matrix = model.matrix();
    const held = heldRows(model);
    if (!held.length || !matrix?.exact || model.choices.quantity === "scores") return null; // scores have no sum
    const values = new Float32Array(model.keys.length).fill(NaN);
    for (const query of held) {
      matrix.row(query).forEach((value, key) => {
        if (!Number.isNaN(value)) values[key] = (values[key] || 0) + value;
      });
    }
    const token = (query) => ({ token: positioned(model.queries[query]) });
    const names = held.slice(0, NAMED).flatMap((query, index) => [index ? " + " : "", token(query)]);
    const more = held.length > NAMED ? ` and ${held.length - NAMED} more` : "";
    const about = [...names, `${more} · what they attend to, ${QUANTITY_NAMES[model.choices.quantity]}s summed`];
    return { values, about, exact: true, least: this.isShare ? held.length : 0 };
  }

  /** While nothing is pointed at: where this head looks most. */
  strongestCells() {
    const { model } = this;
    const matrix = model.matrix();
    if (!matrix?.values || matrix.step || !matrix.nKey) return null;
    const { values } = matrix;
    if (this.strongest?.values !== values) this.strongest = { values, places: largestPlaces(values, SHOWN) };
    const { places } = this.strongest;
    const about = [`The ${plural(places.length, "strongest cell")} of this map, by ${QUANTITY_NAMES[model.choices.quantity]}`];
    return { values, places, about, exact: matrix.exact, least: this.isShare ? 1 : 0, isOfCells: true };
  }

  pairAt(place) {
    const { queries, keys } = this.model;
    return `${positioned(queries[Math.floor(place / keys.length)])} → ${positioned(keys[place % keys.length])}`;
  }

  /** Bars of weights are shares of the whole room; other bars of the longest. */
  get isShare() {
    return this.model.choices.quantity === "weights";
  }
}

const SHOWN = 10;
const SPOKEN = 3;
const NAMED = 4;
const DWELL = 250; // milliseconds
const HINTS = {
  point: "Point at a cell or a token to read its numbers.",
  tap: "Tap a cell or a token to read its numbers.",
  pointHeld: "Rows are held. Point at a cell to read it; Escape releases the rows.",
  tapHeld: "Rows are held. Tap a cell to read it, or a held token to release its row.",
};

function hintOf(locked) {
  return HINTS[`${usesFinger() ? "tap" : "point"}${locked.length ? "Held" : ""}`];
}

function inside(cell, { queries, keys }) {
  return cell !== null && cell.query < queries.length && (cell.key === null || cell.key < keys.length);
}

function item() {
  const bar = element("span", { class: "row-bar" }, element("span"));
  return element("li", {}, element("bdi"), bar, element("span", { class: "row-number" }));
}

function fill(node, { token, value, share, text, chosen }, met) {
  const [name, bar, number] = node.children;
  const parts = tokenWorded(token, met);
  if (name.textContent !== token || name.childNodes.length !== parts.length) name.replaceChildren(...parts);
  name.title = token;
  bar.firstChild.style.width = `${Math.min(100 * share, 100)}%`;
  bar.firstChild.classList.toggle("negative", value < 0);
  number.textContent = text;
  node.classList.toggle("chosen", chosen);
}

function plural(count, noun) {
  return count === 1 ? noun : `${count} ${noun}s`;
}
