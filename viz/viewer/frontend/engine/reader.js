// A model that reads: from a text to its tokens, to every number that the viewer shows, and to guesses at masked words.

import { encode, parameters, readConfig, NAMES } from "./encoder.js";
import { linear } from "./layers.js";
import { bestWords, maskedLanguageModelHead } from "./pretraining.js";
import { readSafetensors } from "./safetensors.js";
import { WordPiece } from "./wordpiece.js";

export class Reader {
  /** `weights` are the bytes of a safetensors file; the settings of the tokenizer and the model those of their JSON. */
  constructor({ weights, tokenizer, config }) {
    Object.assign(this, readSafetensors(weights), { config: readConfig(config), tokenizer: new WordPiece(tokenizer) });
  }

  /** Read a text of at most `most` tokens: {pieces, isCut, states, layers}; `layers` has the record of attention of each. */
  read(text, most = this.config.maxTokens) {
    const { pieces, isCut } = this.tokenizer.encode(text, Math.min(most, this.config.maxTokens));
    const { states, records } = encode(pieces.map(({ id }) => id), pieces.map(() => 0), this.tensors, this.config);
    const layers = records.map((record, layer) => ({ ...record, outputNorms: this.outputNorms(record.value, layer) }));
    return { pieces, isCut, states, layers };
  }

  /** The lengths of values after W_O: n_heads times [n, d_head] -> n_heads times [n] (Kobayashi et al. 2020, equation 5). */
  outputNorms(values, layer) {
    const { dHead, dModel } = this.config;
    const { weight } = parameters(this.tensors, `bert.encoder.layer.${layer}.${NAMES.output}`); // [d_model, d_model]
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
    const logits = maskedLanguageModelHead(state, this.tensors, this.config); // [d_vocab]
    return bestWords(logits, count).map(({ id, probability }) => ({ text: this.tokenizer.vocabulary[id], probability }));
  }
}

/** The lengths of vectors [n, d] -> [n] */
function lengths(x, d) {
  const squares = new Float64Array(x.length / d); // [n]
  x.forEach((number, at) => squares[Math.floor(at / d)] += number ** 2);
  return Float32Array.from(squares, Math.sqrt);
}
