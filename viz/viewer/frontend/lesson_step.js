// One step of a lesson: text, question, prediction, picture, claim, and the reader's own sentence.

import { aboutModel } from "./about_model.js";
import { element, write } from "./dom.js";
import { tr } from "./language.js";
import { guessForm } from "./lesson_guess.js";
import { OwnQuestion } from "./lesson_own.js";
import { lessonView } from "./lesson_view.js";
import { factsOf, isRight, isTrue, partsOf, verdictOn } from "./lesson_words.js";
import { inPerCent } from "./text_numbers.js";

export class LessonStep {
  /** `step` as deploy/site/live_lessons.py describes it; `guess` is what was guessed before, `told(guess)` hears of a new one. */
  constructor(step, { models, kinds, guess, told }) {
    Object.assign(this, { step, models, kinds, guess, told, view: null, isClosed: false });
    this.status = element("p", { class: "lesson-status", role: "status" });
    this.words = element("div", { class: "lesson-words" });
    this.picture = element("div", { class: "lesson-picture" });
    this.own = element("div");
    this.about = element("div", { class: "lesson-about" });
    this.node = element("div", { class: "lesson-step" }, this.status, element("div", { class: "lesson-columns" }, this.words, this.picture), this.own, this.about);
    this.start();
  }

  async start() {
    const answer = await this.ask(this.step.asks, this.status);
    if (!answer) return;
    Object.assign(this, answer);
    this.draw();
    this.about.replaceChildren(aboutModel(this.models.settingsOf(this.step.model).origin));
  }

  /** Ask the model, and say how far that is; null if it failed, or the step is left. */
  async ask(asks, status) {
    write(status, tr("Asking the model"));
    const come = (share) => write(status, share < 1 ? tr("The model is being fetched: {share}", { share: inPerCent(share) }) : tr("Asking the model"));
    try {
      const answer = await this.models.ask(this.step.model, { asks }, come);
      write(status, "");
      return this.isClosed ? null : answer;
    } catch ({ message }) {
      write(status, message);
      return null;
    }
  }

  draw() {
    const { step, outcomes, guess } = this;
    const [facts, outcome, ask] = [factsOf(outcomes), outcomes[""], step.asks[""]];
    const isOpen = guess === undefined;
    const kind = this.kinds[ask.what];
    const asked = isOpen
      ? [guessForm(outcome, kind.tap, (made) => this.answered(made))]
      : [verdictNode(guess, outcome, () => this.answered(undefined)), claimNode(isTrue(step.holds, facts) ? step.claim : kind.says, facts)];
    this.words.replaceChildren(...paragraphs(step.text, facts), element("h3", {}, ...bold(step.question, facts)), ...sentences(ask), ...asked);
    this.view?.close();
    this.view = lessonView(this.viewed(ask, outcome, this.readings), { covers: isOpen, isBare: step.first === "view" });
    this.picture.replaceChildren(this.view.node);
    if (step.own && !isOpen && !this.own.hasChildNodes()) this.offerOwn();
  }

  viewed(ask, outcome, readings) {
    const { view, model, begins } = this.step;
    return { ask, outcome, readings, view, begins, settings: this.models.settingsOf(model), kind: this.kinds[ask.what] };
  }

  answered(guess) {
    this.guess = guess;
    this.told(guess, guess !== undefined && guess !== null && isRight(guess, this.outcomes[""]));
    this.draw();
  }

  offerOwn() {
    const ask = this.step.asks[""];
    const form = new OwnQuestion(ask, {
      required: this.kinds[ask.what].required, languages: this.models.languagesOf(this.step.model),
      tokensOf: (text) => this.models.ask(this.step.model, { tokensOf: text }), told: (asked) => this.askOwn(asked, form, place),
    });
    const place = element("div", { class: "lesson-columns" });
    this.own.replaceChildren(form.node, place);
  }

  /** The question about the reader's own sentence, with a prediction of its own. */
  async askOwn(ask, form, place) {
    this.ownView?.close();
    place.replaceChildren();
    if (!ask) return;
    const answer = await this.ask({ "": ask }, form.status);
    if (!answer) return;
    const [outcome, kind, facts] = [answer.outcomes[""], this.kinds[ask.what], factsOf(answer.outcomes)];
    const guessed = (guess) => {
      this.ownView = lessonView(this.viewed(ask, outcome, answer.readings));
      place.replaceChildren(element("div", { class: "lesson-words" }, verdictNode(guess, outcome), claimNode(kind.says, facts)), element("div", { class: "lesson-picture" }, this.ownView.node));
    };
    place.replaceChildren(element("div", { class: "lesson-words" }, element("p", {}, ...bold(kind.asks, facts)), guessForm(outcome, kind.tap, guessed)));
  }

  close() {
    this.isClosed = true;
    this.view?.close();
    this.ownView?.close();
  }
}

/** A template with its facts in bold. */
function bold(template, facts) {
  return partsOf(template, facts).map(({ text, isFact }) => (isFact ? element("b", {}, text) : text));
}

function paragraphs(text, facts) {
  return text.split(/\n\s*\n/).map((paragraph) => element("p", {}, ...bold(paragraph, facts)));
}

function sentences({ text, text_b: second }) {
  const said = [...new Set([text, second])].filter(Boolean).map((sentence) => `“${sentence}”`).join(" ");
  return said ? [element("p", { class: "lesson-sentence" }, said)] : [];
}

function verdictNode(guess, outcome, again = null) {
  const isGood = guess !== null && isRight(guess, outcome);
  const button = again ? [element("button", { type: "button", class: "lesson-button", onclick: again }, tr("Predict again"))] : [];
  return element("div", { class: "lesson-verdict", "data-right": isGood, role: "status" }, element("p", {}, `${isGood ? "✓" : "→"} ${verdictOn(guess, outcome)}`), ...button);
}

function claimNode(claim, facts) {
  return element("div", { class: "lesson-claim" }, ...paragraphs(claim, facts));
}
