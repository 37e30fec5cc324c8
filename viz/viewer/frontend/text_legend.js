// What stands below the token view in a picture to take away: its heads in their colours, and what the page says of it.

import { toSay, tr } from "./language.js";
import { leftOutOf, lineInText, subjectInText, wordsOfScene } from "./text_words.js";

/**
 * The legend of a scene: {height, rows}, a row {text, colour, dash, x, y}; `measure(text, font size)` gives widths.
 * What the page says in its `footnote` is not said again.
 */
export function legendOf(scene, { width, footnote, measure }) {
  const { heads, focus, geometry } = scene;
  const size = geometry.sizes.number;
  const { subject, lines } = wordsOfScene(scene, "");
  const said = focus && lines.length ? [subjectInText(subject), ...lines.map(lineInText)] : [];
  const left = leftOutOf(scene).filter((text) => !footnote.includes(text));
  if (Object.values(geometry.panes).some(({ scrolls }) => scrolls)) left.push(tr(PART_SHOWN));
  const named = heads.map(({ name, colour, dash }) => ({ text: name, colour, dash }));
  const wanted = [
    ...(heads.length > 1 ? named : []), ...[...said, ...left].map((text) => ({ text, own: true })),
  ];
  return placed(wanted, { width, size, measure });
}

/** Paint a legend at a height. */
export function paintLegend(context, { rows }, top, { geometry, font }, colours) {
  const size = geometry.sizes.number;
  context.save();
  context.font = `${size}px ${font}`;
  Object.assign(context, { textAlign: "left", textBaseline: "middle", direction: "ltr", lineWidth: LEGEND_LINE });
  for (const { text, colour, dash, x, y } of rows) {
    if (colour) {
      context.strokeStyle = colour;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(x, top + y);
      context.lineTo(x + SWATCH, top + y);
      context.stroke();
    }
    context.fillStyle = colour ? colours.ink : colours.quiet;
    context.fillText(text, colour ? x + SWATCH + LEGEND_SPACE : x, top + y);
  }
  context.restore();
}

const PART_SHOWN = toSay("A part of a long text, from where it was scrolled to.");
const SWATCH = 28;
const LEGEND_LINE = 4;
const LEGEND_SPACE = 6;
const LEGEND_BETWEEN = 18;
const LEGEND_HEIGHT = 1.5; // of a row, in letters

/** Heads beside each other, sentences below each other; what is too long is broken at spaces. */
function placed(wanted, { width, size, measure }) {
  const rows = [];
  const tall = size * LEGEND_HEIGHT;
  let [x, y] = [0, tall];
  const next = () => { [x, y] = [0, y + tall]; };
  for (const { own, ...row } of wanted) {
    if (own) {
      for (const text of broken(row.text, width, (part) => measure(part, size))) {
        if (x > 0) next();
        rows.push({ text, x: 0, y });
        x = width;
      }
      continue;
    }
    const wide = SWATCH + LEGEND_SPACE + measure(row.text, size);
    if (x > 0 && x + wide > width) next();
    rows.push({ ...row, x, y });
    x += wide + LEGEND_BETWEEN;
  }
  return { rows, height: rows.length ? y + tall / 2 : 0 };
}

function broken(text, width, measure) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (lines.at(-1) && measure(longer) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
