// Paint the token view: lines, shaded tokens, numbers. The same for the screen, for PNG and for SVG.

import { cssOf, faded, ramp } from "./colours.js";
import { toSay, tr } from "./language.js";
import { inkOn } from "./legible.js";
import { firstBelow } from "./text_layout.js";
import { inDigits } from "./text_numbers.js";

/**
 * Paint a scene: {geometry, heads, lines, lit: {query, key}, numbers, held, pointed, rightToLeft, entries, scroll,
 * signed, font}. `lit` holds strengths and values of every head or null, `held` the places of locked queries, `pointed`
 * is {side, index}.
 */
export function paintText(context, scene, colours) {
  const { panes } = scene.geometry;
  paintHeadings(context, scene, colours);
  paintCurves(context, scene, colours);
  const tint = tokenTinter(scene, colours);
  for (const side of ["query", "key"]) paintPane(context, scene, side, panes[side], tint, colours);
}

/** Where a line begins or ends at a token: {x, y, beyond}; -1 is a token scrolled away above what is seen, 1 below. */
export function anchorOf({ geometry, scroll }, side, index) {
  const pane = geometry.panes[side];
  const box = pane.boxes[index];
  const top = pane.y + box.y - scroll[side];
  const beyond = top + box.height <= pane.y ? -1 : Number(top >= pane.y + pane.height);
  const left = pane.x + box.x;
  if (geometry.stacked) return { x: left + box.width / 2, y: side === "key" ? top + box.height : top, beyond };
  return { x: pane.isLeft ? left + box.width : left, y: top + box.height / 2, beyond };
}

function paintHeadings(context, { geometry, rightToLeft, font }, colours) {
  const { panes, sizes, listed, stacked, headingBelow } = geometry;
  context.fillStyle = colours.quiet;
  context.font = textFont(sizes.number, font);
  context.textBaseline = "alphabetic";
  context.direction = "ltr";
  for (const [side, headings] of Object.entries(TEXT_HEADINGS)) {
    const [long, short] = headings.map((heading) => tr(heading));
    const pane = panes[side];
    const [box] = pane.boxes;
    const atRight = listed ? pane.isLeft : stacked && rightToLeft[side];
    const inset = atRight ? box.width - sizes.padding : sizes.padding;
    const x = pane.x + (listed ? box.x + inset : atRight ? pane.width : 0);
    const words = context.measureText(long).width <= (atRight ? x : geometry.width - x) ? long : short;
    const below = headingBelow && side === "query";
    context.textAlign = atRight ? "right" : "left";
    context.fillText(words, x, below ? pane.y + pane.height + sizes.number + sizes.padding : pane.y - sizes.padding);
  }
}

function paintCurves(context, scene, colours) {
  const { lines, heads, geometry, signed } = scene;
  const { key: pane, query: other } = geometry.panes;
  context.save();
  const [top, bottom] = [Math.min(pane.y, other.y), Math.max(pane.y + pane.height, other.y + other.height)];
  context.beginPath(); // a line to a token that was scrolled away runs out of the picture
  context.rect(0, top, geometry.width, bottom - top);
  context.clip();
  context.lineCap = "round";
  for (const { head, query, key, value, strength } of lines.edges) {
    const [from, to] = [anchorOf(scene, "query", query), anchorOf(scene, "key", key)];
    if (from.beyond * to.beyond > 0) continue; // all of it is out of sight
    const { colour, dash } = heads[head];
    context.strokeStyle = signed && heads.length === 1 ? signColour(value, colours) : colour;
    context.globalAlpha = FAINTEST_CURVE + (1 - FAINTEST_CURVE) * strength;
    context.lineWidth = THIN_CURVE + (THICK_CURVE - THIN_CURVE) * strength;
    context.setLineDash(signed && value < 0 && heads.length > 1 ? NEGATIVE_DASH : dash);
    traceCurve(context, from, to, geometry.stacked);
  }
  context.restore();
}

function traceCurve(context, from, to, stacked) {
  context.beginPath();
  context.moveTo(from.x, from.y);
  if (stacked) {
    const middle = (from.y + to.y) / 2;
    context.bezierCurveTo(from.x, middle, to.x, middle, to.x, to.y);
  } else {
    const middle = (from.x + to.x) / 2;
    context.bezierCurveTo(middle, from.y, middle, to.y, to.x, to.y);
  }
  context.stroke();
}

