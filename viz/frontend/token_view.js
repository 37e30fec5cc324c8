// The sentence twice, queries and keys, with lines or shading whose strength is the weight.

import { element } from "./dom.js";

export class TokenView {
  constructor(model) {
    this.model = model;
    this.node = element("div", { class: "token-view" });
  }

  draw() {}
}
