// The entries of an axis: tokens, or whole words; with or without special tokens. As viz/attention/transform.py does it.

/**
 * The tokens of an axis as objects {position, text, whole, word, segment, special}; {named, place}, too, if it is no
 * text; {marking}, too, what it marks if it is a Korean particle. `whole` is the text of its word, if that is another one, beside the first token of the word.
 */
export function tokensOf({ texts, wholes, words, segments, special, named, places, markings }) {
  return texts.map((text, position) => ({
    position, text, whole: wholes[position], word: words[position], segment: segments[position], special: special[position],
    ...(markings?.[position] && { marking: markings[position] }),
    ...(places && { named: named[position], place: places[position] }),
  }));
}

/** Entries {position, positions, text, segment, special}: one a token, or one a word (its position is its first piece's). */
export function entriesOf(tokens, { words, special }) {
  const entries = [];
  for (const token of tokens) {
    const last = entries.at(-1);
    if (words && last && token.word !== null && last.word === token.word) {
      last.positions.push(token.position);
      delete last.marking;
    } else {
      entries.push({ ...token, text: (words && token.whole) || token.text, positions: [token.position] });
    }
  }
  return special === "shown" ? entries : entries.filter((entry) => !entry.special);
}

/** Whether an entry is written from right to left: its first strong letter decides. */
export function isRightToLeft(text) {
  return RIGHT_TO_LEFT.test(text.match(STRONG)?.[0] ?? "");
}

/** Whether most of a text is: then it reads, and is laid out, from right to left. */
export function readsRightToLeft(entries) {
  const strong = entries.filter((entry) => !entry.special && STRONG.test(entry.text));
  return strong.filter((entry) => isRightToLeft(entry.text)).length * 2 > strong.length;
}

/** "5 · the", or "patch row 3, column 5": what no two entries share. */
export function positioned(entry) {
  return entry.named ?? `${entry.position} · ${entry.text}`;
}

/** The same as parts of a sentence, with what it marks if it is a Korean particle. */
export function withMarking(entry, token = positioned(entry)) {
  return [{ token }, ...(entry.marking ? [` (${entry.marking})`] : [])];
}

/** The same for a list with little room: of a place its short name. */
export function listedAs(entry) {
  return entry.named ? entry.text : positioned(entry);
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const STRONG = /\p{L}/u;
