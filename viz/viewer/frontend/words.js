// Words that a newcomer meets: each is a button that opens its entry of the glossary where it stands.

import { WORDS } from "./declared.js";
import { element } from "./dom.js";
import { toSay, tr } from "./language.js";
import { placeBelow } from "./panel.js";

/** A text of ours in parts, for `say`: its words are buttons. */
export function worded(text) {
  const { pattern, entries } = wordsSpoken();
  return text.split(pattern).filter(Boolean).map((part) => (entries.has(part) ? wordButton(entries.get(part), part) : part));
}

/** The same of tokens: a piece that goes on with a word, and special tokens; of those that are `met`, none. */
export function tokenWorded(text, met = new Set()) {
  return text.split(TOKENS).filter(Boolean).map((part) => {
    const word = part.startsWith("##") ? "word-piece" : TOKEN_WORDS[part];
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

/** The forms of a word in English, which the catalogue translates, and its entry. */
const FORMS = [
  [toSay("Layer"), "layer"], [toSay("Head"), "head"], [toSay("Heads"), "head"], [toSay("heads"), "head"],
  [toSay("query"), "query"], [toSay("key"), "key"], [toSay("keys"), "key"], [toSay("weight"), "weights"],
  [toSay("weights"), "weights"], [toSay("score"), "scores"], [toSay("scores"), "scores"], [toSay("softmax"), "softmax"],
  [toSay("token"), "token"],
];
const TOKEN_WORDS = { "[CLS]": "cls-token", "[SEP]": "sep-token", "[MASK]": "mask-token" };
/** A word of Hangul is followed by a particle, or by no letter: "키가" is of "키", "키보드" is not. */
const PARTICLES = "은|는|이|가|을|를|의|에|와|과|로|도|만|들|마다|부터|까지|보다|입니다|이라|이란|란|라고";
let known = null;

/** The words of the language that is spoken, as a pattern that finds them, and their entries. */
function wordsSpoken() {
  if (known) return known;
  const entries = new Map(FORMS.map(([form, entry]) => [tr(form), entry]));
  const forms = [...entries.keys()].sort((one, other) => other.length - one.length).join("|");
  known = { entries, pattern: new RegExp(`(?<!\\p{L})(${forms})(?=$|[^\\p{L}]|${PARTICLES})`, "u") };
  return known;
}

const TOKENS = /(##\S+|\[CLS\]|\[SEP\]|\[MASK\])/;
