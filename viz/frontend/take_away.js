// The current picture and the numbers as files.

import { element } from "./dom.js";

export class TakeAway {
  constructor(model) {
    this.model = model;
    this.node = element("div", { class: "take-away" });
  }

  draw() {}
}
