// What the model in the page has read, as the viewer asks for it: as viz/viewer/about.py and payload.py give it.

import { isSpaceless } from "./live_words.js";
import { codesOfWeights } from "./payload.js";

/**
 * A reading of the engine as a source: its `layers`, and its tokens as `columns`. `about` are the facts that stay, `note` is
 * what is said of whole words in scripts without spaces; `number` tells one text from another.
 */
export function liveSource({ layers, columns, text, number }, { about, note }) {
  const n = columns.texts.length;
  const wordsNote = isSpaceless(text) ? note : "";
  const shape = { whole: true, dense: true, tall: n, wide: n, step: 1, row_step: 1, words_note: wordsNote };
  const kind = { ...about.kinds[0], ...shape, queries: columns, keys: null };
  return {
    live: false,
    about: async () => ({ ...about, id: String(number), kinds: [kind] }),
    overview: async (_, arrived) => arrived(codesOf(layers)),
    head: async ({ layer, head }) => headOf(layers[layer], head, n),
    file: () => null,
  };
}

/** All weights, layer by layer, after each layer the mean of its heads, at the end that of all: 16 bits each. */
function codesOf(layers) {
  const ofLayers = layers.map(({ weights }) => meanOf(weights));
  const matrices = [...layers.flatMap(({ weights }, layer) => [...weights, ofLayers[layer]]), meanOf(ofLayers)];
  const codes = new Uint16Array(matrices.length * matrices[0].length);
  matrices.forEach((matrix, index) => codes.set(codesOfWeights(matrix), index * matrix.length));
  return new Uint8Array(codes.buffer);
}

function meanOf(matrices) {
  return matrices[0].map((_, at) => matrices.reduce((sum, matrix) => sum + matrix[at], 0) / matrices.length);
}

/** What the numbers of a head follow from. */
function headOf({ query, key, value, outputNorms }, head, n) {
  const dHead = query[head].length / n;
  const shaped = (array, ...shape) => Object.assign(array.slice(), { shape });
  const norms = Float32Array.from({ length: n }, (_, i) => Math.hypot(...value[head].subarray(i * dHead, (i + 1) * dHead)));
  const arrays = {
    query: shaped(query[head], n, dHead), key: shaped(key[head], n, dHead),
    value_norms: shaped(norms, n), output_norms: shaped(outputNorms[head], n),
  };
  return { meta: { scale: dHead ** -0.5, soft_cap: null }, arrays };
}
