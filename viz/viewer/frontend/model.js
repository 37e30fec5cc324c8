// What the viewer shows: the reader's choices, the numbers that follow from them, and who wants to know of a change.

import { entriesOf, positioned } from "./axis.js";
import { CHOICES, MEAN, SHARED } from "./declared.js";
import { toSay, tr } from "./language.js";
import { derive } from "./matrix.js";
import { Kind } from "./recording.js";
import { floorOf, largestOf } from "./small_maps.js";

export class Model {
  constructor() {
    Object.assign(this, { choices: { ...CHOICES }, cell: null, listeners: new Set(), failure: "" });
    this.stop = new AbortController();
  }

  /** Read what the recording of a source is, and show it; its numbers arrive by themselves. What was shown goes then. */
  async open(source, choices = {}) {
    this.stop.abort();
    const { signal } = (this.stop = new AbortController());
    source.expect?.({ ...this.choices, ...choices }, signal);
    const about = await source.about(signal);
    if (signal.aborted) return;
    const kinds = new Map(about.kinds.map((kind) => [kind.kind, new Kind(kind, source)]));
    Object.assign(this, { source, about, kinds, axes: null, failure: "" });
    this.set({ ...choices, locked: choices.locked ?? [], zoom: choices.zoom ?? [] }, { tell: false });
  }

  /** Nothing is fetched or drawn for this recording any more. */
  close() {
    this.stop.abort();
    this.listeners.clear();
  }

  /** Hear of every change: `listener({choices: bool, told: bool})`; `told` asks that the page be told. */
  listen(listener) {
    this.listeners.add(listener);
  }

  tell(change) {
    for (const listener of this.listeners) listener(change);
  }

  /** Change some choices. What does not fit the recording is brought into its bounds. */
  set(partial, { tell = true } = {}) {
    const [before, read] = [this.choices, this.reads];
    this.choices = this.fitting({ ...before, ...partial });
    const changed = Object.keys(CHOICES).filter((name) => String(before[name]) !== String(this.choices[name]));
    const same = changed.length === 0 && this.axes;
    if (same) return;
    const isOther = changed.some((name) => ["kind", "words", "special"].includes(name));
    if (isOther && this.axes && !partial.zoom) this.choices.zoom = []; // other rows and columns
    const { words, special } = this.reads;
    if (isOther || !this.axes || words !== read.words || special !== read.special) this.layOut();
    this.load();
    this.tell({ choices: true, told: tell && changed.some((name) => SHARED.includes(name)) });
  }

  /** The pointer or the focus is on a cell {query, key}, on a row {query, key: null}, or nowhere: null. */
  point(cell) {
    if (cell?.query === this.cell?.query && cell?.key === this.cell?.key) return;
    this.cell = cell;
    this.tell({ choices: false, told: false, pointed: true });
  }

  /** The kind of attention that is shown, a Kind. */
  get shown() {
    return this.kinds.get(this.choices.kind);
  }

  /** The index of the chosen head; the mean is the one after the last. */
  get headIndex() {
    return this.indexOf(this.choices.head);
  }

  indexOf(head) {
    return head === MEAN ? this.shown.nHeads : head;
  }

  /** The entries of the rows and of the columns, as in axis.js. */
  get queries() {
    return this.axes.queries;
  }

  get keys() {
    return this.axes.keys;
  }

  /** The numbers of the chosen head, or of another of the layer: exact if they are here, else rough, else null. */
  matrix(head = this.headIndex) {
    const { kind, layer, quantity } = this.choices;
    const { words, special } = this.reads;
    const name = [kind, layer, head, quantity, words, special].join(" ");
    const exact = this.exact.get(name);
    if (exact) return exact;
    if (quantity !== "weights") return null;
    if (!this.roughly.has(name)) {
      const rough = this.shown.rough(layer, head);
      if (rough) keepLatest(this.roughly, name, this.derived(rough));
    }
    return this.roughly.get(name) ?? null;
  }

  /** Fetch the exact numbers of a head of the chosen layer; the listeners hear of them. */
  async want(head) {
    const { kind, layer, quantity } = this.choices;
    const { words, special } = this.reads;
    const name = [kind, layer, head, quantity, words, special].join(" ");
    const [{ signal }, { axes }] = [this.stop, this];
    if (this.exact.has(name)) return;
    try {
      const matrix = await this.shown.exact({ layer, head, quantity, words, special }, signal);
      if (signal.aborted) return;
      if (axes !== this.axes) return;
      keepLatest(this.exact, name, this.derived(matrix));
      this.failure = "";
    } catch (error) {
      if (signal.aborted) return;
      this.failure = error.message;
    }
    this.tell({ choices: false, told: false });
  }

