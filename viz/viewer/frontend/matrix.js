// The numbers of one head, in three forms with one face: nQuery, nKey, reach, row(i), raster(...).
//
//   Dense     every number is here;
//   Blocks    only the largest number of every block of cells is here (a small map, or the picture of a long text);
//   Computed  a long text: a row is computed from the queries and keys when somebody looks, softmax(scale q k + bias).
//
// `sinkShares` [nQuery], if the head has a sink, is what each query gives to it, and so to no key; `rowSums` [nQuery], of
// weights that were given, are the sums of the rows where they may differ from 1.
// A number that is masked is NaN. `derive` merges words and leaves special tokens out.

/** Every number, row after row in `values` [nQuery * nKey]. */
export class Dense {
  constructor(values, nQuery, nKey) {
    Object.assign(this, { values, nQuery, nKey, exact: true, reach: reachOf(values) });
  }

  row(i) {
    return this.values.subarray(i * this.nKey, (i + 1) * this.nKey);
  }

  /** See `rasterOf`. */
  raster(region, width, height, rule) {
    return rasterOf((i) => this.row(i), region, width, height, rule);
  }
}

/** The largest number of every block of `step` x `step` cells, in `values` [tall * wide]. */
export class Blocks {
  constructor(values, { tall, wide, step, nQuery, nKey }) {
    Object.assign(this, { values, tall, wide, step, nQuery, nKey, exact: false, reach: reachOf(values) });
  }

  row(i) {
    const start = Math.floor(i / this.step) * this.wide;
    return Float32Array.from({ length: this.nKey }, (_, j) => this.values[start + Math.floor(j / this.step)]);
  }

  /** The same blocks over other entries: an entry is found where its first piece stands. */
  over(queries, keys) {
    const place = (entries, index) => Math.floor(entries[Math.min(index * this.step, entries.length - 1)].position / this.step);
    const shape = { nQuery: queries.length, nKey: keys.length, step: this.step };
    const [tall, wide] = [Math.ceil(shape.nQuery / this.step), Math.ceil(shape.nKey / this.step)];
    const columns = Array.from({ length: wide }, (_, x) => place(keys, x));
    const values = new Float32Array(tall * wide);
    for (let y = 0; y < tall; y++) {
      const start = place(queries, y) * this.wide;
      for (let x = 0; x < wide; x++) values[y * wide + x] = this.values[start + columns[x]];
    }
    return new Blocks(values, { tall, wide, ...shape });
  }

  /** A block is a cell of its own here; a pixel is the largest block under it. */
  raster({ top, bottom, left, right }, width, height, rule) {
    const rowOf = (i) => this.values.subarray(i * this.wide, (i + 1) * this.wide);
    const region = { top: top / this.step, bottom: bottom / this.step, left: left / this.step, right: right / this.step };
    return rasterOf(rowOf, region, width, height, (row) => rule(row, null));
  }
}

/** Rows made when they are asked for by `make(i)`, the latest of them kept; `coarse`, a Blocks, is what is seen of all. */
export class Computed {
  constructor(make, coarse) {
    const { nQuery, nKey, reach } = coarse;
    Object.assign(this, { make, coarse, nQuery, nKey, exact: true, reach, kept: new Map() });
  }

  row(i) {
    let row = this.kept.get(i);
    if (row === undefined) {
      row = this.make(i);
      if (this.kept.size >= ROWS_KEPT) this.kept.delete(this.kept.keys().next().value);
      this.kept.set(i, row);
    }
    return row;
  }

  /** Whether a region is small enough for the eye to tell its cells apart. */
  isFine({ top, bottom }, height) {
    return bottom - top <= height * FINE;
  }

  /** Exact where that is so. */
  raster(region, width, height, rule) {
    if (!this.isFine(region, height)) return this.coarse.raster(region, width, height, rule);
    return rasterOf((i) => this.row(i), region, width, height, rule);
  }
}

/** How rows follow from queries and keys: scale * q k, soft cap, bias, softmax unless it is scores, and norms of keys. */
export function rowMaker({ meta, arrays }, quantity) {
  const { query, key } = arrays;
  const norms = { value_weighted: arrays.value_norms, output_weighted: arrays.output_norms }[quantity];
  const { sink_shares: sinks, row_sums: sums } = arrays;
  const [nKey, size] = key.shape;
  const biasOf = biasReader(arrays, query.shape[0], nKey);
  return (i) => {
    const row = new Float32Array(nKey);
    for (let j = 0; j < nKey; j++) {
      let product = 0;
      for (let d = 0, a = i * size, b = j * size; d < size; d++) product += query[a + d] * key[b + d];
      product *= meta.scale;
      if (meta.soft_cap !== null) product = Math.tanh(product / meta.soft_cap) * meta.soft_cap;
      row[j] = product + biasOf(i, j);
    }
    if (quantity !== "scores") softmax(row, sums ? sums[i] : sinks ? 1 - sinks[i] : 1);
    for (let j = 0; j < nKey; j++) {
      if (biasOf(i, j) === -Infinity) row[j] = NaN;
      else if (norms) row[j] *= norms[j];
    }
    return row;
  };
}

/**
 * A matrix over other entries: rows of a word are averaged, columns summed, entries that are left out fall away.
 * With `renormalise` every row is divided by what is left of it.
 */
export function derive(matrix, queries, keys, renormalise) {
  const plain = (entries, size) => entries.length === size && entries.every((entry) => entry.positions.length === 1);
  if (plain(queries, matrix.nQuery) && plain(keys, matrix.nKey) && !renormalise) return matrix;
  const meanOfWords = (sums) => sums && Float32Array.from(queries, ({ positions }) => meanOf(sums, positions));
  const [sinkShares, rowSums] = [meanOfWords(matrix.sinkShares), meanOfWords(matrix.rowSums)];
  return Object.assign(derived(matrix, queries, keys, renormalise), { sinkShares, rowSums });
}

