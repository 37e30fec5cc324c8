// What the token view shows in numbers: heads in their colours, the lines worth drawing, what is lit and how much.

import { tr } from "./language.js";

/** The indices of the heads that are shown: those chosen beside each other, or the chosen head. */
export function headsBeside(model) {
  const { heads } = model.choices;
  return heads.length ? heads : [model.headIndex];
}

/** The heads that are shown as {index, name, colour, dash, matrix}; a matrix is null until its numbers are here. */
export function colouredHeads(model, colours) {
  return headsBeside(model).map((index, place) => ({
    index, name: nameOfHead(model, index), ...lookOf(place, colours), matrix: model.matrix(index),
  }));
}

/** The colour and the dashes of the head at a place; after the last colour they begin again, with other dashes. */
export function lookOf(place, colours) {
  const { length } = colours.lines;
  return { colour: colours.lines[place % length], dash: HEAD_DASHES[Math.floor(place / length) % HEAD_DASHES.length] };
}

/** "Head 3", or "Mean". */
export function nameOfHead(model, index) {
  return index === model.shown.nHeads ? tr("Mean") : tr("Head {head}", { head: index });
}

/** The widest number that may stand beside a token when so many queries are added up, in zeros. */
export function widestNumber(model, heads, nAdded) {
  const { quantity } = model.choices;
  const reach = quantity === "weights" ? 1 : Math.max(1, ...heads.map(({ matrix }) => matrix?.reach ?? 0));
  const whole = "0".repeat(String(Math.floor(reach * Math.max(nAdded, 1))).length);
  return `${quantity === "scores" ? "+" : ""}${whole}.${"0".repeat(WEIGHT_DIGITS)}`;
}

/** How strong every key of a row is 0..1; 0 for what is masked or left out. */
export function strengthsOf(model, row, reach) {
  return Float32Array.from(row, strengthsIn(model, row, reach));
}

/** How strong a number of a row is, a function. */
export function strengthsIn(model, row, reach) {
  const { floor, scale } = model.rule(row);
  return (value) => strengthOf(value, floor, scale * reach);
}

/**
 * The strongest lines of some queries (all if null), of all heads together, at most `most`: {edges, total}. An edge is
 * {head, query, key, value, strength}, `head` its place among `heads`; the weakest comes first, so that the strongest
 * is painted last. `total` counts the lines that the threshold leaves.
 */
export function strongestLines(model, heads, queries, most) {
  const rows = queries ?? model.queries.map((_, index) => index);
  const reach = model.reach;
  const { cut, total, rules } = strengthCut(model, heads, rows, reach, most);
  const edges = [];
  heads.forEach(({ matrix }, head) => {
    rows.forEach((query, place) => {
      const row = matrix?.row(query) ?? [];
      const { floor, scale } = rules[head][place];
      for (let key = 0; key < row.length; key++) {
        const strong = strengthOf(row[key], floor, scale * reach);
        if (strong > 0 && strong >= cut) edges.push({ head, query, key, value: row[key], strength: strong });
      }
    });
  });
  edges.sort((one, other) => one.strength - other.strength);
  return { edges: edges.slice(-most), total };
}

/** What some queries give to the keys, of every head: {values, strengths}; sums of what is not masked, else NaN. */
export function givenBy(model, heads, queries) {
  const reach = model.reach;
  return heads.map(({ matrix }) => {
    const values = new Float32Array(model.keys.length).fill(NaN);
    const strengths = new Float32Array(model.keys.length);
    if (!matrix) return { values, strengths };
    for (const query of queries) {
      const row = matrix.row(query);
      const strong = strengthsOf(model, row, reach);
      for (let key = 0; key < row.length; key++) {
        if (Number.isNaN(row[key])) continue;
        strengths[key] += (Math.sign(row[key]) * strong[key]) / queries.length; // scores of opposite signs cancel out
        values[key] = (values[key] || 0) + row[key];
      }
    }
    return { values, strengths: strengths.map(Math.abs) };
  });
}

/** What the queries give to one key, of every head: {values, strengths} over the queries. */
export function receivedBy(model, heads, key) {
  const reach = model.reach;
  return heads.map(({ matrix }) => {
    const values = new Float32Array(model.queries.length).fill(NaN);
    const strengths = new Float32Array(model.queries.length);
    for (let query = 0; matrix && query < values.length; query++) {
      const row = matrix.row(query);
      values[query] = row[key];
      strengths[query] = strengthsIn(model, row, reach)(row[key]);
    }
    return { values, strengths };
  });
}

