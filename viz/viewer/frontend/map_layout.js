// Where the parts of the head map stand. It follows from the tokens and the room alone: another head moves nothing.

/** Measures texts in the font of the page, once each; `spare` times as wide where another font may stand in for it. */
export class Ruler {
  constructor(family, spare = 1) {
    Object.assign(this, { family, spare, context: document.createElement("canvas").getContext("2d"), kept: new Map() });
  }

  font(size, weight = 400) {
    return `${weight} ${size}px ${this.family}`;
  }

  width(text, size) {
    const name = `${size} ${text}`;
    if (!this.kept.has(name)) {
      if (this.kept.size > RULER_KEEPS) this.kept.clear();
      this.context.font = this.font(size);
      this.kept.set(name, this.spare * this.context.measureText(text.slice(0, RULER_READS)).width);
    }
    return this.kept.get(name);
  }

  /** The beginning of a text and an ellipsis, no wider than `room`. */
  shortened(text, size, room) {
    if (this.width(text, size) <= room) return text;
    const letters = [...text.slice(0, RULER_READS)];
    let [low, high] = [0, letters.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.width(`${letters.slice(0, middle).join("")}…`, size) <= room) low = middle;
      else high = middle - 1;
    }
    return `${letters.slice(0, low).join("")}…`;
  }
}

/**
 * The measures of a map of `queries` x `keys` in `width` CSS pixels:
 * {width, height, sizes, plot: {x, y, width, height}, cell: {width, height}, thin, rowRoom, columnText, slanted,
 * aside, bar: {x, y, length, lying}}; `aside` is the room for the shares of special tokens, where they stand in the margin; `thin` says that not all labels fit. Labels of columns that lean out `mayStand` upright instead.
 * It is no taller than `tallest`, as long as all labels can be read.
 */
export function layOutMap(model, width, ruler, { mayStand = false, tallest = Infinity } = {}) {
  const sizes = width < MAP_NARROW ? MAP_SMALL : MAP_LARGE;
  const found = layOutWith(sizes, model, width, ruler, mayStand);
  if (found.height <= tallest) return found;
  const longest = Math.max(model.queries.length, model.keys.length, 1);
  const side = found.cell.height * longest - (found.height - tallest);
  return layOutWith({ ...sizes, side: Math.max(side, longest * MAP_SPACING * sizes.label) }, model, width, ruler, mayStand);
}

function layOutWith(sizes, { queries, keys, reads, choices }, width, ruler, mayStand) {
  const aside = reads?.special === "margin" && choices.quantity === "weights" ? sizes.aside : 0;
  const shape = { nQuery: Math.max(queries.length, 1), nKey: Math.max(keys.length, 1) };
  const texts = { rows: longestText(queries, sizes, ruler), columns: longestText(keys, sizes, ruler) };
  const room = { texts, sizes, aside, width, queries, keys, ruler };
  let found = measured({ ...shape, thin: false }, room);
  const isTight = () => Math.min(found.cell.width, found.cell.height) < MAP_SPACING * sizes.label;
  if (mayStand && isTight() && found.slanted) {
    found = measured({ ...shape, thin: false, upright: true }, room);
  }
  if (isTight()) {
    found = measured({ ...shape, thin: true }, room);
  }
  return found;
}

const MAP_NARROW = 480; // CSS pixels under which letters are small, as in viz/kit/theme.py
const MAP_LARGE = {
  label: 15, title: 15, number: 14, gap: 10, side: 640, text: 130, share: 0.22, corner: 96, bar: 16, beside: 96, below: 0,
  zoomed: 96, aside: 84,
};
const MAP_SMALL = {
  label: 12, title: 12, number: 12, gap: 6, side: 400, text: 78, share: 0.25, corner: 64, bar: 10, beside: 8, below: 54,
  zoomed: 60, aside: 56,
};
/* `share`: of the width, for labels at most; `corner`: for the minimap; `zoomed`: a cell is enlarged to so many pixels;
   `aside`: for the shares of special tokens. */
