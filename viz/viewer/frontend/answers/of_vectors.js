// Questions about queries, keys, values and states, and how many there is of what; as lessons/answers/vectors.py, states.py.

import { after, count, endOfLine, NoAnswer, number, placeOfMost, ranked, said, share, word } from "./facts.js";
import { look } from "./of_attention.js";
import { labels, tokenAt } from "./places.js";

/** The scores of a query [n_seen]: its products with the keys that it may see, divided by the root of d_head. */
export function scoresOf({ layers, names, place: { kind, layer, head, position } }, { dHead }) {
  const [query, key] = [layers[layer].query[head], layers[layer].key[head]];
  return Array.from({ length: kind === "decoder" ? position + 1 : names.length }, (_, j) => {
    let product = 0;
    for (let d = 0; d < dHead; d++) product += query[position * dHead + d] * key[j * dHead + d];
    return product * dHead ** -0.5;
  });
}

/** The cosines of one of some vectors [n, d] with each of them [n]. */
export function cosines(vectors, d, position) {
  const at = (index) => vectors.subarray(index * d, (index + 1) * d);
  const dot = (one, other) => one.reduce((sum, value, k) => sum + value * other[k], 0);
  const own = at(position);
  return Array.from({ length: vectors.length / d }, (_, index) => dot(own, at(index)) / Math.sqrt(dot(own, own) * dot(at(index), at(index))));
}

export const OF_VECTORS = {
  "score-ratio": (model, ask) => {
    const found = look(model, ask);
    const [{ row, names, facts, place }, scores] = [found, scoresOf(found, model.config)];
    const [best, second] = ranked(scores);
    const gap = scores[best] - scores[second];
    const ratio = Math.exp(gap);
    return {
      ...place, number: ratio, low: 1, high: endOfLine(ratio),
      facts: {
        ...facts, answer: word(names[best]), share: share(row[best]), score: number(scores[best]), second: word(names[second]),
        second_share: share(row[second]), second_score: number(scores[second]), gap: number(gap), ratio: number(ratio, 1),
        measured: number(row[best] / row[second], 1),
      },
    };
  },
  "best-score": (model, ask) => {
    const found = look(model, ask);
    const [{ row, names, facts, place }, scores, { dHead }] = [found, scoresOf(found, model.config), model.config];
    const order = ranked(scores);
    return {
      ...place, options: names.map(word), right: [order[0]],
      facts: {
        ...facts, answer: word(names[order[0]]), score: number(scores[order[0]]), share: share(row[order[0]]), strongest: word(names[placeOfMost(row)]),
        lowest: word(names[order.at(-1)]), lowest_score: number(scores[order.at(-1)]), d_head: count(dHead), root: number(dHead ** 0.5), scale: number(dHead ** -0.5, 4),
      },
    };
  },
  "without-root": (model, ask) => {
    const found = look(model, ask);
    const [{ row, names, facts, place }, { dHead }] = [found, model.config];
    const products = scoresOf(found, model.config).map((score) => score * dHead ** 0.5);
    const largest = Math.max(...products);
    const undivided = 1 / products.reduce((sum, product) => sum + Math.exp(product - largest), 0);
    const best = placeOfMost(row);
    return {
      ...place, number: undivided,
      facts: { ...facts, answer: word(names[best]), share: share(row[best]), undivided: share(undivided), d_head: count(dHead), root: number(dHead ** 0.5) },
    };
  },
  "shortest-value": (model, ask) => {
    const { layers, row, names, facts, place } = look(model, ask);
    const [{ dHead }, value] = [model.config, layers[place.layer].value[place.head]];
    const lengths = names.map((_, key) => Math.hypot(...value.subarray(key * dHead, (key + 1) * dHead)));
    const handed = lengths.map((length, key) => row[key] * length);
    const [sum, shortest, strongest] = [(numbers) => numbers.reduce((total, one) => total + one, 0), ranked(lengths).at(-1), placeOfMost(row)];
    return {
      ...place, options: names.map(word), right: [shortest],
      facts: {
        ...facts, answer: word(names[shortest]), length: number(lengths[shortest]), mean: number((sum(lengths) - lengths[shortest]) / (lengths.length - 1)),
        share: share(row[shortest]), strongest: word(names[strongest]), strongest_share: share(row[strongest]),
        strongest_handed: share(handed[strongest] / sum(handed)), hands_most: word(names[placeOfMost(handed)]),
      },
    };
  },
  "how-many": (model, ask) => {
    const { nLayers, nHeads, dModel, dHead } = model.config;
    const sizes = {
      layers: nLayers, heads: nHeads, "all-heads": nLayers * nHeads, tokens: model.read(ask.text, ask.text_b).pieces.length, dimensions: dModel,
      "head-dimensions": dHead, vocabulary: model.vocabulary.length,
    };
    const counted = sizes[ask.of];
    return {
      number: counted, low: 0, high: endOfLine(counted),
      facts: {
        number: count(counted), of: said(model.counted[ask.of]), model: word(model.name), layers: count(nLayers), heads: count(nHeads),
        dimensions: count(dModel), head_dimensions: count(dHead),
        table: count(model.vocabulary.length * dModel), words: count(ask.text.trim().split(/\s+/).length),
      },
    };
  },
  "most-alike": (model, ask) => {
    const reading = model.read(ask.text);
    const [position, names] = [tokenAt(reading, ask.token), labels(reading.pieces)];
    const likeness = cosines(reading.states.at(ask.where === "first" ? 0 : -1), model.config.dModel, position);
    const named = ask.among?.map((one) => tokenAt(reading, one)) ?? [...names.keys()].filter((place) => !reading.pieces[place].isStructural);
    const among = [...new Set(named)].filter((place) => place !== position);
    if (!among.length) throw new NoAnswer("alone");
    const order = ranked(among.map((place) => likeness[place])).map((at) => among[at]);
    const [first, second = first, last] = [order[0], order[1], order.at(-1)];
    return {
      options: among.map((place) => word(names[place])), right: [among.indexOf(first)], bars: among.map((place) => [word(names[place]), number(likeness[place])]),
      facts: {
        token: word(names[position]), answer: word(names[first]), likeness: number(likeness[first]), second: word(names[second]),
        second_likeness: number(likeness[second]), lowest: word(names[last]), lowest_likeness: number(likeness[last]),
      },
    };
  },
  "same-word": (model, ask) => {
    const { dModel, nLayers } = model.config;
    const vectors = [ask.text, ask.text_2].map((text) => {
      const reading = model.read(text);
      const at = tokenAt(reading, ask.token) * dModel;
      return reading.states.map((state) => state.slice(at, at + dModel)); // n_layers + 1 times [d_model]
    });
    const likeness = vectors[0].map((vector, layer) => cosines(Float32Array.of(...vector, ...vectors[1][layer]), dModel, 0)[1]);
    return {
      number: likeness.at(-1), low: -1, high: 1, bars: likeness.map((value, nBefore) => [after(nBefore), number(value)]),
      facts: { token: word(ask.token), first: number(likeness[0]), last: number(likeness.at(-1)), layers: count(nLayers) },
    };
  },
};
