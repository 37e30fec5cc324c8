// Paint the arcs: the links, their shares, the words, and at the margin what no word gets. For the screen, PNG and SVG.

import { liftOf, MARGIN, roomOfShare, THICKEST } from "./arcs_layout.js";
import { faded } from "./colours.js";
import { firstBelow } from "./text_layout.js";
import { inDigits, inPerCent } from "./text_numbers.js";

/** Paint a scene of arcs_scene.js, with `scroll` {query, key} of its texts. */
export function paintArcs(context, scene, colours) {
  const { geometry, links } = scene;
  context.save();
  context.beginPath();
  context.rect(0, 0, geometry.width, geometry.height);
  context.clip(); // an arc to a word that was scrolled away runs out of the picture
  for (const link of links) paintArc(context, scene, link, colours);
  context.restore();
  const roles = rolesOf(scene);
  for (const side of Object.keys(geometry.panes)) paintWords(context, scene, side, roles, colours);
  paintShares(context, scene, colours);
  if (scene.rest) paintRest(context, scene, colours);
}

/** A share in whole per cent, other quantities in digits. */
export function numberOfLink(value, { signed, isShare }) {
  return isShare ? inPerCent(value) : inDigits(value, signed);
}

function paintArc(context, scene, link, colours) {
  const { links } = scene;
  const { from, to, lift } = endsOf(scene, link);
  context.beginPath();
  context.moveTo(from.x, from.y);
  if (lift === null) {
    const middle = (from.y + to.y) / 2;
    context.bezierCurveTo(from.x, middle, to.x, middle, to.x, to.y);
  } else {
    const high = Math.min(from.y, to.y) - lift / APEX;
    context.bezierCurveTo(from.x, high, to.x, high, to.x, to.y);
  }
  context.strokeStyle = colourOf(scene, link, colours);
  context.globalAlpha = scene.focus && link === links.at(-1) ? ASKED : FAINT + (1 - FAINT) * Math.min(STEEP * link.strength, 1);
  context.lineWidth = thicknessOf(link, { from, to, lift }, scene.geometry);
  context.lineCap = "round";
  context.setLineDash([]);
  context.stroke();
}

/** By strength; an arc to a neighbour, or to another line of its text, stays thin enough to be seen as an arc. */
function thicknessOf({ strength }, { from, to, lift }, { across }) {
  const thick = THIN + (THICK - THIN) * strength;
  if (across) return thick;
  const most = lift === null ? OF_DROP * Math.abs(from.y - to.y) : OF_SPAN * Math.abs(from.x - to.x);
  return Math.min(thick, Math.max(most, THIN));
}

function colourOf({ signed }, { value }, { accent, diverging }) {
  return signed ? (value < 0 ? diverging[SIGN_STOP] : diverging.at(-1 - SIGN_STOP)) : accent;
}

/** Where an arc begins and ends, and how high it rises; null if it runs straight from one line of words to another. */
function endsOf({ geometry, scroll }, { query, key }) {
  const { panes, across, look } = geometry;
  const [keySide, keyPane] = across ? ["key", panes.key] : ["query", panes.query];
  const [one, other] = [panes.query.boxes[query], keyPane.boxes[key]];
  const [top, keyTop] = [panes.query.y + one.y - scroll.query, keyPane.y + other.y - scroll[keySide]];
  const middle = (pane, box) => pane.x + box.x + box.width / 2;
  const isSame = !across && query === key;
  const aside = isSame ? Math.min(one.width / 4, look.number) : 0;
  const from = { x: middle(panes.query, one) - aside, y: top };
  const to = { x: middle(keyPane, other) + aside, y: keyTop };
  if (across || keyTop < top) return { from, to: { ...to, y: keyTop + other.height }, lift: null };
  if (keyTop > top) return { from: { ...from, y: top + one.height }, to, lift: null };
  return { from, to, lift: liftOf(Math.abs(from.x - to.x), one.above - roomOfShare(look.number)) };
}

/** Which words look, and which is looked at most by one that was asked about. */
function rolesOf({ focus, links, geometry }) {
  const strongest = focus && links.at(-1);
  return {
    looks: new Set(focus ?? []), isAsked: Boolean(focus),
    seen: new Set(links.filter(({ strength }) => strength >= LEAST_SEEN).map(({ key }) => key)),
    strongest: strongest ? strongest.key : null, keySide: geometry.across ? "key" : "query",
  };
}

