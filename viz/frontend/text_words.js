// What the token view says in words: who looks at whom, with numbers; what was left out. For the page and for a picture.

import { positioned } from "./axis.js";
import { inDigits, largestPlaces } from "./text_numbers.js";

/**
 * What is under the pointer, or locked: {subject, lines}. A line is {name, colour, dash, mentions, more} of a head, at most
 * HEADS_SAID of them; a mention is {token, number}. Without numbers there is only a subject.
 */
export function wordsOfScene({ heads, focus, lit, entries, progress }, failure) {
  if (heads.some(({ matrix }) => !matrix)) return { subject: failure || TEXT_WAITING, lines: [] };
  if (!focus) return { subject: TEXT_HINT, lines: [] };
  if (heads.some(({ matrix }) => !matrix.exact)) return { subject: failure || TEXT_WAITING, lines: [] };
  const side = lit.key ? "key" : "query";
  if (!lit[side]) return { subject: `${subjectOf(focus, entries)} … ${Math.floor(100 * progress)}% of all queries seen`, lines: [] };
  const rest = heads.length - HEADS_SAID;
  const lines = heads.slice(0, HEADS_SAID).map(({ name, colour, dash }, head) => ({
    name: heads.length > 1 ? name : "", colour, dash, mentions: mentionsOf(entries[side], lit[side][head].values), more: "",
  }));
  if (rest > 0) lines.at(-1).more = `; and ${rest} more ${rest === 1 ? "head" : "heads"}`;
  return { subject: subjectOf(focus, entries), lines };
}

/** How many lines `wordsOfScene` may give: so many have to be kept free. */
export function linesFor(heads) {
  return Math.min(heads.length, HEADS_SAID);
}

/** A line as plain text: "Head 2: 7 · street 0.4213, 3 · it 0.1022". */
export function lineInText({ name, mentions, more }) {
  const said = mentions.map(({ token, number }) => `${token} ${number}`).join(", ") || NOBODY;
  return `${name ? `${name}: ` : ""}${said}${more}`;
}

/** The tokens with the largest numbers, cut short, largest first [{token, number}]. */
export function mentionsOf(entries, values) {
  return largestPlaces(values, TOKENS_SAID).map((place) => ({ token: shortToken(entries[place]), number: inDigits(values[place]) }));
}

/** "5 · the", and a long token cut. */
export function shortToken(entry) {
  const letters = Array.from(positioned(entry));
  return letters.length > TOKEN_LETTERS ? `${letters.slice(0, TOKEN_LETTERS - 1).join("")}…` : letters.join("");
}

/** What is not drawn, and what shading and numbers stand for. */
export function leftOutOf({ lines: { edges, total }, geometry, focus, heads, lit }) {
  const many = edges.length > 0 && edges.length < total;
  const each = focus?.queries && geometry.listed && geometry.columns === heads.length;
  return [
    many ? `Lines: the ${edges.length.toLocaleString("en")} strongest of ${total.toLocaleString("en")}.` : "",
    !focus && lit.key ? AVERAGES_SHADED : "",
    focus && heads.length > 1 && !each ? MEANS_NUMBERED : "",
  ].filter(Boolean).join(" ");
}

export const NOBODY = "no token";

const HEADS_SAID = 4;
const TOKENS_SAID = 5;
const TOKEN_LETTERS = 20;
const TEXT_WAITING = "The numbers are on their way.";
const TEXT_HINT = "Point at a token; click to lock one or several.";
const AVERAGES_SHADED = "Shading: what a token receives on average; the most is the strongest colour.";
const MEANS_NUMBERED = "Numbers beside tokens: the mean of these heads.";

function subjectOf({ queries, key }, entries) {
  if (key !== undefined) return `${shortToken(entries.key[key])} is looked at by`;
  const names = queries.slice(0, TOKENS_SAID).map((index) => shortToken(entries.query[index]));
  if (queries.length === 1) return `${names[0]} looks at`;
  return `${queries.length} tokens (${names.join(", ")}${queries.length > TOKENS_SAID ? ", …" : ""}) together give`;
}
