// Words that a newcomer meets: each is a button that opens its entry of the glossary where it stands.

import { WORDS } from "./declared.js";
import { element } from "./dom.js";
import { placeBelow } from "./panel.js";

/** A text of ours in parts, for `say`: its words are buttons. */
export function worded(text) {
  return text.split(OURS).filter(Boolean).map((part) => (FORMS[part] ? wordButton(FORMS[part], part) : part));
}

/** The same of tokens: a piece that goes on with a word, and special tokens; of those that are `met`, none. */
export function tokenWorded(text, met = new Set()) {
  return text.split(TOKENS).filter(Boolean).map((part) => {
    const word = part.startsWith("##") ? "word-piece" : FORMS[part];
    if (!word || met.has(word)) return part;
    met.add(word);
    return wordButton(word, part);
  });
}

/** A button that opens an entry; `label` is what a screen reader says where there is no text. */
export function wordButton(word, text, label = null) {
  return element("button", { type: "button", class: "word", "data-word": word, "aria-label": label, "aria-haspopup": "dialog" }, text);
}

/** The entry, as a popover of the browser: Escape and a click elsewhere close it, and the focus goes back. */
export class WordPanel {
  constructor(frame) {
    this.name = element("strong");
    this.meaning = element("p");
    this.formula = element("code");
    this.node = element("div", { class: "panel word-panel", popover: "auto", role: "dialog", tabindex: -1 },
      this.name, this.meaning, this.formula);
    frame.append(this.node);
    frame.addEventListener("click", ({ target }) => this.open(target.closest?.("[data-word]")));
  }

  open(button) {
    const entry = button && WORDS[button.dataset.word];
    if (!entry) return;
    Object.assign(this.name, { textContent: entry.word });
    Object.assign(this.meaning, { textContent: entry.meaning });
    Object.assign(this.formula, { textContent: entry.formula, hidden: !entry.formula });
    this.node.setAttribute("aria-label", entry.word);
    this.node.showPopover();
    placeBelow(this.node, button);
    this.node.focus({ preventScroll: true });
    this.node.ontoggle = ({ newState }) => this.closed(newState, button);
  }

  /** The focus goes back, unless a click has taken it elsewhere. */
  closed(state, button) {
    const { activeElement } = this.node.getRootNode();
    if (state === "closed" && (!activeElement || activeElement === this.node || activeElement === document.body)) button.focus();
  }
}

const FORMS = {
  Layer: "layer", Head: "head", Heads: "head", heads: "head", query: "query", key: "key", keys: "key", weight: "weights",
  weights: "weights", score: "scores", scores: "scores", softmax: "softmax", token: "token", "[CLS]": "cls-token",
  "[SEP]": "sep-token", "[MASK]": "mask-token",
};
const OURS = /\b(Layer|Heads?|heads|query|keys?|weights?|scores?|softmax|token)\b/;
const TOKENS = /(##\S+|\[CLS\]|\[SEP\]|\[MASK\])/;
