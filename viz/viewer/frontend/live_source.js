// What the model in the page has read, as the viewer asks for it: as viz/viewer/about.py and payload.py give it.

import { columnsOf, isSpaceless } from "./live_words.js";
import { codesOfWeights, MASKED_16 } from "./payload.js";

/**
 * A reading of the engine as a source: its kinds of `attention`, {kind, layers, queries, keys, covered}, whose axes are the columns of
 * their tokens; the rows that are `covered` have no numbers. `about` are the facts that stay, `note` is what is said of whole words in
 * scripts without spaces; `number` tells one text from another.
 */
export function liveSource({ attention, text, number }, { about, note }) {
  const stacks = new Map(attention.map((stack) => [stack.kind, { covered: [], ...stack, hides: stack.kind === "decoder" }])); // later tokens
  const kinds = about.kinds.filter(({ kind }) => stacks.has(kind)).map((known) => {
    const { queries, keys } = stacks.get(known.kind);
    const shape = { whole: true, dense: true, tall: queries.texts.length, wide: keys.texts.length, step: 1, row_step: 1 };
    return { ...known, ...shape, words_note: isSpaceless(text) ? note : "", queries, keys: keys === queries ? null : keys };
  });
  return {
    live: false,
    about: async () => ({ ...about, id: String(number), kinds }),
    overview: async (kind, arrived) => arrived(codesOf(stacks.get(kind))),
    head: async ({ kind, layer, head }) => headOf(stacks.get(kind), layer, head),
    file: () => null,
  };
}

/** The kinds of attention of a reading, their tokens as columns; a `target` is what a translator wrote. */
export function withColumns({ attention, pieces }, text, target, spelled) {
  const columns = new Map([[pieces, columnsOf(pieces, text, spelled)]]);
  const of = (own) => columns.get(own) ?? columns.set(own, columnsOf(own, target.text, spelled)).get(own);
  return attention.map((stack) => ({ ...stack, queries: of(stack.queries), keys: of(stack.keys) }));
}

/** All weights, layer by layer, after each layer the mean of its heads, at the end that of all: 16 bits each. */
function codesOf({ layers, queries, keys, hides, covered }) {
  const ofLayers = layers.map(({ weights }) => meanOf(weights));
  const matrices = [...layers.flatMap(({ weights }, layer) => [...weights, ofLayers[layer]]), meanOf(ofLayers)];
  const [nQuery, nKey] = [queries.texts.length, keys.texts.length];
  const codes = new Uint16Array(matrices.length * nQuery * nKey);
  matrices.forEach((matrix, index) => codes.set(codesOfWeights(matrix), index * nQuery * nKey));
  for (let start = 0; start < codes.length; start += nKey) {
    const row = (start / nKey) % nQuery;
    const first = covered.includes(row) ? 0 : hides ? row + 1 : nKey; // of the cells that are masked
    codes.fill(MASKED_16, start + first, start + nKey);
  }
  return new Uint8Array(codes.buffer);
}

function meanOf(matrices) {
  const mean = new Float32Array(matrices[0].length);
  for (const matrix of matrices) for (let at = 0; at < mean.length; at++) mean[at] += matrix[at] / matrices.length;
  return mean;
}

/** What the numbers of a head follow from. */
function headOf({ layers, queries, keys, hides, covered }, layer, head) {
  const { query, key, value, outputNorms } = layers[layer];
  const [nQuery, nKey] = [queries.texts.length, keys.texts.length];
  const dHead = query[head].length / nQuery;
  const shaped = (array, ...shape) => Object.assign(array.slice(), { shape });
  const norms = Float32Array.from({ length: nKey }, (_, i) => Math.hypot(...value[head].subarray(i * dHead, (i + 1) * dHead)));
  const isHidden = (row, column) => covered.includes(row) || (hides && column > row);
  const bias = Float32Array.from({ length: nQuery * nKey }, (_, at) => (isHidden(Math.floor(at / nKey), at % nKey) ? -Infinity : 0));
  const arrays = {
    query: shaped(query[head], nQuery, dHead), key: shaped(key[head], nKey, dHead),
    value_norms: shaped(norms, nKey), output_norms: shaped(outputNorms[head], nKey),
    ...((hides || covered.length > 0) && { bias: shaped(bias, nQuery, nKey) }),
  };
  return { meta: { scale: dHead ** -0.5, soft_cap: null }, arrays };
}
