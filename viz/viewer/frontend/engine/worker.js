// The reader in a thread of its own, so that whoever types never waits: it is opened once, then reads text after text.

import { Reader } from "./reader.js";

let reader = null;

/**
 * What a page asks, {open} or {read, most, number}, and what it hears: {isOpen}, then for each text {number, reading} and
 * {number, guesses}: of each mask the words after the embeddings and after every layer, the likeliest first.
 */
onmessage = ({ data: { open, read, most, number } }) => {
  if (open) {
    reader = new Reader(open);
    postMessage({ isOpen: true });
    return;
  }
  const reading = reader.read(read, most);
  postMessage({ number, reading });
  const masks = reading.pieces.flatMap(({ text }, place) => (text === "[MASK]" ? [place] : []));
  const byLayer = (place) => reading.states.map((_, layer) => reader.guess(reading, place, { layer }));
  postMessage({ number, guesses: masks.map((place) => ({ place, layers: byLayer(place) })) });
};