function paintWords(context, scene, side, roles, colours) {
  const { geometry: { panes, size }, scroll, rightToLeft, font } = scene;
  const pane = panes[side];
  context.save();
  context.beginPath();
  context.rect(pane.x, pane.y, pane.width, pane.height);
  context.clip();
  context.translate(pane.x, pane.y - scroll[side]);
  Object.assign(context, { textAlign: "center", textBaseline: "middle", direction: rightToLeft[side] ? "rtl" : "ltr" });
  const last = scroll[side] + pane.height;
  for (let index = firstBelow(pane.boxes, scroll[side]); index < pane.boxes.length; index++) {
    const { x, y, width, height, text } = pane.boxes[index];
    if (y > last) break;
    const { ink, weight, ground } = lookOfWord(scene, side, index, roles, colours);
    if (ground) {
      context.fillStyle = ground;
      context.fillRect(x + 1, y + 2, width - 2, height - 4);
    }
    context.font = `${weight} ${size}px ${font}`;
    context.fillStyle = ink;
    context.fillText(text, x + width / 2, y + height / 2 + 1);
  }
  context.restore();
}

function lookOfWord({ held, pointed }, side, index, roles, colours) {
  const looks = side === "query" && roles.looks.has(index);
  const isHeld = side === "query" && held.has(index);
  const isPointed = pointed?.side === side && pointed.index === index;
  const ground = isHeld ? faded(colours.bar, HELD_GROUND) : isPointed ? faded(colours.ink, POINTED_GROUND) : null;
  if (looks) return { ink: colours.bar, weight: 600, ground };
  if (roles.isAsked && side === roles.keySide && index === roles.strongest) return { ink: colours.accent, weight: 600, ground };
  const isQuiet = roles.isAsked && !(side === roles.keySide && roles.seen.has(index));
  return { ink: isQuiet ? colours.quiet : colours.ink, weight: 500, ground };
}

/** The share of the strongest arcs, over their tops or beside a word's own, where no stronger one's stands. */
function paintShares(context, scene, colours) {
  const { geometry: { number, width }, links, font, isShare, signed } = scene;
  Object.assign(context, { font: `600 ${number}px ${font}`, textAlign: "center", textBaseline: "alphabetic", direction: "ltr" });
  const taken = [];
  for (const link of links.slice(-SHARES_WRITTEN).reverse()) {
    if (link.strength < LEAST_WRITTEN) continue;
    const { from, to, lift } = endsOf(scene, link);
    const text = numberOfLink(link.value, { signed, isShare });
    const half = context.measureText(text).width / 2 + 3;
    const aside = sideOfShare(scene, link) * (Math.abs(to.x - from.x) / 2 + half);
    const x = Math.min(Math.max((from.x + to.x) / 2 + aside, half), width - half);
    const thick = thicknessOf(link, { from, to, lift }, scene.geometry) / 2;
    const y = lift === null ? (from.y + to.y) / 2 + number / 3 : Math.max(Math.min(from.y, to.y) - lift - thick - 2, number);
    if (taken.some((other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < number)) continue;
    taken.push({ x, y, half });
    if (lift === null) {
      context.fillStyle = faded(colours.ground, LABEL_GROUND);
      context.fillRect(x - half, y - number, 2 * half, number * 1.3);
    }
    context.fillStyle = colours.ink;
    context.fillText(text, x, y);
  }
}

/** On which side of a word's own arc its share stands, -1 or 1: away from its strongest other arc, which rises there; 0 for
 * any other arc, whose share stands over its top. */
function sideOfShare({ geometry: { across, panes }, links }, { query, key }) {
  if (across || query !== key) return 0;
  const strongest = links.findLast((link) => link.query === query && link.key !== query);
  return strongest && panes.query.boxes[strongest.key].x > panes.query.boxes[query].x ? -1 : 1;
}

/** At the margin: a bar as long as the share that special tokens get. */
function paintRest(context, { geometry: { height }, rest: { share } }, colours) {
  context.fillStyle = faded(colours.still, REST_GROUND);
  context.fillRect(0, 0, REST_WIDTH, height);
  context.fillStyle = colours.still;
  context.fillRect(0, height * (1 - share), REST_WIDTH, height * share);
}

const APEX = 0.75; // of its control points' height, the top of a curve
const [THIN, THICK] = [1, THICKEST];
const OF_SPAN = 0.15; // how thick an arc is at most, of the distance between its ends
const OF_DROP = 0.06; // and one from a line of words to another, of the height between them
const [FAINT, ASKED] = [0.12, 0.95]; // opacities of the weakest arc, and of the strongest of a word that is asked about
const STEEP = 0.8;
const LEAST_SEEN = 0.03;
const LEAST_WRITTEN = 0.08;
const SHARES_WRITTEN = 4;
const SIGN_STOP = 2; // the colour of a signed arc, counted from the end of the palette
const HELD_GROUND = 0.14;
const POINTED_GROUND = 0.08;
const LABEL_GROUND = 0.85;
const REST_GROUND = 0.25;
const REST_WIDTH = MARGIN / 3;
