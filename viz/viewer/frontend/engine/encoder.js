// The encoder: embeddings, then layers of self-attention and feed-forward around one residual stream.
//
// "Attention Is All You Need", section 3.1 and figure 1, left; Devlin et al. 2018, figure 2; as models/scratch/encoder.py.

import { multiHeadAttention, settingsOf } from "./attention.js";
import { add, feedForward, layerNorm } from "./layers.js";

/** The sizes of a BERT from its config.json, with the names of models/scratch/config.py. */
export function readConfig(config) {
  const { hidden_size: dModel, num_attention_heads: nHeads, num_hidden_layers: nLayers } = config;
  return { dModel, nHeads, nLayers, dHead: dModel / nHeads, maxTokens: config.max_position_embeddings, eps: config.layer_norm_eps };
}

/** token + position + segment, and a norm: ids [n] -> [n, d_model]. Without positions every token is told the first one. */
export function embeddings(ids, segments, tensors, { dModel, eps, isWithoutPositions }) {
  const positions = ids.map((_, i) => (isWithoutPositions ? 0 : i));
  const rows = { word: ids, position: positions, token_type: segments };
  const tables = Object.entries(rows).map(([name, of]) => [tensors[`${EMBEDDINGS}.${name}_embeddings.weight`], of]);
  return layerNorm(embed(tables, dModel), parameters(tensors, `${EMBEDDINGS}.LayerNorm`), eps);
}

/** The sum of a row of each table for every token, [[table [n_rows, d_model], rows [n]]] -> [n, d_model]. */
export function embed(tables, dModel) {
  const x = new Float32Array(tables[0][1].length * dModel);
  for (const [table, rows] of tables) rows.forEach((row, i) => {
    for (let d = 0; d < dModel; d++) x[i * dModel + d] += table[row * dModel + d];
  });
  return x;
}

/**
 * Two sub-layers, each with its residual connection and its norm after it: x = norm(x + sublayer(x)).
 * [n, d_model] -> {x [n, d_model], record}, the record of `multiHeadAttention`.
 */
export function encoderLayer(x, weights, config) {
  const { output, record } = multiHeadAttention(x, weights, config);
  const attended = layerNorm(add(x, output), weights("attentionNorm"), config.eps); // [n, d_model]
  const after = add(attended, feedForward(attended, weights)); // [n, d_model]
  return { x: layerNorm(after, weights("feedForwardNorm"), config.eps), record };
}

/**
 * Embeddings and all layers: what `throughLayers` gives. `config.begun` are the states up to a layer that are known; the records of
 * that and those before are left out.
 */
export function encode(ids, segments, tensors, config) {
  const layerOf = (x, layer) => encoderLayer(x, partsOf(tensors, `bert.encoder.layer.${layer}`, NAMES), settingsOf(config, "encoder", layer));
  return throughLayers(config.begun ?? [embeddings(ids, segments, tensors, config)], config.nLayers, layerOf);
}

/** From the states that have `begun` through all layers: {states: n_layers + 1 times [n, d_model], records: one a layer}. */
export function throughLayers(begun, nLayers, layerOf) {
  const [states, records] = [[...begun], []];
  while (states.length <= nLayers) {
    const { x, record } = layerOf(states.at(-1), states.length - 1);
    states.push(x);
    records.push(record);
  }
  return { states, records };
}

/** The matrix or norm of a name, {weight, bias}. */
export function parameters(tensors, name) {
  return { weight: tensors[`${name}.weight`], bias: tensors[`${name}.bias`] };
}

/** The matrices and norms of a layer, by the names that we have for them. */
export function partsOf(tensors, layer, names) {
  return (name) => parameters(tensors, `${layer}.${names[name]}`);
}

const EMBEDDINGS = "bert.embeddings";
/** The names of the parts of a layer, and those in a checkpoint of BERT; as models/checkpoints/bert.py. */
export const NAMES = {
  query: "attention.self.query", key: "attention.self.key", value: "attention.self.value", output: "attention.output.dense",
  attentionNorm: "attention.output.LayerNorm", expand: "intermediate.dense", contract: "output.dense", feedForwardNorm: "output.LayerNorm",
};
