// What heads do in a text: the share of attention that word pieces give to something; as models/analysis/heads.

import { placeOfMost } from "./facts.js";

/** What one piece gives, of its row of weights; `isPiece` says of each token whether it is one, and not [CLS] or [SEP]. */
export const MEASURES = {
  previous: (row, at, isPiece) => (isPiece[at - 1] ? row[at - 1] : 0),
  next: (row, at, isPiece) => (isPiece[at + 1] ? row[at + 1] : 0),
  special: (row, _, isPiece) => row.reduce((sum, weight, key) => (isPiece[key] ? sum : sum + weight), 0),
};

/** The mean share of every head, layer after layer: [n_layers * n_heads]. */
export function sharesOfHeads({ layers, pieces }, measure) {
  const [of, n, isPiece] = [MEASURES[measure], pieces.length, pieces.map(({ isStructural }) => !isStructural)];
  if (!of) throw new Error(measure);
  const counted = isPiece.flatMap((is, at) => (is ? [at] : []));
  return layers.flatMap(({ weights }) => weights.map((matrix) =>
    counted.reduce((sum, at) => sum + of(matrix.subarray(at * n, (at + 1) * n), at, isPiece), 0) / Math.max(1, counted.length)));
}

/** The head of which a measure is largest in a text. */
export function strongestInText(reading, measure) {
  const best = placeOfMost(sharesOfHeads(reading, measure));
  const nHeads = reading.layers[0].weights.length;
  return { kind: reading.attention[0].kind, layer: Math.floor(best / nHeads), head: best % nHeads };
}
