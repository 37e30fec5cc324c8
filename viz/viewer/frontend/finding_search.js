// What stands out in a text: a weight between two words that is much larger than what its head does otherwise; as
// models/analysis/one_text/standing_out.py, usual.py and row.py. Matrices lie row after row.

import { worthBetween } from "./finding_words.js";

/**
 * The weight that stands out most, {layer, head, query, key, weight, expected, isByKey}, or null. A `reading` is {pieces, layers,
 * words, isCausal}, whose words are those of `readWords`; `tables` come from models/analysis/one_text/tables.py.
 */
export function standsOut(reading, tables) {
  const { words, layers, pieces } = reading;
  if (layers.length * layers[0].weights.length * pieces.length ** 2 > tables.most_weights) return null;
  const [n, worth, seen] = [words.starts.length, worthBetween(words, tables), seenKeys(reading)];
  let best = { score: 0 };
  layers.forEach((ofLayer, layer) => ofLayer.weights.forEach((_, head) => {
    const { weights, expected, isByKey } = comparedWords(reading, seen, tables, { layer, head });
    for (let i = 0; i < n; i++) {
      const most = Math.max(...weights.subarray(i * n, (i + 1) * n));
      for (let j = 0, at = i * n; j < n; j++, at++) {
        if (weights[at] < tables.least.weight || weights[at] < most) continue;
        const score = weights[at] * Math.log2(weights[at] / expected[at]) * worth(i, j);
        if (score > best.score) best = { score, ...placed(words, layer, head, i, j), weight: weights[at], expected: expected[at], isByKey: isByKey(at) };
      }
    }
  }));
  return best.score >= tables.least.score ? best : null;
}

/** The largest weight that the word of the piece `query` gives to another one in a head, as `standsOut` says it; null for none. */
export function strongestInRow(reading, tables, { layer, head, query }) {
  const { words, pieces } = reading;
  const [n, row] = [words.starts.length, words.starts.findLastIndex((start) => start <= query)];
  const { weights, expected, isByKey } = comparedWords(reading, seenKeys(reading), tables, { layer, head });
  const own = weights.subarray(row * n, (row + 1) * n);
  const possible = own.reduce((all, weight, key) => (weight > 0 && key !== row && words.canBeFound[key] ? [...all, key] : all), []);
  if (!possible.length) return null;
  const column = possible.reduce((best, key) => (own[key] > own[best] ? key : best));
  const at = row * n + column;
  const found = { ...placed(words, layer, head, row, column), query, weight: own[column], expected: expected[at], isByKey: isByKey(at) };
  if (!pieces[query].isStructural) return found;
  const others = [...words.starts.keys()].filter((other) => words.canBeFound[other] && other !== column);
  const given = others.reduce((sum, other) => sum + weights[other * n + column], 0) / others.length; // all that can be compared
  return { ...found, expected: Math.max(given || 0, tables.least.expected), isByKey: true };
}

function placed({ starts }, layer, head, i, j) {
  return { layer, head, query: starts[i], key: starts[j] };
}

/** Which pieces may look at which, special tokens aside [n, n]. */
function seenKeys({ pieces, isCausal }) {
  const n = pieces.length;
  return Uint8Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return !pieces[i].isStructural && !pieces[j].isStructural && !(isCausal && j > i);
  });
}

/** Of a head the weights between words [n_words, n_words], what was to be expected, and whether that is by the key. */
function comparedWords({ pieces, layers, words: { starts } }, seen, { offsets, least }, { layer, head }) {
  const n = pieces.length;
  const weights = betweenWords(layers[layer].weights[head], n, starts);
  const byDistance = betweenWords(usualByDistance(offsets[layer][head], seen, n), n, starts);
  const byKey = usualByKey(weights, seen, n, starts);
  const expected = weights.map((_, at) => Math.max(byDistance[at], byKey[at], least.expected));
  return { weights, expected, isByKey: (at) => byKey[at] > byDistance[at] };
}

/** The weights that follow from what a head gives at each distance over many texts [21], shared among those that a row holds. */
function usualByDistance(shares, seen, n) {
  const [furthest, all] = [(shares.length - 1) / 2, shares.reduce((sum, share) => sum + share, 0)];
  const usual = new Float32Array(n * n);
  const binOf = (i, j) => Math.min(Math.max(j - i, -furthest), furthest) + furthest;
  for (let i = 0; i < n; i++) {
    const counts = shares.map(() => 0);
    for (let j = 0; j < n; j++) counts[binOf(i, j)] += seen[i * n + j];
    const total = shares.reduce((sum, share, bin) => sum + (counts[bin] ? share : 0), 0);
    if (total > 0) for (let j = 0; j < n; j++) if (seen[i * n + j]) usual[i * n + j] = ((shares[binOf(i, j)] / counts[binOf(i, j)]) * all) / total;
  }
  return usual;
}

/** What the other words that see a key give it on average; 0 where there is none. */
function usualByKey(weights, seen, n, starts) {
  const nWords = starts.length;
  const means = new Float32Array(nWords * nWords);
  for (let j = 0; j < nWords; j++) {
    const rows = [...starts.keys()].filter((i) => seen[starts[i] * n + starts[j]]);
    const total = rows.reduce((sum, i) => sum + weights[i * nWords + j], 0);
    if (rows.length > 1) for (const i of rows) means[i * nWords + j] = (total - weights[i * nWords + j]) / (rows.length - 1);
  }
  return means;
}

/** The weights of pieces [n, n] between words: the sum over the pieces of a key, the mean over those of a query. */
function betweenWords(weights, n, starts) {
  const nWords = starts.length;
  const merged = new Float32Array(nWords * nWords);
  for (let i = 0; i < nWords; i++) {
    const [from, to] = [starts[i], starts[i + 1] ?? n];
    for (let j = 0; j < nWords; j++) {
      let sum = 0;
      for (let row = from; row < to; row++) for (let column = starts[j]; column < (starts[j + 1] ?? n); column++) sum += weights[row * n + column];
      merged[i * nWords + j] = sum / (to - from);
    }
  }
  return merged;
}
