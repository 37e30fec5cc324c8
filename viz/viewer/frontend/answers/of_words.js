// Questions about what a model says: the word behind a mask, the next word, how it is chosen, the next sentence; as
// lessons/answers/words.py and choosing.py.

import { count, endOfLine, NoAnswer, number, ranked, share, word } from "./facts.js";

const [FOUR, HALF, MOST_BARS] = [4, 0.5, 8];

/** What the model says at the first mask, or after the text: {logits, probabilities [d_vocab], order, position}. */
export function answerOf(model, { text, text_b: second }) {
  const { states, asked: [position] } = model.read(text, second);
  if (position === undefined) throw new NoAnswer("mask");
  return { position, ...answerFrom(model.logits(states.at(-1), position)) };
}

/** Logits [d_vocab] with their softmax, and the words in their order, the likeliest first. */
export function answerFrom(logits) {
  const probabilities = softmaxed(logits);
  return { logits, probabilities, order: ranked(probabilities) };
}

/** The softmax of logits in double precision, divided by a temperature. */
export function softmaxed(logits, temperature = 1) {
  const largest = logits.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const powers = Float64Array.from(logits, (logit) => Math.exp((logit - largest) / temperature));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** The number of a word in the vocabulary. */
export function numberOf(model, spelled) {
  const pieces = model.tokenizer.cut(spelled);
  if (pieces.length !== 1) throw new NoAnswer("word", { word: spelled, pieces: pieces.map(({ text }) => text).join(" ") });
  return pieces[0].id;
}

/** How many words it takes for a part of the probability, the likeliest first. */
function nForShare({ probabilities, order }, part) {
  let [n, sum] = [0, probabilities[order[0]]];
  while (sum < part && n < order.length - 1) sum += probabilities[order[++n]];
  return n + 1;
}

function bestOf(model, { probabilities, order }) {
  return { best: word(model.vocabulary[order[0]]), best_probability: share(probabilities[order[0]]), vocabulary: count(model.vocabulary.length) };
}

/** The likeliest words as bars. */
function likeliest(model, { probabilities, order }, n = MOST_BARS) {
  return order.slice(0, Math.min(n, MOST_BARS)).map((id) => [word(model.vocabulary[id]), share(probabilities[id])]);
}

/** The probability that the second sentence follows, and all of several; perhaps each with the segment vector of the other. */
function bySentence(model, text, sentences, isExchanged = false) {
  return sentences.map((sentence) => {
    const read = model.read(text, sentence);
    const { states } = isExchanged ? model.run(read.pieces.map((piece) => ({ ...piece, segment: 1 - piece.segment }))) : read;
    return model.nextSentence(states.at(-1));
  });
}

export const OF_WORDS = {
  "likeliest-word": (model, ask) => {
    const answer = answerOf(model, ask);
    const ofModel = answer.order.slice(0, FOUR).sort((one, other) => (model.vocabulary[one] < model.vocabulary[other] ? -1 : 1));
    const names = ask.options ?? ofModel.map((id) => model.vocabulary[id]);
    const probabilities = (ask.options?.map((option) => numberOf(model, option)) ?? ofModel).map((id) => answer.probabilities[id]);
    const [first, second = first] = ranked(probabilities);
    return {
      options: names.map(word), right: [first], position: answer.position, bars: names.map((name, at) => [word(name), share(probabilities[at])]),
      facts: {
        ...bestOf(model, answer), answer: word(names[first]), probability: share(probabilities[first]), second: word(names[second]),
        second_probability: share(probabilities[second]),
      },
    };
  },
  "word-probability": (model, ask) => {
    const [answer, id] = [answerOf(model, ask), numberOf(model, ask.word)];
    const rank = 1 + answer.logits.filter((logit) => logit > answer.logits[id]).length;
    return {
      number: answer.probabilities[id], position: answer.position, bars: likeliest(model, answer),
      facts: { ...bestOf(model, answer), word: word(ask.word), probability: share(answer.probabilities[id]), rank: count(rank) },
    };
  },
  "how-sure": (model, ask) => {
    const answer = answerOf(model, ask);
    const words = nForShare(answer, HALF);
    const bits = answer.probabilities.reduce((sum, one) => (one > 0 ? sum - one * Math.log2(one) : sum), 0);
    return {
      number: words, low: 1, high: endOfLine(words), position: answer.position, bars: likeliest(model, answer),
      facts: { ...bestOf(model, answer), words: count(words), bits: number(bits, 1) },
    };
  },
  "with-temperature": (model, ask) => {
    const [answer, temperature] = [answerOf(model, ask), ask.tenths / 10];
    const after = { ...answer, probabilities: softmaxed(answer.logits, temperature) };
    const [best, probability] = [answer.order[0], after.probabilities[answer.order[0]]];
    return {
      number: probability, position: answer.position, bars: likeliest(model, after),
      facts: {
        temperature: number(temperature, 1), word: word(model.vocabulary[best]), before: share(answer.probabilities[best]), probability: share(probability),
        words_before: count(nForShare(answer, HALF)), words: count(nForShare(after, HALF)),
      },
    };
  },
  "share-of-best": (model, ask) => {
    const answer = answerOf(model, ask);
    const kept = Math.min(ask.k, answer.order.length);
    const [best] = answer.order;
    const total = answer.order.slice(0, kept).reduce((sum, id) => sum + answer.probabilities[id], 0);
    return {
      number: total, position: answer.position, bars: likeliest(model, answer, kept),
      facts: {
        k: count(kept), share: share(total), word: word(model.vocabulary[best]), before: share(answer.probabilities[best]),
        after: share(answer.probabilities[best] / total), vocabulary: count(answer.order.length),
      },
    };
  },
  "words-kept": (model, ask) => {
    const answer = answerOf(model, ask);
    const [best, kept] = [answer.order[0], nForShare(answer, ask.percent / 100)];
    return {
      number: kept, low: 1, high: endOfLine(kept), position: answer.position, bars: likeliest(model, answer, kept),
      facts: {
        number: count(kept), percent: share(ask.percent / 100), word: word(model.vocabulary[best]), probability: share(answer.probabilities[best]),
        vocabulary: count(answer.order.length),
      },
    };
  },
  "likeliest-sentence": (model, ask) => {
    const probabilities = bySentence(model, ask.text, ask.options);
    const order = ranked(probabilities);
    const of = (at) => [word(ask.options[at]), share(probabilities[at])];
    const [[answer, probability], [second, next], [last, least]] = [order[0], order[1], order.at(-1)].map(of);
    return {
      options: ask.options.map(word), right: [order[0]], bars: ask.options.map((_, at) => of(at)),
      facts: { answer, probability, second, second_probability: next, last, last_probability: least },
    };
  },
  follows: (model, ask) => {
    const [probability] = bySentence(model, ask.text, [ask.text_b], ask.segments === "exchanged");
    return { number: probability, bars: [[word(ask.text_b), share(probability)]], facts: { probability: share(probability) } };
  },
};
