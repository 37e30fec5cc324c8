// The whole transformer of figure 1: an encoder reads the source, a decoder writes the target, word after word.
//
// "Attention Is All You Need", sections 3.1 and 3.4; Lewis et al. 2020, "BART"; as models/scratch/encoder_decoder.py and decoder.py.

import { multiHeadAttention, settingsOf } from "./attention.js";
import { KeyValueCache } from "./cache.js";
import { embed, encoderLayer, parameters, partsOf, throughLayers } from "./encoder.js";
import { add, feedForward, layerNorm, linear } from "./layers.js";

/** The sizes of a BART from its config.json, with the names of models/scratch/config.py, and the tokens that begin and end a target. */
export function readBartConfig(config) {
  const { d_model: dModel, encoder_attention_heads: nHeads, encoder_layers: nLayers, max_position_embeddings: maxTokens } = config;
  return { dModel, nHeads, nLayers, dHead: dModel / nHeads, maxTokens, eps: EPS, startId: config.decoder_start_token_id, endId: config.eos_token_id };
}

/** Read the ids of a source [n_source]: what `throughLayers` gives. */
export function readSource(ids, tensors, config) {
  const x = embeddings("encoder", ids, 0, tensors, config); // [n_source, d_model]
  const layerOf = (x, layer) => encoderLayer(x, partsOf(tensors, `model.encoder.layers.${layer}`, NAMES), settingsOf(config, "encoder", layer));
  return throughLayers([x], config.nLayers, layerOf);
}

/**
 * Read the ids of a target [n], which follow those in the cache, beside the last state of the encoder [n_source, d_model]: what
 * `throughLayers` gives.
 */
export function readTarget(ids, source, tensors, config, cache) {
  const x = embeddings("decoder", ids, cache.nTokens, tensors, config); // [n, d_model]
  const unread = cache.nTokens ? new Float32Array() : source; // later there is nothing new in it
  const layerOf = (x, layer) => decoderLayer(x, unread, partsOf(tensors, `model.decoder.layers.${layer}`, NAMES), {
    own: settingsOf(config, "decoder", layer), cross: settingsOf(config, "cross", layer), past: (name) => cache.after(`${name} ${layer}`),
  });
  const read = throughLayers([x], config.nLayers, layerOf);
  cache.nTokens += ids.length;
  return read;
}

/**
 * An encoder layer whose tokens see no later one, with cross attention between its two sub-layers: queries from the decoder, keys and
 * values from the encoder, `source` (section 3.2.3). [n, d_model] -> {x [n, d_model], record: {own, cross}}.
 */
function decoderLayer(x, source, weights, { own, cross, past }) {
  const ofCross = (name) => weights(`cross ${name}`);
  const written = multiHeadAttention(x, weights, own, { past: past("own") });
  const attended = layerNorm(add(x, written.output), weights("attentionNorm"), own.eps); // [n, d_model]
  const read = multiHeadAttention(attended, ofCross, cross, { past: past("cross"), source });
  const joined = layerNorm(add(attended, read.output), weights("crossNorm"), own.eps); // [n, d_model]
  const after = add(joined, feedForward(joined, weights)); // [n, d_model]
  return { x: layerNorm(after, weights("feedForwardNorm"), own.eps), record: { own: written.record, cross: read.record } };
}

/** logits = x E^T, where E are the embeddings of source and target themselves: [n, d_model] -> [n, d_vocab]. */
export function targetHead(x, tensors) {
  return linear(x, { weight: tensors[TOKENS] });
}

/** Write at most `most` tokens for a source [n_source, d_model], the likeliest each time: {ids, isFinished}, the start token first. */
export function writeTarget(source, most, tensors, config) {
  const [ids, cache] = [[config.startId], new KeyValueCache()];
  while (ids.length <= most) {
    const { states } = readTarget(ids.slice(-1), source, tensors, config, cache);
    const logits = targetHead(states.at(-1), tensors); // [d_vocab]
    const next = logits.indexOf(Math.max(...logits));
    if (next === config.endId) return { ids, isFinished: true };
    ids.push(next);
  }
  return { ids, isFinished: false };
}

/** token + position, and a norm: ids [n], of which the first stands at the position `first` -> [n, d_model]. */
function embeddings(side, ids, first, tensors, { dModel, eps }) {
  const positions = [tensors[`model.${side}.embed_positions.weight`], ids.map((_, i) => OFFSET + first + i)];
  return layerNorm(embed([[tensors[TOKENS], ids], positions], dModel), parameters(tensors, `model.${side}.layernorm_embedding`), eps);
}

const TOKENS = "model.shared.weight";
const OFFSET = 2; // BART reads its table of positions from this row on
const EPS = 1e-5; // BART's layout has no field for it
/** The names of the parts of a layer, and those in a checkpoint of BART; as models/checkpoints/bart.py. */
const NAMES = {
  query: "self_attn.q_proj", key: "self_attn.k_proj", value: "self_attn.v_proj", output: "self_attn.out_proj",
  attentionNorm: "self_attn_layer_norm", expand: "fc1", contract: "fc2", feedForwardNorm: "final_layer_norm",
  "cross query": "encoder_attn.q_proj", "cross key": "encoder_attn.k_proj", "cross value": "encoder_attn.v_proj",
  "cross output": "encoder_attn.out_proj", crossNorm: "encoder_attn_layer_norm",
};
