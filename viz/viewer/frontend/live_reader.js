// A model in a worker: it reads the newest text that it is asked for, so that whoever types never waits.

import { isReadable, readable } from "./typed_text.js";

export const MOST_TOKENS = 128;
/** The letters of a text that are looked at: more than any text of so many tokens has, as in models/text/cutting.py. */
export const MOST_LETTERS = 20 * MOST_TOKENS;

export class LiveReader {
  /** `engine` is the address of reading/worker.js; `heard` are the functions {reading, guesses, failed}, the second if guesses are wanted. */
  constructor(engine, heard) {
    Object.assign(this, { heard, number: 0, waiting: null, isBusy: true, worker: new Worker(engine) });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (error) => heard.failed(error);
  }

  /** Give it the model {weights, tokenizer, config}; a text that was asked for already is read then. The state of a `layer` comes with guesses. */
  open({ weights, tokenizer, config }, layer = null) {
    this.worker.postMessage({ open: { weights, tokenizer, config }, layer }, [weights]);
  }

  /** Have a text read, with what is changed: {off: {kind, layer, head}, isWithoutPositions}; while the model is busy, the newest waits. */
  ask(text, changed = {}) {
    this.number += 1;
    this.waiting = isReadable(text) ? { text: readable(text), changed } : null;
    this.next();
  }

  next() {
    if (this.isBusy || this.waiting === null) return;
    this.asked = { ...this.waiting, number: this.number };
    Object.assign(this, { isBusy: true, waiting: null });
    const { text, changed: { off, isWithoutPositions }, number } = this.asked;
    const changes = { off: off ? { [off.kind]: { [off.layer]: [off.head] } } : {}, isWithoutPositions };
    this.worker.postMessage({ read: text.slice(0, MOST_LETTERS), most: MOST_TOKENS, changes, number });
  }

  hear({ number, reading, guesses, state }) {
    this.isBusy = false;
    const isLong = reading && this.asked.text.length > MOST_LETTERS;
    if (reading) this.heard.reading({ ...reading, ...this.asked, isCut: reading.isCut || isLong, isCutAtLetters: isLong && !reading.isCut });
    if (guesses && number === this.number) this.heard.guesses(guesses, state);
    this.next();
    if (reading && !this.isBusy && this.heard.guesses) { // nothing newer waits
      this.isBusy = true;
      this.worker.postMessage({ guess: number });
    }
  }

  close() {
    this.worker.terminate();
  }
}
