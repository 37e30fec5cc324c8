// The reader in a thread of its own, so that whoever types never waits: it is opened once, then reads text after text.

import { Reader } from "./reader.js";

let [reader, reading] = [null, null];

/**
 * What a page asks, and hears: {open} gives {isOpen}; {read, most, changes, number} gives {number, reading}; {guess: number}, of the
 * text that was read last, {number, guesses}: of each place that asks for a word those after the embeddings and after every
 * layer, the likeliest first.
 */
onmessage = ({ data: { open, read, most, changes, number, guess } }) => {
  if (open) {
    reader = new Reader(open);
    postMessage({ isOpen: true });
  } else if (guess) {
    const byLayer = (place) => reading.states.map((_, layer) => reader.guess(reading, place, { layer }));
    postMessage({ number: guess, guesses: reading.asked.map((place) => ({ place, layers: byLayer(place) })) });
  } else {
    reading = reader.read(read, most, changes);
    const { states, ...shown } = reading; // no viewer shows them
    postMessage({ number, reading: shown });
  }
};
