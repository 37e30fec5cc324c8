// The decoder on its own, which predicts after every token the next one: GPT-2, and with rotary positions, RMSNorm and SwiGLU Llama.
//
// Radford et al. 2019, section 2.3; Touvron et al. 2023, "LLaMA", section 2.2; as models/scratch/decoder.py and gpt.py.

import { multiHeadAttention, settingsOf } from "./attention.js";
import { embed, parameters, partsOf, throughLayers } from "./encoder.js";
import { add, feedForward, gatedFeedForward, gelu, geluTanh, layerNorm, linear, rmsNorm } from "./layers.js";

/** The sizes of a Llama from its config.json, with the names of models/scratch/config.py. */
export function readLlamaConfig(config) {
  const { hidden_size: dModel, num_attention_heads: nHeads, num_hidden_layers: nLayers, num_key_value_heads: nGroups } = config;
  const sizes = { dModel, nHeads, nGroups, nLayers, dHead: dModel / nHeads, maxTokens: config.max_position_embeddings };
  return { ...sizes, eps: config.rms_norm_eps, rotaryBase: config.rope_parameters.rope_theta, parts: LLAMA };
}

/** The sizes of a GPT-2 from its config.json. */
export function readGpt2Config(config) {
  const { n_embd: dModel, n_head: nHeads, n_layer: nLayers, n_positions: maxTokens, layer_norm_epsilon: eps } = config;
  const activation = { gelu_new: geluTanh, gelu }[config.activation_function];
  return { dModel, nHeads, nLayers, maxTokens, eps, activation, dHead: dModel / nHeads, parts: GPT2 };
}

/** Two sub-layers, each with its norm before it: x = x + sublayer(norm(x)). [n, d_model] -> {x [n, d_model], record}. */
function decoderLayer(x, weights, settings, past) {
  const { parts: { norm, feed }, eps } = settings;
  const { output, record } = multiHeadAttention(norm(x, weights("attentionNorm"), eps), weights, settings, { past });
  const attended = add(x, output); // [n, d_model]
  const inner = norm(attended, weights("feedForwardNorm"), eps); // [n, d_model]
  return { x: add(attended, feed(inner, weights, settings)), record };
}

/** Read ids [n], which follow those in the cache: what `throughLayers` gives. */
export function decode(ids, tensors, config, cache) {
  const { token, position, layers, names } = config.parts;
  const layerOf = (x, layer) => decoderLayer(x, partsOf(tensors, `${layers}.${layer}`, names), settingsOf(config, "decoder", layer), cache.after(layer));
  const tables = [[tensors[token], ids], ...(position ? [[tensors[position], ids.map((_, i) => cache.nTokens + i)]] : [])];
  const read = throughLayers([embed(tables, config.dModel)], config.nLayers, layerOf);
  cache.nTokens += ids.length;
  return read;
}

/** logits = norm(x) E^T, where E are the token embeddings themselves: [n, d_model] -> [n, d_vocab]. */
export function nextTokenHead(x, tensors, { eps, parts: { norm, last, token } }) {
  return linear(norm(x, parameters(tensors, last), eps), { weight: tensors[token] });
}

/**
 * A checkpoint of GPT-2 has every matrix of a layer as [d_in, d_out], and those of queries, keys and values side by side: each is
 * turned in its place to [d_out, d_in], and the three get names of their own.
 */
export function turnMatrices(tensors) {
  for (const name of Object.keys(tensors).filter((name) => /\.c_\w+\.weight$/.test(name))) tensors[name] = tensors[name].memory.turn(tensors[name]);
  for (const name of Object.keys(tensors).filter((name) => name.includes(".c_attn."))) {
    QUERY_KEY_VALUE.forEach((part, at) => { tensors[name.replace("c_attn", part)] = tensors[name].memory.third(tensors[name], at); });
  }
}

const QUERY_KEY_VALUE = ["query", "key", "value"];
/** Where the parts are in a checkpoint, and their names by those that we have for them; as models/checkpoints/llama.py and gpt2.py. */
const LLAMA = {
  norm: rmsNorm, feed: gatedFeedForward, token: "model.embed_tokens.weight", layers: "model.layers", last: "model.norm",
  names: {
    query: "self_attn.q_proj", key: "self_attn.k_proj", value: "self_attn.v_proj", output: "self_attn.o_proj",
    attentionNorm: "input_layernorm", gate: "mlp.gate_proj", expand: "mlp.up_proj", contract: "mlp.down_proj",
    feedForwardNorm: "post_attention_layernorm",
  },
};
const GPT2 = {
  norm: layerNorm, feed: feedForward, token: "transformer.wte.weight", position: "transformer.wpe.weight", layers: "transformer.h", last: "transformer.ln_f",
  names: {
    query: "attn.query", key: "attn.key", value: "attn.value", output: "attn.c_proj",
    attentionNorm: "ln_1", expand: "mlp.c_fc", contract: "mlp.c_proj", feedForwardNorm: "ln_2",
  },
};
