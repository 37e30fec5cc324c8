// The picture follows what is typed into the field of a page, key by key: the model reads in the browser until the server answers.

import { LiveReader } from "./live_reader.js";
import { liveSource, withColumns } from "./live_source.js";
import { serverSource } from "./source.js";

export class Typing {
  constructor(viewer) {
    Object.assign(this, { viewer, data: {}, reader: null, isTyped: false, newest: null, past: new Set(), stop: new AbortController() });
    const { signal } = this.stop;
    for (const event of ["focusin", "input"]) document.addEventListener(event, (noticed) => this.notice(noticed), { capture: true, signal });
  }

  /** What the page says, as `openComponent` has it. Its recording is shown, unless it answers a text that has been typed on since. */
  hear(data) {
    const [before, { typed }] = [this.data, data];
    this.data = data;
    const isSame = before.typed?.model === typed?.model;
    if (!isSame) this.forget();
    const isLate = isSame && typed && typed.text !== this.newest && this.past.has(typed.text);
    if (data.id !== before.id && !(this.isTyped && isLate)) this.showServed(data.choices);
    else this.viewer.hear(this.isTyped ? { ...data, choices: this.withOwn(data.choices, this.viewer.model.choices) } : data);
  }

  /** The choices that the page may hear of: what is held in a text that was only typed is not for it. */
  toldOf(choices) {
    return this.isTyped ? this.withOwn(choices, this.data.choices) : choices;
  }

  withOwn(choices, { locked, zoom }) {
    return { ...choices, locked, zoom };
  }

  notice({ type, target }) {
    const { typed } = this.data;
    if (!typed || !target.closest?.(`.st-key-${typed.field}`)) return;
    if (type === "input") this.past.add(this.newest = target.value);
    if (this.reader || this.viewer.isPainted) this.follow();
  }

  /** Fetch the model when a reader comes to the field, and have it read what is typed there. */
  follow() {
    this.reader ??= this.begin();
    if (this.newest === null) return;
    if (this.newest !== this.data.typed.text && !ADDED.test(this.newest)) this.reader.ask(this.newest);
    else if (this.isTyped) this.showServed(this.withOwn(this.viewer.model.choices, this.data.choices));
    else this.newest = null; // what is being read is not shown
  }

  begin() {
    const { typed: { engine, model } } = this.data;
    this.about = { ...this.viewer.model.about, portable: false }; // only the server makes files of a recording
    const reader = new LiveReader(engine, { reading: (reading) => this.show(reading), failed: () => {} });
    this.fetchModel(model).then((files) => {
      this.spelled = files.spelled;
      reader.open(files);
    }).catch(() => {}); // the server answers, as it does for every other model
    return reader;
  }

  async fetchModel(model) {
    const fetched = async (address) => {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      return answer;
    };
    const { settings, weights } = await (await fetched(model)).json();
    const [read, bytes] = await Promise.all([(await fetched(settings)).json(), (await fetched(weights)).arrayBuffer()]);
    return { ...read, weights: bytes };
  }

  show({ isCut, text, number, ...reading }) {
    const { viewer: { model }, data: { typed, choices } } = this;
    if (this.newest === null) return; // the server's has come in its place
    if (isCut) {
      if (this.isTyped) this.showServed(this.withOwn(model.choices, choices));
      return;
    }
    const id = `typed ${number}`;
    const attention = withColumns(reading, text, reading.written, this.spelled);
    const { queries } = attention.find(({ kind }) => kind === model.choices.kind) ?? attention[0];
    const locked = movedTo(queries.texts, model.shown.queries.map((token) => token.text), model.choices.locked);
    this.turn(true);
    this.viewer.open(liveSource({ attention, text, number: id }, { about: this.about, note: typed.note }), { locked }, id);
  }

  showServed(choices) {
    this.newest = null;
    this.past.clear();
    this.turn(false);
    this.viewer.open(serverSource(this.data.base), choices, this.data.id);
  }

  /** What the server has said of its text is not seen beside the picture of another one. */
  turn(isTyped) {
    this.isTyped = isTyped;
    document.documentElement.toggleAttribute("data-typed", isTyped);
  }

  /** Another model is on show, or none. */
  forget() {
    this.reader?.close();
    this.reader = null;
  }

  close() {
    this.stop.abort();
    this.forget();
    this.turn(false);
  }
}

const ADDED = /^\s*\[(CLS|SEP)\]|\[(CLS|SEP)\]\s*$/; // the server leaves out what the tokenizer adds itself

/** Where held tokens stand in a text that has been changed in one place; those that were changed are not held. */
function movedTo(after, before, held) {
  const isShorter = Math.min(after.length, before.length);
  let [start, end] = [0, 0]; // so many tokens are the same at the start, and at the end
  while (start < isShorter && after[start] === before[start]) start += 1;
  while (end < isShorter - start && after.at(-1 - end) === before.at(-1 - end)) end += 1;
  const moved = after.length - before.length;
  return held.flatMap((place) => (place < start ? [place] : place >= before.length - end ? [place + moved] : []));
}
