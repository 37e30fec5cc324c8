// The lessons of the site: predict first, then a model in the page answers. No server, and after the first visit no network.

import { element } from "./dom.js";
import { openOffline } from "./kept_files.js";
import { tr, trn } from "./language.js";
import { LessonModels } from "./lesson_models.js";
import { LessonState } from "./lesson_state.js";
import { LessonStep } from "./lesson_step.js";

/**
 * Show the page in `root`: {models, engine, lessons: {name: lesson}, kinds, elsewhere}, the last being the lessons that need the app,
 * [title, why]. The address has the words of the app's: ?lesson=heads&lesson_step=2, and &embed.
 */
export function openFile(root, contents) {
  return new LessonPage(root, contents);
}

class LessonPage {
  constructor(root, { models, engine, lessons, kinds, elsewhere }) {
    Object.assign(this, { root, lessons, kinds, elsewhere, models: new LessonModels(models, engine), state: new LessonState(), step: null });
    this.isEmbedded = new URLSearchParams(location.search).has("embed");
    document.documentElement.toggleAttribute("data-embed", this.isEmbedded);
    openOffline();
    addEventListener("popstate", () => this.draw());
    addEventListener("keydown", (event) => this.press(event));
    this.draw();
  }

  /** Go to a step, or to the list: the browser's own Back leads here again. */
  go(lesson = "", step = 0) {
    const asked = new URLSearchParams(location.search);
    asked.delete("lesson");
    asked.delete("lesson_step");
    if (lesson) asked.set("lesson", lesson);
    if (step) asked.set("lesson_step", step);
    history.pushState(null, "", `?${asked}`);
    this.draw();
    scrollTo(0, 0);
  }

  draw() {
    this.step?.close();
    this.step = null;
    const asked = new URLSearchParams(location.search);
    const name = asked.get("lesson");
    if (!Object.hasOwn(this.lessons, name)) return this.drawList(name);
    const number = Math.min(Math.max(Math.trunc(Number(asked.get("lesson_step"))) || 0, 0), this.lessons[name].steps.length - 1);
    this.drawStep(name, number);
  }

  /** The list, and above it what the address asks for that is in none. */
  drawList(unknown) {
    this.turns = {};
    const missing = /^[a-z0-9-]{1,60}$/.test(unknown) ? [element("p", { role: "alert" }, tr("There is no lesson “{name}”. These are all:", { name: unknown }))] : [];
    const about = tr("Each step asks before it shows: a guess, right or wrong, makes the answer stick. You can always skip it. All answers are computed by the model while you read.");
    const why = this.elsewhere.map(([title, reason]) => element("li", {}, element("strong", {}, title), element("br"), reason));
    const others = why.length ? [element("p", {}, tr("These lessons need the app. It is free: install Headlight, and open its page “Lessons”.")), element("ul", {}, ...why)] : [];
    this.root.replaceChildren(...missing, element("p", {}, about), element("ol", { class: "lesson-list" }, ...Object.entries(this.lessons).map(([name, lesson]) => this.line(name, lesson))), ...others,
      element("p", {}, element("a", { href: "index.html" }, tr("Try it: type a sentence of your own"))));
  }

  line(name, { title, about, minutes, steps }) {
    const [at, n] = [this.state.stepOf(name), steps.length];
    const isOn = at !== undefined && at < n && !this.state.isDone(name);
    const label = this.state.isDone(name) ? tr("Read again") : isOn ? tr("Go on: step {step} of {all}", { step: at + 1, all: n }) : tr("Begin");
    const size = trn("{n} step · about {minutes} minutes", "{n} steps · about {minutes} minutes", n, { minutes });
    const button = element("button", { type: "button", class: "lesson-button", onclick: () => this.go(name, isOn ? at : 0) }, label);
    const mark = this.state.isDone(name) ? "✓ " : "";
    return element("li", {}, element("div", {}, element("h2", {}, mark + title), element("p", {}, about, " ", element("small", {}, size))), button);
  }

  drawStep(name, number) {
    const [lesson, names] = [this.lessons[name], Object.keys(this.lessons)];
    const [step, n, next] = [lesson.steps[number], lesson.steps.length, names[names.indexOf(name) + 1]];
    const isLast = number + 1 === n;
    this.state.enter(name, number);
    this.step = new LessonStep(step, {
      models: this.models, kinds: this.kinds, guess: this.state.guessOf(name, number),
      told: (guess) => (guess === undefined ? this.state.forget(name, number) : this.state.guess(name, number, guess, isLast)),
    });
    const title = element("h2", { class: "lesson-title" }, step.title);
    this.turns = {};
    if (this.isEmbedded) return this.root.replaceChildren(title, this.step.node); // nothing but the step, as in the app
    const turn = (text, onclick, disabled = false) => element("button", { type: "button", class: "lesson-button", disabled, onclick }, text);
    const afterLast = next ? tr("Next lesson: {title}", { title: this.lessons[next].title }) : tr("All lessons");
    const back = turn(tr("Back"), () => this.go(name, number - 1), number === 0);
    const forward = isLast ? turn(afterLast, () => this.go(next)) : turn(tr("Next"), () => this.go(name, number + 1));
    this.turns = { b: back, n: forward };
    const head = element("div", { class: "lesson-head" }, turn(tr("All lessons"), () => this.go()),
      element("p", {}, lesson.title, " · ", tr("step {step} of {all}", { step: number + 1, all: n })), element("progress", { value: number + 1, max: n }));
    this.root.replaceChildren(head, title, this.step.node, element("div", { class: "lesson-turn" }, back, forward));
  }

  /** "n" is Next and "b" is Back, as in the app, but where a reader types. */
  press({ key, target, ctrlKey, metaKey, altKey }) {
    const field = target.closest?.("input,textarea,select");
    if (ctrlKey || metaKey || altKey || (field && field.type !== "range")) return;
    this.turns[key.toLowerCase()]?.click();
  }
}
