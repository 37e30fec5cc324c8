// A model that answers in a thread of its own: the page waits for an answer, and can still be read.

import { Answering } from "./answering.js";
import { labels } from "./places.js";
import { Reader } from "./reader.js";

let model = null;

/**
 * What a page asks, and hears: {open, known} gives {number}; {tokensOf, number} the tokens of a text, {number, tokens, isCut};
 * {asks: {name: question}, number} gives {number, outcomes, readings}: what the first question is about as the viewer shows it, and
 * the same in another order where it is shuffled. {number, failed: {reason, values}} is heard where there is no answer.
 */
onmessage = ({ data: { number, ...asked } }) => {
  try {
    postMessage({ number, ...answerTo(asked) });
  } catch (error) {
    postMessage({ number, failed: { reason: error.reason ?? "other", values: error.values ?? { why: error.message } } });
  }
};

function answerTo({ open, known, tokensOf, asks }) {
  if (open) model = new Answering(new Reader(open), known);
  if (tokensOf) {
    const { pieces, isCut } = model.read(tokensOf);
    return { tokens: labels(pieces), isCut };
  }
  if (!asks) return {};
  const outcomes = Object.fromEntries(Object.entries(asks).map(([name, ask]) => [name, model.answer(ask)]));
  return { outcomes, readings: asks[""].text ? model.readings(asks[""], outcomes[""]) : [] };
}
