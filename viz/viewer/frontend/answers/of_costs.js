// Questions about what a model keeps and computes again; as lessons/answers/costs.py. A public model is asked in Python.

import { count, endOfLine, number, share, small, word } from "./facts.js";
import { look } from "./of_attention.js";
import { scoresOf } from "./of_vectors.js";
import { answerOf } from "./of_words.js";

const [FLOAT, BLOCK] = [4, 4]; // bytes of a number in float32, and keys in a block

/**
 * The row of weights of some scores, from blocks of keys that come one after the other (Dao et al. 2022, algorithm 1): {row, kept}, of
 * each block but the first what was left of the sum before.
 */
function rowInBlocks(scores) {
  let [most, total, row] = [-Infinity, 0, []];
  const kept = [];
  for (let start = 0; start < scores.length; start += BLOCK) {
    const block = scores.slice(start, start + BLOCK);
    const higher = Math.max(most, ...block);
    const left = start ? Math.exp(most - higher) : 1;
    const powers = block.map((score) => Math.exp(score - higher));
    if (start) kept.push(left);
    row = [...row.map((power) => left * power), ...powers];
    total = left * total + powers.reduce((sum, power) => sum + power, 0);
    most = higher;
  }
  return { row: row.map((power) => power / total), kept };
}

export const OF_COSTS = {
  "tokens-read": (model, ask) => {
    const [nText, nNew] = [model.read(ask.text, ask.text_b).pieces.length, Number(ask.new)];
    const [cached, uncached] = [nText + nNew - 1, nNew * nText + (nNew * (nNew - 1)) / 2];
    return {
      number: uncached, low: 0, high: endOfLine(uncached),
      facts: { tokens: count(nText), new: count(nNew), number: count(uncached), cached: count(cached), times: number(uncached / cached, 1) },
    };
  },
  "cache-a-token": (model, ask) => {
    const { nLayers, nHeads, nGroups, dHead } = model.config;
    const [numbers, n] = [nLayers * 2 * nGroups * dHead, model.read(ask.text, ask.text_b).pieces.length];
    const bytes = FLOAT * numbers;
    return {
      number: bytes, low: 0, high: endOfLine(bytes),
      facts: {
        number: count(bytes), numbers: count(numbers), tokens: count(n), bytes: count(n * bytes), layers: count(nLayers), heads: count(nHeads),
        key_heads: count(nGroups), dimensions: count(dHead),
      },
    };
  },
  "row-in-blocks": (model, ask) => {
    const found = look(model, ask);
    const { row: weights, names, facts, place } = found;
    const scores = names.map((_, key) => scoresOf(found, model.config)[key] ?? -Infinity); // of later keys none
    const { row, kept } = rowInBlocks(scores);
    const corrections = kept.filter((left) => left < 1);
    return {
      ...place, number: corrections.length, low: 0, high: endOfLine(kept.length + 1),
      facts: {
        ...facts, number: count(corrections.length), blocks: count(kept.length + 1), smallest: share(Math.min(1, ...corrections)),
        difference: small(Math.max(...row.map((weight, key) => Math.abs(weight - weights[key])))), bytes: count(FLOAT * names.length ** 2),
      },
    };
  },
  "min-p-kept": (model, ask) => {
    const { probabilities, order, position } = answerOf(model, ask);
    const least = Number(ask.least) / 100;
    const kept = probabilities.filter((one) => one >= least * probabilities[order[0]]);
    const cut = 1 - kept.reduce((sum, one) => sum + one, 0);
    return {
      number: kept.length, low: 1, high: endOfLine(kept.length), position,
      facts: {
        number: count(kept.length), percent: share(least), cut: share(cut), word: word(model.vocabulary[order[0]]), probability: share(probabilities[order[0]]),
        vocabulary: count(order.length),
      },
    };
  },
};
