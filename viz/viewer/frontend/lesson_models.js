// The models that answer the questions of lessons: each in a worker, fetched once and kept by the browser.

import { counted, kept } from "./kept_files.js";
import { toSay, tr } from "./language.js";

export class LessonModels {
  /** `models` are {name, settings, weights, size, known}, as for the page on which models read; `engine` is the worker's script. */
  constructor(models, engine) {
    Object.assign(this, { models, engine, opened: null, number: 0, waiting: new Map() });
  }

  /** Ask a model something that answers/answering_worker.js knows; `told` hears how far its weights have come, 0 to 1. */
  async ask(name, question, told = () => {}) {
    if (this.opened?.name !== name) this.open(name);
    const { opened } = this;
    opened.told = told;
    await opened.ready;
    return this.send(question);
  }

  /** What a page needs of a model beside its answers, once it is asked: {about, note, spelled, origin}. */
  settingsOf(name) {
    return this.opened?.name === name ? this.opened.settings : null;
  }

  /** The languages that a model reads. */
  languagesOf(name) {
    return this.models.find((model) => model.name === name).languages;
  }

  /** One model at a time: two would take the memory of a telephone. */
  open(name) {
    this.worker?.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error("closed"));
    this.waiting.clear();
    this.worker = new Worker(URL.createObjectURL(new Blob([this.engine], { type: "text/javascript" })));
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = ({ message }) => { for (const { reject } of this.waiting.values()) reject(new Error(message)); };
    const opened = (this.opened = { name, told: () => {} });
    opened.ready = this.fetch(opened);
    opened.ready.catch(() => { if (this.opened === opened) this.opened = null; }); // the next question tries again
  }

  async fetch(opened) {
    const { settings, weights, size, known } = this.models.find(({ name }) => name === opened.name);
    opened.settings = await (await kept(settings, this.models)).json();
    const { body } = await kept(weights, this.models);
    const bytes = await new Response(counted(body, (come) => opened.told(come / size))).arrayBuffer();
    const { tokenizer, config } = opened.settings;
    await this.send({ open: { weights: bytes, tokenizer, config }, known: { name: opened.name, ...known } }, [bytes]);
  }

  send(question, given = []) {
    const number = (this.number += 1);
    this.worker.postMessage({ ...question, number }, given);
    return new Promise((resolve, reject) => this.waiting.set(number, { resolve, reject }));
  }

  hear({ number, failed, ...answer }) {
    const { resolve, reject } = this.waiting.get(number);
    this.waiting.delete(number);
    if (failed) reject(new Error(tr(REASONS[failed.reason], failed.values)));
    else resolve(answer);
  }
}

/** Why a question has no answer; as in lessons/places.py, models/analysis/contrasts.py. */
const REASONS = {
  token: toSay("“{named}” is none of the tokens: {tokens}. Choose one of these."),
  word: toSay("“{word}” is no single piece of this vocabulary ({pieces}). Choose another word."),
  mask: toSay("Write [MASK] where a word is to be guessed."),
  alone: toSay("There is no other token to compare with. Write a longer text."),
  place: toSay("There is no word in this text that could have mattered. Type more than the word that is asked about."),
  other: toSay("The model cannot answer: {why}"),
};