  /** For the mean of a long text: fetch every head of the layer, so that a row can be read. */
  async complete() {
    const { kind, layer, quantity } = this.choices;
    const { words, special } = this.reads;
    const name = [kind, layer, this.headIndex, quantity, words, special].join(" ");
    const [{ signal }, { axes }] = [this.stop, this];
    const matrix = await this.shown.exact({ layer, head: this.headIndex, quantity, words, special }, signal);
    if (!matrix.complete || this.exact.get(name)?.exact) return;
    const whole = await matrix.complete();
    if (signal.aborted || axes !== this.axes) return;
    keepLatest(this.exact, name, this.derived(whole));
    this.tell({ choices: false, told: false });
  }

  /** Hold a token, or a word, and only it; with `adds` one more. What is held alone, or once more, is released. */
  hold({ position, positions }, { adds = false } = {}) {
    const { locked } = this.choices;
    const others = locked.filter((held) => !positions.includes(held));
    const isHeld = others.length < locked.length;
    if (adds) this.set({ locked: isHeld ? others : [...others, position] });
    else this.set({ locked: isHeld && !others.length ? [] : [position] });
  }

  /** What a person reads of a cell: tokens, number; NaN is masked. Rows and columns are indices of `queries`, `keys`. */
  reading(query, key, head = this.headIndex) {
    const matrix = this.matrix(head);
    return {
      query: positioned(this.queries[query]), key: positioned(this.keys[key]),
      value: matrix ? matrix.row(query)[key] : undefined, exact: Boolean(matrix?.exact),
    };
  }

  /** The number above which a cell of row `row` is drawn, from the threshold and the `top` largest. */
  floor(row) {
    const { threshold, top, quantity } = this.choices;
    return quantity === "scores" ? -Infinity : floorOf(row, threshold, top);
  }

  /** The scale that is in use: only weights have an end of their own, and scores have one scale for both signs. */
  get scale() {
    const { scale, quantity } = this.choices;
    if (quantity === "scores") return "map";
    return quantity === "weights" || scale === "row" ? scale : "map";
  }

  /** For matrix.raster: under which number a cell is left out, and by which it is divided. */
  get rule() {
    return (row) => ({ floor: this.floor(row), scale: this.scale === "row" ? largestOf(row) : 1 });
  }

  /** By how much numbers are divided before they are colours: the largest of what is shown where the scale fits that. */
  get reach() {
    const { heads, picture } = this.choices;
    const shown = picture === "text" && heads.length ? heads : [this.headIndex];
    return this.scale === "map" ? Math.max(...shown.map((head) => this.matrix(head)?.reach ?? 0)) || 1 : 1;
  }

  /** Where the scale ends, in a sentence. */
  get scaleNote() {
    if (this.scale === "one") return tr("Scale: 0 to 1.");
    if (this.scale === "row") return tr("Scale: the largest of a row is strongest.");
    if (!this.matrix()) return "";
    const end = briefly(this.reach);
    return this.choices.quantity === "scores" ? tr("Scale: −{end} to +{end}.", { end }) : tr("Scale: 0 to {end}, the largest here.", { end });
  }

  /** What the choices say in a sentence: what a row sums to, what was left out. */
  get note() {
    const { quantity, picture } = this.choices;
    const { words, special } = this.reads;
    const isMap = picture !== "arcs"; // arcs join whole words, and have no scale of colours
    const hasUsualSum = special === "shown" && this.sums(special) === tr(SUMS.shown);
    return [
      this.choices.head === MEAN ? tr("Mean over the heads.") : "",
      quantity !== "weights" ? tr(OTHER_SUMS[quantity]) : isMap || !hasUsualSum ? this.sums(special) : "",
      quantity === "weights" || special === "shown" ? "" : tr("Special tokens hidden."),
      words && isMap ? tr("Whole words: sum over the columns of a word, mean over its rows.") : "",
      words ? this.shown.wordsNote : "",
      isMap ? this.scaleNote : "",
      this.cutOff,
    ].filter(Boolean).join(" ");
  }

  get cutOff() {
    const { quantity, threshold, top } = this.choices;
    if (quantity === "scores") return "";
    const small = threshold > 0 ? tr("Not shown: under {threshold}.", { threshold }) : "";
    const largest = top > 0 ? tr("Shown: the {top} largest of each row.", { top }) : "";
    return [small, largest].filter(Boolean).join(" ");
  }

