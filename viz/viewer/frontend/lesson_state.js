// What a reader has done in the lessons: the step of each, and the guess at every question. The browser keeps it.

import { spoken } from "./language.js";

export class LessonState {
  constructor() {
    this.name = `headlight-lessons-${spoken()}`; // another language may ask other things
    this.kept = { steps: {}, guesses: {}, done: {} };
    try {
      Object.assign(this.kept, JSON.parse(localStorage.getItem(this.name)));
    } catch { /* nothing was kept, or nothing may be */ }
  }

  keep() {
    try {
      localStorage.setItem(this.name, JSON.stringify(this.kept));
    } catch { /* then it lasts as long as the page */ }
  }

  /** The index of the step at which a reader is; undefined for a lesson that is not begun. */
  stepOf(lesson) {
    return this.kept.steps[lesson];
  }

  /** The guess at a step: a number, null for a question that was skipped, undefined for none yet. */
  guessOf(lesson, step) {
    return this.kept.guesses[`${lesson} ${step}`];
  }

  isDone(lesson) {
    return this.kept.done[lesson] === true;
  }

  enter(lesson, step) {
    this.kept.steps[lesson] = step;
    this.keep();
  }

  guess(lesson, step, guess, isLast) {
    this.kept.guesses[`${lesson} ${step}`] = guess;
    if (isLast) this.kept.done[lesson] = true;
    this.keep();
  }

  forget(lesson, step) {
    delete this.kept.guesses[`${lesson} ${step}`];
    this.keep();
  }
}
