// Heads on top of hidden states: one predicts masked words, one whether a text follows another.
//
// Devlin et al. 2018, section 3.1; as models/scratch/pretraining.py.

import { softmax } from "./attention.js";
import { parameters } from "./encoder.js";
import { gelu, layerNorm, linear } from "./layers.js";

/** logits = norm(GELU(x W + b)) E^T + c, where E are the token embeddings themselves: [n, d_model] -> [n, d_vocab]. */
export function maskedLanguageModelHead(x, tensors, { eps }) {
  const transformed = linear(x, parameters(tensors, `${HEAD}.transform.dense`)).map(gelu); // [n, d_model]
  const normed = layerNorm(transformed, parameters(tensors, `${HEAD}.transform.LayerNorm`), eps); // [n, d_model]
  return linear(normed, { weight: tensors["bert.embeddings.word_embeddings.weight"], bias: tensors[`${HEAD}.bias`] });
}

/** softmax(tanh(x_0 W + b) W_2 + b_2), where x_0 is the state of [CLS] [d_model]: the probability of its first class, "B follows A". */
export function nextSentenceHead(x, tensors) {
  const pooled = linear(x, parameters(tensors, "bert.pooler.dense")).map(Math.tanh); // [d_model]
  const logits = linear(pooled, parameters(tensors, "cls.seq_relationship")); // [2]
  softmax(logits);
  return logits[0];
}

/** The `count` likeliest of logits [d_vocab]: [{id, probability}], the likeliest first. */
export function bestWords(logits, count) {
  const probabilities = Float32Array.from(logits); // [d_vocab]
  softmax(probabilities);
  const best = [];
  probabilities.forEach((probability, id) => {
    if (best.length === count && probability <= best.at(-1).probability) return;
    const before = best.findIndex((other) => other.probability < probability);
    best.splice(before < 0 ? best.length : before, 0, { id, probability });
    best.length = Math.min(best.length, count);
  });
  return best;
}

const HEAD = "cls.predictions";
