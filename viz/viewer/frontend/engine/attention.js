// Attention: every token asks all tokens a question, and takes from each as much as its answer fits.
//
// "Attention Is All You Need", section 3.2; as models/scratch/attention.py. A tensor is a Float32Array, row after row.

import { linear } from "./layers.js";
import { rotate } from "./rotary.js";

/**
 * Attention(Q, K, V) = softmax(Q K^T / sqrt(d_head)) V of one head (equation 1). `query` [n_query, d_head], `key` and
 * `value` [n_key, d_head]; in a decoder (`isCausal`) no query sees a later key, the queries being the last of the keys. The keys of
 * the places `hidden` are seen by no other query.
 * Gives {output [n_query, d_head], weights [n_query, n_key]}.
 */
export function attention({ query, key, value, dHead, isCausal = false, hidden = [] }) {
  const [nQuery, nKey, scale] = [query.length / dHead, key.length / dHead, dHead ** -0.5];
  const weights = new Float32Array(nQuery * nKey); // [n_query, n_key], every row sums to 1
  const output = new Float32Array(nQuery * dHead); // [n_query, d_head]
  for (let i = 0; i < nQuery; i++) {
    const nSeen = isCausal ? nKey - nQuery + i + 1 : nKey;
    const row = weights.subarray(i * nKey, i * nKey + nSeen); // [n_seen], scores at first
    for (let j = 0; j < nSeen; j++) {
      let score = 0;
      for (let d = 0; d < dHead; d++) score += query[i * dHead + d] * key[j * dHead + d];
      row[j] = score * scale;
    }
    for (const j of hidden) if (j < nSeen && j !== nKey - nQuery + i) row[j] = -Infinity;
    softmax(row);
    for (let j = 0; j < nSeen; j++) {
      for (let d = 0; d < dHead; d++) output[i * dHead + d] += row[j] * value[j * dHead + d];
    }
  }
  return { output, weights };
}

/** softmax(x)_j = exp(x_j) / sum(exp(x)), in place; the largest is taken off first, so that no exp is infinite. */
export function softmax(x) {
  const most = x.reduce((high, number) => Math.max(high, number), -Infinity);
  let total = 0;
  for (let j = 0; j < x.length; j++) total += x[j] = Math.exp(x[j] - most);
  for (let j = 0; j < x.length; j++) x[j] /= total;
}

/**
 * MultiHead(Q, K, V) = Concat(head_0, ..., head_h) W_O (section 3.2.2). `x` [n, d_model]; `weights` are those of the four
 * matrices, by the names "query", "key", "value" and "output"; `settings` those of `settingsOf`. Where heads share keys and values,
 * head h has those of group h // (n_heads / n_groups) (Ainslie et al. 2023). Cross attention looks at the `source` [n_key, d_model], and
 * a decoder at the `past` of its cache, too. Gives {output [n, d_model], record}: of every head its query [n, d_head], its key and
 * value [n_key, d_head] and its weights [n, n_key], which the viewer shows, and W_O.
 */
export function multiHeadAttention(x, weights, settings, { source = x, past = null } = {}) {
  const { nHeads, nGroups = nHeads, dHead, rotaryBase, isCausal, hidden, off = [] } = settings;
  const project = (read, name, n) => splitHeads(linear(read, weights(name)), n, dHead); // n times [n_read, d_head]
  const turn = (heads) => (rotaryBase ? heads.map((head) => rotate(head, settings, past.first)) : heads);
  const query = turn(project(x, "query", nHeads));
  const own = { key: turn(project(source, "key", nGroups)), value: project(source, "value", nGroups) };
  const { key, value } = past ? past.extend(own.key, own.value) : own; // n_groups times [n_key, d_head]
  const ofHead = (groups) => query.map((_, head) => groups[Math.floor(head / (nHeads / nGroups))]); // n_heads times [n_key, d_head]
  const read = { query, key: ofHead(key), value: ofHead(value) };
  const heads = query.map((_, head) =>
    attention({ query: query[head], key: read.key[head], value: read.value[head], dHead, isCausal, hidden }));
  for (const head of off) heads[head].output.fill(0); // switched off: it adds nothing
  const mixed = mergeHeads(heads.map(({ output }) => output), dHead); // [n, n_heads * d_head]
  const record = { ...read, weights: heads.map((head) => head.weights), matrix: weights("output").weight };
  return { output: linear(mixed, weights("output")), record };
}

/** The settings of one attention: in a decoder no token sees a later one, and heads may be off, `config.off` {kind: {layer: [head]}}. */
export function settingsOf(config, kind, layer) {
  return { ...config, isCausal: kind === "decoder", off: config.off?.[kind]?.[layer] };
}

/** [n, n_heads * d_head] -> n_heads times [n, d_head] */
function splitHeads(x, nHeads, dHead) {
  const [n, dAll] = [x.length / (nHeads * dHead), nHeads * dHead];
  return Array.from({ length: nHeads }, (_, head) => {
    const own = new Float32Array(n * dHead); // [n, d_head]
    for (let i = 0; i < n; i++) own.set(x.subarray(i * dAll + head * dHead, i * dAll + (head + 1) * dHead), i * dHead);
    return own;
  });
}

/** n_heads times [n, d_head] -> [n, n_heads * d_head] */
function mergeHeads(heads, dHead) {
  const [n, dAll] = [heads[0].length / dHead, heads.length * dHead];
  const merged = new Float32Array(n * dAll);
  heads.forEach((own, head) => {
    for (let i = 0; i < n; i++) merged.set(own.subarray(i * dHead, (i + 1) * dHead), i * dAll + head * dHead);
  });
  return merged;
}
