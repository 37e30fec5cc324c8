// What the colours of the map mean, in numbers.

import { cssOf } from "./colours.js";
import { toSay, tr } from "./language.js";

/** `scale` is {low, high, name, table, share}: `share` says that the numbers are shares of the largest of a row. */
export function paintColourBar(context, { layout, ruler }, scale, colours) {
  const { bar, sizes } = layout;
  const ticks = ticksOfScale(scale);
  for (let step = 0; step < BAR_STEPS; step++) {
    context.fillStyle = cssOf(scale.table[Math.round((step / (BAR_STEPS - 1)) * (scale.table.length - 1))]);
    const [at, size] = [(step / BAR_STEPS) * bar.length, bar.length / BAR_STEPS];
    const more = step < BAR_STEPS - 1 ? OVERLAP : 0; // no seams
    if (bar.lying) context.fillRect(bar.x + at, bar.y, size + more, sizes.bar);
    else context.fillRect(bar.x, bar.y + bar.length - at - size, sizes.bar, size + (step ? OVERLAP : 0));
  }
  Object.assign(context, { font: ruler.font(sizes.number), fillStyle: colours.quiet, direction: "ltr" });
  if (bar.lying) writeBelow(context, bar, sizes, ticks, { ...scale, ruler });
  else writeBeside(context, bar, sizes, ticks, { ...scale, ruler });
}

/** The name of a quantity, as legends and sentences write it. */
export function nameOfQuantity({ scale, choices }) {
  return scale === "row" ? tr("share of the row's largest") : tr(QUANTITY_NAMES[choices.quantity]);
}

export const QUANTITY_NAMES = {
  weights: toSay("weight"), scores: toSay("score"), value_weighted: toSay("weight × value norm"),
  output_weighted: toSay("weight × norm after W_O"),
};
/** Of several. */
export const QUANTITIES_NAMED = {
  weights: toSay("weights"), scores: toSay("scores"), value_weighted: toSay("weights × value norm"),
  output_weighted: toSay("weights × norm after W_O"),
};

const NUMBER_ROOM = 3.1; // letters: "100%"
const BAR_STEPS = 100;
const OVERLAP = 0.6;
const BAR_PARTS = { weights: 5, signed: 4 };

function ticksOfScale({ low, high, share }) {
  const parts = low < 0 ? BAR_PARTS.signed : BAR_PARTS.weights;
  return Array.from({ length: parts + 1 }, (_, part) => {
    const value = low + (part / parts) * (high - low);
    return { at: part / parts, text: share ? `${Math.round(100 * value)}%` : shortNumber(value, high) };
  });
}

/** Three digits at most: the exact numbers are in the cells. */
function shortNumber(value, high) {
  if (Math.abs(value) < high * 1e-6) return "0";
  const small = high < 1 ? 2 - Math.floor(Math.log10(high)) : 2;
  const decimals = high < 2 ? small : high < 20 ? 1 : 0;
  const text = high === 1 ? String(Math.round(value * 10) / 10) : value.toFixed(Math.min(decimals, 6));
  return value < 0 ? text.replace("-", "−") : text;
}

function writeBeside(context, bar, sizes, ticks, { name, ruler }) {
  Object.assign(context, { textAlign: "left", textBaseline: "middle" });
  const half = sizes.number / 2;
  for (const { at, text } of ticks) {
    const y = bar.y + (1 - at) * bar.length;
    context.fillText(text, bar.x + sizes.bar + 6, Math.max(y, bar.y + half));
  }
  context.save();
  const widest = Math.max(...ticks.map(({ text }) => ruler.width(text, sizes.number)));
  context.translate(bar.x + sizes.bar + 6 + Math.max(widest, sizes.number * NUMBER_ROOM), bar.y + bar.length / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.textBaseline = "top";
  context.fillText(name, 0, 0);
  context.restore();
}

/** Long numbers below a short bar would run into each other: then only its ends are written. */
function writeBelow(context, bar, sizes, ticks, { name, ruler }) {
  const widest = Math.max(...ticks.map(({ text }) => ruler.width(text, sizes.number)));
  const fit = 1.5 * widest + 4 < bar.length / (ticks.length - 1); // the last but one is centred, the last ends there
  context.textBaseline = "top";
  for (const { at, text } of fit ? ticks : [ticks[0], ticks.at(-1)]) {
    context.textAlign = at === 0 ? "left" : at === 1 ? "right" : "center";
    context.fillText(text, bar.x + at * bar.length, bar.y + sizes.bar + 4);
  }
  context.textAlign = "left";
  context.fillText(name, bar.x, bar.y + sizes.bar + 8 + sizes.number);
}
