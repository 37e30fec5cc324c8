// What the model says behind each mask, or after the last token: five words, and the first of every layer on the way there.

import { element } from "./dom.js";
import { tr } from "./language.js";
import { inPerCent } from "./text_numbers.js";

export class Guesses {
  /** `write(piece)`, of a model that writes on, takes the piece that a reader presses; it is null where masks are guessed. */
  constructor(spelled, write) {
    Object.assign(this, { spelled, write });
    this.node = element("div", { class: "live-guesses", "aria-live": "polite" });
  }

  /** Show guesses, [{place, layers: [[{text, probability}]]}]; the embeddings are the first of the layers. */
  draw(guesses) {
    this.node.replaceChildren(...guesses.map(({ place, layers }) => this.ofMask(place, layers)));
    this.node.hidden = !guesses.length;
  }

  ofMask(place, layers) {
    const title = element("h3", {}, this.write ? tr("The next token") : tr("Behind mask {place}", { place }));
    const best = element("ol", {}, ...layers.at(-1).map((guess) => this.line(guess)));
    const way = layers.map(([guess], layer) => this.line(guess, layer ? tr("Layer {layer}", { layer: layer - 1 }) : tr("Embeddings")));
    const byLayer = element("details", {}, element("summary", {}, tr("The first word after every layer")), element("ol", {}, ...way));
    return element("section", {}, title, best, byLayer);
  }

  line({ text, probability }, name = null) {
    const bar = element("span", { class: "live-bar" }, element("span", { style: `width:${100 * probability}%` }));
    const label = name === null ? [] : [element("span", { class: "live-layer" }, name)];
    return element("li", {}, ...label, this.word(text), bar, element("span", {}, inPerCent(probability)));
  }

  word(piece) {
    const word = element("bdi", {}, this.spelled[piece] ?? piece);
    return this.write ? element("button", { type: "button", onclick: () => this.write(piece) }, word) : word;
  }
}
