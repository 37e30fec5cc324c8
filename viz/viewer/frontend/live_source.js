// What the model in the page has read, as the viewer asks for it: as viz/viewer/about.py and payload.py give it.

import { isSpaceless } from "./live_words.js";
import { codesOfWeights, MASKED_16 } from "./payload.js";

/**
 * A reading of the engine as a source: its `layers`, and its tokens as `columns`. `about` are the facts that stay, `note` is
 * what is said of whole words in scripts without spaces; `number` tells one text from another.
 */
export function liveSource({ layers, columns, text, number }, { about, note }) {
  const n = columns.texts.length;
  const wordsNote = isSpaceless(text) ? note : "";
  const shape = { whole: true, dense: true, tall: n, wide: n, step: 1, row_step: 1, words_note: wordsNote };
  const kind = { ...about.kinds[0], ...shape, queries: columns, keys: null };
  const hides = kind.kind === "decoder"; // the later tokens from every query
  return {
    live: false,
    about: async () => ({ ...about, id: String(number), kinds: [kind] }),
    overview: async (_, arrived) => arrived(codesOf(layers, hides)),
    head: async ({ layer, head }) => headOf(layers[layer], head, n, hides),
    file: () => null,
  };
}

/** All weights, layer by layer, after each layer the mean of its heads, at the end that of all: 16 bits each. */
function codesOf(layers, hides) {
  const ofLayers = layers.map(({ weights }) => meanOf(weights));
  const matrices = [...layers.flatMap(({ weights }, layer) => [...weights, ofLayers[layer]]), meanOf(ofLayers)];
  const size = matrices[0].length; // n * n
  const codes = new Uint16Array(matrices.length * size);
  matrices.forEach((matrix, index) => codes.set(codesOfWeights(matrix), index * size));
  if (hides) hideLater(codes, Math.sqrt(size));
  return new Uint8Array(codes.buffer);
}

function meanOf(matrices) {
  const mean = new Float32Array(matrices[0].length);
  for (const matrix of matrices) for (let at = 0; at < mean.length; at++) mean[at] += matrix[at] / matrices.length;
  return mean;
}

/** Masked are the cells to the right of the diagonal of every matrix [n, n]. */
function hideLater(codes, n) {
  for (let row = 0; row < codes.length / n; row++) codes.fill(MASKED_16, row * n + (row % n) + 1, (row + 1) * n);
}

/** What the numbers of a head follow from. */
function headOf({ query, key, value, outputNorms }, head, n, hides) {
  const dHead = query[head].length / n;
  const shaped = (array, ...shape) => Object.assign(array.slice(), { shape });
  const norms = Float32Array.from({ length: n }, (_, i) => Math.hypot(...value[head].subarray(i * dHead, (i + 1) * dHead)));
  const later = Float32Array.from({ length: 2 * n - 1 }, (_, offset) => (offset < n ? 0 : -Infinity)); // key - query + n - 1
  const arrays = {
    query: shaped(query[head], n, dHead), key: shaped(key[head], n, dHead),
    value_norms: shaped(norms, n), output_norms: shaped(outputNorms[head], n),
    ...(hides && { bias_by_offset: shaped(later, 2 * n - 1) }),
  };
  return { meta: { scale: dHead ** -0.5, soft_cap: null }, arrays };
}
