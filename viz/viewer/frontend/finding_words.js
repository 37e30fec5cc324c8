// The words of a text, and what two of them have to do with each other; as models/analysis/one_text/word_pairs.py.

import { koreanClasses } from "./finding_korean.js";
import { withoutMark } from "./live_words.js";

const UNKNOWN = "[UNK]";
const NOUNS = ["NOUN", "PROPN"];
const BOUNDARIES = ["VERB", "CCONJ", "SCONJ"];
const CONTENT = [...NOUNS, "VERB", "ADJ", "ADV", "NUM"];

/**
 * The words of pieces: the piece at which each begins, its spelling, its part of speech or "", and whether it can be found: no
 * special token, no mark, nothing unknown. `words` are the numbers of their words, `state` [n, d_model] what a tagger of English reads.
 */
export function readWords(pieces, words, tables, state = null) {
  const starts = startsOfWords(pieces, words);
  const texts = starts.map((start, place) => pieces.slice(start, starts[place + 1]).map(({ text }) => withoutMark(text)).join("").toLowerCase());
  const classes = classesOf(pieces, starts, texts, tables, state);
  const canBeFound = starts.map((start) => !pieces[start].isStructural && pieces[start].text !== UNKNOWN && !isMark(pieces[start]));
  return { starts, texts, classes, canBeFound };
}

/** The pieces at which words begin. */
export function startsOfWords(pieces, words) {
  return pieces.flatMap((_, at) => (at && words[at] !== null && words[at] === words[at - 1] ? [] : [at]));
}

function isMark({ text }) {
  return /^\p{P}+$/u.test(withoutMark(text));
}

function classesOf(pieces, starts, texts, { tagger, korean }, state) {
  if (tagger && state) return starts.map((start) => (pieces[start].isStructural ? "" : tagAt(start, tagger, state)));
  return korean ? koreanClasses(pieces, starts, korean) : starts.map(() => "");
}

/** The likeliest part of speech of a piece. */
function tagAt(place, { labels, weight, bias }, state) {
  const d = weight[0].length;
  const logits = weight.map((row, label) => row.reduce((sum, number, k) => sum + number * state[place * d + k], bias[label]));
  return labels[logits.indexOf(Math.max(...logits))];
}

/** How many times a weight counts from one word to another, a function; 0 for two that have nothing to do with each other. */
export function worthBetween({ texts, classes, canBeFound }, { worth, neighbour, english, korean }) {
  const are = (...names) => classes.map((name) => names.includes(name));
  const [nouns, verbs, adjectives, pronouns, auxiliaries, content] = [are(...NOUNS), are("VERB"), are("ADJ"), are("PRON"), are("AUX"), are(...CONTENT)];
  const anaphors = texts.map((text) => Boolean(english?.anaphors.includes(text.replaceAll("’", "'").split("'")[0])));
  const negations = texts.map((text) => Boolean(english?.negations.includes(text) || english?.negated.some((end) => text.endsWith(end))));
  const koreanNegations = texts.map((text) => Boolean(korean?.negations.includes(text) || korean?.negated_stems.some((stem) => text.startsWith(stem))));
  let before = 0;
  const boundaries = [0, ...are(...BOUNDARIES).map((is) => (before += is))]; // how many are before each word
  const isOneClause = (i, j) => boundaries[Math.max(i, j)] <= boundaries[Math.min(i, j) + 1];
  const isEitherWay = (some, others, i, j) => (some[i] && others[j]) || (some[j] && others[i]);
  const relations = {
    unknown: (i, j) => (!classes[i] || !classes[j]) && texts[i] !== texts[j] && Math.abs(i - j) !== 1,
    repetition: (i, j) => texts[i] === texts[j] && content[j],
    pronoun: (i, j) => anaphors[i] && nouns[j] && j <= i,
    negation: (i, j) => isEitherWay(negations, content, i, j) || isEitherWay(koreanNegations, verbs, i, j),
    verb: (i, j) => isEitherWay(verbs, nouns, i, j) && isOneClause(i, j),
    adjective: (i, j) => isEitherWay(adjectives, nouns, i, j),
    content: (i, j) => (content[i] && content[j]) || isEitherWay(auxiliaries, nouns, i, j) || isEitherWay(verbs, pronouns, i, j),
  };
  const names = Object.keys(worth);
  return (i, j) => {
    if (i === j || !canBeFound[i] || !canBeFound[j]) return 0;
    const relation = names.find((name) => relations[name](i, j));
    return relation ? worth[relation] * (Math.abs(i - j) === 1 ? neighbour : 1) : 0;
  };
}

/** Whether a text seems to be English, by the pieces of its words; as models/values/text/english.py. */
export function isEnglish(pieces, words, { function_words: known, fewest_words: fewest, most_function_words: most, least_cut: leastCut, most_letters: letters }) {
  const own = new Map();
  pieces.forEach(({ text }, at) => words[at] !== null && own.set(words[at], [...(own.get(words[at]) ?? []), withoutMark(text)]));
  const spelled = [...own.values()].filter((parts) => /\p{L}/u.test(parts.join("")));
  const cuts = spelled.map((parts) => parts.slice(1).filter((part, at) => /[\p{L}\p{N}]$/u.test(parts[at]) && /^[\p{L}\p{N}]/u.test(part)).length);
  const [n, nCuts] = [spelled.length, cuts.reduce((sum, one) => sum + one, 0)];
  const nLetters = spelled.reduce((sum, parts) => sum + [...parts.join("")].length, 0);
  const nKnown = spelled.filter((parts) => known.includes(parts.join("").toLowerCase())).length;
  return n < fewest || nKnown > most * n || cuts.filter(Boolean).length < leastCut * n || nLetters >= letters * (n + nCuts);
}
