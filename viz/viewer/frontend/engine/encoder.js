// The encoder: embeddings, then layers of self-attention and feed-forward around one residual stream.
//
// "Attention Is All You Need", section 3.1 and figure 1, left; Devlin et al. 2018, figure 2; as models/scratch/encoder.py.

import { multiHeadAttention } from "./attention.js";
import { add, feedForward, layerNorm } from "./layers.js";

/** The sizes of a BERT from its config.json, with the names of models/scratch/config.py. */
export function readConfig(config) {
  const { hidden_size: dModel, num_attention_heads: nHeads, num_hidden_layers: nLayers } = config;
  return { dModel, nHeads, nLayers, dHead: dModel / nHeads, maxTokens: config.max_position_embeddings, eps: config.layer_norm_eps };
}

/** token + position + segment, and a norm: ids [n] -> [n, d_model]. Without positions every token is told the first one. */
export function embeddings(ids, segments, tensors, { dModel, eps, isWithoutPositions }) {
  const [token, position, segment] = ["word", "position", "token_type"].map((name) => tensors[`${EMBEDDINGS}.${name}_embeddings.weight`]);
  const x = new Float32Array(ids.length * dModel); // [n, d_model]
  ids.forEach((id, i) => {
    const [t, p, s] = [id * dModel, isWithoutPositions ? 0 : i * dModel, segments[i] * dModel];
    for (let d = 0; d < dModel; d++) x[i * dModel + d] = token[t + d] + position[p + d] + segment[s + d];
  });
  return layerNorm(x, parameters(tensors, `${EMBEDDINGS}.LayerNorm`), eps);
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
 * Embeddings and all layers, of which some heads may be switched off, `config.offByLayer`: {states: n_layers + 1 times [n, d_model],
 * records: one a layer}. `config.begun` are the states up to a layer that are known; its records and those before are left out.
 */
export function encode(ids, segments, tensors, config) {
  const states = config.begun ?? [embeddings(ids, segments, tensors, config)];
  const records = [];
  for (let layer = states.length - 1; layer < config.nLayers; layer++) {
    const weights = (name) => parameters(tensors, `bert.encoder.layer.${layer}.${NAMES[name]}`);
    const { x, record } = encoderLayer(states.at(-1), weights, { ...config, off: config.offByLayer?.[layer] });
    states.push(x);
    records.push(record);
  }
  return { states, records };
}

/** The matrix or norm of a name, {weight, bias}. */
export function parameters(tensors, name) {
  return { weight: tensors[`${name}.weight`], bias: tensors[`${name}.bias`] };
}

const EMBEDDINGS = "bert.embeddings";
/** The names of the parts of a layer, and those in a checkpoint of BERT; as models/checkpoints/bert.py. */
export const NAMES = {
  query: "attention.self.query", key: "attention.self.key", value: "attention.self.value", output: "attention.output.dense",
  attentionNorm: "attention.output.LayerNorm", expand: "intermediate.dense", contract: "output.dense", feedForwardNorm: "output.LayerNorm",
};
