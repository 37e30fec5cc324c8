// A model that reads: from a text to its tokens, to every number that the viewer shows, and to guesses at masked words.

import { KeyValueCache } from "./cache.js";
import { decode, LLAMA_NAMES, nextTokenHead, readLlamaConfig } from "./decoder.js";
import { encode, NAMES, readConfig } from "./encoder.js";
import { linear } from "./layers.js";
import { bestWords, maskedLanguageModelHead } from "./pretraining.js";
import { readSafetensors } from "./safetensors.js";
import { WordPiece } from "./wordpiece.js";

/** The two kinds of models: how each is configured and run, its LM head, its W_O, and where it guesses a word. */
const KINDS = {
  bert: {
    configure: readConfig,
    run: (ids, tensors, config) => encode(ids, ids.map(() => 0), tensors, config),
    head: maskedLanguageModelHead,
    outputOf: (layer) => `bert.encoder.layer.${layer}.${NAMES.output}.weight`,
    asksAt: (pieces) => pieces.flatMap(({ text }, place) => (text === "[MASK]" ? [place] : [])),
  },
  llama: {
    configure: readLlamaConfig,
    run: (ids, tensors, config) => decode(ids, tensors, config, new KeyValueCache(config.nLayers)),
    head: nextTokenHead,
    outputOf: (layer) => `model.layers.${layer}.${LLAMA_NAMES.output}.weight`,
    asksAt: (pieces) => [pieces.length - 1],
  },
};

export class Reader {
  /** `weights` are the bytes of a safetensors file; the settings of the tokenizer and the model those of their JSON. */
  constructor({ weights, tokenizer, config }) {
    this.kind = KINDS[config.model_type];
    Object.assign(this, readSafetensors(weights), { config: this.kind.configure(config), tokenizer: new WordPiece(tokenizer) });
  }

  /**
   * Read a text of at most `most` tokens: {pieces, isCut, states, layers, asked}; `layers` has the record of attention of each,
   * `asked` are the places at which a word is guessed: masks, or of a decoder the last token.
   */
  read(text, most = this.config.maxTokens) {
    const { pieces, isCut } = this.tokenizer.encode(text, Math.min(most, this.config.maxTokens));
    const { states, records } = this.kind.run(pieces.map(({ id }) => id), this.tensors, this.config);
    const layers = records.map((record, layer) => ({ ...record, outputNorms: this.outputNorms(record.value, layer) }));
    return { pieces, isCut, states, layers, asked: this.kind.asksAt(pieces) };
  }

  /** The lengths of values after W_O: n_heads times [n, d_head] -> n_heads times [n] (Kobayashi et al. 2020, equation 5). */
  outputNorms(values, layer) {
    const { dHead, dModel } = this.config;
    const weight = this.tensors[this.kind.outputOf(layer)]; // [d_model, d_model]
    return values.map((value, head) => {
      const own = Object.assign(new Float32Array(dModel * dHead), { shape: [dModel, dHead] }); // what W_O does with this head
      for (let row = 0; row < dModel; row++) {
        const start = row * dModel + head * dHead;
        own.set(weight.subarray(start, start + dHead), row * dHead);
      }
      return lengths(linear(value, { weight: own }), dModel); // [n]
    });
  }

  /** The guesses at a place of a text, from the last state; or from those of the `layer`, of which 0 is the embeddings. */
  guess({ states }, place, { layer = states.length - 1, count = 5 } = {}) {
    const { dModel } = this.config;
    const state = states[layer].subarray(place * dModel, (place + 1) * dModel); // [d_model]
    const logits = this.kind.head(state, this.tensors, this.config); // [d_vocab]
    return bestWords(logits, count).map(({ id, probability }) => ({ text: this.tokenizer.vocabulary[id], probability }));
  }
}

/** The lengths of vectors [n, d] -> [n] */
function lengths(x, d) {
  const squares = new Float64Array(x.length / d); // [n]
  x.forEach((number, at) => squares[Math.floor(at / d)] += number ** 2);
  return Float32Array.from(squares, Math.sqrt);
}
