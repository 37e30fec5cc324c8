// The decoder on its own, which predicts after every token the next one; with rotary positions, RMSNorm and SwiGLU it is Llama.
//
// Touvron et al. 2023, "LLaMA", section 2.2; as models/scratch/decoder.py and gpt.py.

import { multiHeadAttention } from "./attention.js";
import { parameters } from "./encoder.js";
import { add, gatedFeedForward, linear, rmsNorm } from "./layers.js";

/** The sizes of a Llama from its config.json, with the names of models/scratch/config.py. */
export function readLlamaConfig(config) {
  const { hidden_size: dModel, num_attention_heads: nHeads, num_hidden_layers: nLayers, num_key_value_heads: nGroups } = config;
  const sizes = { dModel, nHeads, nGroups, nLayers, dHead: dModel / nHeads, maxTokens: config.max_position_embeddings };
  return { ...sizes, eps: config.rms_norm_eps, rotaryBase: config.rope_parameters.rope_theta, isCausal: true };
}

/** Two sub-layers, each with its norm before it: x = x + sublayer(norm(x)). [n, d_model] -> {x [n, d_model], record}. */
export function decoderLayer(x, weights, config, past) {
  const { output, record } = multiHeadAttention(rmsNorm(x, weights("attentionNorm"), config.eps), weights, config, past);
  const attended = add(x, output); // [n, d_model]
  const inner = rmsNorm(attended, weights("feedForwardNorm"), config.eps); // [n, d_model]
  return { x: add(attended, gatedFeedForward(inner, weights)), record };
}

/** Read ids [n], which follow those in the cache: {states: n_layers + 1 times [n, d_model], records: one a layer}. */
export function decode(ids, tensors, config, cache) {
  const { dModel, nLayers } = config;
  const tokens = new Float32Array(ids.length * dModel); // [n, d_model]
  ids.forEach((id, i) => tokens.set(tensors[TOKENS].subarray(id * dModel, (id + 1) * dModel), i * dModel));
  const [states, records] = [[tokens], []];
  for (let layer = 0; layer < nLayers; layer++) {
    const weights = (name) => parameters(tensors, `model.layers.${layer}.${LLAMA_NAMES[name]}`);
    const past = { first: cache.nTokens, extend: (key, value) => cache.extend(layer, key, value) };
    const { x, record } = decoderLayer(states.at(-1), weights, { ...config, off: config.offByLayer?.[layer] }, past);
    states.push(x);
    records.push(record);
  }
  cache.nTokens += ids.length;
  return { states, records };
}

/** logits = norm(x) E^T, where E are the token embeddings themselves: [n, d_model] -> [n, d_vocab]. */
export function nextTokenHead(x, tensors, { eps }) {
  return linear(rmsNorm(x, parameters(tensors, "model.norm"), eps), { weight: tensors[TOKENS] });
}

const TOKENS = "model.embed_tokens.weight";
/** The names of the parts of a layer, and those in a checkpoint of Llama; as models/checkpoints/llama.py. */
export const LLAMA_NAMES = {
  query: "self_attn.q_proj", key: "self_attn.k_proj", value: "self_attn.v_proj", output: "self_attn.o_proj",
  attentionNorm: "input_layernorm", gate: "mlp.gate_proj", expand: "mlp.up_proj", contract: "mlp.down_proj",
  feedForwardNorm: "post_attention_layernorm",
};
