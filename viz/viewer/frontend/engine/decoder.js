// The decoder on its own, which predicts after every token the next one; with rotary positions, RMSNorm and SwiGLU it is Llama.
//
// Touvron et al. 2023, "LLaMA", section 2.2; as models/scratch/decoder.py and gpt.py.

import { multiHeadAttention, settingsOf } from "./attention.js";
import { embed, parameters, partsOf, throughLayers } from "./encoder.js";
import { add, gatedFeedForward, linear, rmsNorm } from "./layers.js";

/** The sizes of a Llama from its config.json, with the names of models/scratch/config.py. */
export function readLlamaConfig(config) {
  const { hidden_size: dModel, num_attention_heads: nHeads, num_hidden_layers: nLayers, num_key_value_heads: nGroups } = config;
  const sizes = { dModel, nHeads, nGroups, nLayers, dHead: dModel / nHeads, maxTokens: config.max_position_embeddings };
  return { ...sizes, eps: config.rms_norm_eps, rotaryBase: config.rope_parameters.rope_theta };
}

/** Two sub-layers, each with its norm before it: x = x + sublayer(norm(x)). [n, d_model] -> {x [n, d_model], record}. */
function decoderLayer(x, weights, settings, past) {
  const { output, record } = multiHeadAttention(rmsNorm(x, weights("attentionNorm"), settings.eps), weights, settings, { past });
  const attended = add(x, output); // [n, d_model]
  const inner = rmsNorm(attended, weights("feedForwardNorm"), settings.eps); // [n, d_model]
  return { x: add(attended, gatedFeedForward(inner, weights)), record };
}

/** Read ids [n], which follow those in the cache: what `throughLayers` gives. */
export function decode(ids, tensors, config, cache) {
  const layerOf = (x, layer) => decoderLayer(x, partsOf(tensors, `model.layers.${layer}`, NAMES), settingsOf(config, "decoder", layer), cache.after(layer));
  const read = throughLayers([embed([[tensors[TOKENS], ids]], config.dModel)], config.nLayers, layerOf);
  cache.nTokens += ids.length;
  return read;
}

/** logits = norm(x) E^T, where E are the token embeddings themselves: [n, d_model] -> [n, d_vocab]. */
export function nextTokenHead(x, tensors, { eps }) {
  return linear(rmsNorm(x, parameters(tensors, "model.norm"), eps), { weight: tensors[TOKENS] });
}

const TOKENS = "model.embed_tokens.weight";
/** The names of the parts of a layer, and those in a checkpoint of Llama; as models/checkpoints/llama.py. */
const NAMES = {
  query: "self_attn.q_proj", key: "self_attn.k_proj", value: "self_attn.v_proj", output: "self_attn.o_proj",
  attentionNorm: "input_layernorm", gate: "mlp.gate_proj", expand: "mlp.up_proj", contract: "mlp.down_proj",
  feedForwardNorm: "post_attention_layernorm",
};
