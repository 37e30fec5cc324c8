// Facts: numbers and words that a question has computed. The page writes them in the reader's language (lesson_words.js).
//
// As lessons/values.py; {is, value} says how a fact is written, and `value` is what a claim compares.

export const share = (value) => ({ is: "share", value });
export const count = (value) => ({ is: "count", value });
export const number = (value, digits = 2) => ({ is: "number", value, digits });
/** A token, a word of the vocabulary, a sentence. */
export const word = (value) => ({ is: "word", value });
/** A phrase of the app in English, which the page translates; one that is `said` comes in the reader's language. */
export const phrase = (value) => ({ is: "phrase", value });
export const said = (value) => ({ is: "said", value });
export const headName = ({ layer, head }) => ({ is: "head", value: `Layer ${layer} · Head ${head}`, layer, head });
export const headOff = ({ layer, head }) => ({ is: "off", layer, head });
/** A state of a word on its way: the embeddings, then one after each layer. */
export const after = (nLayers) => ({ is: "after", value: nLayers });

/** A difference that should be none. */
export const small = (value) => ({ is: "small", value });
/** A position, as so many later than another. */
export const later = (by) => ({ is: "later", value: by });

/** The end of a line on which a number is guessed, which tells no more than how many digits it has. */
export function endOfLine(counted) {
  let end = 20;
  for (let digits = 2; end < ROOM * counted; digits++) end = 10 ** digits;
  return end;
}

const ROOM = 1.1; // the least room above a number, relative to it

/** Why a question has no answer; the page says the `reason` with its values. */
export class NoAnswer extends Error {
  constructor(reason, values = {}) {
    super(reason);
    Object.assign(this, { reason, values });
  }
}

/** Where the largest of some numbers is; the first of equal ones. */
export function placeOfMost(numbers) {
  return numbers.reduce((best, value, at) => (value > numbers[best] ? at : best), 0);
}

/** The places of numbers, that of the largest first. */
export function ranked(numbers) {
  return Array.from(numbers.keys()).sort((one, other) => numbers[other] - numbers[one]);
}
