// The chosen head, large: a row is the query token, a column the key token that it attends to.

import { ramp } from "./colours.js";
import { element, sized } from "./dom.js";

export class HeadMap {
  constructor(model) {
    this.model = model;
    this.canvas = element("canvas");
    this.node = element("div", { class: "head-map" }, this.canvas);
  }

  draw(colours) {
    const matrix = this.model.matrix();
    this.node.hidden = this.model.choices.picture !== "map";
    if (!matrix || this.node.hidden) return;
    const side = Math.min(this.node.clientWidth || 640, 640);
    const context = sized(this.canvas, side, side);
    const table = ramp(colours.sequential);
    const region = { top: 0, bottom: matrix.nQuery, left: 0, right: matrix.nKey };
    const image = new ImageData(side, side);
    const pixels = new Uint32Array(image.data.buffer);
    matrix.raster(region, side, side, this.model.rule).forEach((value, at) => {
      pixels[at] = Number.isNaN(value) ? 0 : table[Math.round(Math.min(value / this.model.reach, 1) * (table.length - 1))];
    });
    createImageBitmap(image).then((picture) => context.drawImage(picture, 0, 0, side, side));
  }
}
