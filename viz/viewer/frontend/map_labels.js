// What is written and drawn around the cells of the map: tokens, titles of the axes, marks of rows.

import { isRightToLeft, positioned } from "./axis.js";
import { toSay, tr } from "./language.js";
import { MAP_SPACING } from "./map_layout.js";

/**
 * A `scene` is what a map is painted from: {layout, view, queries, keys, ruler, locked, cell}; `locked` is a Set of the
 * rows that are held, `cell` is what is pointed at, or null.
 */
export function paintLabels(context, scene, colours) {
  paintTitles(context, scene, colours);
  Object.assign(context, { font: scene.ruler.font(scene.layout.sizes.label), textBaseline: "middle", direction: "ltr" });
  const [rows, columns] = [rowTicks(scene), columnTicks(scene)];
  const badges = [...scene.locked, ...(scene.cell ? [scene.cell.query] : [])];
  for (const i of clearOf(rows, badges)) writeRow(context, scene, i, rows, colours.ink);
  for (const j of clearOf(columns, [scene.cell?.key ?? NaN])) writeColumn(context, scene, j, columns, colours.ink);
  for (const i of scene.locked) badgeRow(context, scene, i, rows, { ground: colours.ink, ink: colours.ground });
  if (!scene.cell) return;
  const pointed = { ground: colours.accent, ink: colours.ground };
  badgeRow(context, scene, scene.cell.query, rows, pointed);
  if (scene.cell.key !== null) badgeColumn(context, scene, scene.cell.key, columns, pointed);
}

/** The rows that are held: a word is when one of its pieces is. */
export function heldRows({ queries, choices: { locked } }) {
  if (!locked.length) return [];
  return queries.flatMap(({ positions }, row) => (positions.some((position) => locked.includes(position)) ? [row] : []));
}

/** The size of a cell as it is seen, in CSS pixels. */
export function cellSize({ layout, view }) {
  return { width: layout.plot.width / view.columns, height: layout.plot.height / view.rows };
}

/** The places at which the segment changes: 4 lies between the entries 3 and 4. */
export function segmentBorders(entries) {
  return entries.flatMap((entry, index) => (index && entries[index - 1].segment !== entry.segment ? [index] : []));
}

const STEPS = [1, 2, 3, 5];
const SLANTED = -Math.PI / 4;
const UPRIGHT = -Math.PI / 2;
const LEVEL_FROM = 5.5; // letters of room, from which on a label lies level and may be shortened

function isIn(index, start, size) {
  return index + 0.5 >= start && index + 0.5 <= start + size;
}

/** Which entries get a label so that lines are `least` apart; round numbers, so that moving does not change them. */
function ticksOf(start, size, n, pixels, least) {
  let step = 1;
  for (let power = 0; step * (pixels / size) < least; power++) step = STEPS[power % 4] * 10 ** Math.floor(power / 4);
  const ticks = [];
  for (let index = Math.ceil((start - 0.5) / step) * step; index + 0.5 <= start + size && index < n; index += step) {
    if (isIn(index, start, size)) ticks.push(index);
  }
  return { ticks, step };
}

/** Those that no badge would cover. */
function clearOf({ ticks, step }, badges) {
  return ticks.filter((tick) => !badges.some((badge) => Math.abs(badge - tick) < step));
}

function rowTicks({ layout, view, queries }) {
  const found = ticksOf(view.top, view.rows, queries.length, layout.plot.height, MAP_SPACING * layout.sizes.label);
  return { ...found, thin: layout.thin, room: layout.rowRoom };
}

function columnTicks(scene) {
  const { layout, view, keys } = scene;
  const found = ticksOf(view.left, view.columns, keys.length, layout.plot.width, MAP_SPACING * layout.sizes.label);
  const room = cellSize(scene).width - layout.sizes.gap / 2;
  const level = room >= Math.min(layout.columnText, LEVEL_FROM * layout.sizes.label);
  const angle = level ? 0 : layout.slanted ? SLANTED : UPRIGHT;
  return { ...found, thin: layout.thin, angle, room: level ? room : layout.columnText };
}

/** The text of a label: with its position in a text of which not all labels fit, for words stand there more than once. */
function labelOf(entry, { thin, room }, { layout, ruler }) {
  const { label } = layout.sizes;
  const place = thin ? `${entry.position} · ` : "";
  const text = ruler.shortened(entry.text, label, room - (place ? ruler.width(place, label) : 0));
  return place + (isRightToLeft(text) ? `\u2068${text}\u2069` : text);
}

