// The buttons below the map that zoom it.

import { element } from "./dom.js";
import { tr } from "./language.js";

export const STEP_OF_ZOOM = 2;

export class MapTools {
  constructor(map) {
    const button = (label, text, onclick) =>
      element("button", { type: "button", "aria-label": label, title: label, onclick }, text);
    this.out = button(tr("Zoom out"), "−", () => map.zoom(1 / STEP_OF_ZOOM));
    this.in = button(tr("Zoom in"), "+", () => map.zoom(STEP_OF_ZOOM));
    this.all = button(tr("Show the whole map"), tr("Whole"), () => map.showAll());
    this.node = element("div", { class: "map-tools", role: "group", "aria-label": tr("Zoom") }, this.out, this.in, this.all);
  }

  draw(view) {
    this.node.hidden = view.most <= 1;
    this.in.disabled = view.zoom >= view.most;
    this.out.disabled = this.all.disabled = view.isWhole;
  }
}