const MAP_LONGEST_BAR = 200;
const MAP_LARGEST_CELL = 64; // of more than a few tokens
const MAP_ROOMY = { least: 160, all: 400 }; // a few tokens get larger cells, one token no cell that fills the page
const RULER_KEEPS = 20_000;
const RULER_READS = 200; // letters: no label is longer

/** Lines of labels are so much further apart than their letters are high. */
export const MAP_SPACING = 1.2;

function longestText(entries, { label, text }, ruler) {
  let longest = 0;
  for (const entry of entries) {
    longest = Math.max(longest, ruler.width(entry.text, label));
    if (longest >= text * ruler.spare) return text * ruler.spare;
  }
  return longest;
}

function measured({ nQuery, nKey, thin, upright = false }, { texts, sizes, aside, width, queries, keys, ruler }) {
  const { label, gap } = sizes;
  const prefix = (entries) => (thin ? ruler.width(`${entries.at(-1)?.position ?? 0} · `, label) : 0);
  const most = Math.max(sizes.share * width, label * 3) * ruler.spare;
  const rowRoom = Math.min(texts.rows + prefix(queries), most);
  const columnText = Math.min(texts.columns + prefix(keys), most);
  const left = Math.max(MAP_SPACING * sizes.title + rowRoom + 1.5 * gap, thin ? sizes.corner : 0);
  const beside = sizes.beside + aside;
  let cell = cellOf({ nQuery, nKey }, width - left - beside, sizes);
  const slanted = !thin && !upright && cell.width < columnText + gap / 2 && cell.width > 1.4 * label;
  const beyond = slanted ? SLANT * columnText - cell.width / 2 : 0; // the label of the last column leans out
  if (beyond > beside) cell = cellOf({ nQuery, nKey }, width - left - beyond, sizes);
  const level = cell.width >= columnText + gap / 2;
  const columnRoom = level ? MAP_SPACING * label : slanted ? SLANT * columnText + label / 2 : columnText;
  const top = Math.max(MAP_SPACING * sizes.title + columnRoom + 1.5 * gap, thin ? sizes.corner : 0);
  const size = { width: Math.round(cell.width * nKey), height: Math.round(cell.height * nQuery) };
  const plot = { x: Math.ceil(left), y: Math.ceil(top), ...size };
  return { width, sizes, plot, cell, thin, rowRoom, columnText, slanted, aside, ...barAndHeight(plot, sizes, aside) };
}

const SLANT = Math.SQRT1_2;

/** Square cells, of whole pixels where that costs little; a side of few tokens beside one of many is stretched. */
function cellOf({ nQuery, nKey }, room, sizes) {
  const longest = Math.max(nQuery, nKey);
  const largest = Math.min(Math.max(MAP_ROOMY.all / longest, MAP_LARGEST_CELL), MAP_ROOMY.least);
  const fitting = Math.min(room / nKey, sizes.side / longest, largest);
  const whole = Math.floor(fitting);
  const side = whole / fitting >= WHOLE_PIXELS ? whole : fitting;
  const least = (n) => Math.min(MAP_ROOMY.least / n, largest);
  return { width: Math.min(Math.max(side, least(nKey)), room / nKey), height: Math.max(side, least(nQuery)) };
}

const WHOLE_PIXELS = 0.8;

function barAndHeight(plot, sizes, aside) {
  const bottom = plot.y + plot.height;
  if (sizes.below) {
    const length = Math.max(Math.min(plot.width, MAP_LONGEST_BAR), MAP_ROOMY.least / 2);
    return { bar: { x: plot.x, y: bottom + sizes.gap, length, lying: true }, height: bottom + sizes.below };
  }
  const length = Math.min(Math.max(plot.height, MAP_ROOMY.least), MAP_LONGEST_BAR);
  const bar = { x: plot.x + plot.width + aside + 1.6 * sizes.gap, y: plot.y, length, lying: false };
  return { bar, height: Math.ceil(Math.max(bottom, bar.y + length) + sizes.label) };
}
