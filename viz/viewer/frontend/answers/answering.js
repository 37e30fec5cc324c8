// A model that answers the questions of lessons: `reader` is the engine's, `known` what is known of the model beforehand.

import { OF_ATTENTION } from "./of_attention.js";
import { OF_COSTS } from "./of_costs.js";
import { OF_EXPLANATIONS } from "./of_explanations.js";
import { OF_HEADS } from "./of_heads.js";
import { OF_ORDER } from "./of_order.js";
import { OF_STATES } from "./of_states.js";
import { OF_VECTORS } from "./of_vectors.js";
import { OF_WORDS } from "./of_words.js";

/** The kinds of questions that a browser answers; deploy/site/lessons.py names them, too. */
export const ANSWERED = { ...OF_ATTENTION, ...OF_VECTORS, ...OF_WORDS, ...OF_HEADS, ...OF_ORDER, ...OF_STATES, ...OF_EXPLANATIONS, ...OF_COSTS };

export class Answering {
  /** `known` is {name, roles, measures, counted}: heads by what they were found to do, and words in the reader's language. */
  constructor(reader, known) {
    Object.assign(this, known, { reader, config: reader.config, tokenizer: reader.tokenizer, vocabulary: reader.tokenizer.vocabulary, last: null, made: new Map() });
  }

  /** The outcome of a question, {facts, options, right, number, low, high, bars, layer, head, position}; some ask no model, and have it. */
  answer({ what, outcome, ...given }) {
    return { low: 0, high: 1, options: [], right: [], bars: [], ...(outcome ?? ANSWERED[what](this, given)) };
  }

  /** What takes long is made once for the lesson: `about` says of what it is. */
  once(about, make) {
    const name = JSON.stringify(about);
    if (!this.made.has(name)) this.made.set(name, make());
    return this.made.get(name);
  }

  /** A text that is read, and a second one that may follow it; the one that was read last is not read again. */
  read(text, second = "", changes = {}) {
    const name = JSON.stringify([text, second, changes]);
    if (this.last?.name !== name) this.last = { name, reading: { ...this.reader.read(text, undefined, changes, second), text } };
    return this.last.reading;
  }

  /** What a question is about, as the viewer shows it: {pieces, attention, written}; where it is in another order, that as well. */
  readings({ text, text_b: second }, { changes, order }) {
    const { pieces, attention, target } = this.read(text, second, changes);
    const written = { pieces, attention, written: target && { text: target.text } };
    if (!order) return [written];
    const shuffled = order.map((at) => pieces[at]);
    const layers = this.run(shuffled, changes).records.encoder.map((record) => this.reader.shown(record));
    return [written, { pieces: shuffled, attention: [{ kind: "encoder", queries: shuffled, keys: shuffled, layers }] }];
  }

  run(pieces, changes) {
    return this.reader.run(pieces, changes);
  }

  logits(states, place) {
    return this.reader.logits(states, place);
  }

  /** The probability that one sentence follows another. */
  nextSentence(states) {
    return this.reader.nextSentence(states);
  }

  /** The vectors of the positions [n_positions, d_model]. */
  get positions() {
    return this.reader.tensors["bert.embeddings.position_embeddings.weight"];
  }
}
