// A page that reads: the viewer, and a model in the page that reads whatever is typed, with no server and no network.

import { aboutModel } from "./about_model.js";
import { MEAN } from "./declared.js";
import { element, write } from "./dom.js";
import { Finding } from "./finding.js";
import { toSay, tr } from "./language.js";
import { Guesses } from "./live_guesses.js";
import { LiveReader, MOST_LETTERS } from "./live_reader.js";
import { liveSource, withColumns } from "./live_source.js";
import { Translation } from "./live_translation.js";
import { titleOf } from "./overview.js";
import { bytesOf, serverSource } from "./source.js";
import { inPerCent } from "./text_numbers.js";
import { isReadable, sayUnknown, sayUnlearned, sayUnread, unreadScript } from "./typed_text.js";
import { Viewer } from "./viewer.js";
import { KIND_TITLES } from "./viewer_frame.js";

/**
 * Show the page of a file in `root`: {about, choices, text, spelled, note, engine, weights, tokenizer, config, origin, languages, findings,
 * markings}.
 */
export function openFile(root, contents) {
  const weights = () => inflated(bytesOf(contents.weights));
  return new LivePage(root, { ...contents, weights });
}

export class LivePage {
  /**
   * `contents` are those of a file, but for `weights`, which has them fetched: it is given a function that says how far that is. With
   * `numbers`, the address of the recording of the text, that is shown meanwhile.
   * `told` hears of every change of the text and of what is chosen. `readers` has functions that open other models, by the script that
   * they read: "HANGUL", "LATIN".
   */
  constructor(root, contents, told = () => {}, readers = {}) {
    Object.assign(this, { contents, told, readers, choices: contents.choices, read: null, hidden: [], off: null, isWithoutPositions: false, whole: null });
    const id = "live-text";
    this.field = element("textarea", { id, rows: 2, spellcheck: "false", oninput: () => this.ask() }, contents.text);
    this.words = element("div", { class: "live-words", role: "group", "aria-label": tr("Hide a word") });
    this.status = element("p", { class: "live-status", role: "status" }, tr("The model is being unpacked …"));
    const [{ kind: first }, cross] = contents.about.kinds; // a decoder, an encoder, or a translator with both
    Object.assign(this, { writesOn: first === "decoder", translates: Boolean(cross), translation: new Translation() });
    this.learned = contents.learned ? new Set(contents.learned.split(" ")) : null;
    this.guesses = new Guesses(contents.spelled, this.writesOn ? (written) => this.append(written) : null);
    this.switch = element("button", { type: "button", class: "live-switch", hidden: true, onclick: () => this.turnHead() });
    this.order = element("button", { type: "button", class: "live-switch", hidden: true, onclick: () => this.turnPositions() });
    this.note = element("p", { class: "live-note", role: "note", "aria-live": "polite", hidden: true });
    this.finding = new Finding(contents.findings, (choices) => this.viewer.model.set(choices));
    const label = element("label", { for: id }, tr("Type a sentence"));
    const form = element("div", { class: "live" }, label, this.field, this.words, this.status, this.note, element("div", { class: "live-switches" }, this.switch, this.order));
    const place = element("div");
    root.replaceChildren(form, this.guesses.node, this.translation.node, this.finding.node, place, aboutModel(contents.origin));
    this.viewer = new Viewer(place);
    this.viewer.model.listen(() => this.changed());
    this.start().catch((error) => this.failed(error));
  }

  /** Start the worker, and give it the model. */
  async start() {
    const { engine, tokenizer, config, numbers, choices, text } = this.contents;
    if (numbers) this.viewer.open(serverSource(numbers), choices, text); // until the model is here
    this.reader = new LiveReader(URL.createObjectURL(new Blob([engine], { type: "text/javascript" })), {
      reading: (reading) => this.show(reading), guesses: (guesses, state) => this.showGuesses(guesses, state), failed: (error) => this.failed(error),
    });
    this.ask();
    const come = (share) => write(this.status, tr("The model is being fetched: {share}", { share: inPerCent(share) }));
    const weights = await this.contents.weights(come);
    this.reader.open({ weights, tokenizer, config }, this.finding.layer);
  }