function paintPane(context, scene, side, pane, tint, colours) {
  context.save();
  context.beginPath();
  context.rect(pane.x, pane.y, pane.width, pane.height);
  context.clip();
  context.translate(pane.x, pane.y - scene.scroll[side]);
  const last = scene.scroll[side] + pane.height;
  for (let index = firstBelow(pane.boxes, scene.scroll[side]); index < pane.boxes.length; index++) {
    if (pane.boxes[index].y > last) break;
    paintToken(context, scene, side, index, tint, colours);
  }
  if (scene.lit[side]) paintTokenNumbers(context, scene, side, pane, colours);
  context.restore();
  if (pane.scrolls) paintRail(context, scene, side, pane, colours);
}

/** Beside the bar of a text that scrolls: where in all of it tokens are lit, and which are locked. */
function paintRail(context, { lit, held, geometry }, side, pane, colours) {
  const onLeft = geometry.listed && pane.isLeft;
  const x = onLeft ? pane.x + BAR_WIDTH : pane.x + pane.width - BAR_WIDTH - MARK_WIDTH;
  const mark = (index, colour, opacity) => {
    context.globalAlpha = opacity;
    context.fillStyle = colour;
    const y = (pane.boxes[index].y / pane.content) * (pane.height - MARK_HEIGHT);
    context.fillRect(x, pane.y + y, MARK_WIDTH, MARK_HEIGHT);
  };
  context.save();
  context.fillStyle = colours.masked;
  context.globalAlpha = RAIL_GROUND;
  context.fillRect(x, pane.y, MARK_WIDTH, pane.height);
  for (let index = 0; lit[side] && index < pane.boxes.length; index++) {
    const strongest = lit[side].reduce((most, { strengths }) => Math.max(most, strengths[index]), 0);
    if (strongest > LEAST_MARKED) mark(index, colours.bar, Math.sqrt(strongest));
  }
  if (side === "query") for (const index of held) mark(index, colours.accent, 1);
  context.restore();
}

function paintToken(context, scene, side, index, tint, colours) {
  const { geometry, entries, rightToLeft, font, lit, held, pointed } = scene;
  const { sizes, listed, panes } = geometry;
  const { x, y, width, height, text } = panes[side].boxes[index];
  let ink = colours.ink;
  lit[side]?.forEach(({ values, strengths }, head) => {
    const colour = tint(head, strengths[index], values[index]);
    const strip = width / lit[side].length;
    context.fillStyle = colour.fill;
    context.fillRect(x + head * strip, y, strip, height);
    if (lit[side].length === 1) ink = colour.ink;
  });
  if (side === "query" && held.has(index)) {
    context.fillStyle = faded(colours.accent, HELD_OPACITY);
    context.fillRect(x, y, width, height);
  }
  frameToken(context, panes[side].boxes[index], {
    locked: side === "query" && held.has(index), pointed: pointed?.side === side && pointed.index === index, colours,
  });
  const mirrored = rightToLeft[side];
  context.fillStyle = ink;
  context.font = textFont(sizes.text, font);
  context.textBaseline = "middle";
  context.direction = mirrored ? "rtl" : "ltr";
  context.textAlign = listed ? (panes[side].isLeft ? "right" : "left") : "center";
  const at = listed ? (panes[side].isLeft ? x + width - sizes.padding : x + sizes.padding) : x + width / 2;
  context.fillText(text, at, y + height / 2 + 1);
  if (listed && sizes.place) paintPlace(context, scene, side, index, entries[side][index].position, colours);
}

/** The position of a token in the text, small, at the outer side of the list. */
function paintPlace(context, { geometry, font }, side, index, position, colours) {
  const { sizes, panes } = geometry;
  const { isLeft, boxes } = panes[side];
  const { x, y, width, height } = boxes[index];
  context.fillStyle = colours.quiet;
  context.font = textFont(sizes.number, font);
  context.direction = "ltr";
  context.textAlign = isLeft ? "right" : "left";
  context.fillText(String(position), isLeft ? x - sizes.padding : x + width + sizes.padding, y + height / 2 + 1);
}

