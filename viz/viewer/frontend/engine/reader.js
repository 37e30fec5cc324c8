// A model that reads: from a text to its tokens, to every number that the viewer shows, and to guesses at masked words.

import { KeyValueCache } from "./cache.js";
import { decode, LLAMA_NAMES, nextTokenHead, readLlamaConfig } from "./decoder.js";
import { encode, NAMES, readConfig } from "./encoder.js";
import { bestWords, maskedLanguageModelHead, nextSentenceHead } from "./pretraining.js";
import { readSafetensors } from "./safetensors.js";
import { WordPiece } from "./wordpiece.js";

/** The two kinds of models: how each is configured and run, its LM head, its W_O, and where it guesses a word. */
const KINDS = {
  bert: {
    configure: readConfig,
    run: (pieces, tensors, config) => encode(idsOf(pieces), pieces.map(({ segment }) => segment), tensors, config),
    head: maskedLanguageModelHead,
    outputOf: (layer) => `bert.encoder.layer.${layer}.${NAMES.output}.weight`,
    asksAt: (pieces) => pieces.flatMap(({ text }, place) => (text === "[MASK]" ? [place] : [])),
  },
  llama: {
    configure: readLlamaConfig,
    run: (pieces, tensors, config) => decode(idsOf(pieces), tensors, config, new KeyValueCache(config.nLayers)),
    head: nextTokenHead,
    outputOf: (layer) => `model.layers.${layer}.${LLAMA_NAMES.output}.weight`,
    asksAt: (pieces) => [pieces.length - 1],
  },
};

const idsOf = (pieces) => pieces.map(({ id }) => id);

export class Reader {
  /** `weights` are the bytes of a safetensors file; the settings of the tokenizer and the model those of their JSON. */
  constructor({ weights, tokenizer, config }) {
    this.kind = KINDS[config.model_type];
    Object.assign(this, readSafetensors(weights), { config: this.kind.configure(config), tokenizer: new WordPiece(tokenizer) });
    const { nLayers, nHeads } = this.config;
    const ofLayer = (layer) => Array.from({ length: nHeads }, (_, head) => this.squareOf(layer, head));
    this.squares = Array.from({ length: nLayers }, (_, layer) => ofLayer(layer)); // n_layers times n_heads
  }

  /**
   * Read a text of at most `most` tokens, and a `second` one after it: {pieces, isCut, states, layers, asked}; `changes` as for
   * `run`. `layers` has the record of attention of each, `asked` are the places at which a word is guessed: masks, or of a
   * decoder the last token.
   */
  read(text, most = this.config.maxTokens, changes = {}, second = "") {
    const { pieces, isCut } = this.tokenizer.encode(text, Math.min(most, this.config.maxTokens), second);
    const { states, records } = this.run(pieces, changes);
    const layers = records.map((record, layer) => ({ ...record, outputNorms: this.outputNorms(record.value, layer) }));
    return { pieces, isCut, states, layers, asked: this.kind.asksAt(pieces) };
  }

  /**
   * {states, records} of pieces, with what is changed in the model: {offByLayer: {layer: [head]}, hidden: [place], isWithoutPositions}. An encoder goes
   * on from the states that have `begun`, if they are given: a change begins at its layer.
   */
  run(pieces, changes = {}) {
    return this.kind.run(pieces, this.tensors, { ...this.config, ...changes });
  }

  /** The lengths of values after W_O: n_heads times [n, d_head] -> n_heads times [n] (Kobayashi et al. 2020, equation 5). */
  outputNorms(values, layer) {
    const { dHead } = this.config;
    return values.map((value, head) => {
      const [square, norms] = [this.squares[layer][head], new Float32Array(value.length / dHead)]; // [n]
      for (let i = 0, start = 0; i < norms.length; i++, start += dHead) {
        let sum = 0;
        for (let a = 0; a < dHead; a++) {
          let row = 0;
          for (let b = 0; b < dHead; b++) row += square[a * dHead + b] * value[start + b];
          sum += value[start + a] * row;
        }
        norms[i] = Math.sqrt(sum);
      }
      return norms;
    });
  }

  /** W^T W [d_head, d_head] of the part W of W_O that takes the values of a head, with which |W v|^2 = v^T W^T W v. */
  squareOf(layer, head) {
    const { dHead } = this.config;
    const weight = this.tensors[this.kind.outputOf(layer)]; // [d_model, n_heads * d_head]
    const square = new Float64Array(dHead * dHead);
    for (let start = head * dHead; start < weight.length; start += weight.shape[1]) {
      for (let a = 0; a < dHead; a++) for (let b = 0; b < dHead; b++) square[a * dHead + b] += weight[start + a] * weight[start + b];
    }
    return square;
  }

  /** The guesses at a place of a text, from the last state; or from those of the `layer`, of which 0 is the embeddings. */
  guess({ states }, place, { layer = states.length - 1, count = 5 } = {}) {
    return bestWords(this.logits(states[layer], place), count).map(({ id, probability }) => ({ text: this.tokenizer.vocabulary[id], probability }));
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