  /** What a row of weights sums to: to less than 1 where the heads of the layer have a sink, to anything if it was given. */
  sums(special = "shown") {
    if (["shown", "margin"].includes(special) && this.shown.ownSums.includes(this.choices.layer)) return tr(OWN_SUMS);
    const hasSinks = this.shown.sinkLayers.includes(this.choices.layer);
    const said = special === "shown" && hasSinks ? SUM_BESIDE_SINK : SUMS[special];
    return tr(said);
  }

  /** What a query gives to special tokens that stand in the margin, 0 to 1; null where they do not, or nobody knows yet. */
  inMargin(query) {
    const { quantity } = this.choices;
    const matrix = this.matrix();
    if (this.reads.special !== "margin" || quantity !== "weights" || !matrix || matrix.step) return null;
    const shown = matrix.row(query).reduce((sum, weight) => sum + (weight || 0), matrix.sinkShares?.[query] ?? 0);
    return Math.min(Math.max((matrix.rowSums?.[query] ?? 1) - shown, 0), 1);
  }

  /** The special tokens that can be looked at, each once. */
  get specialNames() {
    return [...new Set(this.shown.keys.filter(({ special }) => special).map(({ text }) => text))];
  }

  /** Which entries the axes have: arcs join whole words, and see all that they give. */
  get reads() {
    const { picture, quantity, words, special } = this.choices;
    if (picture === "arcs") return { words: quantity !== "scores", special: "shown" };
    return { words, special: special === "margin" && !this.specialNames.length ? "shown" : special };
  }

  layOut() {
    const { words, special } = this.reads;
    const entries = (tokens) => entriesOf(tokens, { words, special });
    this.axes = { queries: entries(this.shown.queries), keys: entries(this.shown.keys) };
    Object.assign(this, { exact: new Map(), roughly: new Map(), cell: null });
  }

  derived(matrix) {
    const { reads: { special }, choices: { quantity } } = this;
    return derive(matrix, this.queries, this.keys, special === "hidden_renormalised" && quantity === "weights");
  }

  load() {
    const [kind, { signal }] = [this.shown, this.stop];
    kind.load(() => this.tell({ choices: false, told: false, arrived: true }), signal).catch((error) => {
      if (signal.aborted) return;
      this.failure = error.message;
      this.tell({ choices: false, told: false });
    });
    this.want(this.headIndex);
    for (const head of this.choices.heads) this.want(head);
  }

  fitting(choices) {
    if (!this.kinds.has(choices.kind)) choices.kind = this.about.kinds[0].kind;
    const { nLayers, nHeads, queries, refused } = this.kinds.get(choices.kind);
    if (choices.quantity in refused) choices.quantity = CHOICES.quantity;
    if (choices.shows === "picture" && !SHORT_OF_TOOLS.includes(choices.picture)) choices.picture = CHOICES.picture;
    choices.layer = Math.min(Math.max(choices.layer, 0), nLayers - 1);
    if (choices.head !== MEAN) choices.head = Math.min(Math.max(choices.head, 0), nHeads - 1);
    if (choices.quantity === "scores") choices.words = false;
    choices.heads = choices.heads.filter((head) => head < nHeads);
    if (!choices.heads.includes(choices.head)) choices.heads = []; // another head was chosen: it is shown alone
    choices.locked = choices.locked.filter((position) => position < queries.length);
    return choices;
  }
}

const DERIVED_KEPT = 48;
const SHORT_OF_TOOLS = ["arcs", "map"]; // the pictures that need none of the tools
const SUMS = {
  shown: toSay("Every row sums to 1."),
  margin: toSay("The grey bars are what each row gives to special tokens; with them it sums to 1."),
  hidden: toSay("Special tokens hidden: a row sums to less than 1."),
  hidden_renormalised: toSay("Special tokens hidden; every row is renormalised to sum to 1."),
};
const SUM_BESIDE_SINK = toSay("Every row sums to 1 less the share of the sink.");
const OWN_SUMS = toSay("Not every row sums to 1: the weights are shown as they were given.");
const OTHER_SUMS = {
  scores: toSay("Scores before the softmax: a row has no fixed sum."),
  value_weighted: toSay("Weights times the norms of the values: a row has no fixed sum."),
  output_weighted: toSay("Weights times the norms of the values after W_O: a row has no fixed sum."),
};

function keepLatest(map, name, value) {
  map.set(name, value);
  if (map.size > DERIVED_KEPT) map.delete(map.keys().next().value);
}

/** Three digits, never as a power of ten. */
function briefly(value) {
  return value.toFixed(Math.min(Math.max(2 - Math.floor(Math.log10(value)), 0), 6));
}
