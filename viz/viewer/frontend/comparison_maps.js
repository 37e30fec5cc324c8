// Two heads and their difference as maps with the same rows and columns, and how far every row is apart, as bars.

import { paintColourBar } from "./colour_bar.js";
import { ramp } from "./colours.js";
import { toSay, tr } from "./language.js";
import { frameOfPlot, paintCells, paintLines, paintMarks, paintNumbers } from "./map_cells.js";
import { paintLabels } from "./map_labels.js";
import { layOutMap, MAP_SPACING, Ruler } from "./map_layout.js";
import { MapRasters } from "./map_raster.js";
import { MapView } from "./map_view.js";
import { Dense } from "./matrix.js";

export class ComparisonMaps {
  /** `about` is what viz/viewer/comparison.py writes, `arrays` has one, other [nRow * nColumn] and distances [nRow]. */
  constructor({ about, arrays }, family) {
    const { rows, columns, titles, names } = about;
    Object.assign(this, { rows: entriesOfPairs(rows), columns: entriesOfPairs(columns), distances: arrays.distances, names });
    const [nQuery, nKey] = [this.rows.length, this.columns.length];
    const difference = arrays.other.map((value, at) => value - arrays.one[at]);
    const matrices = { one: arrays.one, other: arrays.other, difference };
    this.panels = PANELS.map((name) => ({
      name, title: titles[name], matrix: new Dense(matrices[name], nQuery, nKey), rasters: new MapRasters(),
    }));
    Object.assign(this, { view: new MapView(nQuery, nKey, 1), family, ruler: new Ruler(family), tables: new Map() });
  }

  /** The number of a panel in a cell; NaN where one of the tokens stands in the other text alone. */
  value(name, { query, key }) {
    return this.panels.find((panel) => panel.name === name).matrix.row(query)[key];
  }

  /** Where everything stands in `width` CSS pixels: the maps beside each other, or below. */
  layOut(width, ruler = this.ruler) {
    const beside = width >= BESIDE_FROM;
    const bars = { width: beside ? BARS_WIDE : width };
    const wide = beside ? Math.floor((width - bars.width - PANELS.length * PANEL_GAP) / PANELS.length) : width;
    const layout = layOutMap({ queries: this.rows, keys: this.columns }, wide, ruler, { mayStand: true });
    const titles = this.panels.map(({ title }) => linesOfTitle(title, wide, ruler));
    const top = Math.max(...titles.map((lines) => lines.length)) * TITLE_LINE + 6;
    const tall = top + layout.height + (beside ? 0 : PANEL_GAP);
    const places = titles.map((lines, at) => ({ lines, x: beside ? at * (wide + PANEL_GAP) : 0, y: beside ? 0 : at * tall }));
    Object.assign(bars, beside ? { x: PANELS.length * (wide + PANEL_GAP), y: 0 } : { x: 0, y: PANELS.length * tall });
    const height = beside ? tall : bars.y + TITLE_LINE + 6 + layout.plot.height + PANEL_GAP;
    return { width, height, beside, layout, top, places, bars, ruler };
  }

  /** Paint everything; `cell` is what is pointed at, `fits` whether the two maps end at their largest weight. */
  paint(context, { scene, colours, cell, density, fits }) {
    const { layout, places, top } = scene;
    const pixels = { width: layout.plot.width * density, height: layout.plot.height * density };
    this.panels.forEach((panel, at) => {
      const { x, y, lines } = places[at];
      context.save();
      context.translate(x, y);
      writeTitle(context, lines, scene.ruler, colours);
      context.translate(0, top);
      this.paintPanel(context, panel, { layout, ruler: scene.ruler, cell, pixels, fits }, colours);
      context.restore();
    });
    this.paintBars(context, scene, cell, colours);
  }

  paintPanel(context, panel, { layout, ruler, cell, pixels, fits }, colours) {
    const drawn = { layout, view: this.view, queries: this.rows, keys: this.columns, ruler, locked: new Set(), cell };
    const subject = this.subject(panel, fits, colours);
    paintCells(context, drawn, [panel.rasters.all(subject, pixels)], colours);
    paintLines(context, drawn, colours);
    paintNumbers(context, drawn, subject, colours);
    const scale = { low: subject.signed ? -subject.reach : 0, high: subject.reach, table: subject.table, share: false };
    paintColourBar(context, drawn, { ...scale, name: subject.signed ? tr("difference") : tr("weight") }, colours);
    frameOfPlot(context, layout.plot, colours);
    paintLabels(context, drawn, colours);
    this.markUnequal(context, layout, colours);
    paintMarks(context, drawn, colours);
  }

  /** As map_raster.js and map_cells.js take it. */
  subject({ name, matrix }, fits, colours) {
    const signed = name === "difference";
    const largest = Math.max(...this.panels.filter((panel) => panel.name !== "difference").map((panel) => panel.matrix.reach));
    const reach = signed ? matrix.reach || 1 : fits ? largest || 1 : 1;
    const table = this.table(signed ? colours.diverging : colours.sequential);
    return { name: [name, reach, colours.ground].join(" "), matrix, rule: () => EVERYTHING, reach, signed, table };
  }

  table(palette) {
    const name = palette.join();
    if (!this.tables.has(name)) this.tables.set(name, ramp(palette));
    return this.tables.get(name);
  }

