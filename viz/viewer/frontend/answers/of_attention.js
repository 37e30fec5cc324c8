// Questions about the weights: where a token looks, how much, and which head does what; as lessons/answers/attention.py.

import { count, headName, number, phrase, placeOfMost, ranked, said, share, word } from "./facts.js";
import { sharesOfHeads, strongestInText } from "./measures.js";
import { headByName, labels, stackOf, tokenAt } from "./places.js";

const [YES, NO] = ["yes", "no"];

/** The head and the query of a question, its row of weights [n_key], and what is said of all rows. */
export function look(model, ask) {
  const reading = model.read(ask.text, ask.text_b);
  const { kind, layer, head } = headByName(model, reading, ask.head);
  const { layers, queries, keys } = stackOf(reading, kind);
  const [position, names, n] = [tokenAt(queries, ask.query), labels(keys.pieces), keys.pieces.length];
  const row = layers[layer].weights[head].subarray(position * n, (position + 1) * n);
  const seen = row.reduce((sum, weight) => sum + (weight > 0), 0);
  const facts = { query: word(labels(queries.pieces)[position]), head: headName({ layer, head }), tokens: count(n), even: share(1 / Math.max(1, seen)) };
  return { layers, row, names, keys, facts, place: { kind, layer, head, position } };
}

export const OF_ATTENTION = {
  "strongest-key": (model, ask) => {
    const { row, names, keys, facts, place } = look(model, ask);
    const among = ask.among?.map((named) => tokenAt(keys, named)) ?? [...names.keys()];
    const [first, second = first] = ranked(among.map((key) => row[key]));
    const [best, next] = [among[first], among[second]];
    return {
      ...place, options: among.map((key) => word(names[key])), right: [first],
      facts: {
        ...facts, answer: word(names[best]), share: share(row[best]), second: word(names[next]), second_share: share(row[next]),
        distance: count(best - place.position),
      },
    };
  },
  weight: (model, ask) => {
    const { row, names, keys, facts, place } = look(model, ask);
    const key = tokenAt(keys, ask.key);
    return { ...place, number: row[key], facts: { ...facts, key: word(names[key]), share: share(row[key]) } };
  },
  "may-see": (model, ask) => {
    const { kind, layers, queries, keys } = stackOf(model.read(ask.text, ask.text_b), ask.attention);
    const [position, key, n] = [tokenAt(queries, ask.query), tokenAt(keys, ask.key), keys.pieces.length];
    const weights = layers.flatMap((layer) => layer.weights.map((matrix) => matrix[position * n + key]));
    const answer = kind === "decoder" && key > position ? NO : YES;
    return {
      kind, position, options: [YES, NO].map(phrase), right: [[YES, NO].indexOf(answer)],
      facts: { query: word(labels(queries.pieces)[position]), key: word(labels(keys.pieces)[key]), answer: phrase(answer), largest: share(Math.max(...weights)), heads: count(weights.length) },
    };
  },
  "visible-cells": (model, ask) => {
    const { kind, queries, keys } = stackOf(model.read(ask.text, ask.text_b), ask.attention);
    const [n, all] = [queries.pieces.length, queries.pieces.length * keys.pieces.length];
    const seen = kind === "decoder" ? (n * (n + 1)) / 2 : all;
    return { kind, number: seen, low: 0, high: all, facts: { cells: count(seen), all: count(all), tokens: count(n), share: share(seen / all) } };
  },
  "row-sum": (model, ask) => {
    const { row, facts, place } = look(model, ask);
    const sum = row.reduce((total, weight) => total + weight, 0);
    return { ...place, number: sum, low: 0, high: 3, facts: { ...facts, sum: number(sum) } };
  },
  "strongest-head": (model, ask) => {
    const reading = model.read(ask.text, ask.text_b);
    const shares = sharesOfHeads(reading, ask.measure);
    const [best, { nHeads }] = [strongestInText(reading, ask.measure), model.config];
    const inLayer = shares.slice(best.layer * nHeads, (best.layer + 1) * nHeads);
    const [, second] = ranked(inLayer);
    return {
      ...best, options: inLayer.map((_, head) => headName({ layer: best.layer, head })), right: [placeOfMost(inLayer)],
      facts: {
        answer: headName(best), head: headName(best), layer: count(best.layer), does: said(model.measures[ask.measure]), share: share(inLayer[best.head]),
        second_share: share(inLayer[second] ?? 0), mean: share(shares.reduce((sum, one) => sum + one, 0) / shares.length),
        heads: count(shares.length), heads_above_half: count(shares.filter((one) => one > 0.5).length),
      },
    };
  },
  /** What was measured of a head over many texts comes with the model. */
  "measured-head": (model, ask) => {
    const { layer, head, does, share: right, baseline, baseline_of: guess, gain, n } = model.roles[ask.head];
    const facts = { head: headName({ layer, head }), does: said(does), share: share(right), baseline: share(baseline), baseline_of: said(guess) };
    return { layer, head, number: right, facts: { ...facts, gain: share(gain), n: count(n) } };
  },
};
