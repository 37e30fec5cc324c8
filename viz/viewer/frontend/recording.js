// One recording: what has arrived of it, and what can be asked for.

import { tokensOf } from "./axis.js";
import { MEAN } from "./declared.js";
import { Blocks, Computed, Dense, meanRow, meanSums, rowMaker } from "./matrix.js";
import { MOST_16, MOST_8, weightsOfCodes } from "./payload.js";

/** Everything of one kind of attention. Head `nHeads` is the mean of a layer; layer `nLayers` has the mean of all only. */
export class Kind {
  constructor(about, source) {
    const { kind, n_layers: nLayers, n_heads: nHeads, whole, dense, tall, wide, step, row_step: rowStep, refused, sink_layers: sinkLayers,
      own_sums: ownSums, words_note: wordsNote } = about;
    const queries = tokensOf(about.queries);
    const keys = about.keys === null ? queries : tokensOf(about.keys);
    Object.assign(this, { kind, nLayers, nHeads, whole, dense, tall, wide, step, rowStep, queries, keys, source, refused, sinkLayers, ownSums, wordsNote });
    this.headSize = whole ? 2 * queries.length * keys.length : tall * wide;
    this.bytes = null;
    this.total = this.headSize * ((nHeads + 1) * nLayers + 1);
    this.arrived = 0;
    this.exactHeads = new Map();
  }

  /** Load the small maps, and all weights where they are few; `progress()` after every part. */
  async load(progress, signal) {
    if (this.loading) return this.loading;
    this.bytes = new Uint8Array(this.total);
    this.loading = this.source.overview(this.kind, (part) => {
      this.bytes.set(part, this.arrived);
      this.arrived += part.length;
      progress();
    }, signal);
    return this.loading;
  }

  /** Whether all heads of a layer are here. */
  has(layer) {
    const heads = layer < this.nLayers ? (layer + 1) * (this.nHeads + 1) : this.nLayers * (this.nHeads + 1) + 1;
    return heads * this.headSize <= this.arrived;
  }

  /** What has been sent of a head: all weights in 16 bits, or a small map in 8; null until it is here. */
  codes(layer, head) {
    const start = (layer * (this.nHeads + 1) + (layer === this.nLayers ? 0 : head)) * this.headSize;
    if (start + this.headSize > this.arrived) return null;
    return this.whole ? new Uint16Array(this.bytes.buffer, start, this.headSize / 2) : this.bytes.subarray(start, start + this.headSize);
  }

  /** The weights of a head as they are known without asking: to 16 bits, or in blocks; null until they are here. */
  rough(layer, head) {
    const shape = { nQuery: this.queries.length, nKey: this.keys.length };
    const codes = this.codes(layer, head);
    if (codes && this.whole) return approximate(new Dense(looked(codes, WEIGHTS_16), shape.nQuery, shape.nKey));
    return codes && new Blocks(looked(codes, WEIGHTS_8), { tall: this.tall, wide: this.wide, step: this.step, ...shape });
  }

  /**
   * The exact numbers of a head, a promise. `choice` is {layer, head, quantity, words, special}; the last two matter for
   * the picture of a long text only. The latest are kept.
   */
  exact(choice, signal) {
    const { layer, head, quantity, words, special } = choice;
    const name = [layer, head, quantity, ...(this.dense ? [] : [words, special])].join(" ");
    const kept = this.exactHeads.get(name);
    if (kept) return kept;
    const asked = this.ask(choice, signal);
    this.exactHeads.set(name, asked);
    if (this.exactHeads.size > (this.dense ? DENSE_KEPT : LONG_KEPT)) this.exactHeads.delete(this.exactHeads.keys().next().value);
    asked.catch(() => this.exactHeads.delete(name));
    return asked;
  }

  async ask(choice, signal) {
    if (choice.head === this.nHeads && !this.source.live) return this.meanOfHeads(choice, signal);
    const { layer, head, quantity, words, special } = choice;
    const asked = { kind: this.kind, layer, head: head === this.nHeads ? MEAN : head, quantity, words, special };
    const content = await this.source.head(asked, signal);
    return Object.assign(this.matrixOf(content, choice, signal), {
      sinkShares: content.arrays.sink_shares, rowSums: content.arrays.row_sums,
    });
  }

  /** The matrix that was sent, or that follows from what was. */
  matrixOf(content, choice, signal) {
    const { quantity } = choice;
    const { values, coarse, query } = content.arrays;
    if (!values && !coarse && !query) return Object.assign(this.rough(choice.layer, choice.head), { exact: true });
    if (values) return new Dense(values, this.queries.length, this.keys.length);
    const rowsOf = (other) => rowMaker(content, other); // of this head, in any quantity
    if (!coarse) return Object.assign(this.evaluated(rowsOf(quantity)), { rowsOf, parts: content.arrays });
    const blocks = this.blocks(coarse, content.meta.step);
    if (!query) return new MeanLater(this.heads(choice, signal), blocks);
    return Object.assign(new Computed(rowsOf(quantity), blocks), { rowsOf });
  }

  /** Questions for all heads of a layer. */
  heads(choice, signal) {
    return Array.from({ length: this.nHeads }, (_, head) => () => this.exact({ ...choice, head }, signal));
  }

  async meanOfHeads(choice, signal) {
    if (!this.dense) return new MeanLater(this.heads(choice, signal), this.rough(choice.layer, choice.head));
    const matrices = await Promise.all(this.heads(choice, signal).map((ask) => ask()));
    return Object.assign(this.evaluated((i) => meanRow(matrices, i)), meanSums(matrices));
  }

  evaluated(make) {
    const values = new Float32Array(this.queries.length * this.keys.length);
    for (let i = 0; i < this.queries.length; i++) values.set(make(i), i * this.keys.length);
    return new Dense(values, this.queries.length, this.keys.length);
  }

  /** The picture of a long text. That of a file is of all tokens; the server has merged and hidden them as asked. */
  blocks(coarse, step) {
    const [tall, wide] = coarse.shape;
    const blocks = new Blocks(coarse, { tall, wide, step, nQuery: this.queries.length, nKey: this.keys.length });
    blocks.isRaw = !this.source.live;
    return blocks;
  }
}

/** The mean of a long text: its picture is here; its rows need every head of the layer, which `complete` fetches. */
export class MeanLater extends Blocks {
  constructor(asks, coarse) {
    super(coarse.values, coarse);
    this.asks = asks;
  }

  /** Merged and hidden by the server already: only the entries have to be counted. */
  over(queries, keys) {
    return new MeanLater(this.asks, { ...this, nQuery: queries.length, nKey: keys.length });
  }

  async complete() {
    const matrices = await Promise.all(this.asks.map((ask) => ask()));
    return Object.assign(new Computed((i) => meanRow(matrices, i), this), meanSums(matrices));
  }
}

const WEIGHTS_8 = weightsOfCodes(MOST_8);
const WEIGHTS_16 = weightsOfCodes(MOST_16);
const DENSE_KEPT = 48;
const LONG_KEPT = 16;

function looked(codes, table) {
  const values = new Float32Array(codes.length);
  for (let index = 0; index < codes.length; index++) values[index] = table[codes[index]];
  return values;
}

function approximate(matrix) {
  matrix.exact = false;
  return matrix;
}
