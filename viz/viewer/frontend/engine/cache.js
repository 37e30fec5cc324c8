// The key/value cache: a decoder that writes token by token keeps the keys and values of the tokens before.
//
// Shazeer 2019, 1911.02150; as models/scratch/cache.py.

/** The keys and values of all layers that have been read so far, for each group of heads [n_tokens, d_head]. */
export class KeyValueCache {
  constructor(nLayers) {
    this.layers = Array.from({ length: nLayers }, () => null);
    this.nTokens = 0;
  }

  /** Append those of new tokens, and give those of all tokens. */
  extend(layer, key, value) {
    const before = this.layers[layer] ?? { key: key.map(() => []), value: value.map(() => []) };
    const after = (name, own) => own.map((numbers, group) => joined(before[name][group], numbers));
    return (this.layers[layer] = { key: after("key", key), value: after("value", value) });
  }
}

function joined(before, after) {
  const both = new Float32Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}
