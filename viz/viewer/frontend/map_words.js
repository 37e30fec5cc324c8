// What the map says in words: the lines below it, and what a screen reader hears of it.

import { nameOfQuantity } from "./colour_bar.js";
import { MEAN } from "./declared.js";
import { attribute, element, write } from "./dom.js";
import { usesFinger } from "./hand.js";
import { worded } from "./words.js";

export class MapWords {
  constructor() {
    this.cell = element("div", { role: "gridcell", id: `map-cell-${++made}` });
    this.row = element("div", { role: "row", class: "unseen" }, this.cell);
    this.pointing = element("span", { class: "map-pointing" });
    this.keys = element("span", { class: "map-keys" }, KEYS);
    this.hint = element("p", { class: "map-hint", id: `map-hint-${made}` }, this.pointing, this.keys);
    this.note = element("p", { class: "map-note" });
    this.asked = element("p", { class: "map-asked" }, ...worded(ASKED));
    this.notes = element("div", { class: "map-notes" }, this.note, this.hint, this.asked);
  }

  describe(grid, model, { layout, hasMasked, canZoom }) {
    this.describeGrid(grid, model);
    write(this.note, [model.note, hasMasked ? MASKED_NOTE : "", pooled(layout)].filter(Boolean).join(" "));
    const hints = usesFinger() ? TOUCH_HINTS : POINTER_HINTS;
    write(this.pointing, [canZoom ? hints.zoom : "", hints.hold].filter(Boolean).join(" "));
    grid.classList.toggle("touched", usesFinger());
    if (model.cell) this.describeCell(model);
  }

  describeGrid(grid, model) {
    const { layer, head } = model.choices;
    const [rows, columns] = [model.queries.length, model.keys.length];
    const title = `Layer ${layer}, ${head === MEAN ? "mean over the heads" : `head ${head}`}: ${nameOfQuantity(model)}s`;
    attribute(grid, "aria-label", `${title}, ${rows} query tokens by ${columns} key tokens`);
    attribute(grid, "aria-rowcount", rows);
    attribute(grid, "aria-colcount", columns);
    attribute(grid, "aria-activedescendant", model.cell && this.cell.id);
  }

  describeCell(model) {
    const { query, key } = model.cell;
    attribute(this.row, "aria-rowindex", query + 1);
    attribute(this.cell, "aria-colindex", (key ?? 0) + 1);
    const names = [model.queries[query], ...(key === null ? [] : [model.keys[key]])].map((entry) => entry.text);
    write(this.cell, names.join(" → "));
  }
}

let made = 0;
const ASKED = "What is a query, a key, a score, the softmax, a weight?";
const TOUCH_HINTS = { zoom: "Pinch or double tap to zoom, drag to move.", hold: "Tap a token on the left to hold its row." };
const POINTER_HINTS = {
  zoom: "Zoom: Ctrl or ⌘ and wheel, double click, + and −; drag to move.", hold: "Click a token on the left to hold its row.",
};
const KEYS = "Arrows read cells, Shift and arrows move the map, + and − zoom, 0 shows all, Enter holds the row, Escape releases it.";
const MASKED_NOTE = "Grey: masked, a query cannot look there.";

/** In a long text, many cells share a point of the picture. */
function pooled({ cell }) {
  const size = Math.ceil(1 / cell.width - 0.5);
  return size > 1 ? `A long text: a point shows the strongest of about ${size} × ${size} cells until you zoom in.` : "";
}
