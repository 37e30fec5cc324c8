// The key/value cache: a decoder that writes token by token keeps the keys and values of the tokens before.
//
// Shazeer 2019, 1911.02150; as models/scratch/cache.py.

/** The keys and values that all attentions of a decoder have read so far, for each group of heads [n_tokens, d_head]. */
export class KeyValueCache {
  constructor() {
    Object.assign(this, { nTokens: 0, kept: new Map() });
  }

  /** What an attention has read before: the position of the `first` new token, and how the new keys and values `extend` those kept. */
  after(name) {
    return { first: this.nTokens, extend: (key, value) => this.extend(name, key, value) };
  }

  /** Append the keys and values of new tokens to those of one attention, and give all. */
  extend(name, key, value) {
    const before = this.kept.get(name);
    const after = (part, own) => own.map((numbers, group) => joined(before?.[part][group] ?? [], numbers));
    this.kept.set(name, { key: after("key", key), value: after("value", value) });
    return this.kept.get(name);
  }
}

function joined(before, after) {
  const both = new Float32Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}