  failed({ message }) {
    write(this.status, tr("The model cannot be started in this browser: {reason}", { reason: message }));
  }

  /** Have the text read as it stands now. */
  ask() {
    this.reader.ask(this.field.value, { off: this.off, isWithoutPositions: this.isWithoutPositions });
    if (this.read) this.say();
  }

  /** Read another text, with what is chosen in its picture, all heads on. */
  begin(text, choices) {
    this.field.value = text;
    Object.assign(this, { choices, off: null, isWithoutPositions: false, hidden: [] });
    this.ask();
  }

  /** The head on show is switched off, or the one that is off on again. */
  turnHead() {
    const { kind, layer, head } = this.viewer.model.choices;
    this.off = this.off ? null : { kind, layer, head };
    this.ask();
    this.changed();
  }

  /** Every token is told the same position, or its own again. */
  turnPositions() {
    this.isWithoutPositions = !this.isWithoutPositions;
    this.ask();
    this.changed();
  }

  changed() {
    const { choices } = this.viewer.model;
    this.switch.hidden = !this.read || (choices.head === MEAN && !this.off);
    this.switch.setAttribute("aria-pressed", String(this.off !== null));
    write(this.switch, this.off ? tr("{head} is off: switch it on", { head: this.named(this.off) }) : tr("Switch off {head}", { head: this.named(choices) }));
    this.order.hidden = !this.read || this.writesOn || this.translates; // the mask of a decoder tells the order, too
    this.order.setAttribute("aria-pressed", String(this.isWithoutPositions));
    write(this.order, this.isWithoutPositions ? tr("The order of the words is hidden: show it") : tr("Hide the order of the words"));
    this.finding.draw(choices);
    this.told({ text: this.field.value, choices });
  }

  /** A head by its name; of a translator with the attention that it belongs to. */
  named(place) {
    return this.translates ? tr(KIND_TITLES[place.kind], { title: titleOf(place) }) : titleOf(place);
  }

  say() {
    const hint = this.writesOn ? tr("Press a word to write on with it.") : tr("Press a word to hide it: the model guesses it.");
    const { isCut, isCutAtLetters, n } = this.read;
    const cut = isCutAtLetters ? tr("Only the first {n} letters are read.", { n: MOST_LETTERS }) : tr("Only the first {n} tokens are read.", { n });
    const said = isCut ? cut : this.translates ? tr("The row of a token is where the next one is chosen: the likeliest.") : hint;
    write(this.status, isReadable(this.field.value) ? said : tr("Type a few words."));
  }

  show({ isCut, isCutAtLetters, text, number, changed, ...reading }) {
    const { pieces, layers, written } = reading;
    const attention = withColumns(reading, text.slice(0, MOST_LETTERS), written, this.contents.spelled);
    const columns = attention[0].queries;
    const marked = this.finding.markings(pieces, columns).map((marking) => this.contents.markings[marking] ?? "");
    if (marked.some(Boolean)) columns.markings = marked;
    this.finding.read({ pieces, layers, columns, text, isCausal: this.writesOn });
    const held = text === this.read?.text ? { locked: this.viewer.model.choices.locked } : {}; // the same words stand there
    this.read = { text, isCut, isCutAtLetters, n: pieces.length, script: unreadScript(text.slice(0, MOST_LETTERS), this.contents.languages), ...changed };
    this.viewer.open(liveSource({ attention, text, number }, this.contents), { ...held, ...this.choices }, String(number));
    this.choices = {}; // from now on what the reader chose stays
    this.say();
    this.sayNote({ pieces, text, columns });
    const n = attention.at(-1).queries.texts.length;
    if (written) this.translation.draw({ text, written, n, without: changed.off ? this.named(changed.off) : "" });
    else if (!this.writesOn) this.drawWords(spansOf(pieces, columns.words), text);
  }

