// From a text to pieces: what tokenizers of every kind share. A kind cuts the texts between special tokens, `cutPart`.

export class Tokenizer {
  /** `settings` are those of a tokenizer.json. */
  constructor({ model: { vocab }, post_processor: template, added_tokens: added }) {
    const { single, pair } = template?.single ? template : PLAIN;
    Object.assign(this, { single, pair, ids: new Map(Object.entries(vocab)), added: new Set(added.map(({ content }) => content)) });
    for (const { content, id } of added) this.ids.set(content, id);
    this.vocabulary = []; // [d_vocab]
    for (const [text, id] of this.ids) this.vocabulary[id] = text;
    const longestFirst = [...this.added].sort((one, other) => other.length - one.length);
    this.special = added.length ? new RegExp(`(${longestFirst.map((token) => token.replace(/[[\](){}|.*+?^$\\]/g, "\\$&")).join("|")})`) : /(?!)/;
  }

  /**
   * The pieces of a text, and of a `second` one after it, [{id, text, start, end, isStructural, segment}], each cut so that there
   * are `most` together: those that the tokenizer adds, [CLS] and [SEP], are structural. `isCut` says whether something is left
   * out.
   */
  encode(text, most = Infinity, second = "") {
    const template = second ? this.pair : this.single;
    const own = { A: this.cut(text), B: this.cut(second) };
    const room = Math.floor((most - template.filter((part) => part.SpecialToken).length) / (second ? 2 : 1));
    const pieces = template.flatMap(({ SpecialToken: token, Sequence: sequence }) => (token
      ? { id: this.ids.get(token.id), text: token.id, isStructural: true, segment: token.type_id }
      : own[sequence.id].slice(0, room).map((piece) => ({ ...piece, segment: sequence.type_id }))));
    return { pieces, isCut: own.A.length > room || own.B.length > room };
  }

  /** The pieces of a text without those that are added; special tokens that were typed are pieces. */
  cut(text) {
    return splitAt(text, this.special).flatMap(({ part, start, end, isMatch }) =>
      (isMatch ? [this.piece(part, start, end)] : this.cutPart(part, start)));
  }

  piece(text, start, end) {
    return { id: this.ids.get(text), text, start, end, isStructural: false };
  }
}

/** The parts of a text at the matches of a pattern, which has one group, and those matches; `at` is where the text starts. */
export function splitAt(text, pattern, at = 0) {
  return text.split(pattern).map((part, index) => ({ part, start: at, isMatch: index % 2 === 1, end: at += part.length }));
}

/** Without a template nothing is added. */
const PLAIN = { single: [{ Sequence: { id: "A", type_id: 0 } }], pair: [{ Sequence: { id: "A", type_id: 0 } }, { Sequence: { id: "B", type_id: 0 } }] };
