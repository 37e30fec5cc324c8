// The small map of every head: the largest weight of every block of cells, after those choices that cost little.

import { toSay, tr } from "./language.js";
import { Dense, derive } from "./matrix.js";
import { MOST_8 } from "./payload.js";

/**
 * What the overview shows of a recording. Where all weights are here, the small maps follow words, special tokens,
 * strongest and scale; of a long text, where only blocks are here, threshold and scale. Other quantities are not here.
 */
export class SmallMaps {
  constructor(model) {
    this.model = model;
  }

  /** Two of equal names look alike. */
  get name() {
    const { words, special } = this.model.choices;
    const { whole } = this.model.shown;
    return [...(whole ? [words, special] : []), this.scale, ...Object.values(this.leftOut)].join(" ");
  }

  /** {codes, tall, wide, most} of a head: codes of 8 bits row by row, `most` the largest weight; null until it is here. */
  map(layer, head) {
    const { shown } = this.model;
    const rough = shown.rough(layer, head);
    if (!rough) return null;
    return coded(this.prepared(rough), shown.whole ? shown.step : 1, this.rule, this.scale === "map");
  }

  /** "one", "map" or "row", as in model.js. Of blocks, rows are not known. */
  get scale() {
    const { scale } = this.model.choices;
    return scale === "row" && !this.model.shown.whole ? "map" : scale;
  }

  /** The choices that only the large map follows, in words. */
  get ignored() {
    const { quantity, words, special, threshold, top, scale } = this.model.choices;
    const { whole } = this.model.shown;
    const ofWeights = quantity === "weights";
    return [
      ofWeights ? "" : tr(NAMES[quantity]),
      words && !whole ? tr("whole words") : "",
      special !== "shown" && !whole ? tr("that special tokens are hidden") : "",
      top > 0 && quantity !== "scores" && !(whole && ofWeights) ? tr("the strongest of a row") : "",
      threshold > 0 && quantity.endsWith("_weighted") ? tr("the threshold") : "",
      scale !== this.scale && quantity !== "scores" ? tr("the scale of every row") : "",
    ].filter(Boolean);
  }

  get rule() {
    const { threshold, top } = this.leftOut;
    return (row) => ({ floor: floorOf(row, threshold, top), scale: this.scale === "row" ? largestOf(row) : 1 });
  }

  /** Threshold and `top` are about the quantity that is shown: they say nothing of weights where that is another. */
  get leftOut() {
    const { quantity, threshold, top } = this.model.choices;
    if (quantity !== "weights") return { threshold: 0, top: 0 };
    return { threshold, top: this.model.shown.whole ? top : 0 };
  }

  prepared(rough) {
    const { shown, queries, keys, choices } = this.model;
    if (!shown.whole) return new Dense(rough.values, shown.tall, shown.wide);
    return derive(rough, queries, keys, choices.special === "hidden_renormalised");
  }
}

/** The number above which a cell of a row is drawn, from the threshold and the `top` largest. */
export function floorOf(row, threshold, top) {
  if (!top || top >= row.length) return threshold;
  const largest = new Float32Array(top).fill(-1); // in order, the smallest first: a few are kept quicker than a row is sorted
  for (let j = 0; j < row.length; j++) {
    if (!(row[j] > largest[0])) continue; // or it is masked
    let at = 0;
    for (; at + 1 < top && largest[at + 1] < row[j]; at++) largest[at] = largest[at + 1];
    largest[at] = row[j];
  }
  return Math.max(threshold, largest[0]);
}

/** The largest number of a row; 1 where there is none, to divide by. */
export function largestOf(row) {
  let largest = 0;
  for (const value of row) if (value > largest) largest = value;
  return largest || 1;
}

const NAMES = {
  scores: toSay("scores"), value_weighted: toSay("weights times value norms"),
  output_weighted: toSay("weights times norms after W_O"),
};

function coded(matrix, step, rule, fits) {
  const [tall, wide] = [matrix.nQuery, matrix.nKey].map((size) => Math.max(Math.ceil(size / step), 1));
  const strongest = pooled(matrix, { step, tall, wide }, rule);
  const reach = fits ? largestOf(strongest) : 1;
  const codes = new Uint8Array(strongest.length).fill(MOST_8 + 1);
  for (let at = 0; at < codes.length; at++) {
    const share = strongest[at] / reach;
    if (share === share) codes[at] = Math.round(Math.sqrt(Math.min(share, 1)) * MOST_8); // else masked
  }
  return { codes, tall, wide, most: matrix.reach };
}

/** The largest number of every block, NaN where all of it is masked. */
function pooled(matrix, { step, tall, wide }, rule) {
  const strongest = new Float32Array(tall * wide).fill(NaN);
  const columns = Int32Array.from({ length: matrix.nKey }, (_, j) => Math.floor(j / step));
  for (let i = 0; i < matrix.nQuery; i++) {
    const row = matrix.row(i);
    const { floor, scale } = rule(row);
    const start = Math.floor(i / step) * wide;
    for (let j = 0; j < columns.length; j++) {
      const value = row[j] < floor ? 0 : row[j] / scale;
      const place = start + columns[j];
      if (value === value && !(strongest[place] >= value)) strongest[place] = value;
    }
  }
  return strongest;
}