  /** A mark between label and cells where the tokens are not the same. */
  markUnequal(context, { plot, cell }, colours) {
    context.fillStyle = colours.accent;
    this.rows.forEach((entry, i) => {
      if (!entry.equal) context.fillRect(plot.x - 5, plot.y + i * cell.height, 3, Math.max(cell.height - 1, 1));
    });
    this.columns.forEach((entry, j) => {
      if (!entry.equal) context.fillRect(plot.x + j * cell.width, plot.y - 5, Math.max(cell.width - 1, 1), 3);
    });
  }

  /** The distance of every row as a bar beside the rows of the difference; below the maps with the tokens again. */
  paintBars(context, { layout, top, bars, beside, ruler }, cell, colours) {
    const { plot, sizes } = layout;
    const [from, high] = [beside ? 0 : plot.x, plot.height / this.rows.length];
    const head = beside ? top + plot.y : TITLE_LINE + 6;
    const longest = bars.width - from - NUMBER_WIDE;
    context.save();
    context.translate(bars.x, bars.y);
    if (beside) writeBarTitle(context, BAR_TITLE.map((line) => tr(line)), { y: head - 6, ruler, size: sizes.label }, colours);
    else writeTitle(context, [tr("Distance of the rows")], ruler, colours);
    Object.assign(context, { textBaseline: "middle", direction: "ltr" });
    const step = Math.max(1, Math.ceil((MAP_SPACING * sizes.label) / high));
    this.distances.forEach((distance, i) => {
      const y = head + i * high;
      const pointed = cell?.query === i;
      context.fillStyle = pointed ? colours.accent : colours.bar;
      if (distance === distance) context.fillRect(from, y + high * 0.15, Math.max(distance * longest, 1), high * 0.7);
      if (i % step && !pointed) return;
      Object.assign(context, { font: ruler.font(sizes.label), fillStyle: pointed ? colours.accent : colours.ink, textAlign: "left" });
      const text = distance === distance ? distance.toFixed(2) : tr("alone");
      context.fillText(text, from + (distance || 0) * longest + 6, y + high / 2);
      if (beside) return;
      context.textAlign = "right";
      context.fillText(ruler.shortened(this.rows[i].text, sizes.label, layout.rowRoom), from - sizes.gap, y + high / 2);
    });
    context.restore();
  }

  /** The cell at a place of the picture: of any of the maps, or a row as a whole beside them; else null. */
  cellAt({ x, y }, { layout: { plot, width, height }, places, top, bars, beside }) {
    const within = (at, begin, size) => at >= begin && at < begin + size;
    const rowAt = (from) => (within(y, from, plot.height) ? Math.min(Math.floor(((y - from) / plot.height) * this.rows.length), this.rows.length - 1) : -1);
    for (const place of places) {
      if (!within(x, place.x, width) || !within(y, place.y, top + height)) continue;
      const query = rowAt(place.y + top + plot.y);
      if (query < 0 || x >= place.x + plot.x + plot.width) return null;
      if (x < place.x + plot.x) return { query, key: null };
      return { query, key: Math.min(Math.floor(((x - place.x - plot.x) / plot.width) * this.columns.length), this.columns.length - 1) };
    }
    const query = rowAt(beside ? top + plot.y : bars.y + TITLE_LINE + 6);
    return within(x, bars.x, bars.width) && query >= 0 ? { query, key: null } : null;
  }
}

const PANELS = ["one", "other", "difference"];
const BESIDE_FROM = 820; // CSS pixels from which on three maps stand beside each other
const PANEL_GAP = 10;
const BARS_WIDE = 96;
const NUMBER_WIDE = 38;
const TITLE_SIZE_OF_MAP = 15;
const TITLE_LINE = 20;
const MOST_TITLE_LINES = 3;
const EVERYTHING = { floor: -Infinity, scale: 1 };
const BAR_TITLE = [toSay("Distance of"), toSay("the rows")];

function entriesOfPairs({ texts, names, equal, segments, special }) {
  return texts.map((text, position) => ({
    position, positions: [position], text, name: names[position], equal: equal[position], segment: segments[position],
    special: special[position],
  }));
}

/** A title in a few lines, the last one shortened. */
function linesOfTitle(title, width, ruler) {
  const lines = [""];
  for (const word of title.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.length < MOST_TITLE_LINES && lines.at(-1) && ruler.width(longer, TITLE_SIZE_OF_MAP) * BOLDER > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => ruler.shortened(line, TITLE_SIZE_OF_MAP, width / BOLDER));
}

const BOLDER = 1.17; // bold letters are so much wider

function writeTitle(context, lines, ruler, colours) {
  Object.assign(context, { font: ruler.font(TITLE_SIZE_OF_MAP, 600), fillStyle: colours.ink });
  Object.assign(context, { textAlign: "left", textBaseline: "top", direction: "ltr" });
  lines.forEach((line, at) => context.fillText(line, 0, at * TITLE_LINE + 2));
}

function writeBarTitle(context, lines, { y, ruler, size }, colours) {
  Object.assign(context, { font: ruler.font(size), fillStyle: colours.quiet });
  Object.assign(context, { textAlign: "left", textBaseline: "bottom", direction: "ltr" });
  lines.forEach((line, at) => context.fillText(line, 0, y - (lines.length - 1 - at) * size * MAP_SPACING));
}
