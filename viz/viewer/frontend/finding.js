// Above the picture: what stands out in the text, or where the held word looks, in words; as viz/heads/words.py says it.

import { MEAN } from "./declared.js";
import { element } from "./dom.js";
import { headHabits, standsOut, strongestInRow } from "./finding_search.js";
import { particleMarkings } from "./finding_korean.js";
import { isEnglish, readWords, startsOfWords } from "./finding_words.js";
import { listed, toSay, tr } from "./language.js";

const NTH = [toSay("the first “{word}”"), toSay("the second “{word}”"), toSay("the third “{word}”")];

export class Finding {
  /** `tables` are those of a model, empty for one without; `go(choices)` shows the head and the word of what stands out. */
  constructor(tables, go) {
    Object.assign(this, { tables, go, reading: null, found: null, isSearched: false, isDone: false });
    this.sentence = element("span", {});
    this.button = element("button", { type: "button", class: "live-switch", onclick: () => this.show() }, tr("Show what stands out"));
    this.node = element("p", { class: "live-finding", "aria-live": "polite", hidden: true }, this.sentence, " ", this.button);
  }

  get isKnown() {
    return Boolean(this.tables.offsets);
  }

  /** The layer whose states tell parts of speech; none where they are not known, or known by the form of a word. */
  get layer() {
    return this.tables.tagger?.n_layers ?? null;
  }

  /** Another text has been read, {pieces, layers, columns, isCausal}; what stands out in it is searched later. */
  read(reading) {
    Object.assign(this, { reading: { ...reading, words: readWords(reading.pieces, reading.columns.words, this.tables) }, found: null, isSearched: false, isDone: false });
  }

  /** What each piece marks if it is certainly a particle of Korean. */
  markings(pieces, { words }) {
    return this.tables.korean ? particleMarkings(pieces, startsOfWords(pieces, words), this.tables.korean) : [];
  }

  /**
   * Search, unless the text `isUnread` or is an example about a `place` {layer, head, query}: `state` is that of `layer`. Gives whether
   * the text seems to be in a language that is read.
   */
  search(state, { isUnread, place = null }) {
    const { reading, tables } = this;
    this.isDone = true;
    const isOurs = !tables.english || isEnglish(reading.pieces, reading.columns.words, tables.english);
    if (!this.isKnown || isUnread || !isOurs || !(state || tables.korean)) return isOurs;
    const words = readWords(reading.pieces, reading.columns.words, tables, state);
    this.found = place ? strongestInRow(reading, tables, place) : standsOut({ ...reading, words }, tables);
    this.isSearched = true;
    return isOurs;
  }

  show() {
    const { layer, head, query } = this.found;
    this.go({ layer, head, locked: [query] });
  }

  /** Say what there is to say of the head on show; nothing is written twice, as a screen reader would say it. */
  draw({ layer, head, locked }) {
    const { found, reading, isDone } = this;
    const about = JSON.stringify([layer, head, locked, isDone]);
    if (this.drawn?.about === about && this.drawn.reading === reading) return;
    this.drawn = { about, reading };
    const isThere = found && found.layer === layer && found.head === head;
    const held = this.isKnown && this.reading && head !== MEAN ? this.heldWord(locked) : null;
    const isWaiting = this.isKnown && !this.isDone && held === null; // its room stays, so that nothing moves
    this.node.style.visibility = isWaiting ? "hidden" : "";
    if (isWaiting) return;
    const shown = held === null ? (isThere ? found : null) : strongestInRow(this.reading, this.tables, { layer, head, query: held });
    const said = shown ? this.inWords(shown) : this.isSearched && !found && held === null ? [tr("Nothing stands out in this sentence."), this.habits()] : ["", ""];
    this.sentence.replaceChildren(element("strong", {}, said[0]), " ", said[1]);
    this.sentence.title = shown ? this.evidence(shown) : "";
    this.button.hidden = !found || (isThere && held !== null && shown?.query === found.query);
    this.node.hidden = !said[0] && this.button.hidden;
  }

  /** The piece that is held, if it is one word that is; null for none and for several. */
  heldWord(locked) {
    const { starts } = this.reading.words;
    const words = new Set(locked.map((place) => starts.findLastIndex((start) => start <= place)));
    return words.size === 1 && locked[0] < this.reading.pieces.length ? locked[0] : null;
  }

  inWords({ layer, head, query, key, weight, expected, isByKey }) {
    const { pieces, layers } = this.reading;
    const said = { query: this.quoted(query), key: this.quoted(key), share: inPercent(weight) };
    const row = layers[layer].weights[head].subarray(query * pieces.length, (query + 1) * pieces.length);
    const rest = row.reduce((sum, one, at) => sum + (pieces[at].isStructural ? one : 0), 0);
    const tells = rest > weight // which the picture says
      ? tr("Of all words {query} looks most at {key} here: {share} of its attention.", said)
      : tr("In this head {query} looks most at {key}: {share} of its attention.", said);
    const against = isByKey
      ? tr("The other words give {key} {expected} on average.", { key: said.key, expected: inPercent(expected) })
      : tr("Usually it gives such a word {expected}.", { expected: inPercent(expected) });
    return [tells, against];
  }

  /** What most heads do in the text; as `habits_in_words` says it. */
  habits() {
    const { pieces, layers } = this.reading;
    const [special, neighbours, itself] = headHabits(this.reading);
    const tokens = listed([...new Set(pieces.filter((piece) => piece.isStructural).map(({ text }) => text))]);
    const places = [[special, tr("{n} at {tokens}", { n: special, tokens })], [neighbours, tr("{n} at the next word or the one before", { n: neighbours })], [itself, tr("{n} at the word itself", { n: itself })]];
    const counted = places.filter(([n]) => n).sort(([n, one], [m, other]) => m - n || (one < other ? 1 : -1)).map(([, said]) => said);
    return counted.length ? tr("Where the {all} heads look most: {places}.", { all: layers.length * layers[0].weights.length, places: counted.join(", ") }) : "";
  }

  evidence({ layer, head, isByKey }) {
    const place = tr("Layer {layer} · Head {head}", { layer, head });
    const against = isByKey
      ? tr("That is more than this head usually gives to a word at that distance.")
      : tr("“Usually” is what this head gives to a word at that distance, on average over {n} texts.", { n: this.tables.n_texts.toLocaleString("en") });
    return `${place}. ${against}`;
  }

  /** A word in quotation marks; of several that are spelled alike, which one. */
  quoted(position) {
    const { columns: { texts, wholes }, words: { starts } } = this.reading;
    const place = starts.findLastIndex((start) => start <= position);
    const spelled = starts.map((start) => wholes[start] ?? texts[start]);
    const word = spelled[place];
    if (spelled.filter((other) => other === word).length === 1) return `“${word}”`;
    const nBefore = spelled.slice(0, place).filter((other) => other === word).length;
    return nBefore < NTH.length ? tr(NTH[nBefore], { word }) : `“${word}” (${nBefore + 1})`;
  }
}

function inPercent(share) {
  return `${(100 * share).toFixed(0)}%`;
}
