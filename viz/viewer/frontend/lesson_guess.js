// How a reader predicts an answer: a token, a head, one of several choices, or a number on a line; it can be skipped.

import { element, write } from "./dom.js";
import { toSay, tr } from "./language.js";
import { stepOf, written, writtenNumber } from "./lesson_words.js";

const TAP = { token: toSay("Tap a token"), head: toSay("Tap a head"), choice: toSay("Tap one of these"), number: toSay("Move to your number") };
const NOT_MOVED = "?";

/** The options of a question, or its line; `told(guess)` hears a number, the index of an option, or null for none. */
export function guessForm(outcome, tap, told) {
  const skip = element("button", { type: "button", class: "lesson-button", onclick: () => told(null) }, tr("Skip"));
  const parts = outcome.options.length ? [options(outcome, told)] : line(outcome, told);
  return element("div", { class: "lesson-guess", role: "group", "aria-label": tr(TAP[tap]) }, element("p", {}, tr(TAP[tap])), ...parts, skip);
}

function options(outcome, told) {
  const button = (option, at) => element("button", { type: "button", class: "lesson-button", onclick: () => told(at) }, element("bdi", {}, written(option)));
  return element("div", { class: "lesson-options" }, ...outcome.options.map(button));
}

/** The line has nothing to propose: it counts once it is moved. */
function line(outcome, told) {
  const { low, high } = outcome;
  const [step, shown] = [stepOf(outcome), element("output", {}, NOT_MOVED)];
  const button = element("button", { type: "button", class: "lesson-button", disabled: true, onclick: () => told(low + step * Number(slider.value)) }, tr("That is my guess"));
  const moved = () => {
    button.disabled = false;
    write(shown, writtenNumber(low + step * Number(slider.value), outcome));
    slider.setAttribute("aria-valuetext", shown.textContent);
  };
  const most = Math.round((high - low) / step);
  const slider = element("input", { type: "range", min: 0, max: most, value: 0, "aria-label": tr(TAP.number), "aria-valuetext": NOT_MOVED, oninput: moved, onpointerup: moved });
  const ends = element("div", { class: "lesson-line" }, element("span", {}, writtenNumber(low, outcome)), slider, element("span", {}, writtenNumber(high, outcome)));
  return [element("p", { class: "lesson-number" }, shown), ends, button];
}
