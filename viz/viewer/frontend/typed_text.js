// What can be said of a text that is typed, before and after a model reads it: letters and words that it has not learned.
//
// As models/text/cutting.py and unknown.py, and the sentences of ui/widgets/asking/unread.py and notes.py.

import { toSay, tr, trn } from "./language.js";

/** A text as models read it: without control characters and halves of characters, of the same length. */
export function readable(text) {
  return text.replace(UNREADABLE, " ");
}

/** Whether there is anything to be seen in a text. */
export function isReadable(text) {
  return /[^\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text);
}

/** The script in which most words of a text are, if a model of these `languages` reads another one: "HANGUL", "LATIN" or "". */
export function unreadScript(text, languages) {
  const words = text.replace(TYPED_TOKEN, " ").split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const own = languages.map((language) => SCRIPTS[language]);
  const isMost = (script) => 2 * words.filter((word) => LETTERS[script].test(word.normalize("NFKC"))).length > words.length;
  return own.length ? Object.keys(LETTERS).find((script) => !own.includes(script) && isMost(script)) ?? "" : "";
}

/** What is said of a script that a model does not read, "" for ""; where it `isAlone`, no other model can be opened. */
export function sayUnread(script, { isAlone = true } = {}) {
  if (!script) return "";
  return script === "HANGUL" && isAlone ? `${tr(NOT_READ[script])} ${tr("Type an English sentence.")}` : tr(NOT_READ[script]);
}

/** Sentences on the words and signs for which a model has no pieces; "" where it has all. `columns` are those of live_words.js. */
export function sayUnknown({ pieces, text, columns: { words } }, name) {
  const spans = new Map(); // of each word: where it stands
  pieces.forEach(({ start, end }, at) => words[at] !== null && spans.set(words[at], [spans.get(words[at])?.[0] ?? start, end]));
  const written = new Map([...spans].map(([word, span]) => [word, text.slice(...span)]));
  const unknown = new Set(pieces.flatMap((piece, at) => (piece.text === UNKNOWN && text.slice(piece.start, piece.end) !== UNKNOWN ? [words[at]] : [])));
  const found = [...unknown].map((word) => written.get(word));
  const long = found.filter((word) => word.length > LONGEST);
  const signs = found.filter((word) => word.length <= LONGEST && !/^[\p{L}\p{N}\p{M}\p{P}\s]*$/u.test(word));
  const others = found.filter((word) => !long.includes(word) && !signs.includes(word));
  const all = [...written.values()].filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const said = [];
  if (others.length) said.push(sayCount(others, all, name), trn("It reads it as {unknown}, its token for everything unknown.", "It reads each of them as {unknown}, its token for everything unknown.", others.length, { unknown: UNKNOWN }));
  if (signs.length) said.push(tr("{model} has no token for {signs}. To it, an emoji or a sign that it never saw is {unknown}.", { model: name, signs: quoted(signs), unknown: UNKNOWN }));
  if (long.length) {
    const n = Math.max(...long.map((word) => word.length));
    said.push(tr("{model} splits words of up to {most} characters, and reads longer ones as {unknown}: {words} ({n} characters). Put spaces in.", { model: name, most: LONGEST, unknown: UNKNOWN, words: quoted(long), n }));
  }
  return said.join(" ");
}

/** Sentences on the words of a text that a translator has never read; "" where it has read all. `learned` are all that it has read. */
export function sayUnlearned({ pieces, text }, learned, name) {
  const parts = []; // of the words, as its tokenizer parts them: where they stand, and as it reads them
  for (const { text: piece, start, end } of pieces) {
    const before = parts.at(-1);
    if (piece.startsWith(INSIDE) && before?.end === start) Object.assign(before, { end, read: before.read + piece.slice(INSIDE.length) });
    else parts.push({ start, end, read: piece });
  }
  const isLearned = ({ read }) => learned.has(read) || /^\p{Nd}+$/u.test(read) || !/[\p{L}\p{N}]/u.test(read);
  const typed = [...text.matchAll(TYPED_WORD)].map(({ 0: word, index }) => ({ word, index, end: index + word.length }));
  const unknown = typed.filter(({ index, end }) => parts.some((part) => part.start < end && part.end > index && !isLearned(part)));
  const words = [...new Set(unknown.map(({ word }) => word))];
  if (!words.length) return "";
  const guess = words.length === 1 ? tr("The translation of it is a guess.") : tr("The translation of them is a guess.");
  return [sayCount(words, new Set(typed.map(({ word }) => word)).size, name), guess].join(" ");
}

function sayCount(words, all, name) {
  const said = { model: name, n: words.length, all, words: quoted(words) };
  if (words.length < all) return tr("{model} does not know {n} of the {all} words: {words}.", said);
  return all > 1 ? tr("{model} knows none of these words: {words}.", said) : tr("{model} knows nothing of this word: {words}.", said);
}

function quoted(words) {
  const different = [...new Set(words)];
  const short = different.slice(0, MOST_NAMED).map((word) => (word.length > LONGEST_NAMED ? `“${word.slice(0, LONGEST_NAMED)}…”` : `“${word}”`)).join(", ");
  return different.length > MOST_NAMED ? tr("{words} and {n} more", { words: short, n: different.length - MOST_NAMED }) : short;
}

const UNREADABLE = /\p{Cs}|(?![\n\t])\p{Cc}/gu;
const TYPED_TOKEN = /\[[A-Z]+\]|<[a-z]+>/g;
const UNKNOWN = "[UNK]";
const INSIDE = "##";
const TYPED_WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu; // as in models/text/source_words.py
const [LONGEST, MOST_NAMED, LONGEST_NAMED] = [100, 6, 24];
const SCRIPTS = { en: "LATIN", ko: "HANGUL" };
const LETTERS = { HANGUL: /\p{Script=Hangul}/u, LATIN: /\p{Script=Latin}/u };
const NOT_READ = { HANGUL: toSay("This model does not read Hangul."), LATIN: toSay("This model hardly reads English.") };
