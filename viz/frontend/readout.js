// What is under the pointer or the focus, in words: for eyes, and for a screen reader.

import { element } from "./dom.js";

export class Readout {
  constructor(model) {
    this.model = model;
    this.node = element("div", { class: "readout" });
  }

  draw() {}
}
