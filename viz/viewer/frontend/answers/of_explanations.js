// Questions about the words that an answer hangs on; as lessons/answers/explanations.py. Of the methods raw attention alone.

import { count, NoAnswer, phrase, ranked, share, word } from "./facts.js";
import { columnsOf } from "./live_words.js";
import { change, CHANGES, contrastOf } from "./of_heads.js";
import { answerFrom } from "./of_words.js";
import { tokenAt } from "./places.js";

const SEVERAL = ", ";

/** The pieces of every word of a text, [{places, text}]: the text as it was typed. */
function wordsIn({ pieces, text }) {
  const { words } = columnsOf(pieces, text, {});
  const found = new Map();
  words.forEach((number, at) => number !== null && found.set(number, [...(found.get(number) ?? []), at]));
  return [...found.values()].map((places) => ({ places, text: text.slice(pieces[places[0]].start, pieces[places.at(-1)].end) }));
}

/** Names of which the second of two equal ones has its number. */
function numbered(names) {
  return names.map((name, at) => {
    const nBefore = names.slice(0, at).filter((other) => other === name).length;
    return nBefore ? `${name} (${nBefore + 1})` : name;
  });
}

export const OF_EXPLANATIONS = {
  "left-out": (model, ask) => {
    const [{ answer, own, rival }, reading] = [contrastOf(model, ask), model.read(ask.text)];
    const words = wordsIn(reading);
    const left = ask.leave_out.split(SEVERAL).map((named) => words.find(({ places }) => places.includes(tokenAt(reading, named))));
    if (left.some((one) => !one || one.places.includes(answer.position))) throw new NoAnswer("place");
    const { states } = model.run(reading.pieces, { hidden: left.flatMap(({ places }) => places) });
    const without = answerFrom(model.logits(states.at(-1), answer.position));
    const [before, after, best] = [answer.probabilities[own], without.probabilities[own], without.order[0]];
    return {
      position: answer.position, options: CHANGES.map(phrase), right: [CHANGES.indexOf(change(before, after))],
      bars: [[phrase("with all words"), share(before)], [phrase("without what is left out"), share(after)]], known: [0],
      facts: {
        word: word(model.vocabulary[own]), rival: word(model.vocabulary[rival]), before: share(before), after: share(after), answer: phrase(change(before, after)),
        left_out: word(left.map(({ text }) => text).join(SEVERAL)), best: word(model.vocabulary[best]), best_probability: share(without.probabilities[best]),
      },
    };
  },
  "important-word": (model, ask) => {
    const [{ answer, own }, reading] = [contrastOf(model, ask), model.read(ask.text)];
    const [{ position }, { weights }, n] = [answer, reading.layers.at(-1), reading.pieces.length];
    const given = (key) => weights.reduce((sum, matrix) => sum + matrix[position * n + key], 0) / weights.length;
    const words = wordsIn(reading).filter(({ places }) => !places.includes(position));
    if (!words.length) throw new NoAnswer("place");
    const scores = words.map(({ places }) => places.reduce((sum, key) => sum + given(key), 0));
    const names = numbered(words.map(({ text }) => text));
    const [first, second = first] = ranked(scores);
    return {
      position, options: names.map(word), right: [first], bars: names.map((name, at) => [word(name), share(scores[at])]),
      facts: { answer: word(names[first]), second: word(names[second]), method: phrase("raw attention"), word: word(model.vocabulary[own]), words: count(words.length) },
    };
  },
};
