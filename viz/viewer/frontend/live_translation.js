// What a translator in the page has written, and the same with all heads where one is switched off.

import { element } from "./dom.js";
import { tr } from "./language.js";

export class Translation {
  constructor() {
    this.whole = null; // of the text that was read last with all heads on: {text, said}
    this.node = element("div", { class: "live-translation", "aria-live": "polite", hidden: true });
  }

  /** Show what was `written` for a text, {text, isFinished}, `n` tokens with the first; `without` names a head that is switched off. */
  draw({ text, written, n, without }) {
    if (!without) this.whole = { text, said: written.text };
    const title = without ? tr("{asked}, without {head}", { asked: tr("Translation"), head: without }) : tr("Translation");
    const before = without && this.whole?.text === text ? [element("p", {}, tr("With all heads:"), " ", element("bdi", {}, this.whole.said))] : [];
    const cut = written.isFinished ? [] : [element("p", {}, tr("The translation was cut after {n} tokens: the model had not finished.", { n: n - 1 }))];
    this.node.replaceChildren(element("h3", {}, title), element("p", { class: "live-written" }, element("bdi", {}, written.text || tr("(nothing but the end)"))), ...before, ...cut);
    this.node.hidden = false;
  }
}
