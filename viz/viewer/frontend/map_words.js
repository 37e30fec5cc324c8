// What the map says in words: the lines below it, and what a screen reader hears of it.

import { QUANTITIES_NAMED } from "./colour_bar.js";
import { MEAN } from "./declared.js";
import { attribute, element, write } from "./dom.js";
import { usesFinger } from "./hand.js";
import { toSay, tr } from "./language.js";
import { worded } from "./words.js";

export class MapWords {
  constructor() {
    this.cell = element("div", { role: "gridcell", id: `map-cell-${++made}` });
    this.row = element("div", { role: "row", class: "unseen" }, this.cell);
    this.pointing = element("span", { class: "map-pointing" });
    this.keys = element("span", { class: "map-keys" }, tr(KEYS));
    this.hint = element("p", { class: "map-hint", id: `map-hint-${made}` }, this.pointing, this.keys);
    this.note = element("p", { class: "map-note" });
    this.asked = element("p", { class: "map-asked" }, ...worded(tr(ASKED)));
    this.notes = element("div", { class: "map-notes" }, this.note, this.hint, this.asked);
  }

  describe(grid, model, { layout, hasMasked, canZoom }) {
    this.describeGrid(grid, model);
    write(this.note, [model.note, hasMasked ? tr(MASKED_NOTE) : "", pooled(layout)].filter(Boolean).join(" "));
    const hints = usesFinger() ? TOUCH_HINTS : POINTER_HINTS;
    write(this.pointing, [canZoom ? tr(hints.zoom) : "", tr(hints.hold)].filter(Boolean).join(" "));
    grid.classList.toggle("touched", usesFinger());
    if (model.cell) this.describeCell(model);
  }

  describeGrid(grid, model) {
    const { layer, head } = model.choices;
    const [rows, columns] = [model.queries.length, model.keys.length];
    const said = { layer, head, quantity: tr(QUANTITIES_NAMED[model.choices.quantity]), rows, columns };
    attribute(grid, "aria-label", head === MEAN
      ? tr("Layer {layer}, mean over the heads: {quantity}, {rows} query tokens by {columns} key tokens", said)
      : tr("Layer {layer}, head {head}: {quantity}, {rows} query tokens by {columns} key tokens", said));
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
const ASKED = toSay("What is a query, a key, a score, the softmax, a weight?");
const TOUCH_HINTS = {
  zoom: toSay("Pinch or double tap to zoom, drag to move."), hold: toSay("Tap a token on the left to hold its row."),
};
const POINTER_HINTS = {
  zoom: toSay("Zoom: Ctrl or ⌘ and wheel, double click, + and −; drag to move."),
  hold: toSay("Click a token on the left to hold its row."),
};
const KEYS = toSay("Arrows read cells, Shift and arrows move the map, + and − zoom, 0 shows all, Enter holds the row, Shift and Enter one more, Escape releases all.");
const MASKED_NOTE = toSay("Grey: masked, a query cannot look there.");

/** In a long text, many cells share a point of the picture. */
function pooled({ cell }) {
  const size = Math.ceil(1 / cell.width - 0.5);
  return size > 1 ? tr("A long text: a point shows the strongest of about {size} × {size} cells until you zoom in.", { size }) : "";
}