  /** What the model cannot read in the text, and a button that opens one that can, where there is one. */
  sayNote(reading, isOurs = true) {
    const [{ script }, { name }] = [this.read, this.contents.origin];
    const said = sayUnread(script, { isAlone: !this.readers[script] }) || (this.learned && sayUnlearned(reading, this.learned, name)) || sayUnknown(reading, name) || (isOurs ? "" : tr(OTHER_LANGUAGE, { model: name }));
    const open = this.readers[script];
    this.note.replaceChildren(said, ...(open ? [" ", element("button", { type: "button", class: "live-switch", onclick: open }, tr(OPEN_IN[script]))] : []));
    this.note.hidden = !said;
  }

  showGuesses(guesses, state) {
    const { text, off, isWithoutPositions, script } = this.read;
    const sides = (this.contents.examples ?? []).flatMap((example) => example.sides);
    const side = sides.find((one) => one.text === text);
    const place = side?.choices.locked.length ? { ...side.choices, query: side.choices.locked[0] } : null;
    const isOurs = this.finding.search(state, { isUnread: script !== "", place });
    this.sayNote(this.finding.reading, isOurs);
    this.finding.draw(this.viewer.model.choices);
    if (!off && !isWithoutPositions) this.whole = { text, guesses };
    this.guesses.draw(guesses, off ? this.named(off) : "", off && this.whole?.text === text ? this.whole.guesses : []);
  }

  /** The words of the text as buttons, which hide them, or put them back. */
  drawWords(spans, text) {
    const words = spans.map(([start, end]) => text.slice(start, end));
    const nMasks = words.filter((word) => word === MASK).length;
    if (nMasks !== this.hidden.length) this.hidden = Array(nMasks).fill("");
    let index = 0; // of the next mask
    this.words.replaceChildren(...spans.map(([start, end], at) =>
      words[at] === MASK ? this.maskButton(start, end, index++) : this.wordButton(words[at], start, end, index)));
  }

  wordButton(word, start, end, index) {
    return element("button", { type: "button", "aria-pressed": "false", onclick: () => this.hide(start, end, index) }, element("bdi", {}, word));
  }

  maskButton(start, end, index) {
    const word = this.hidden[index];
    const said = word ? tr("Put back: {word}", { word }) : MASK;
    const back = () => this.putBack(start, end, index);
    return element("button", { type: "button", "aria-pressed": "true", disabled: !word, title: said, "aria-label": said, onclick: back }, MASK);
  }

  hide(start, end, index) {
    this.hidden.splice(index, 0, this.read.text.slice(start, end));
    this.replace(start, end, MASK);
  }

  putBack(start, end, index) {
    const [word] = this.hidden.splice(index, 1);
    this.replace(start, end, word);
  }

  /** Write on with what is typed for a piece. */
  append(written) {
    const { value } = this.field;
    this.field.value = (this.contents.tokenizer.model.type === "BPE" ? value : value.trimEnd()) + written; // BPE reads spaces, too
    this.ask();
  }

  replace(start, end, word) {
    const { text } = this.read;
    this.field.value = text.slice(0, start) + word + text.slice(end);
    this.ask();
  }

  close() {
    this.told = () => {};
    this.reader?.close();
    this.viewer.close();
  }
}

const MASK = "[MASK]";
const OPEN_IN = { HANGUL: toSay("Open in a Korean model"), LATIN: toSay("Open in an English model") };
const OTHER_LANGUAGE = toSay("This does not look like English, and {model} reads nothing else: what you see here says little about your text.");

/** Where the words of a text stand: from the first of their pieces to the last. */
function spansOf(pieces, words) {
  const spans = new Map();
  pieces.forEach(({ start, end }, at) => {
    if (words[at] !== null) spans.set(words[at], [spans.get(words[at])?.[0] ?? start, end]);
  });
  return [...spans.values()];
}

/** Bytes that gzip has packed. */
function inflated(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
