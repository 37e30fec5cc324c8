// What the model says behind each mask, or after the last token: five words, and the first of every layer on the way there.

import { element } from "./dom.js";
import { tr } from "./language.js";
import { inPerCent } from "./text_numbers.js";

export class Guesses {
  /** `write(written)`, of a model that writes on, takes what is typed for the piece that a reader presses; it is null where masks are guessed. */
  constructor(spelled, write) {
    Object.assign(this, { spelled, write });
    this.node = element("div", { class: "live-guesses", "aria-live": "polite" });
  }

  /**
   * Show guesses, [{place, layers: [[{text, written, probability}]]}]; the embeddings are the first of the layers. Where a head is switched
   * off, `without` is its name, and `whole` are the guesses of all heads.
   */
  draw(guesses, without = "", whole = []) {
    this.node.replaceChildren(...guesses.map(({ place, layers }, at) => this.ofMask(place, layers, without, whole[at]?.layers.at(-1)[0])));
    this.node.hidden = !guesses.length;
  }

  ofMask(place, layers, without, before) {
    const asked = this.write ? tr("The next token") : tr("Behind mask {place}", { place });
    const title = element("h3", {}, without ? tr("{asked}, without {head}", { asked, head: without }) : asked);
    const told = before ? [element("p", {}, tr("With all heads:"), " ", this.word(before), ` ${inPerCent(before.probability)}`)] : [];
    const best = element("ol", {}, ...layers.at(-1).map((guess) => this.line(guess)));
    const way = layers.map(([guess], layer) => this.line(guess, layer ? tr("Layer {layer}", { layer: layer - 1 }) : tr("Embeddings")));
    const byLayer = element("details", {}, element("summary", {}, tr("The first word after every layer")), element("ol", {}, ...way));
    return element("section", {}, title, ...told, best, byLayer);
  }

  line(guess, name = null) {
    const { probability } = guess;
    const bar = element("span", { class: "live-bar" }, element("span", { style: `width:${100 * probability}%` }));
    const label = name === null ? [] : [element("span", { class: "live-layer" }, name)];
    return element("li", {}, ...label, this.word(guess), bar, element("span", {}, inPerCent(probability)));
  }

  word({ text, written }) {
    const word = element("bdi", {}, this.spelled[text] ?? text);
    return this.write && written ? element("button", { type: "button", onclick: () => this.write(written) }, word) : word;
  }
}
