// A question to the class: its options, over which columns of the answers stand once it is closed, and then the model's answer.

import { element, write } from "./dom.js";
import { toSay, tr, trn } from "./language.js";
import { SentenceForm } from "./room_sentence.js";

export class RoomQuestion {
  /** `role`: who looks; `choose(question, option)`, `write(question, text)`, `raise(up)`: what a student does. */
  constructor(role, { choose, write: send, raise } = {}) {
    Object.assign(this, { role, choose, raise, shown: null, chosen: null, sent: "", hand: false, waits: false });
    this.form = new SentenceForm((text) => {
      if (this.isOver) return;
      this.sent = text;
      send(this.shown.id, text);
      this.drawOptions();
    });
    this.picked = element("blockquote", { class: "picked" });
    this.quiz = element("p", { class: "quiz" });
    this.text = element("h2", { class: "asked" });
    this.clock = element("p", { class: "clock", role: "timer" });
    this.options = element("div", { class: "options" });
    this.says = element("p", { class: "model-says" });
    this.note = element("p", { class: "note", "aria-live": "polite" });
    this.hands = element("button", { type: "button", class: "hand", "aria-pressed": "false", hidden: true,
      onclick: () => this.raise?.(!this.hand) }, tr(HAND_DOWN));
    this.node = element("section", { class: "question", hidden: true, "aria-label": tr("Question to the class") },
      this.quiz, element("div", { class: "asked-line" }, this.text, this.clock), this.options, this.form.node, this.hands, this.picked,
      this.says, this.note);
  }

  /** Show what a message of the room says of the question; `offset` is how far the server's clock is ahead, in seconds. */
  draw({ question, hands, score }, offset) {
    this.node.hidden = !question;
    clearInterval(this.ticking);
    if (!question) {
      this.shown = null;
      return;
    }
    if (this.shown?.id !== question.id) this.begin(question);
    Object.assign(this, { shown: question, offset, n: hands, score });
    write(this.text, question.text);
    write(this.picked, question.picked);
    const [number, all] = question.quiz;
    write(this.quiz, number ? tr("Question {number} of {all}", { number, all }) : "");
    this.drawOptions();
    this.tick();
    if (question.ends && !question.closed) this.ticking = setInterval(() => this.tick(), TICK);
  }

  begin({ kind, options }) {
    if (this.shown) Object.assign(this, { chosen: null, sent: "" });
    this.form.begin(kind === "sentence" && this.role === "student", this.sent);
    this.columns = options.map((option, index) => {
      const parts = { bar: element("i", { class: "of-class" }), model: element("i", { class: "of-model" }),
        count: element("span", { class: "count" }), label: element("span", { class: "label" }, option) };
      const name = this.role === "student" ? "button" : "div";
      const press = this.role === "student" ? { type: "button", onclick: () => this.pick(index) } : {};
      parts.node = element(name, { class: "option", ...press },
        element("span", { class: "bars", "aria-hidden": true }, parts.bar, parts.model), parts.label, parts.count);
      return parts;
    });
    this.options.replaceChildren(...this.columns.map(({ node }) => node));
    this.options.dataset.kind = kind;
    this.hands.hidden = kind !== "hands" || this.role !== "student";
  }

  pick(index) {
    if (this.isOver) return;
    this.chosen = index;
    this.choose?.(this.shown.id, index);
    this.drawOptions();
  }

  /** Whether nobody can answer any more. */
  get isOver() {
    return this.shown.closed || (this.shown.ends > 0 && this.shown.ends < this.now);
  }

  get now() {
    return Date.now() / 1000 + this.offset;
  }

  tick() {
    const { ends, closed } = this.shown;
    const left = Math.ceil(ends - this.now);
    write(this.clock, ends && !closed ? (left > 0 ? tr("{n} s", { n: left }) : tr("Time is over")) : "");
    if (ends && left <= 0 && !this.saidOver) this.drawOptions();
    this.saidOver = ends > 0 && left <= 0;
  }

  drawOptions() {
    const { tally, right = [], values = [], revealed, kind, answers, says = "" } = this.shown;
    const most = Math.max(...(tally ?? []), 1);
    const largest = Math.max(...values, 1e-9);
    this.columns.forEach(({ node, bar, model, count }, index) => {
      bar.style.height = tally ? `${(100 * tally[index]) / most}%` : "0";
      const share = values.length ? values[index] / largest : Number(right.includes(index));
      model.style.height = revealed ? `${100 * share}%` : "0";
      write(count, tally?.[index] ? String(tally[index]) : "");
      node.classList.toggle("mine", index === this.chosen);
      node.classList.toggle("right", Boolean(revealed) && right.includes(index));
      if (this.role === "student") {
        node.setAttribute("aria-pressed", String(index === this.chosen));
        node.disabled = this.isOver;
      }
    });
    this.options.classList.toggle("counted", Boolean(tally));
    write(this.says, revealed ? says : "");
    this.form.draw(this.isOver);
    this.hands.setAttribute("aria-pressed", String(this.hand));
    write(this.hands, this.hand ? tr(HAND_UP) : tr(HAND_DOWN));
    write(this.note, this.noteOf({ kind, answers, revealed, right }));
  }

  noteOf({ kind, answers, revealed, right }) {
    if (kind === "hands") return this.role === "student" ? "" : trn("{n} hand is up.", "{n} hands are up.", this.n);
    if (this.waits) return tr("Your answer is sent when the line is back.");
    if (this.role === "student" && revealed && right.length && this.chosen !== null) {
      const verdict = right.includes(this.chosen) ? tr("So it is: you were right.") : tr("You chose another one.");
      const [number] = this.shown.quiz;
      return number && this.score !== undefined ? `${verdict} ${tr(SCORE, { right: this.score, number })}` : verdict;
    }
    if (this.role === "student" && kind === "sentence") return this.sent ? tr(SENT) : this.isOver ? "" : tr(WRITE);
    if (this.role === "student" && this.chosen === null) return this.isOver ? "" : tr("Tap your answer.");
    return trn("{n} answer", "{n} answers", answers);
  }
}

const TICK = 250; // milliseconds
const WRITE = toSay("Write your sentence. Only the teacher reads it with your name.");
const SENT = toSay("Your sentence is sent. You can change it until the question is closed.");
const SCORE = toSay("Right so far: {right} of {number}.");
const HAND_DOWN = toSay("✋ Raise my hand");
const HAND_UP = toSay("✋ My hand is up");
