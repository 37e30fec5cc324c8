// What the model in the page has read, as the viewer asks for it: as viz/viewer/about.py and payload.py give it.

import { isSpaceless } from "./live_words.js";
import { codesOfWeights, MASKED_16 } from "./payload.js";

/**
 * A reading of the engine as a source: its `layers`, and its tokens as `columns`. `about` are the facts that stay, `note` is
 * what is said of whole words in scripts without spaces; `number` tells one text from another. The rows that are `covered` have no
 * numbers.
 */
export function liveSource({ layers, columns, text, number, covered = [] }, { about, note }) {
  const n = columns.texts.length;
  const wordsNote = isSpaceless(text) ? note : "";
  const shape = { whole: true, dense: true, tall: n, wide: n, step: 1, row_step: 1, words_note: wordsNote };
  const kind = { ...about.kinds[0], ...shape, queries: columns, keys: null };
  const hides = kind.kind === "decoder"; // the later tokens from every query
  return {
    live: false,
    about: async () => ({ ...about, id: String(number), kinds: [kind] }),
    overview: async (_, arrived) => arrived(codesOf(layers, hides, covered)),
    head: async ({ layer, head }) => headOf(layers[layer], head, n, hides, covered),
    file: () => null,
  };
}

/** All weights, layer by layer, after each layer the mean of its heads, at the end that of all: 16 bits each. */
function codesOf(layers, hides, covered) {
  const ofLayers = layers.map(({ weights }) => meanOf(weights));
  const matrices = [...layers.flatMap(({ weights }, layer) => [...weights, ofLayers[layer]]), meanOf(ofLayers)];
  const size = matrices[0].length; // n * n
  const codes = new Uint16Array(matrices.length * size);
  matrices.forEach((matrix, index) => codes.set(codesOfWeights(matrix), index * size));
  const n = Math.sqrt(size);
  if (hides) hideLater(codes, n);
  for (let start = 0; start < codes.length; start += size) for (const row of covered) codes.fill(MASKED_16, start + row * n, start + (row + 1) * n);
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
function headOf({ query, key, value, outputNorms }, head, n, hides, covered) {
  const dHead = query[head].length / n;
  const shaped = (array, ...shape) => Object.assign(array.slice(), { shape });
  const norms = Float32Array.from({ length: n }, (_, i) => Math.hypot(...value[head].subarray(i * dHead, (i + 1) * dHead)));
  const isHidden = (row, column) => covered.includes(row) || (hides && column > row);
  const bias = Float32Array.from({ length: n * n }, (_, at) => (isHidden(Math.floor(at / n), at % n) ? -Infinity : 0));
  const arrays = {
    query: shaped(query[head], n, dHead), key: shaped(key[head], n, dHead),
    value_norms: shaped(norms, n), output_norms: shaped(outputNorms[head], n),
    ...((hides || covered.length > 0) && { bias: shaped(bias, n, n) }),
  };
  return { meta: { scale: dHead ** -0.5, soft_cap: null }, arrays };
}
