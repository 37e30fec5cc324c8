// The question of a step about the reader's own sentence: what is typed, and the tokens in question, which are tapped.

import { element } from "./dom.js";
import { toSay, tr } from "./language.js";
import { isReadable, readable, sayUnread, unreadScript } from "./typed_text.js";

const TYPED = { text: toSay("Your sentence"), text_b: toSay("Your second sentence"), word: toSay("A word"), leave_out: toSay("The word to leave out") };
const TAPPED = { query: toSay("Which token looks?"), key: toSay("Which token is looked at?"), token: toSay("Which token?") };
const DROPPED = ["among", "options"]; // they are about the words of the lesson's sentence
const MOST_LETTERS = { text: 1000, text_b: 1000, word: 80, leave_out: 80 };
const LEAST_COMPARED = 2;
const MASK = "[MASK]";

export class OwnQuestion {
  /**
   * `required` says which parameters the kind of question needs, `languages` which the model reads; `tokensOf(text)` promises {tokens,
   * isCut}, `told(ask)` hears the question, null when another
   * is begun.
   */
  constructor(ask, { required, languages, tokensOf, told }) {
    Object.assign(this, { ask, required, languages, tokensOf, told });
    this.names = Object.keys(TYPED).filter((name) => name === "text" || ((required[name] || name === "leave_out") && ask[name]));
    this.fields = this.names.map((name) => element("input", { type: "text", id: `own-${name}`, placeholder: ask[name], autocomplete: "off" }));
    const labelled = this.names.flatMap((name, at) => [element("label", { for: `own-${name}` }, tr(TYPED[name])), this.fields[at]]);
    this.status = element("p", { class: "lesson-status", role: "status" });
    this.note = element("p", { class: "lesson-status", role: "note" });
    this.taps = element("div", { class: "lesson-taps" });
    const submit = element("button", { type: "submit", class: "lesson-button" }, tr("Ask the same"));
    const form = element("form", { onsubmit: (event) => { event.preventDefault(); this.submit(); } }, ...labelled, submit);
    this.node = element("section", { class: "lesson-own" }, element("h3", {}, tr("Now your own sentence")), form, this.status, this.note, this.taps);
  }

  async submit() {
    const typed = Object.fromEntries(this.names.map((name, at) => [name, readable(this.fields[at].value).trim()]));
    this.taps.replaceChildren();
    this.told(null);
    this.note.textContent = "";
    this.status.textContent = this.whyNot(typed);
    if (this.status.textContent) return;
    const left = Object.entries(this.ask).filter(([name]) => !DROPPED.includes(name) && !(name in TYPED));
    const asked = { ...Object.fromEntries(left), ...typed };
    const tapped = Object.keys(TAPPED).filter((name) => name in this.required);
    try {
      const { tokens, isCut } = await this.tokensOf(typed.text);
      const notes = [sayUnread(unreadScript(typed.text, this.languages)), isCut ? tr("Only the first {n} tokens are read.", { n: tokens.length }) : ""];
      this.note.textContent = notes.filter(Boolean).join(" ");
      if (!tapped.length && !this.ask.among) this.told(asked);
      else this.tap(tokens, asked, tapped);
    } catch ({ message }) {
      this.status.textContent = message;
    }
  }

  /** Why what is typed cannot be asked, "" if it can. */
  whyNot(typed) {
    const lengthOf = (name) => Array.from(typed[name]).length;
    const long = this.names.find((name) => lengthOf(name) > MOST_LETTERS[name]);
    if (long) return tr("“{name}”: {n} letters, at most {most} can be read.", { name: tr(TYPED[long]), n: lengthOf(long), most: MOST_LETTERS[long] });
    const missing = this.names.filter((name) => !isReadable(typed[name])).map((name) => tr(TYPED[name]));
    if (missing.length) return tr("Still to be written: {names}.", { names: missing.join(", ") });
    return this.ask.text.includes(MASK) && !typed.text.includes(MASK) ? tr("Write [MASK] where a word is to be guessed.") : "";
  }

  /** The tokens as buttons, once for each that is asked for; of those to compare at least two are pressed. */
  tap(tokens, asked, names) {
    const compared = new Set();
    const tell = () => {
      const isWhole = names.every((name) => asked[name]?.startsWith("#")) && (!this.ask.among || compared.size >= LEAST_COMPARED);
      if (isWhole) this.told({ ...asked, ...(this.ask.among && { among: [...compared].sort((one, other) => one - other).map((at) => `#${at}`) }) });
    };
    for (const name of names) delete asked[name];
    const groups = names.map((name) => this.group(tr(TAPPED[name]), tokens, (at) => { asked[name] = `#${at}`; }, tell, (at) => asked[name] === `#${at}`));
    const toggle = (at) => (compared.has(at) ? compared.delete(at) : compared.add(at));
    if (this.ask.among) groups.push(this.group(tr("Which tokens are compared? Tap two or more."), tokens, toggle, tell, (at) => compared.has(at)));
    this.taps.replaceChildren(...groups);
  }

  group(title, tokens, press, tell, isPressed) {
    const buttons = tokens.map((token, at) => element("button", { type: "button", class: "lesson-button", "aria-pressed": "false", onclick: () => pressed(at) }, element("bdi", {}, token)));
    const pressed = (at) => {
      press(at);
      buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(isPressed(other))));
      tell();
    };
    return element("div", { role: "group", "aria-label": title }, element("p", {}, title), element("div", { class: "lesson-options" }, ...buttons));
  }
}
