// What stands out in a text: a weight between two words that is much larger than what its head does otherwise; as
// models/analysis/one_text/standing_out.py, usual.py, row.py and habits.py. Matrices lie row after row.

import { worthBetween } from "./finding_words.js";

/**
 * The weight that stands out most, {layer, head, query, key, weight, expected, isByKey}, or null. A `reading` is {pieces, layers,
 * words, isCausal}, whose words are those of `readWords`; `tables` come from models/analysis/one_text/tables.py.
 */
export function standsOut(reading, tables) {
  const { words, layers, pieces } = reading;
  if (layers.length * layers[0].weights.length * pieces.length ** 2 > tables.most_weights) return null;
  const [n, worth] = [words.starts.length, worthBetween(words, tables)];
  let best = { score: 0 };
  layers.forEach((ofLayer, layer) => ofLayer.weights.forEach((_, head) => {
    const weights = betweenWords(reading, { layer, head });
    for (let i = 0; i < n; i++) {
      const j = placeOfMost(weights, i * n, n);
      const [weight, times] = [weights[i * n + j], worth(i, j)];
      if (weight < tables.least.weight || !times) continue;
      const found = foundAt(reading, tables, { layer, head, weights, i, j });
      const score = weight * Math.log2(weight / found.expected) * times;
      if (score > best.score) best = { score, ...found };
    }
  }));
  return best.score >= tables.least.score ? best : null;
}

/** The largest weight that the word of the piece `query` gives to another one in a head, as `standsOut` says it; null for none. */
export function strongestInRow(reading, tables, { layer, head, query }) {
  const { words, pieces } = reading;
  const [n, i] = [words.starts.length, words.starts.findLastIndex((start) => start <= query)];
  const weights = betweenWords(reading, { layer, head });
  const others = [...words.starts.keys()].filter((j) => words.canBeFound[j]);
  const possible = others.filter((j) => j !== i && weights[i * n + j] > 0);
  if (!possible.length) return null;
  const j = possible.reduce((best, key) => (weights[i * n + key] > weights[i * n + best] ? key : best));
  const found = { ...foundAt(reading, tables, { layer, head, weights, i, j }), query };
  if (!pieces[query].isStructural) return found;
  const rows = others.filter((row) => row !== j); // what they give to the key is all that can be compared
  const given = rows.reduce((sum, row) => sum + weights[row * n + j], 0) / rows.length;
  return { ...found, expected: Math.max(given || 0, tables.least.expected), isByKey: true };
}

/** A weight between two words as it is found: where, how large, and what was to be expected. */
function foundAt(reading, { offsets, least }, { layer, head, weights, i, j }) {
  const { starts } = reading.words;
  const byDistance = usualByDistance(reading, offsets[layer][head], i, j);
  const byKey = usualByKey(reading, weights, i, j);
  const expected = Math.max(byDistance, byKey, least.expected);
  return { layer, head, query: starts[i], key: starts[j], weight: weights[i * starts.length + j], expected, isByKey: byKey > byDistance };
}

/** Where the largest of `n` numbers from a place on is, counted from there; the first of equal ones. */
function placeOfMost(numbers, from, n) {
  let best = 0;
  for (let at = 1; at < n; at++) if (numbers[from + at] > numbers[from + best]) best = at;
  return best;
}

/** Whether a piece may look at another one; special tokens do not count. */
function sees({ pieces, isCausal }, query, key) {
  return !pieces[query].isStructural && !pieces[key].isStructural && !(isCausal && key > query);
}

/** The weight of two words that follows from what a head gives at each distance over many texts, `shares` [21]. */
function usualByDistance(reading, shares, i, j) {
  const { pieces, words: { starts } } = reading;
  const [furthest, all] = [(shares.length - 1) / 2, shares.reduce((sum, share) => sum + share, 0)];
  let usual = 0;
  for (let row = starts[i]; row < (starts[i + 1] ?? pieces.length); row++) {
    const binOf = (key) => Math.min(Math.max(key - row, -furthest), furthest) + furthest;
    const counts = shares.map(() => 0); // the ends hold all that is further away, which is shared among it
    pieces.forEach((_, key) => { counts[binOf(key)] += sees(reading, row, key); });
    const total = shares.reduce((sum, share, bin) => sum + (counts[bin] ? share : 0), 0);
    for (let key = starts[j]; key < (starts[j + 1] ?? pieces.length); key++) {
      if (total > 0 && sees(reading, row, key)) usual += ((shares[binOf(key)] / counts[binOf(key)]) * all) / total;
    }
  }
  return usual / ((starts[i + 1] ?? pieces.length) - starts[i]);
}

/** What the other words that see a key give it on average; 0 where there is none. */
function usualByKey(reading, weights, i, j) {
  const { starts } = reading.words;
  const rows = [...starts.keys()].filter((row) => row !== i && sees(reading, starts[row], starts[j]));
  return rows.length && sees(reading, starts[i], starts[j]) ? rows.reduce((sum, row) => sum + weights[row * starts.length + j], 0) / rows.length : 0;
}

/** The weights of a head between words [n_words, n_words]: the sum over the pieces of a key, the mean over those of a query. */
function betweenWords({ pieces, layers, words: { starts } }, { layer, head }) {
  const [n, nWords, own] = [pieces.length, starts.length, layers[layer].weights[head]];
  const ends = [...starts.slice(1), n];
  const wordOf = starts.flatMap((start, word) => Array(ends[word] - start).fill(word));
  const merged = new Float32Array(nWords * nWords);
  for (let row = 0; row < n; row++) {
    const word = wordOf[row];
    for (let key = 0; key < n; key++) merged[word * nWords + wordOf[key]] += own[row * n + key] / (ends[word] - starts[word]);
  }
  return merged;
}

/** How many heads give most of their attention to special tokens, to the pieces side by side, to the piece itself. */
export function headHabits({ pieces, layers }) {
  const [n, counts] = [pieces.length, [0, 0, 0, 0]]; // the last: to all others
  const habitOf = (row, key) => (pieces[key].isStructural ? 0 : Math.abs(row - key) === 1 ? 1 : row === key ? 2 : 3);
  for (const matrix of layers.flatMap(({ weights }) => weights)) {
    const shares = [0, 0, 0, 0];
    pieces.forEach((piece, row) => {
      if (!piece.isStructural) for (let key = 0; key < n; key++) shares[habitOf(row, key)] += matrix[row * n + key];
    });
    counts[placeOfMost(shares, 0, shares.length)] += 1;
  }
  return counts.slice(0, -1);
}
