// A model that reads: from a text to its tokens, to every number that the viewer shows, and to guesses at masked words.

import { ByteLevel } from "./byte_level.js";
import { KeyValueCache } from "./cache.js";
import { decode, nextTokenHead, readGpt2Config, readLlamaConfig, turnMatrices } from "./decoder.js";
import { encode, readConfig } from "./encoder.js";
import { readBartConfig, readSource, readTarget, targetHead, writeTarget } from "./encoder_decoder.js";
import { bestWords, maskedLanguageModelHead, nextSentenceHead } from "./pretraining.js";
import { readSafetensors } from "./safetensors.js";
import { WordPiece } from "./wordpiece.js";

/**
 * The kinds of models: how each is configured, its weights prepared, and run, its LM head, and where it guesses a word. What runs gives {states, records: {kind of
 * attention: one a layer}}; one that writes a target, its {ids, isFinished, states}, too.
 */
const KINDS = {
  bert: {
    configure: readConfig,
    run: (pieces, tensors, config) => {
      const { states, records } = encode(idsOf(pieces), pieces.map(({ segment }) => segment), tensors, config);
      return { states, records: { encoder: records } };
    },
    head: maskedLanguageModelHead,
    asksAt: (pieces) => pieces.flatMap(({ text }, place) => (text === "[MASK]" ? [place] : [])),
  },
  llama: decoderOf(readLlamaConfig),
  gpt2: decoderOf(readGpt2Config, turnMatrices),
  bart: {
    configure: readBartConfig,
    run: (pieces, tensors, config) => {
      const source = readSource(idsOf(pieces), tensors, config);
      const most = Math.min(WRITTEN_PER_SOURCE * pieces.length + WRITTEN_ANYHOW, config.maxTokens - 1);
      const written = writeTarget(source.states.at(-1), most, tensors, config);
      const { states, records } = readTarget(written.ids, source.states.at(-1), tensors, config, new KeyValueCache());
      const [decoder, cross] = ["own", "cross"].map((name) => records.map((record) => record[name]));
      return { states: source.states, records: { encoder: source.records, decoder, cross }, target: { ...written, states } };
    },
    head: targetHead,
    asksAt: () => [],
  },
};

function decoderOf(configure, prepare) {
  const run = (pieces, tensors, config) => {
    const { states, records } = decode(idsOf(pieces), tensors, config, new KeyValueCache());
    return { states, records: { decoder: records } };
  };
  return { configure, prepare, run, head: nextTokenHead, asksAt: (pieces) => (pieces.length ? [pieces.length - 1] : []) };
}

const [WRITTEN_PER_SOURCE, WRITTEN_ANYHOW] = [2, 20]; // where a translation is cut, as in models/tasks/writing.py
const idsOf = (pieces) => pieces.map(({ id }) => id);

/** The tokenizer of a tokenizer.json. */
export function tokenizerOf(settings) {
  return settings.model.type === "BPE" ? new ByteLevel(settings) : new WordPiece(settings);
}

export class Reader {
  /** `weights` are the bytes of a safetensors file; the settings of the tokenizer and the model those of their JSON. */
  constructor({ weights, tokenizer, config }) {
    this.kind = KINDS[config.model_type];
    Object.assign(this, readSafetensors(weights), { config: this.kind.configure(config), tokenizer: tokenizerOf(tokenizer) });
    this.kind.prepare?.(this.tensors);
  }

  /**
   * Read a text of at most `most` tokens, and a `second` one after it: {pieces, isCut, states, layers, attention, target, asked}; `changes` as for
   * `run`. `attention` has of every kind {kind, queries, keys, layers}: pieces, and the record of each layer; `layers` are those of
   * the first kind. `target` is what a translator wrote, {pieces, text, isFinished, states}. `asked` are the places at which a word is
   * guessed: masks, or of a decoder the last token.
   */
  read(text, most = this.config.maxTokens, changes = {}, second = "") {
    const { pieces, isCut } = this.tokenizer.encode(text, Math.min(most, this.config.maxTokens), second);
    const { states, records, target: written } = this.run(pieces, changes);
    const target = written ? { ...written, ...this.tokenizer.decode(written.ids) } : null;
    const attention = Object.entries(records).map(([kind, ofLayers]) => {
      const [queries, keys] = [kind === "encoder", kind !== "decoder"].map((isSource) => (isSource || !target ? pieces : target.pieces));
      return { kind, queries, keys, layers: ofLayers.map((record) => this.shown(record)) };
    });
    return { pieces, isCut, states, layers: attention[0].layers, attention, target, asked: this.kind.asksAt(pieces) };
  }

  /**
   * What a model computes of pieces, with what is changed in it: {off: {kind: {layer: [head]}}, hidden: [place], isWithoutPositions}. An encoder
   * goes on from the states that have `begun`, if they are given: a change begins at its layer.
   */
  run(pieces, changes = {}) {
    return this.kind.run(pieces, this.tensors, { ...this.config, ...changes });
  }

  /**
   * A record as the viewer shows it: in the place of W_O the lengths of the values after it, n_heads times [n] (Kobayashi et al. 2020,
   * equation 5).
   */
  shown({ matrix, ...record }) {
    matrix.squares ??= record.value.map((_, head) => squareOf(matrix, head, this.config.dHead)); // one of each head
    return { ...record, outputNorms: record.value.map((value, head) => lengths(value, matrix.squares[head])) };
  }

  /**
   * The guesses at a place of a text, {text, probability, written}, from the last state; or from those of the `layer`, of which 0 is the
   * embeddings. `written` is what a person types for the piece.
   */
  guess({ states }, place, { layer = states.length - 1, count = 5 } = {}) {
    const best = bestWords(this.logits(states[layer], place), count).map(({ id, probability }) => ({ text: this.tokenizer.vocabulary[id], probability }));
    return best.map((guess) => ({ ...guess, written: this.tokenizer.written(guess.text) }));
  }

  /** The logits of the LM head [d_vocab] at a place of states [n, d_model]. */
  logits(states, place) {
    const { dModel } = this.config;
    return this.kind.head(states.subarray(place * dModel, (place + 1) * dModel), this.tensors, this.config);
  }

  /** How probable it is that the second of two texts follows the first, from their last states. */
  nextSentence(states) {
    return nextSentenceHead(states.subarray(0, this.config.dModel), this.tensors);
  }
}

/** W^T W [d_head, d_head] of the part W of W_O [d_model, n_heads * d_head] that takes the values of a head: |W v|^2 = v^T W^T W v. */
function squareOf(matrix, head, dHead) {
  const square = new Float64Array(dHead * dHead);
  for (let start = head * dHead; start < matrix.length; start += matrix.shape[1]) {
    for (let a = 0; a < dHead; a++) for (let b = 0; b < dHead; b++) square[a * dHead + b] += matrix[start + a] * matrix[start + b];
  }
  return square;
}

/** sqrt(v^T S v) of each vector v of `values` [n, d] and a matrix S [d, d]: [n]. */
function lengths(values, square) {
  const d = Math.sqrt(square.length);
  return Float32Array.from({ length: values.length / d }, (_, i) => {
    let sum = 0;
    for (let a = 0; a < d; a++) for (let b = 0; b < d; b++) sum += values[i * d + a] * square[a * d + b] * values[i * d + b];
    return Math.sqrt(sum);
  });
}
