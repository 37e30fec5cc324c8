// What is under the pointer or the focus, in words: for eyes, and for a screen reader.

import { listedAs, positioned, withMarking } from "./axis.js";
import { written } from "./brief.js";
import { QUANTITIES_NAMED, QUANTITY_NAMES } from "./colour_bar.js";
import { Companion } from "./companion.js";
import { element, say } from "./dom.js";
import { usesFinger } from "./hand.js";
import { toSay, tr, trnParts, trParts } from "./language.js";
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
    const pair = { query: withMarking(model.queries[query]), key: withMarking(model.keys[key]) };
    if (value === undefined) return trParts("{query} → {key} · the numbers are on their way", pair);
    if (Number.isNaN(value)) return trParts("{query} → {key} · masked: this query cannot look here", pair);
    const others = matrix.exact ? this.companion.of({ query, key }) : [];
    const numbers = [[model.choices.quantity, value], ...others].map(([quantity, number]) =>
      tr("{quantity} {number}", { quantity: tr(QUANTITY_NAMES[quantity]), number: written(number, quantity, matrix.exact) }));
    return [...pair.query, " → ", ...pair.key, ...[...numbers, ...sinkTold(matrix, query)].map((told) => ` · ${told}`)];
  }

  ofRow(matrix, query) {
    const from = { query: withMarking(this.model.queries[query]) };
    if (!matrix?.exact) return trParts("{query} attends …", from);
    const row = matrix.row(query);
    const places = largestPlaces(row, SPOKEN);
    if (!places.length) return trParts("{query} cannot look anywhere", from);
    const keys = places.flatMap((place, index) => [
      index ? ", " : "", { token: positioned(this.model.keys[place]) }, ` ${written(row[place], this.model.choices.quantity, true)}`,
    ]);
    return [...trParts("{query} attends most to {keys}", { ...from, keys }), ...sinkTold(matrix, query).map((told) => ` · ${told}`)];
  }

  /** Only the largest number of a block is known: say so, and ask for the rest. */
  ofBlock(matrix, query, key) {
    const { model } = this;
    const range = (entries, index) => {
      const first = Math.floor(index / matrix.step) * matrix.step;
      return [entries[first], entries[Math.min(first + matrix.step, entries.length) - 1]].map(positioned);
    };
    const rows = nameOfRange(range(model.queries, query));
    if (!matrix.asks) return trParts("{rows} · the numbers are on their way", { rows });
    this.askForAll();
    const isRough = !model.source.live; // the blocks of a file
    if (key === null || isRough) return trParts("{rows} · the numbers of this row are on their way", { rows });
    const value = matrix.row(query)[key];
    const block = { rows, columns: nameOfRange(range(model.keys, key)), size: `${matrix.step} × ${matrix.step}` };
    if (Number.isNaN(value)) return trParts("{rows} → {columns} · masked in these {size} tokens", block);
    const number = written(value, model.choices.quantity, true);
    return trParts("{rows} → {columns} · up to {number} in these {size} tokens", { ...block, number });
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
      const token = found.isOfCells ? this.pairAt(place) : listedAs(model.keys[place]);
      const text = written(value, model.choices.quantity, found.exact, { brief: true });
      fill(this.list.children[index], { token, value, share: Math.abs(value) / most, text, chosen: place === cell?.key }, met);
    });
  }

  rowOf({ query }) {
    const { model } = this;
    const matrix = model.matrix();
    if (!matrix || matrix.step) return null;
    const said = { query: { token: positioned(model.queries[query]) }, quantity: tr(QUANTITY_NAMES[model.choices.quantity]) };
    const about = trnParts("{query} · the strongest key, by {quantity}", "{query} · the {n} strongest keys, by {quantity}", this.rows, said);
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
    const tokens = held.slice(0, NAMED).flatMap((query, index) => [index ? " + " : "", token(query)]);
    const said = { tokens, n: held.length - NAMED, quantities: tr(QUANTITIES_NAMED[model.choices.quantity]) };
    const about = said.n > 0 ? trParts("{tokens} and {n} more · what they attend to, {quantities} summed", said)
      : held.length > 1 ? trParts("{tokens} · what they attend to, {quantities} summed", said)
        : trParts("{query} looks at", { query: tokens });
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
    const said = { quantity: tr(QUANTITY_NAMES[model.choices.quantity]) };
    const about = trnParts("The strongest cell of this map, by {quantity}", "The {n} strongest cells of this map, by {quantity}", places.length, said);
    return { values, places, about, exact: matrix.exact, least: this.isShare ? 1 : 0, isOfCells: true };
  }

  pairAt(place) {
    const { queries, keys } = this.model;
    return `${listedAs(queries[Math.floor(place / keys.length)])} → ${listedAs(keys[place % keys.length])}`;
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
const POINT_HINTS = {
  free: toSay("Point at a cell or a token to read its numbers."),
  held: toSay("Point at a cell to read it; Escape releases what is held."),
};
const TAP_HINTS = {
  free: toSay("Tap a cell or a token to read its numbers."),
  held: toSay("Tap a cell to read it, or a held token to release its row."),
};

function hintOf(locked) {
  const hints = usesFinger() ? TAP_HINTS : POINT_HINTS;
  return tr(locked.length ? hints.held : hints.free);
}

/** What a query gives to the sink of the head, if that has one: a list of one sentence, or of none. */
function sinkTold({ sinkShares }, query) {
  return sinkShares ? [tr("the sink takes {share}", { share: written(sinkShares[query], "weights", true) })] : [];
}

/** "3 · the to 6 · cat", or one token. */
function nameOfRange([first, last]) {
  return first === last ? [{ token: first }] : trParts("{first} to {last}", { first: { token: first }, last: { token: last } });
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
