// The switches: what is shown, of which tokens, in which colours.

import { element } from "./dom.js";

export class Controls {
  constructor(model) {
    this.model = model;
    this.node = element("div", { class: "controls" });
  }

  draw() {}
}
