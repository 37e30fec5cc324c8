// The teacher's form for a question about a token of the sentence on show.

import { element } from "./dom.js";
import { toSay, tr } from "./language.js";
import { serverSource } from "./source.js";

export class AskForm {
  /** `ask(message)` asks the class; `tell(news)` is read by the teacher; `view` is the view of the room. */
  constructor({ ask, tell }) {
    Object.assign(this, { ask, tell, view: null });
    this.button = element("button", { type: "button", "aria-expanded": "false", onclick: () => this.open() }, tr("Ask …"));
    this.token = element("select", { "aria-label": tr("Token"), required: true });
    this.about = element("select", { "aria-label": tr("Question") },
      element("option", { value: "row" }, tr("What does this token look at most?")),
      element("option", { value: "column" }, tr("What looks at this token most?")));
    this.seconds = element("select", { "aria-label": tr("Time") }, ...TIMES.map(([value, label]) => element("option", { value }, tr(label))));
    const send = element("button", { type: "submit" }, tr("Ask the class"));
    this.node = element("form", { class: "asking", hidden: true, onsubmit: (event) => this.send(event) }, this.token, this.about, this.seconds, send);
  }

  async open() {
    if (!this.node.hidden) return this.close();
    const drawn = this.view?.viewer;
    if (!drawn) return this.tell(tr(NO_PICTURE));
    this.node.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    const about = await serverSource(drawn.base).about();
    const kind = about.kinds.find((each) => each.kind === drawn.choices.kind) ?? about.kinds[0];
    this.token.replaceChildren(element("option", { value: "", selected: true, disabled: true }, tr("Which token?")), // no token is proposed
      ...kind.queries.texts.map((text, position) => element("option", { value: position }, `${position} · ${text}`)));
    return this.token.focus();
  }

  close() {
    this.node.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  send(event) {
    event.preventDefault();
    this.ask({ about: this.about.value, position: Number(this.token.value), seconds: Number(this.seconds.value) });
    this.close();
  }
}

const TIMES = [
  [0, toSay("no time limit")], [15, toSay("15 s")], [30, toSay("30 s")], [60, toSay("1 min")], [120, toSay("2 min")],
];
const NO_PICTURE = toSay("Show a sentence on the page Attention or on Home: the class is asked about its tokens.");
