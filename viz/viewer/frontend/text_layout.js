// Where the tokens of the token view stand: one below the other, or as running text; beside each other, or keys above.

/**
 * The geometry of the token view: {width, height, listed, wrapped, sizes, panes: {query, key}}. A pane is {x, y, width,
 * height, content, boxes, ...}: `content` is how tall its tokens are, `height` how much of that is seen. A box is {x,
 * y, width, height, text} within the content. `measure(text, font size)` gives the width of a text in pixels.
 */
export function layOutText({ queries, keys, width, across, nHeads, widest, rightToLeft, measure, tallest }) {
  const sizes = width < NARROW_TEXT ? SMALL_TEXT : LARGE_TEXT;
  const listed = !across && Math.max(queries.length, keys.length) <= LISTED_TOKENS;
  const arrange = listed ? asLists : across || width < BESIDE_FROM ? stackedTexts : textsBeside;
  const isStacked = arrange === stackedTexts;
  const room = (tallest ?? Infinity) / (isStacked ? 2 : 1);
  const needs = { queries, keys, width, sizes, nHeads, widest, rightToLeft, measure, room };
  const { used = width, columns = 1, ...panes } = arrange(needs);
  for (const pane of Object.values(panes)) {
    Object.assign(pane, { height: Math.min(pane.content, room), scrolls: pane.content > room });
  }
  const wrapped = !listed && Object.values(panes).some((pane) => pane.nLines > 1);
  if (isStacked) panes.query.y = panes.key.y + panes.key.height + (wrapped ? sizes.heading + BETWEEN_TEXTS : sizes.gap);
  const headingBelow = isStacked && !wrapped; // above it are lines
  const below = headingBelow ? sizes.heading : TEXT_EDGE;
  const height = Math.max(...Object.values(panes).map((pane) => pane.y + pane.height)) + below;
  return { width: used, height, listed, wrapped, columns, stacked: isStacked, headingBelow, sizes, panes };
}

