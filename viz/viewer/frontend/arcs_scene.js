// What the arcs show at a moment: the words, the links of those that are looked at, and what no word gets.

import { readsRightToLeft } from "./axis.js";
import { layOutArcs } from "./arcs_layout.js";
import { largestPlaces, strengthsOf, strongestLines } from "./text_numbers.js";

/**
 * A scene for `paintArcs`, null if there is no word. `focus` are the places, among the words that are drawn, whose
 * attention is shown; null for the strongest links of all. `remembered` keeps where the words stand.
 */
export function arcsScene(model, { width, tallest, look, focus, pointed, held, ruler, remembered }) {
  const { queries, keys, entries, isOneText, rightToLeft } = wordsOf(model, remembered);
  if (!queries.length || !keys.length) return null;
  const measure = (text, size) => ruler.measure(text, size, BOLDEST);
  const geometry = remembered.once(tallest ? "seen" : "whole", [entries.query, width, tallest, look], () => layOutArcs({
    queries: entries.query, keys: isOneText ? null : entries.key, width, tallest, look, rightToLeft, measure,
  }));
  const matrix = model.matrix();
  const links = matrix ? (focus ? linksOf : strongestOf)(model, matrix, { focus, queries, keys, isOneText }) : [];
  const { quantity } = model.choices;
  return {
    geometry, matrix, links, focus, pointed, held, rightToLeft, entries, font: ruler.font,
    signed: quantity === "scores", isShare: quantity === "weights",
    rest: matrix && restOf(model, matrix, focus ? focus.map((place) => queries[place]) : queries),
  };
}

/**
 * The words that are drawn, and of special tokens those that are held: their places in the axes of the model, their entries by side, whether
 * the same text looks and is looked at, and which side reads from right to left.
 */
export function wordsOf(model, remembered) {
  const { locked } = model.choices;
  const isHeld = ({ positions }) => positions.some((position) => locked.includes(position));
  const asked = model.queries.filter((entry) => entry.special && isHeld(entry)).map(({ position }) => position);
  return remembered.once("words", [model.axes, String(asked)], () => {
    const isOneText = model.shown.keys === model.shown.queries;
    const plain = (all, mayBeHeld) => all.flatMap((entry, place) => (!entry.special || (mayBeHeld && isHeld(entry)) ? [place] : []));
    const [queries, keys] = [plain(model.queries, true), plain(model.keys, isOneText)];
    const entries = { query: queries.map((place) => model.queries[place]), key: keys.map((place) => model.keys[place]) };
    const rightToLeft = { query: readsRightToLeft(entries.query), key: readsRightToLeft(entries.key) };
    return { queries, keys, entries, rightToLeft, isOneText };
  });
}

/** What some queries give to special tokens on average, 0 to 1, and their names; null where no such share can be said. */
function restOf(model, matrix, queries) {
  const special = model.keys.flatMap((entry, place) => (entry.special ? [place] : []));
  if (model.choices.quantity !== "weights" || !special.length || isLarge(model, queries)) return null;
  const shares = queries.map((query) => {
    const row = matrix.row(query);
    return special.reduce((sum, place) => sum + (row[place] || 0), 0);
  });
  const names = [...new Set(special.map((place) => model.keys[place].text))];
  return { share: shares.reduce((sum, share) => sum + share, 0) / shares.length, names };
}

/** The links of some words, strongest last: {query, key, value, strength}, as places among the words. */
function linksOf(model, matrix, { focus, queries, keys }) {
  const links = focus.flatMap((query) => {
    const row = matrix.row(queries[query]);
    const strengths = strengthsOf(model, row, model.reach);
    const places = largestPlaces(keys.map((key) => strengths[key]), LINKS_OF_A_WORD);
    return places.map((key) => ({ query, key, value: row[keys[key]], strength: strengths[keys[key]] }));
  });
  return links.filter(({ strength, value }) => strength >= FAINTEST && !Number.isNaN(value)).sort(byStrength);
}

/** The strongest links between two different words of all, strongest last. */
function strongestOf(model, matrix, { queries, keys, isOneText }) {
  if (isLarge(model, queries)) return [];
  const [ofQuery, ofKey] = [queries, keys].map((places) => new Map(places.map((place, index) => [place, index])));
  const { edges } = strongestLines(model, [{ matrix }], queries, queries.length * model.keys.length);
  return edges
    .filter(({ query, key, strength }) => strength >= LEAST_UNASKED && ofKey.has(key) && !(isOneText && query === key))
    .slice(-Math.max(LINKS_UNASKED, queries.length / WORDS_A_LINK))
    .map(({ query, key, value, strength }) => ({ query: ofQuery.get(query), key: ofKey.get(key), value, strength }));
}

function isLarge(model, queries) {
  return queries.length > 1 && queries.length * model.keys.length > CELLS_COMPARED;
}

function byStrength(one, other) {
  return one.strength - other.strength;
}

const BOLDEST = 600; // as bold as a word may become, so that nothing moves
const CELLS_COMPARED = 512 * 512; // up to so many, the strongest links of all words are looked for
const LINKS_OF_A_WORD = 40;
const FAINTEST = 0.01; // of a link that is drawn
const LEAST_UNASKED = 0.1;
const LINKS_UNASKED = 12;
const WORDS_A_LINK = 3; // of a long text
