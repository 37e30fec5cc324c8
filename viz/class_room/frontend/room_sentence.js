// A question that is answered by a sentence: the form of a student, and the list of the teacher, who may show one to all.

import { element, write } from "./dom.js";
import { toSay, tr } from "./language.js";

export class SentenceForm {
  /** `send(text)` answers the question. */
  constructor(send) {
    this.field = element("textarea", { rows: 3, maxlength: LONGEST, "aria-label": tr("Your sentence") });
    this.button = element("button", { type: "submit" }, tr("Send"));
    this.node = element("form", { class: "sentence", hidden: true, onsubmit: (event) => {
      event.preventDefault();
      if (this.field.value.trim()) send(this.field.value.trim().replace(/\s+/g, " "));
    } }, this.field, this.button);
  }

  /** Begin with a question: with what was sent to it before a reload. */
  begin(isAsked, sent) {
    this.node.hidden = !isAsked;
    this.field.value = sent;
  }

  draw(isOver) {
    this.field.disabled = this.button.disabled = isOver;
  }
}

export class SentenceList {
  /** `pick(place)` shows the sentence of a student to all, or none. */
  constructor(pick) {
    this.node = element("ul", { class: "sentences", hidden: true });
    this.pick = pick;
    this.lines = new Map();
  }

  draw({ sentences = [], picked = "" } = {}) {
    this.node.hidden = !sentences.length;
    const places = new Set(sentences.map(({ place }) => place));
    for (const [place, line] of this.lines) if (!places.has(place)) { line.node.remove(); this.lines.delete(place); }
    for (const { place, name, text } of sentences) {
      const line = this.lines.get(place) ?? this.add(place);
      const isShown = text === picked;
      write(line.text, text);
      write(line.name, name);
      line.button.setAttribute("aria-pressed", String(isShown));
      line.isShown = isShown;
    }
  }

  add(place) {
    const line = { text: element("bdi"), name: element("small") };
    line.button = element("button", { type: "button", "aria-pressed": "false", title: tr(SHOW_HELP),
      onclick: () => this.pick(line.isShown ? null : place) }, tr("Show to all"));
    line.node = element("li", {}, line.button, line.text, line.name);
    this.node.append(line.node);
    this.lines.set(place, line);
    return line;
  }
}

const LONGEST = 300;
const SHOW_HELP = toSay("Everybody sees this sentence, without the name. Pressed again, it is hidden.");
