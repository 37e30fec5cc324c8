// The reader in a thread of its own, so that whoever types never waits: it is opened once, then reads text after text.

import { Reader } from "./reader.js";

let [reader, reading, stateAt] = [null, null, null];

/**
 * What a page asks, and hears: {open, layer} gives {isOpen}; {read, most, changes, number} gives {number, reading}; {guess: number}, of the
 * text that was read last, {number, guesses, state}: of each place that asks for a word those after the embeddings and after every
 * layer, the likeliest first; and the state after so many layers as `layer` said [n, d_model], null for null.
 */
onmessage = ({ data: { open, layer = null, read, most, changes, number, guess } }) => {
  if (open) {
    reader = new Reader(open);
    stateAt = layer;
    postMessage({ isOpen: true });
  } else if (guess) {
    const byLayer = (place) => reading.states.map((_, layer) => reader.guess(reading, place, { layer }));
    postMessage({ number: guess, guesses: reading.asked.map((place) => ({ place, layers: byLayer(place) })), state: stateAt === null ? null : reading.states[stateAt] });
  } else {
    reading = reader.read(read, most, changes);
    const { states, target, ...shown } = reading; // no viewer shows states
    postMessage({ number, reading: { ...shown, written: target && { text: target.text, isFinished: target.isFinished } } });
  }
};