/** The first box whose lower edge is below `y`. Boxes are in reading order, so their lower edges never go up. */
export function firstBelow(boxes, y) {
  let [low, high] = [0, boxes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (boxes[middle].y + boxes[middle].height > y) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The box on the line above (-1) or below (1) that is nearest; the same box if there is no such line. */
export function boxOnNextLine(boxes, index, direction) {
  const from = boxes[index];
  const middle = from.x + from.width / 2;
  let [best, distance] = [index, Infinity];
  for (let at = index + direction; at >= 0 && at < boxes.length; at += direction) {
    const box = boxes[at];
    if (box.y === from.y) continue;
    if (best !== index && box.y !== boxes[best].y) break;
    const away = Math.abs(box.x + box.width / 2 - middle);
    if (away < distance) [best, distance] = [at, away];
  }
  return best;
}

/** A text cut to a width, with an ellipsis. */
export function cutToWidth(text, width, font, measure) {
  if (measure(text, font) <= width) return text;
  const letters = Array.from(text).slice(0, LETTERS_MEASURED);
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${letters.slice(0, middle).join("")}…`, font) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}

const LISTED_TOKENS = 128; // tokens, up to which each has a line of its own
const NARROW_TEXT = 560; // CSS pixels, under which letters are small
const BESIDE_FROM = 760; // and from which on two texts have room beside each other
const TEXT_EDGE = 4; // free below and above, for the frame of a token
const LETTERS_MEASURED = 200; // no more of a token is measured
const LARGE_TEXT = {
  text: 17, number: 15, heading: 30, gap: 110, padding: 8, place: 34, widest: 240, apart: 460, least: 120,
};
const SMALL_TEXT = {
  text: 14, number: 12, heading: 26, gap: 80, padding: 5, place: 0, widest: 130, apart: 200, least: 56,
};
const LEAST_TOKEN = 32; // pixels
const LINE_HEIGHTS = [[20, 34], [48, 29], [Infinity, 25]]; // up to so many tokens, a line is so tall

/**
 * Two lists, queries at the side where reading begins. Beside a key there is room for a number of every head, if that
 * leaves the tokens legible, else for one number; beside a query for one.
 */
function asLists({ queries, keys, width, sizes, nHeads, widest, rightToLeft, measure, room: tallest }) {
  const number = measure(widest, sizes.number) + sizes.padding;
  const wanted = (entries) => Math.max(24, ...entries.map(({ text }) => measure(text, sizes.text))) + 2 * sizes.padding;
  const needed = Math.min(sizes.widest, Math.max(wanted(queries), wanted(keys)));
  const tall = LINE_HEIGHTS.find(([most]) => Math.max(queries.length, keys.length) <= most)[1];
  const rail = Math.max(queries.length, keys.length) * tall + TEXT_EDGE > tallest ? TEXT_RAIL : 0;
  const room = (columns) => (width - 2 * (rail + sizes.place) - (columns + 1) * number - sizes.least) / 2;
  const columns = room(nHeads) >= needed ? nHeads : 1;
  const token = Math.max(LEAST_TOKEN, Math.min(needed, room(columns)));
  const outer = { query: rail + sizes.place + number, key: rail + sizes.place + number * columns };
  const used = Math.min(width, outer.query + outer.key + 2 * token + sizes.apart);
  const list = (entries, side, isLeft) => ({
    x: isLeft ? 0 : used - outer[side] - token, y: sizes.heading, width: outer[side] + token,
    content: entries.length * tall + TEXT_EDGE, nLines: entries.length, isLeft, number,
    boxes: entries.map(({ text }, index) => ({
      x: isLeft ? outer[side] : 0, y: index * tall + 2, width: token, height: tall - 3,
      text: cutToWidth(text, token - 2 * sizes.padding, sizes.text, measure),
    })),
  });
  const mirrored = rightToLeft.query;
  return { query: list(queries, "query", !mirrored), key: list(keys, "key", mirrored), used, columns };
}

/** Running text: keys above, queries below. */
function stackedTexts({ queries, keys, width, sizes, rightToLeft, measure }) {
  const key = runningText(keys, { width, sizes, mirrored: rightToLeft.key, measure, above: true });
  const query = runningText(queries, { width, sizes, mirrored: rightToLeft.query, measure });
  return { query: { ...query, x: 0, y: 0 }, key: { ...key, x: 0, y: sizes.heading } };
}

/** Running text: queries where reading begins, keys beside them. */
function textsBeside({ queries, keys, width, sizes, rightToLeft, measure }) {
  const half = (width - BETWEEN_TEXTS) / 2;
  const query = runningText(queries, { width: half, sizes, mirrored: rightToLeft.query, measure });
  const key = runningText(keys, { width: half, sizes, mirrored: rightToLeft.key, measure });
  const [left, right] = [0, half + BETWEEN_TEXTS];
  const mirrored = rightToLeft.query;
  return {
    query: { ...query, x: mirrored ? right : left, y: sizes.heading, isLeft: !mirrored },
    key: { ...key, x: mirrored ? left : right, y: sizes.heading, isLeft: mirrored },
  };
}

/** Running text. Every line has room for the numbers of its tokens, above them or below. */
function runningText(entries, { width, sizes, mirrored, measure, above = false }) {
  const tall = Math.round(sizes.text * 1.7);
  const line = tall + sizes.number + 4;
  const usable = width - TEXT_RAIL;
  let [x, y, nLines] = [0, above ? line - tall : 2, entries.length ? 1 : 0];
  const boxes = entries.map((entry) => {
    const text = cutToWidth(entry.text, Math.min(sizes.widest, usable) - 2 * sizes.padding, sizes.text, measure);
    const wide = Math.max(measure(text, sizes.text) + sizes.padding, sizes.text);
    if (x > 0 && x + wide > usable) [x, y, nLines] = [0, y + line, nLines + 1];
    const box = { x: mirrored ? usable - x - wide : x, y, width: wide, height: tall, text };
    x += wide + BETWEEN_TOKENS;
    return box;
  });
  return { width, content: y + (above ? tall + 2 : line), boxes, nLines, above };
}

const TEXT_RAIL = 22; // pixels for the bar for scrolling, and for the marks that say where tokens are lit
const BETWEEN_TOKENS = 3;
const BETWEEN_TEXTS = 24;
