// Where the tokens of the token view stand: one below the other, or as running text; beside each other, or keys above.

/**
 * The geometry of the token view: {width, height, listed, wrapped, sizes, panes: {query, key}}. A pane is {x, y, width,
 * height, content, boxes, ...}: `content` is how tall its tokens are, `height` how much of that is seen. A box is {x, y,
 * width, height, text} within the content. `measure(text, font size)` gives the width of a text in pixels.
 */
export function layOutText({ queries, keys, width, across, columns, rightToLeft, measure, tallest }) {
  const sizes = width < NARROW ? SMALL : LARGE;
  const listed = !across && Math.max(queries.length, keys.length) <= LISTED;
  const arrange = listed ? asLists : across || width < BESIDE ? stacked : beside;
  const { used = width, ...panes } = arrange({ queries, keys, width, sizes, columns, rightToLeft, measure });
  for (const pane of Object.values(panes)) pane.height = Math.min(pane.content, tallest ?? pane.content);
  if (arrange === stacked) panes.query.y = panes.key.y + panes.key.height + sizes.gap + sizes.heading;
  const wrapped = !listed && Object.values(panes).some((pane) => pane.nLines > 1);
  const height = Math.max(...Object.values(panes).map((pane) => pane.y + pane.height)) + EDGE;
  return { width: used, height, listed, wrapped, columns, stacked: arrange === stacked, sizes, panes };
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
  const letters = Array.from(text).slice(0, LETTERS);
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${letters.slice(0, middle).join("")}…`, font) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}

const LISTED = 128; // tokens, up to which each has a line of its own
const NARROW = 560; // CSS pixels, under which letters are small
const BESIDE = 760; // and from which on two texts have room beside each other
const EDGE = 4; // free below and above, for the frame of a token
const LETTERS = 200; // no more of a token is measured
const LARGE = { text: 17, number: 15, heading: 30, gap: 110, padding: 8, place: 34, widest: 240, apart: 460, least: 120 };
const SMALL = { text: 14, number: 12, heading: 26, gap: 80, padding: 5, place: 0, widest: 130, apart: 200, least: 56 };
const ROWS = [[20, 34], [48, 29], [Infinity, 25]]; // up to so many tokens, a line is so tall

/** Two lists, queries at the side where reading begins; beside each token there is room for its numbers. */
function asLists({ queries, keys, width, sizes, columns, rightToLeft, measure }) {
  const number = measure("-0.0000", sizes.number) + sizes.padding;
  const outer = sizes.place + number * columns;
  const wanted = (entries) => Math.max(24, ...entries.map(({ text }) => measure(text, sizes.text))) + 2 * sizes.padding;
  const room = (width - 2 * outer - sizes.least) / 2;
  const token = Math.max(32, Math.min(sizes.widest, room, Math.max(wanted(queries), wanted(keys))));
  const used = Math.min(width, 2 * (outer + token) + sizes.apart);
  const tall = ROWS.find(([most]) => Math.max(queries.length, keys.length) <= most)[1];
  const mirrored = rightToLeft.query;
  const list = (entries, isLeft) => ({
    x: isLeft ? 0 : used - outer - token, y: sizes.heading, width: outer + token, content: entries.length * tall + EDGE,
    nLines: entries.length, isLeft, outer, number, tokenX: isLeft ? outer : 0,
    boxes: entries.map(({ text }, index) => ({
      x: isLeft ? outer : 0, y: index * tall + 2, width: token, height: tall - 3,
      text: cutToWidth(text, token - 2 * sizes.padding, sizes.text, measure),
    })),
  });
  return { query: list(queries, !mirrored), key: list(keys, mirrored), used };
}

/** Running text: keys above, queries below. */
function stacked({ queries, keys, width, sizes, rightToLeft, measure }) {
  const key = running(keys, { width, sizes, mirrored: rightToLeft.key, measure });
  const query = running(queries, { width, sizes, mirrored: rightToLeft.query, measure });
  return { query: { ...query, x: 0, y: 0 }, key: { ...key, x: 0, y: sizes.heading } };
}

/** Running text: queries where reading begins, keys beside them. */
function beside({ queries, keys, width, sizes, rightToLeft, measure }) {
  const half = (width - sizes.gap) / 2;
  const query = running(queries, { width: half, sizes, mirrored: rightToLeft.query, measure });
  const key = running(keys, { width: half, sizes, mirrored: rightToLeft.key, measure });
  const [left, right] = [0, half + sizes.gap];
  const mirrored = rightToLeft.query;
  return {
    query: { ...query, x: mirrored ? right : left, y: sizes.heading, isLeft: !mirrored },
    key: { ...key, x: mirrored ? left : right, y: sizes.heading, isLeft: mirrored },
  };
}

function running(entries, { width, sizes, mirrored, measure }) {
  const tall = Math.round(sizes.text * 1.7);
  const line = tall + sizes.number + 4;
  const usable = width - SCROLLBAR;
  let [x, y, nLines] = [0, 2, entries.length ? 1 : 0];
  const boxes = entries.map((entry) => {
    const text = cutToWidth(entry.text, Math.min(sizes.widest, usable) - 2 * sizes.padding, sizes.text, measure);
    const wide = Math.max(measure(text, sizes.text) + sizes.padding, sizes.text);
    if (x > 0 && x + wide > usable) [x, y, nLines] = [0, y + line, nLines + 1];
    const box = { x: mirrored ? usable - x - wide : x, y, width: wide, height: tall, text };
    x += wide + BETWEEN;
    return box;
  });
  return { width, content: y + line, boxes, nLines };
}

const SCROLLBAR = 14; // pixels that a bar for scrolling may take
const BETWEEN = 3;