function frameToken(context, { x, y, width, height }, { locked, pointed, colours }) {
  if (!locked && !pointed) return;
  context.strokeStyle = locked ? colours.accent : colours.ink;
  context.lineWidth = locked ? 3 : 2;
  context.strokeRect(x + 1, y + 1, width - 2, height - 2);
}

/** Numbers beside the tokens of a list, one a head; under those of a running text, where there is room. */
function paintTokenNumbers(context, scene, side, pane, colours) {
  const { geometry, numbers, font, heads, signed } = scene;
  const { sizes, listed } = geometry;
  context.font = textFont(sizes.number, font);
  context.direction = "ltr";
  context.textBaseline = listed ? "middle" : pane.above ? "bottom" : "top";
  const paintOne = listed ? paintBeside : paintUnder;
  const taken = []; // by stronger numbers
  for (const { index, values } of numbers) {
    const colourOf = (column) => (values.length > 1 ? heads[column].colour : colours.ink);
    const texts = values.map((value) => inDigits(value, signed));
    paintOne(context, pane, pane.boxes[index], { texts, colourOf, sizes, taken });
  }
}

function paintBeside(context, pane, { x, y, width, height }, { texts, colourOf, sizes }) {
  const outwards = pane.isLeft ? -1 : 1;
  const start = (pane.isLeft ? x : x + width) + outwards * (sizes.place + sizes.padding / 2);
  context.textAlign = pane.isLeft ? "right" : "left";
  texts.forEach((text, column) => {
    const place = pane.isLeft ? texts.length - 1 - column : column;
    context.fillStyle = colourOf(column);
    context.fillText(text, start + outwards * place * pane.number, y + height / 2 + 1);
  });
}

function paintUnder(context, pane, { x, y, width, height }, { texts: [text], colourOf, taken }) {
  const half = context.measureText(text).width / 2 + 2;
  const centre = Math.min(Math.max(x + width / 2, half), pane.width - half);
  if (taken.some((other) => other.y === y && Math.abs(other.centre - centre) < 2 * half)) return;
  taken.push({ y, centre });
  context.textAlign = "center";
  context.fillStyle = colourOf(0);
  context.fillText(text, centre, pane.above ? y - 1 : y + height + 1);
}

/** How a token is shaded for a head: {fill, ink}. Alone, a head has the colours of the map; beside others, its own. */
function tokenTinter({ heads, signed }, colours) {
  if (heads.length > 1) {
    return (head, strength) => (
      { fill: faded(heads[head].colour, (STRIP_OPACITY * strength).toFixed(3)), ink: colours.ink }
    );
  }
  const table = ramp(signed ? colours.diverging : colours.sequential);
  const inks = new Map();
  return (_, strength, value) => {
    if (Number.isNaN(value)) return { fill: colours.masked, ink: colours.ink };
    if (strength === 0 && !signed) return { fill: "rgb(0 0 0 / 0)", ink: colours.ink };
    const place = signed ? 0.5 + (Math.sign(value) * strength) / 2 : strength;
    const colour = table[Math.round(place * (table.length - 1))];
    if (!inks.has(colour)) inks.set(colour, inkOn(colour, colours));
    return { fill: cssOf(colour), ink: inks.get(colour) };
  };
}

function signColour(value, { diverging }) {
  return value < 0 ? diverging[SIGN_STOP] : diverging.at(-1 - SIGN_STOP);
}

function textFont(size, family) {
  return `${size}px ${family}`;
}

const TEXT_HEADINGS = {
  query: [toSay("query: looks"), toSay("query")], key: [toSay("key: is looked at"), toSay("key")],
};
const FAINTEST_CURVE = 0.03; // of a line, so that it is not quite invisible
const [THIN_CURVE, THICK_CURVE] = [1.2, 4];
const NEGATIVE_DASH = [3, 4];
const STRIP_OPACITY = 0.6; // opacity of a strip of weight 1: the token over it stays legible
const [BAR_WIDTH, MARK_WIDTH, MARK_HEIGHT] = [11, 8, 3]; // pixels
const HELD_OPACITY = 0.16;
const RAIL_GROUND = 0.35;
const LEAST_MARKED = 0.02;
const SIGN_STOP = 2; // the colour of a signed line, counted from the end of the palette
