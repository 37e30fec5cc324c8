// Questions about what writes an answer into the states, layer by layer; as lessons/answers/states.py.

import { NAMES, parameters } from "./encoder.js";
import { after, count, headName, number, phrase, placeOfMost, ranked, share, word } from "./facts.js";
import { add, feedForward, gelu, linear } from "./layers.js";
import { contrastOf } from "./of_heads.js";
import { answerFrom } from "./of_words.js";

const PARTS = ["the heads", "the feed-forward networks", "the embeddings"];
const SHORT = ["heads", "feed-forward", "embeddings", "biases"];
const HEAD = "cls.predictions";

const dot = (one, other) => one.reduce((sum, value, k) => sum + value * other[k], 0);

/** x^T W of a vector [d_out] and a matrix [d_out, d_in]: what reads x's input as x is read, [d_in]. */
function before(vector, matrix) {
  const d = matrix.shape[1];
  return Float64Array.from({ length: d }, (_, k) => vector.reduce((sum, value, row) => sum + value * matrix[row * d + k], 0));
}

/** A norm of an input [d] held at its statistics: its `output`, and the `direction` and the `shift` with which a direction reads it. */
function heldNorm(input, { weight, bias }, eps) {
  const d = input.length;
  const mean = input.reduce((sum, value) => sum + value, 0) / d;
  const size = Math.sqrt(input.reduce((sum, value) => sum + (value - mean) ** 2, 0) / d + eps);
  const output = Float32Array.from(input, (value, k) => ((value - mean) / size) * weight[k] + bias[k]);
  const read = (direction) => {
    const scaled = direction.map((value, k) => (value * weight[k]) / size);
    const middle = scaled.reduce((sum, value) => sum + value, 0) / d;
    return { direction: scaled.map((value) => value - middle), shift: dot(direction, bias) };
  };
  return { output, read };
}

/**
 * The parts of the logit of an answer less that of its rival at a mask (Elhage et al. 2021), norms and activations held as they were:
 * {heads [n_layers][n_heads], networks [n_layers], embeddings, biases, difference}; as models/analysis/effects/stream_parts.py.
 */
function logitParts(model, { answer, own, rival }, { states, layers }) {
  const { tensors } = model.reader;
  const { dModel, dHead, nLayers, eps } = model.config;
  const at = (state) => state.subarray(answer.position * dModel, (answer.position + 1) * dModel);
  const words = tensors["bert.embeddings.word_embeddings.weight"];
  const logitBias = tensors[`${HEAD}.bias`];
  const apart = Float64Array.from({ length: dModel }, (_, k) => words[own * dModel + k] - words[rival * dModel + k]);
  const transform = parameters(tensors, `${HEAD}.transform.dense`);
  const inner = linear(at(states.at(-1)), transform); // [d_model]
  const top = heldNorm(inner.map(gelu), parameters(tensors, `${HEAD}.transform.LayerNorm`), eps).read(apart);
  const gated = top.direction.map((value, k) => value * (gelu(inner[k]) / inner[k]));
  let biases = top.shift + logitBias[own] - logitBias[rival] + dot(gated, transform.bias);
  let direction = before(gated, transform.weight);
  const read = (norm) => {
    const passed = norm.read(direction);
    biases += passed.shift;
    direction = passed.direction;
  };
  const [heads, networks] = [[], []];
  for (let layer = nLayers - 1; layer >= 0; layer--) {
    const weights = (name) => parameters(tensors, `bert.encoder.layer.${layer}.${NAMES[name]}`);
    const outputs = layers[layer].weights.map((matrix, head) => outputOf(matrix, layers[layer].value[head], answer.position, dHead));
    const mixed = Float32Array.from(outputs.flatMap((output) => [...output])); // [n_heads * d_head]
    const attended = heldNorm(add(at(states[layer]), linear(mixed, weights("output"))), weights("attentionNorm"), eps);
    const network = feedForward(attended.output, weights); // [d_model]
    read(heldNorm(add(attended.output, network), weights("feedForwardNorm"), eps));
    networks[layer] = dot(direction, network);
    read(attended);
    biases += dot(direction, weights("output").bias);
    const along = before(direction, weights("output").weight); // [n_heads * d_head]
    heads[layer] = outputs.map((output, head) => dot(output, along.subarray(head * dHead, (head + 1) * dHead)));
  }
  return { heads, networks, embeddings: dot(direction, at(states[0])), biases, difference: answer.logits[own] - answer.logits[rival] };
}

/** What a head mixes at a place, [d_head]. */
function outputOf(matrix, value, position, dHead) {
  const n = value.length / dHead;
  const output = new Float64Array(dHead);
  for (let key = 0; key < n; key++) for (let d = 0; d < dHead; d++) output[d] += matrix[position * n + key] * value[key * dHead + d];
  return output;
}

/** The parts of an answer to a question, and what is said of it. */
function partsOf(model, ask) {
  const contrast = contrastOf(model, ask);
  const parts = model.once(["parts", ask.text, contrast.own], () => logitParts(model, contrast, model.read(ask.text)));
  const facts = { word: word(model.vocabulary[contrast.own]), rival: word(model.vocabulary[contrast.rival]), difference: number(parts.difference) };
  return { parts, facts, position: contrast.answer.position };
}

const sumOf = (numbers) => numbers.reduce((sum, one) => sum + one, 0);

export const OF_STATES = {
  "answer-sum": (model, ask) => {
    const { parts, facts, position } = partsOf(model, ask);
    const sums = [sumOf(parts.heads.flat()), sumOf(parts.networks), parts.embeddings, parts.biases];
    const most = placeOfMost(sums.slice(0, PARTS.length));
    return {
      position, options: PARTS.map(phrase), right: [most], bars: SHORT.map((name, at) => [phrase(name), number(sums[at])]),
      facts: {
        ...facts, answer: phrase(PARTS[most]), heads: number(sums[0]), networks: number(sums[1]), embeddings: number(sums[2]), biases: number(sums[3]),
        sum: number(sumOf(sums)),
      },
    };
  },
  "strongest-writer": (model, ask) => {
    const { parts, facts, position } = partsOf(model, ask);
    const layer = placeOfMost(parts.heads.map((ofLayer) => Math.max(...ofLayer)));
    const inLayer = parts.heads[layer];
    const [head, second] = ranked(inLayer);
    const names = inLayer.map((_, other) => headName({ layer, head: other }));
    return {
      layer, head, position, options: names, right: [head], bars: names.map((name, other) => [name, number(inLayer[other])]),
      facts: { ...facts, answer: names[head], layer: count(layer), adds: number(inLayer[head]), second_adds: number(inLayer[second] ?? 0) },
    };
  },
  "settled-after": (model, ask) => {
    const { states, asked: [position] } = model.read(ask.text);
    const answers = states.map((state) => answerFrom(model.logits(state, position)));
    const [best, n] = [answers.map(({ order }) => order[0]), states.length - 1];
    const settled = best.findLastIndex((id) => id !== best[n]) + 1;
    const earlier = answers[Math.max(0, settled - 1)];
    return {
      position, number: settled, low: 0, high: n, bars: answers.map(({ probabilities }, layer) => [after(layer), share(probabilities[best[n]])]),
      facts: {
        number: count(settled), layers: count(n), word: word(model.vocabulary[best[n]]), probability: share(answers[n].probabilities[best[n]]),
        before: word(model.vocabulary[earlier.order[0]]), before_probability: share(earlier.probabilities[earlier.order[0]]),
      },
    };
  },
};