/** The strongest lines of all heads to one key, of what `receivedBy` found: {edges, total} as of `strongestLines`. */
export function linesToKey(received, key, most) {
  const edges = received.flatMap(({ values, strengths }, head) => Array.from(values, (value, query) => ({
    head, query, key, value, strength: strengths[query],
  })));
  const drawn = edges.filter(({ strength: strong }) => strong > 0).sort((one, other) => one.strength - other.strength);
  return { edges: drawn.slice(-most), total: drawn.length };
}

/** The mean of the values of several heads, NaN where one of them is. */
export function meanOfValues(shown) {
  return shown[0].values.map((_, at) => shown.reduce((sum, { values }) => sum + values[at], 0) / shown.length);
}

/** What every key receives on average, of every head: {values, strengths}, the largest of all as strong as can be. */
export function receivedOnAverage(model, heads) {
  const found = heads.map(({ matrix }) => {
    const values = new Float32Array(model.keys.length);
    for (let query = 0; matrix && query < model.queries.length; query++) {
      const row = matrix.row(query);
      for (let key = 0; key < row.length; key++) if (row[key] === row[key]) values[key] += row[key];
    }
    return values.map((value) => value / model.queries.length);
  });
  const largest = (values) => values.reduce((high, value) => Math.max(high, Math.abs(value)), 0);
  const most = Math.max(...found.map(largest)) || 1;
  return found.map((values) => ({ values, strengths: values.map((value) => Math.abs(value) / most) }));
}

/** The places of the `most` largest numbers, largest first; what is masked is not among them. */
export function largestPlaces(values, most) {
  const places = [];
  for (let place = 0; place < values.length; place++) {
    const value = values[place];
    if (Number.isNaN(value) || (places.length === most && value <= values[places.at(-1)])) continue;
    let at = places.length;
    while (at > 0 && values[places[at - 1]] < value) at--;
    places.splice(at, 0, place);
    if (places.length > most) places.pop();
  }
  return places;
}

/** Three significant digits; what is smaller than a thousandth as a power of ten. */
export function threeDigits(value) {
  const size = Math.abs(value);
  if (size > 0 && size < 0.001) return value.toExponential(2);
  return value.toFixed(size ? Math.max(2 - Math.floor(Math.log10(size)), 0) : 0);
}

/** A share in whole per cent. */
export function inPerCent(share) {
  return share > 0 && share < LEAST_PER_CENT ? "<1%" : `${Math.round(100 * share)}%`;
}

/** A number with three digits after the point, of scores also with its sign. */
export function inDigits(value, signed = false) {
  if (Number.isNaN(value)) return tr("masked");
  return `${signed && value >= 0 ? "+" : ""}${value.toFixed(WEIGHT_DIGITS)}`;
}

const LEAST_PER_CENT = 0.005;
const WEIGHT_DIGITS = 3;
const HEAD_DASHES = [[], [9, 4], [2, 4], [12, 4, 2, 4]];
const STRENGTH_BINS = 1024;

function strengthOf(value, floor, scale) {
  if (!(value >= floor)) return 0; // also what is masked
  return Math.min(Math.abs(value) / scale, 1);
}

/** The strength from which on a line is among the `most` strongest, found by counting; and the rules of all rows. */
function strengthCut(model, heads, rows, reach, most) {
  const counts = new Uint32Array(STRENGTH_BINS + 1);
  let total = 0;
  const rules = heads.map(({ matrix }) => rows.map((query) => {
    const row = matrix?.row(query) ?? [];
    const rule = model.rule(row);
    for (let key = 0; key < row.length; key++) {
      if (!(row[key] >= rule.floor)) continue;
      total += 1;
      counts[Math.floor(strengthOf(row[key], rule.floor, rule.scale * reach) * STRENGTH_BINS)] += 1;
    }
    return rule;
  }));
  let bin = STRENGTH_BINS;
  for (let above = counts[bin]; above < most && bin > 0; above += counts[bin]) bin -= 1;
  return { cut: bin / STRENGTH_BINS, total, rules };
}
