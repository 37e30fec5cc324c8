// From a text to pieces: normalised, parted at spaces and punctuation, then cut into the longest pieces of a vocabulary.
//
// Schuster & Nakajima 2012, section 2; Devlin et al. 2018, section 3; to the piece as the library `tokenizers` does it.
// While it is worked on, a text is a list of {character, start, end}: where in the text as it was typed it comes from.

import { Tokenizer } from "./tokenizer.js";
import { isAccent, isDropped, isIdeograph, isPunctuation } from "./unicode.js";

export class WordPiece extends Tokenizer {
  constructor(settings) {
    super(settings);
    const { model: { unk_token: unknown, continuing_subword_prefix: inside, max_input_chars_per_word: longest }, normalizer, decoder } = settings;
    Object.assign(this, { normalizer, unknown, inside, longest });
    this.glued = new Set(decoder?.decoders?.flatMap(({ pattern }) => pattern?.String ?? [])); // " ." has no space before it in a text
  }

  cutPart(text, start) {
    return partedWords(text, start, this.normalizer).flatMap((word) => this.cutWord(word));
  }

  /** The longest piece that a word begins with, then of what is left, and so on; a word that has a rest is unknown. */
  cutWord(word) {
    if (word.length > this.longest) return [this.pieceOf(this.unknown, word)];
    const pieces = [];
    for (let start = 0; start < word.length;) {
      let [end, text] = [word.length, ""];
      for (; end > start; end--) {
        text = (start ? this.inside : "") + textOf(word.slice(start, end));
        if (this.ids.has(text)) break;
      }
      if (end === start) return [this.pieceOf(this.unknown, word)];
      pieces.push(this.pieceOf(text, word.slice(start, end)));
      start = end;
    }
    return pieces;
  }

  /** Ids as a text, without special tokens, and as pieces that know where they stand in it. */
  decode(ids) {
    let [text, before] = ["", ""];
    const pieces = ids.map((id) => {
      const piece = this.vocabulary[id];
      if (this.added.has(piece)) return { id, text: piece, isStructural: true, segment: 1 };
      const isGlued = !before || piece.startsWith(this.inside) || this.glued.has(` ${piece}`) || this.glued.has(`${before} `);
      const start = text.length + (isGlued ? 0 : 1);
      text += (isGlued ? "" : " ") + (piece.startsWith(this.inside) ? piece.slice(this.inside.length) : piece);
      before = piece;
      return { id, text: piece, start, end: text.length, isStructural: false, segment: 1 };
    });
    return { text, pieces };
  }

  /** What a person types for a piece that goes on from a text: a space before it, unless it goes on with a word or is a mark. */
  written(piece) {
    return piece.startsWith(this.inside) ? piece.slice(this.inside.length) : /^\p{P}$/u.test(piece) ? piece : ` ${piece}`;
  }

  pieceOf(text, characters) {
    return this.piece(text, characters[0].start, characters.at(-1).end);
  }
}

/** The words and marks of a text as they are read, before they are cut into pieces. */
export function wordsOf(text, normalizer) {
  return partedWords(text, 0, normalizer).map(textOf);
}

function partedWords(text, at, normalizer) {
  return parted(normalised(charactersOf(text, at), normalizer));
}

function charactersOf(text, at) {
  return Array.from(text, (character) => ({ character, start: at, end: at += character.length }));
}

function textOf(characters) {
  return characters.map(({ character }) => character).join("");
}

/** The characters after a normalizer, and all that it consists of. */
function normalised(characters, settings) {
  return STEPS[settings.type](characters, settings);
}

const STEPS = {
  Sequence: (characters, { normalizers }) => normalizers.reduce(normalised, characters),
  NFC: (characters) => composed(characters, "NFC"),
  Replace: (characters, { pattern, content }) => characters.flatMap((one) => (one.character === pattern.String ? becomes(one, content) : one)),
  BertNormalizer: (characters, { clean_text: cleans, handle_chinese_chars: parts, lowercase, strip_accents: strips }) => {
    if (cleans) characters = characters.filter(({ character }) => !isDropped(character)).map(asSpace);
    if (parts) characters = characters.flatMap((one) => becomes(one, isIdeograph(one.character) ? ` ${one.character} ` : one.character));
    if (strips ?? lowercase) characters = composed(characters, "NFD").filter(({ character }) => !isAccent(character));
    return lowercase ? characters.flatMap((one) => becomes(one, one.character.toLowerCase())) : characters;
  },
};

function asSpace(one) {
  return /\p{White_Space}/u.test(one.character) ? { ...one, character: " " } : one;
}

/** A character as others, which come from the same place. */
function becomes({ start, end }, text) {
  return Array.from(text, (character) => ({ character, start, end }));
}

/** A form of Unicode: a letter with the marks after it, or a syllable of Hangul, is turned as a whole. */
function composed(characters, form) {
  const clusters = [];
  for (const one of characters) {
    if (clusters.length && GOES_ON.test(one.character)) clusters.at(-1).push(one);
    else clusters.push([one]);
  }
  return clusters.flatMap((cluster) => {
    const text = textOf(cluster);
    const turned = text.normalize(form);
    return turned === text ? cluster : becomes({ start: cluster[0].start, end: cluster.at(-1).end }, turned);
  });
}

const GOES_ON = /[\p{M}\u1160-\u11ff]/u;

/** Parted at spaces, which fall away, and around punctuation. */
function parted(characters) {
  const found = [[]];
  for (const one of characters) {
    if (/\p{White_Space}/u.test(one.character)) found.push([]);
    else if (isPunctuation(one.character)) found.push([one], []);
    else found.at(-1).push(one);
  }
  return found.filter((word) => word.length);
}
