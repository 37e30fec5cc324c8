// Where the words of the arcs stand: large, in one line or few, with room above each line for its arcs.

import { cutToWidth } from "./text_layout.js";

/**
 * The geometry of the arcs: {width, height, size, number, across, panes: {query, key?}}. A pane is {x, y, width, height,
 * content, boxes, headroom, scrolls} as in text_layout.js. Without `keys` the words look at each other, and arcs rise above
 * them; with `keys`, two texts, these stand above. `measure(text, font size)` gives the width of a text in pixels.
 */
export function layOutArcs({ queries, keys, width, tallest, look = lookFor(width), rightToLeft, measure }) {
  const room = { width: width - MARGIN - RAIL, measure };
  const { size, lines } = fitted([queries, keys ?? []], room, look);
  const number = look.number;
  const text = (entries, side, headroom) => {
    const broken = balanced(lines[side], entries, size, room);
    return placed(broken, { size, headroom, width: room.width, mirrored: rightToLeft[side] });
  };
  const headroom = keys ? () => size * BETWEEN : headroomOf(lines.query.length, look);
  const panes = { query: text(queries, "query", headroom) };
  if (keys) panes.key = text(keys, "key", headroom);
  const most = tallest ?? Infinity;
  for (const pane of Object.values(panes)) {
    const height = Math.min(pane.content, keys ? most / 2 : most);
    Object.assign(pane, { x: MARGIN, y: 0, width: room.width + RAIL, height, scrolls: pane.content > height });
  }
  if (keys) panes.query.y = panes.key.height + look.cap;
  const height = panes.query.y + panes.query.height;
  return { width, height, size, number, look, across: Boolean(keys), panes };
}

function lookFor(width) {
  return width < NARROW ? SMALL : width < WIDE ? LARGE : OF_A_WALL;
}

/** The look of one of two pictures that stand on one screen. */
export function lookOfHalf(width) {
  return HALVES.get(lookFor(width));
}

/** How high an arc between two words rises that are `distance` pixels apart, on a text with room for `most`. */
export function liftOf(distance, most) {
  return Math.min(most, LOWEST + STEEPNESS * distance);
}

/** The room above the highest arc for its share in letters of a size, over half of the thickest line. */
export function roomOfShare(number) {
  return number + THICKEST / 2 + 4;
}

export const THICKEST = 22; // pixels, an arc of all attention
export const MARGIN = 30; // pixels at the left, for what no word gets
const RAIL = 22; // at the right, for a bar to scroll with
const [NARROW, WIDE] = [560, 1500]; // CSS pixels
const LARGE = { sizes: [34, 30, 26, 22, 18], number: 16, cap: 150, between: 88, low: 40 };
const SMALL = { sizes: [25, 22, 19, 17], number: 14, cap: 96, between: 72, low: 34 };
const OF_A_WALL = { sizes: [56, 48, 40, 34, 30, 26, 22, 18], number: 22, cap: 210, between: 112, low: 44 };
const HALVES = new Map([[LARGE, { ...LARGE, cap: 84 }], [SMALL, { ...SMALL, cap: 64, between: 60 }], [OF_A_WALL, { ...OF_A_WALL, cap: 130 }]]);
/** As large as on a picture that is seen small. */
export const POSTER = { sizes: [72, 64, 56, 48, 40, 34], number: 30, cap: 190, between: 110, low: 60 };
const FEW_LINES = [1, 2]; // which a text is made smaller for
const BETWEEN = 0.35; // of a line, between the lines of one of two texts
const MANY_LINES = 4; // from which on arcs keep low
const TALL = 1.5; // of the letters, a word's box
const SPACE = 0.3; // of the letters, between words
const [LOWEST, STEEPNESS] = [16, 0.36];
const WIDEST = 0.6; // of a line, a word that is not cut

/** The largest letters by which all texts have few lines; else the smallest: {size, lines: {query, key}}. */
function fitted(texts, room, { sizes }) {
  for (const few of FEW_LINES) {
    for (const size of sizes) {
      const [query, key] = texts.map((entries) => broken(entries, size, room));
      if (query.length <= few && key.length <= few) return { size, lines: { query, key } };
    }
  }
  const size = sizes.at(-1);
  const [query, key] = texts.map((entries) => broken(entries, size, room));
  return { size, lines: { query, key } };
}

/** The words in lines of {text, width}; a second text begins a line of its own. */
function broken(entries, size, { width, measure }) {
  const lines = [];
  let [x, segment] = [0, null];
  for (const entry of entries) {
    const text = cutToWidth(entry.text, WIDEST * width, size, measure);
    const wide = Math.max(measure(text, size) + SPACE * size, size);
    if (!lines.length || x + wide > width || entry.segment !== segment) {
      lines.push([]);
      x = 0;
    }
    lines.at(-1).push({ text, width: wide });
    [x, segment] = [x + wide, entry.segment];
  }
  return lines;
}

/** As many lines, as even as they can be: no word stands alone. */
function balanced(lines, entries, size, { width, measure }) {
  let [narrow, wide, best] = [0, width, lines];
  for (let step = 0; step < HALVINGS && lines.length > 1; step++) {
    const middle = (narrow + wide) / 2;
    const tried = broken(entries, size, { width: middle, measure });
    if (tried.length > lines.length || tried.some((line) => lineWidth(line) > width)) narrow = middle;
    else [wide, best] = [middle, tried];
  }
  return best;
}

const HALVINGS = 8;

function lineWidth(line) {
  return line.reduce((sum, word) => sum + word.width, 0);
}

/** The room above a line of the arcs; the first of several needs none for arcs from another line. */
function headroomOf(nLines, { number, cap, between, low }) {
  const most = nLines > MANY_LINES ? low : between;
  return (line, isFirst) => {
    const highest = liftOf(lineWidth(line), nLines === 1 ? cap : isFirst ? low : most);
    return highest + roomOfShare(number);
  };
}

function placed(lines, { size, headroom, width, mirrored }) {
  const [boxes, tall] = [[], Math.round(size * TALL)];
  let y = 0;
  for (const line of lines) {
    const above = Math.round(headroom(line, y === 0));
    let x = 0;
    for (const { text, width: wide } of line) {
      boxes.push({ x: mirrored ? width - x - wide : x, y: y + above, width: wide, height: tall, text, above });
      x += wide;
    }
    y += above + tall;
  }
  return { boxes, content: y, nLines: lines.length };
}