function writeRow(context, scene, i, ticks, colour) {
  const { layout, queries } = scene;
  const { plot, sizes } = layout;
  Object.assign(context, { fillStyle: colour, textAlign: "right" });
  context.fillText(labelOf(queries[i], ticks, scene), plot.x - sizes.gap, rowCentre(scene, i));
}

function writeColumn(context, scene, j, ticks, colour) {
  const { layout, keys } = scene;
  const { angle } = ticks;
  Object.assign(context, { fillStyle: colour, textAlign: angle ? "left" : "center" });
  context.save();
  context.translate(columnCentre(scene, j), layout.plot.y - layout.sizes.gap);
  if (angle) context.rotate(angle);
  context.fillText(labelOf(keys[j], ticks, scene), 0, angle ? 0 : -layout.sizes.label / 2);
  context.restore();
}

/** A label on a ground of its own, over those that stand beside it. */
function badgeRow(context, scene, i, ticks, { ground, ink }) {
  if (!isIn(i, scene.view.top, scene.view.rows)) return;
  const { plot, sizes } = scene.layout;
  const width = scene.ruler.width(labelOf(scene.queries[i], ticks, scene), sizes.label) + BADGE;
  const high = sizes.label * MAP_SPACING + 2;
  context.fillStyle = ground;
  context.fillRect(plot.x - sizes.gap - width + BADGE / 2, rowCentre(scene, i) - high / 2, width, high);
  writeRow(context, scene, i, ticks, ink);
}

function badgeColumn(context, scene, j, ticks, { ground, ink }) {
  if (!isIn(j, scene.view.left, scene.view.columns)) return;
  const { plot, sizes } = scene.layout;
  const width = scene.ruler.width(labelOf(scene.keys[j], ticks, scene), sizes.label) + BADGE;
  const high = sizes.label * MAP_SPACING + 2;
  context.fillStyle = ground;
  context.save();
  context.translate(columnCentre(scene, j), plot.y - sizes.gap);
  if (ticks.angle) context.rotate(ticks.angle);
  context.fillRect(ticks.angle ? -BADGE / 2 : -width / 2, ticks.angle ? -high / 2 : -high + 2, width, high);
  context.restore();
  writeColumn(context, scene, j, ticks, ink);
}

const BADGE = 8;

function rowCentre({ layout, view }, i) {
  return layout.plot.y + ((i + 0.5 - view.top) / view.rows) * layout.plot.height;
}

function columnCentre({ layout, view }, j) {
  return layout.plot.x + ((j + 0.5 - view.left) / view.columns) * layout.plot.width;
}

/** The titles of the axes, in the words that their room allows. */
/** The titles of the axes {text, x, y} by their middles: that of the keys lies above the map, that of the queries stands. */
export function titlesOfAxes({ plot, sizes, width, height }, ruler) {
  const fitting = (titles, room) => titles.find((title) => ruler.width(title, sizes.title) <= room) ?? titles.at(-1);
  const key = fitting(KEY_TITLES.map((title) => tr(title)), width - plot.x);
  const half = ruler.width(key, sizes.title) / 2;
  const query = fitting(QUERY_TITLES.map((title) => tr(title)), height - plot.y / 2);
  const tall = ruler.width(query, sizes.title) / 2;
  return {
    key: { text: key, half, x: Math.min(Math.max(plot.x + plot.width / 2, plot.x + half), width - half), y: 2 },
    query: { text: query, half: tall, x: 2, y: Math.min(Math.max(plot.y + plot.height / 2, tall), height - tall) },
  };
}

function paintTitles(context, { layout, ruler }, colours) {
  const { key, query } = titlesOfAxes(layout, ruler);
  Object.assign(context, { font: ruler.font(layout.sizes.title), fillStyle: colours.quiet, textBaseline: "top", direction: "ltr" });
  context.textAlign = "center";
  context.fillText(key.text, key.x, key.y);
  context.save();
  context.translate(query.x, query.y);
  context.rotate(UPRIGHT);
  context.fillText(query.text, 0, 0);
  context.restore();
}

const KEY_TITLES = [toSay("… at this token (key)"), toSay("key token")];
const QUERY_TITLES = [toSay("this token looks … (query)"), toSay("query token"), toSay("query")];