function derived(matrix, queries, keys, renormalise) {
  const make = (i) => merged(matrix, queries[i].positions, keys, renormalise);
  const shape = { nQuery: queries.length, nKey: keys.length };
  if (matrix instanceof Computed) return new Computed(make, matrix.coarse.isRaw ? matrix.coarse.over(queries, keys) : resized(matrix.coarse, shape));
  if (matrix instanceof Blocks) return matrix.over(queries, keys);
  const values = new Float32Array(queries.length * keys.length);
  for (let i = 0; i < queries.length; i++) values.set(make(i), i * keys.length);
  const dense = new Dense(values, queries.length, keys.length);
  dense.exact = matrix.exact;
  return dense;
}

/** The mean of a row of several matrices; NaN where one of them is. */
export function meanRow(matrices, i) {
  const mean = new Float32Array(matrices[0].nKey);
  for (const matrix of matrices) {
    const row = matrix.row(i);
    for (let j = 0; j < mean.length; j++) mean[j] += row[j] / matrices.length;
  }
  return mean;
}

/** The `sinkShares` and `rowSums` of several heads, on average; undefined where they have none. */
export function meanSums(matrices) {
  const mean = (name) => matrices[0][name]?.map((_, i) => matrices.reduce((sum, matrix) => sum + matrix[name][i], 0) / matrices.length);
  return { sinkShares: mean("sinkShares"), rowSums: mean("rowSums") };
}

/**
 * An image [height * width] of a region of cells {top, bottom, left, right}: a pixel is the largest cell under it.
 * `rule(row, i)` gives {floor, scale}: what is under the floor is not shown, the rest is divided by the scale.
 */
export function rasterOf(rowOf, { top, bottom, left, right }, width, height, rule) {
  if (width === right - left && height === bottom - top) return copyOf(rowOf, { top, left }, width, height, rule);
  const image = new Float32Array(width * height).fill(NaN);
  const rows = edgesOf(top, bottom, height);
  const columns = edgesOf(left, right, width);
  for (let i = Math.floor(top), r = 0; i < Math.ceil(bottom); i++, r++) {
    const row = rowOf(i);
    const { floor, scale } = rule(row, i);
    for (let j = Math.floor(left), c = 0; j < Math.ceil(right); j++, c++) {
      const value = shown(row[j], floor, scale);
      if (value !== value) continue; // masked
      for (let v = rows.first[r]; v < rows.end[r]; v++) {
        for (let at = v * width + columns.first[c], end = v * width + columns.end[c]; at < end; at++) {
          if (!(image[at] >= value)) image[at] = value;
        }
      }
    }
  }
  return image;
}

/** An image with a pixel a cell. */
function copyOf(rowOf, { top, left }, width, height, rule) {
  const image = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const row = rowOf(top + y);
    const { floor, scale } = rule(row, top + y);
    for (let j = left; j < left + width; j++, at++) image[at] = shown(row[j], floor, scale);
  }
  return image;
}

/** The pixels `first`..`end` (exclusive) of every cell that is seen of a side; every cell has one at least. */
function edgesOf(start, stop, size) {
  const cells = Math.ceil(stop) - Math.floor(start);
  const place = (c) => Math.min(Math.max(Math.floor(((Math.floor(start) + c - start) * size) / (stop - start)), 0), size);
  const first = Int32Array.from({ length: cells }, (_, c) => Math.min(place(c), size - 1));
  return { first, end: first.map((at, c) => Math.max(at + 1, place(c + 1))) };
}

function resized(blocks, shape) {
  return new Blocks(blocks.values, { ...blocks, ...shape });
}

const ROWS_KEPT = 2048;
const FINE = 1.5; // rows a pixel, up to which a picture of a long text is computed exactly

function shown(value, floor, scale) {
  return value < floor ? 0 : value / scale;
}

function meanOf(numbers, positions) {
  return positions.reduce((sum, position) => sum + numbers[position], 0) / positions.length;
}

function merged(matrix, positions, keys, renormalise) {
  const row = new Float32Array(keys.length);
  const seen = new Uint8Array(keys.length);
  for (const position of positions) {
    const pieces = matrix.row(position);
    for (let j = 0; j < keys.length; j++) {
      for (const piece of keys[j].positions) {
        if (Number.isNaN(pieces[piece])) continue;
        row[j] += pieces[piece] / positions.length;
        seen[j] = 1;
      }
    }
  }
  const total = renormalise ? row.reduce((sum, value) => sum + value, 0) : 1;
  for (let j = 0; j < keys.length; j++) {
    if (!seen[j]) row[j] = NaN;
    else if (total > 0) row[j] /= total;
  }
  return row;
}

/** The softmax of a row, which sums to `whole` afterwards. */
function softmax(row, whole) {
  let highest = -Infinity;
  for (const score of row) highest = Math.max(highest, score);
  let total = 0;
  for (let j = 0; j < row.length; j++) total += row[j] = Math.exp(row[j] - (highest === -Infinity ? 0 : highest));
  for (let j = 0; j < row.length; j++) row[j] = total > 0 ? (row[j] / total) * whole : 0;
}

function biasReader({ bias, bias_by_key: byKey, bias_by_offset: byOffset }, nQuery, nKey) {
  if (byOffset) return (i, j) => byOffset[j - i + nQuery - 1];
  if (byKey) return (_, j) => byKey[j];
  return bias ? (i, j) => bias[i * nKey + j] : () => 0;
}

function reachOf(values) {
  let reach = 0;
  for (const value of values) if (Math.abs(value) > reach && Number.isFinite(value)) reach = Math.abs(value);
  return reach;
}
