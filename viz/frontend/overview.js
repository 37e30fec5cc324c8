// All heads at a glance: rows are layers, columns are heads, then their mean; below, the mean of all.

import { element } from "./dom.js";

export class Overview {
  constructor(model) {
    this.model = model;
    this.node = element("div", { class: "overview" });
  }

  draw() {}
}
