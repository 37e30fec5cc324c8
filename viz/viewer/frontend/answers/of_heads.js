// Questions about what an answer loses without a head; as lessons/answers/effects.py.

import { count, headName, headOff, phrase, placeOfMost, ranked, share, word } from "./facts.js";
import { answerFrom, answerOf, numberOf, softmaxed } from "./of_words.js";
import { headByName } from "./places.js";

const [FALLS, HARDLY, RISES] = ["falls", "hardly changes", "rises"];
export const CHANGES = [FALLS, HARDLY, RISES];
const A_CHANGE = 0.05; // a probability that moves by less hardly changes

/** The answer that a question is about, by its number, and the best other one. */
export function contrastOf(model, ask) {
  const answer = answerOf(model, ask);
  const own = ask.word ? numberOf(model, ask.word) : answer.order[0];
  return { answer, own, rival: answer.order.find((id) => id !== own) };
}

export function change(before, after) {
  if (Math.abs(after - before) < A_CHANGE) return HARDLY;
  return after > before ? RISES : FALLS;
}

/** The logits of a question with one head off. */
function logitsWithout(model, { text }, { layer, head }, { position }) {
  const whole = model.read(text);
  const { states } = model.run(whole.pieces, { off: { [whole.attention[0].kind]: { [layer]: [head] } }, begun: whole.states.slice(0, layer + 1) });
  return model.logits(states.at(-1), position);
}

/** Without each head by itself, layer after layer: its place, and the probability and logit difference that are left. */
function eachOff(model, ask, { answer, own, rival }) {
  const { nLayers, nHeads } = model.config;
  return model.once([ask.text, own], () => Array.from({ length: nLayers * nHeads }, (_, at) => {
    const place = { layer: Math.floor(at / nHeads), head: at % nHeads };
    const logits = logitsWithout(model, ask, place, answer);
    return { place, probability: softmaxed(logits)[own], difference: logits[own] - logits[rival] };
  }));
}

/** The head whose absence changes the answer most. */
function mostOff(model, ask, contrast) {
  const { logits } = contrast.answer;
  const whole = logits[contrast.own] - logits[contrast.rival];
  const without = eachOff(model, ask, contrast);
  return without[placeOfMost(without.map(({ difference }) => Math.abs(difference - whole)))].place;
}

export const OF_HEADS = {
  "head-off": (model, ask) => {
    const contrast = contrastOf(model, ask);
    const { answer, own, rival } = contrast;
    const place = ask.head === "most" ? mostOff(model, ask, contrast) : headByName(model, model.read(ask.text), ask.head);
    const without = answerFrom(logitsWithout(model, ask, place, answer));
    const [before, after] = [answer.probabilities[own], without.probabilities[own]];
    return {
      ...place, position: answer.position, options: CHANGES.map(phrase), right: [CHANGES.indexOf(change(before, after))],
      bars: [[phrase(WHOLE), share(before)], [phrase(WITHOUT), share(after)]], known: [0],
      facts: {
        word: word(model.vocabulary[own]), rival: word(model.vocabulary[rival]), before: share(before), after: share(after), answer: phrase(change(before, after)),
        head: headName(place), best: word(model.vocabulary[without.order[0]]), best_probability: share(without.probabilities[without.order[0]]),
        heads: count(model.config.nLayers * model.config.nHeads),
      },
    };
  },
  "heads-that-matter": (model, ask) => {
    const contrast = contrastOf(model, ask);
    const [before, without] = [contrast.answer.probabilities[contrast.own], eachOff(model, ask, contrast)];
    const changes = without.map(({ probability }) => Math.abs(probability - before));
    const after = without.map(({ probability }) => probability);
    const order = ranked(changes);
    const matter = changes.filter((moved) => moved >= A_CHANGE).length;
    const { place } = without[order[0]];
    return {
      ...place, number: matter, low: 0, high: without.length,
      bars: [[phrase(WHOLE), share(before)], ...order.slice(0, matter).map((at) => [headOff(without[at].place), share(after[at])])],
      facts: {
        number: count(matter), heads: count(without.length), word: word(model.vocabulary[contrast.own]), before: share(before), lowest: share(Math.min(...after)),
        highest: share(Math.max(...after)), head: headName(place), share: share(matter / without.length),
      },
    };
  },
};

const [WHOLE, WITHOUT] = ["with all heads", "without this head"];
