// What the token view shows at a moment: where the tokens stand, what is lit, which lines and numbers there are.

import { readsRightToLeft } from "./axis.js";
import { ColumnLater } from "./column_later.js";
import { Remembered } from "./remembered.js";
import { layOutText } from "./text_layout.js";
import {
  colouredHeads, givenBy, largestPlaces, linesToKey, meanOfValues, receivedBy, receivedOnAverage, strongestLines,
  widestNumber,
} from "./text_numbers.js";
import { TextRuler } from "./text_ruler.js";
import { wordsOfScene } from "./text_words.js";

/** Makes scenes for one model; what is costly and has not changed is made once. */
export class TextScenes {
  constructor(model, fontOfPage, changed) {
    Object.assign(this, { model, remembered: new Remembered(), ruler: new TextRuler(fontOfPage) });
    this.later = new ColumnLater(model, changed);
  }

  /**
   * A scene for `paintText`, null if no token is shown. `active` {side, index} is under the pointer, `focus` is
   * {queries}, {key} or null; the panes are not taller than `tallest` pixels if that is given.
   */
  make({ width, colours, active, focus, tallest }) {
    const { model } = this;
    if (!model.queries.length || !model.keys.length) return null;
    const heads = colouredHeads(model, colours);
    const rightToLeft = this.directions();
    const held = new Set(this.locked());
    const widest = widestNumber(model, heads, held.size);
    const geometry = this.geometry({ width, nHeads: heads.length, widest, rightToLeft, tallest });
    const lit = this.lit(heads, focus, geometry);
    return {
      geometry, heads, rightToLeft, focus, lit, pointed: active, held,
      progress: this.later.progress,
      entries: { query: model.queries, key: model.keys }, font: this.ruler.font,
      lines: this.lines(heads, focus, geometry), numbers: this.numbers(heads, focus, lit, geometry),
      signed: model.choices.quantity === "scores", scroll: { query: 0, key: 0 },
    };
  }

  /** What is said of some tokens, without a picture; nothing of a key of a long text. */
  words(focus, colours) {
    const { model } = this;
    const heads = colouredHeads(model, colours);
    const entries = { query: model.queries, key: model.keys };
    const isAway = heads.some(({ matrix }) => !matrix?.exact) || (focus.key !== undefined && this.isLarge());
    if (isAway) return { subject: [], lines: [] };
    const key = focus.queries && givenBy(model, heads, focus.queries);
    const lit = key ? { key } : { query: receivedBy(model, heads, focus.key) };
    return wordsOfScene({ heads, focus, lit, entries, signed: model.choices.quantity === "scores" }, "");
  }

  /** The places among the queries that are locked. */
  locked() {
    const locked = new Set(this.model.choices.locked);
    const places = this.model.queries.map((_, index) => index);
    return places.filter((index) => this.model.queries[index].positions.some((at) => locked.has(at)));
  }

  /** Whether there are too many cells to look at all of them. */
  isLarge() {
    return this.model.queries.length * this.model.keys.length > CELLS_COMPARED;
  }

  directions() {
    const { queries, keys } = this.model;
    const make = () => ({ query: readsRightToLeft(queries), key: readsRightToLeft(keys) });
    return this.remembered.once("directions", [queries, keys], make);
  }

  geometry({ width, nHeads, widest, rightToLeft, tallest }) {
    const { queries, keys, choices } = this.model;
    const measure = (text, size) => this.ruler.measure(text, size);
    const needs = [queries, keys, width, choices.across, nHeads, widest, tallest];
    return this.remembered.once(tallest ? "seen" : "whole", needs, () => layOutText({
      queries, keys, width, across: choices.across, nHeads, widest, rightToLeft, measure, tallest,
    }));
  }

  /** What is shaded on either side, and how much: {values, strengths} of every head, or null. */
  lit(heads, focus, { listed }) {
    const { model } = this;
    if (focus?.key === undefined) this.later.stop();
    if (focus?.queries) return { query: null, key: givenBy(model, heads, focus.queries) };
    if (focus && this.isLarge()) return { query: this.later.column(heads, focus.key, this.needs(heads)), key: null };
    if (focus) return { query: receivedBy(model, heads, focus.key), key: null };
    if (listed || this.isLarge()) return { query: null, key: null };
    return { query: null, key: this.remembered.once("average", this.needs(heads), () => receivedOnAverage(model, heads)) };
  }

  /** The lines that are drawn, the strongest last, and how many there would be: {edges, total}. */
  lines(heads, focus, { wrapped }) {
    const { model } = this;
    if (wrapped) return NO_CURVES; // they would run across other words: these are shaded
    if (focus?.queries) return strongestLines(model, heads, focus.queries, CURVES_DRAWN);
    if (this.isLarge()) return NO_CURVES;
    if (focus) return linesToKey(receivedBy(model, heads, focus.key), focus.key, CURVES_DRAWN);
    return this.remembered.once("lines", this.needs(heads), () => strongestLines(model, heads, null, CURVES_DRAWN));
  }

  /** The numbers beside the tokens [{index, values}], largest first, exact ones only: of every head, or their mean. */
  numbers(heads, focus, lit, { listed, columns }) {
    const shown = lit.key ?? lit.query;
    if (!focus || !shown || heads.some(({ matrix }) => !matrix?.exact)) return [];
    const mean = meanOfValues(shown);
    const count = listed && mean.length <= ALL_TOKENS_NUMBERED ? mean.length : TOKENS_NUMBERED;
    const each = listed && lit.key && columns === heads.length;
    return largestPlaces(mean, count).map((index) => ({
      index, values: each ? shown.map(({ values }) => values[index]) : [mean[index]],
    }));
  }

  /** What everything that is drawn without a pointed token depends on. */
  needs(heads) {
    const { threshold, top, scale, quantity } = this.model.choices;
    return [...heads.map(({ matrix }) => matrix), threshold, top, scale, quantity];
  }

  /** Forget how wide texts are, and what followed from it. */
  measureAnew() {
    this.ruler.forget();
    this.remembered.forget();
  }
}

const CELLS_COMPARED = 1024 * 1024; // up to so many, all lines of a head are compared
const CURVES_DRAWN = 400;
const NO_CURVES = { edges: [], total: 0 };
const ALL_TOKENS_NUMBERED = 48; // tokens, up to which every one has its number
const TOKENS_NUMBERED = 12;
