// What the token view says in words, on the page and in a picture: who looks at whom, and what was left out.

import { listedAs, withMarking } from "./axis.js";
import { usesFinger } from "./hand.js";
import { toSay, tr, trParts } from "./language.js";
import { inDigits, largestPlaces } from "./text_numbers.js";

/**
 * What is under the pointer, or locked: {subject, lines}. The subject is a list of texts and of {token}; a line is
 * {name, colour, dash, mentions} of a head, at most HEADS_SAID of them; a mention is {token, number}. Without numbers
 * there is only a subject.
 */
export function wordsOfScene({ heads, focus, lit, entries, signed, progress }, failure) {
  if (heads.some(({ matrix }) => !matrix)) return { subject: [failure || tr(TEXT_WAITING)], lines: [] };
  if (!focus) return { subject: [usesFinger() ? tr(TAP_HINT) : tr(TEXT_HINT)], lines: [] };
  if (heads.some(({ matrix }) => !matrix.exact)) return { subject: [failure || tr(TEXT_WAITING)], lines: [] };
  const side = lit.key ? "key" : "query";
  const subject = subjectOf(focus, entries);
  if (!lit[side]) {
    return { subject: trParts("{subject} … {share}% of all queries seen", { subject, share: Math.floor(100 * progress) }), lines: [] };
  }
  const lines = heads.slice(0, HEADS_SAID).map(({ name, colour, dash }, head) => ({
    name: heads.length > 1 ? name : "", colour, dash,
    mentions: mentionsOf(entries[side], lit[side][head].values, signed),
  }));
  if (heads.length <= HEADS_SAID) return { subject, lines };
  return { subject: trParts("{subject} ({n} of {all} heads)", { subject, n: HEADS_SAID, all: heads.length }), lines };
}

/** How many lines `wordsOfScene` may give: so many have to be kept free. */
export function linesFor(heads) {
  return Math.min(heads.length, HEADS_SAID);
}

/** A subject as plain text. */
export function subjectInText(subject) {
  return subject.map((part) => part.token ?? part).join("");
}

/** A line as plain text: "Head 2: 7 · street 0.4213, 3 · it 0.1022". */
export function lineInText({ name, mentions }) {
  const said = mentions.map(({ token, number }) => `${token} ${number}`).join(", ") || tr(NOBODY);
  return `${name ? `${name}: ` : ""}${said}`;
}

/** The tokens with the largest numbers, cut short, largest first [{token, number}]. */
export function mentionsOf(entries, values, signed) {
  const places = largestPlaces(values, TOKENS_SAID);
  return places.map((place) => ({ token: shortToken(entries[place]), number: inDigits(values[place], signed) }));
}

/** "5 · the", the short name of a place, and a long token cut. */
export function shortToken(entry) {
  const letters = Array.from(listedAs(entry));
  return letters.length > TOKEN_LETTERS ? `${letters.slice(0, TOKEN_LETTERS - 1).join("")}…` : letters.join("");
}

/** What is not drawn, and what shading and numbers stand for: sentences. */
export function leftOutOf({ lines: { edges, total }, geometry, focus, heads, lit }) {
  const many = edges.length > 0 && edges.length < total;
  const each = focus?.queries && geometry.listed && geometry.columns === heads.length;
  return [
    many ? tr("Lines: the {n} strongest of {all}.", { n: edges.length.toLocaleString("en"), all: total.toLocaleString("en") }) : "",
    !focus && lit.key ? tr(AVERAGES_SHADED) : "",
    focus && heads.length > 1 && !each ? tr(MEANS_NUMBERED) : "",
  ].filter(Boolean);
}

export const NOBODY = toSay("no token");

const HEADS_SAID = 4;
const TOKENS_SAID = 5;
const TOKEN_LETTERS = 20;
const TEXT_WAITING = toSay("The numbers are on their way.");
const TEXT_HINT = toSay("Point at a token; click to hold it, with Shift one more.");
const TAP_HINT = toSay("Tap a token on one side to lock it, on the other to see who looks at it.");
const AVERAGES_SHADED = toSay("Shading: how much attention a token receives on average; the most gets the strongest colour.");
const MEANS_NUMBERED = toSay("Numbers beside tokens: the mean of these heads.");

function subjectOf({ queries, key }, entries) {
  if (key !== undefined) return trParts("{key} is looked at by", { key: withMarking(entries.key[key], shortToken(entries.key[key])) });
  const names = queries.slice(0, TOKENS_SAID).map((index) => ({ token: shortToken(entries.query[index]) }));
  if (queries.length === 1) return trParts("{query} looks at", { query: withMarking(entries.query[queries[0]], shortToken(entries.query[queries[0]])) });
  const tokens = names.flatMap((name, at) => (at > 0 ? [", ", name] : [name]));
  if (queries.length > TOKENS_SAID) tokens.push(", …");
  return trParts("{n} tokens ({tokens}) together give", { n: queries.length, tokens });
}
