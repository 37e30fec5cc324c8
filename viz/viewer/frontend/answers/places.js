// The token and the head that a lesson refers to; as lessons/places.py.

import { NoAnswer } from "./facts.js";
import { columnsOf } from "./live_words.js";
import { strongestInText } from "./measures.js";

/** The tokens as a lesson writes them: the second of two equal ones is "the (2)". */
export function labels(pieces) {
  const seen = new Map();
  return pieces.map(({ text }) => {
    seen.set(text, (seen.get(text) ?? 0) + 1);
    return seen.get(text) === 1 ? text : `${text} (${seen.get(text)})`;
  });
}

/**
 * One kind of attention of a reading, or the first where the model has none of that kind: {kind, layers, queries, keys}, an axis being
 * {pieces, text}.
 */
export function stackOf({ attention, pieces, text, target }, kind) {
  const stack = attention.find((one) => one.kind === kind) ?? attention[0];
  const axis = (own) => ({ pieces: own, text: own === pieces ? text : target.text });
  return { ...stack, queries: axis(stack.queries), keys: axis(stack.keys) };
}

/** The position of a token: by its text, "the (2)" for the second one, "#5" for position 5, or by its whole word. */
export function tokenAt({ pieces, text }, named) {
  const at = Number(/^#(\d{1,4})$/.exec(named)?.[1] ?? NaN);
  if (at < pieces.length) return at;
  const [, spelled = named, nth = 1] = /^(.+) \((\d{1,2})\)$/.exec(named) ?? [];
  const isSame = (other) => other?.toLowerCase() === spelled.toLowerCase();
  const byText = pieces.flatMap((piece, place) => (isSame(piece.text) ? [place] : []));
  const positions = byText.length ? byText : columnsOf(pieces, text, {}).wholes.flatMap((whole, place) => (isSame(whole) ? [place] : []));
  const position = positions[nth - 1];
  if (position === undefined) throw new NoAnswer("token", { named, tokens: labels(pieces).join(" ") });
  return position;
}

/** A head by its numbers, "3.1" or "cross 3.1", or by what it does: of the heads that were measured, else in this text. */
export function headByName({ roles, config }, reading, named) {
  const [, kind, layer, head] = /^(?:([a-z]+) )?(\d+)\.(\d+)$/.exec(named) ?? [];
  if (layer !== undefined && layer < config.nLayers && head < config.nHeads) return { kind: stackOf(reading, kind).kind, layer: Number(layer), head: Number(head) };
  return roles[named] ?? strongestInText(reading, named);
}
