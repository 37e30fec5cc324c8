// From a text to pieces of bytes: words with the space before them, spelled in bytes, of which pairs are joined again and again.
//
// Sennrich et al. 2016, section 3.2; Radford et al. 2019, section 2.2; to the piece as the library `tokenizers` does it.

import { splitAt, Tokenizer } from "./tokenizer.js";

export class ByteLevel extends Tokenizer {
  constructor(settings) {
    super(settings);
    const { model: { merges }, pre_tokenizer: parting } = settings;
    this.ranks = new Map(merges.map((pair, rank) => [[pair].flat().join(" "), rank]));
    this.hasDigitsApart = Boolean(parting.pretokenizers); // as in SmolLM
  }

  cutPart(text, start) {
    return splitAt(text, this.hasDigitsApart ? /(\p{N})/u : /(?!)/, start).flatMap(({ part, start: first }) =>
      Array.from(part.matchAll(WORDS), ({ 0: word, index }) => this.cutWord(lettersOf(word, first + index))).flat());
  }

  /** Of the letters of a word, the pair that was learned first is joined to one piece, then of what that leaves, and so on. */
  cutWord(parts) {
    const rankAt = (at) => this.ranks.get(`${parts[at]?.text} ${parts[at + 1]?.text}`) ?? Infinity;
    const ranks = parts.map((_, at) => rankAt(at));
    for (;;) {
      const first = ranks.reduce((low, rank) => Math.min(low, rank), Infinity);
      if (first === Infinity) return parts.map((part) => this.pieceOf(part));
      const at = ranks.indexOf(first);
      parts.splice(at, 2, { text: parts[at].text + parts[at + 1].text, start: parts[at].start, end: parts[at + 1].end });
      ranks.splice(at, 2, rankAt(at));
      if (at) ranks[at - 1] = rankAt(at - 1);
    }
  }

  /** A piece of the vocabulary; spaces at its ends are not of its place in the text, which spells it as it was typed. */
  pieceOf({ text, start, end }) {
    const spaces = text.length - text.replace(/^Ġ+/, "").length;
    const first = Math.min(start + spaces, end);
    return { ...this.piece(text, first, Math.max(end - (text.length - text.replace(/Ġ+$/, "").length), first)), isTyped: true };
  }

  /** What a person types for a piece; "" for a part of a character. */
  written(piece) {
    const bytes = Uint8Array.from(piece, (letter) => BYTES.get(letter));
    const text = new TextDecoder().decode(bytes);
    return text.includes("\ufffd") || this.added.has(piece) ? "" : text;
  }
}

/** Every byte of a text as a letter, [{text, start, end}], with the place of its character. */
function lettersOf(word, at) {
  return Array.from(word).flatMap((character) => {
    const place = { start: at, end: at += character.length };
    return Array.from(new TextEncoder().encode(character), (byte) => ({ text: LETTERS[byte], ...place }));
  });
}

/** The letter for each byte: printable ones of Latin-1 stand for themselves, the others for those from U+0100 on. */
const LETTERS = (() => {
  let other = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(/[!-~\xa1-\xac\xae-\xff]/.test(String.fromCharCode(byte)) ? byte : other++));
})();
const BYTES = new Map(LETTERS.map((letter, byte) => [letter, byte]));
const SPACE = "\\p{White_Space}";
const ENDINGS = "'s|'t|'re|'ve|'m|'ll|'d";
/** Words, numbers and other signs, each with one space before it; endings of English; other spaces. */
const WORDS = new RegExp(`${ENDINGS}| ?\\p{L}+| ?\\p{N}+| ?[^${SPACE}\\p{L}\\p{N}]+|${SPACE}+(?!\\P{White_Space})|${SPACE}+`, "gu");
