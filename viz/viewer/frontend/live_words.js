// Which pieces of a text make one word, as models/values/text/words.py parts it: the columns of tokens that axis.js reads.

/**
 * The columns of the pieces of a text, [{text, start, end, isStructural, isTyped}], of which those that are typed stand in it as they are;
 * `spelled` has what a person reads of a piece.
 */
export function columnsOf(pieces, text, spelled) {
  const starts = startsOf(text);
  const texts = pieces.map((piece) => spelled[piece.text] ?? piece.text);
  const words = wordsOf(pieces, text, starts);
  const wholes = pieces.map((_, at) => {
    if (words[at] === null || words[at] === words[at - 1]) return null;
    const own = pieces.filter((_, other) => words[other] === words[at]);
    if (own[0].isTyped && own.length === 1) return null;
    const whole = own[0].isTyped ? visible(text.slice(own[0].start, own.at(-1).end).replace(/^ +/, "")) : own.map((piece) => withoutMark(piece.text)).join("");
    return whole && whole !== texts[at] ? whole : null;
  });
  const special = pieces.map(({ isStructural }) => isStructural);
  return { texts, wholes, words, segments: pieces.map(() => 0), special };
}

/** A text with whatever is invisible or changes the direction spelled out, as in viz/kit/tokens.py. */
function visible(text) {
  const spaced = text.trim() ? text : text.replaceAll(" ", "␣");
  const spelled = spaced.replace(INVISIBLE, (character, at) => {
    if (/[\u200c\u200d]/.test(character) && at && at + 1 < spaced.length) return character; // inside an emoji or a Persian word
    if (/\p{Zs}/u.test(character)) return "␣";
    const code = character.codePointAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
  return /^[\p{Mn}\p{Me}]/u.test(spelled) ? `◌${spelled}` : spelled;
}

const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Zs}\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Whether a text has letters of a script without spaces. */
export function isSpaceless(text) {
  return Array.from(text).some(standsAlone);
}

/** The number of the word of every piece, null for [CLS] and [SEP]; a piece goes on with the word in which the last ended. */
function wordsOf(pieces, text, starts) {
  let [word, ended] = [-1, null];
  const wordAt = (place) => starts.findLastIndex((start) => start <= place);
  return pieces.map(({ start, end, isStructural }) => {
    if (isStructural) return null;
    const seen = [...text.slice(start, end).matchAll(/\P{White_Space}/gu)].map(({ index }) => wordAt(start + index));
    const ofSpace = text.slice(start, end).includes("\n") ? {} : wordAt(end - 1) + 1; // a line break is apart, a space of the word after it
    if ((seen[0] ?? ofSpace) !== ended) word += 1;
    ended = seen.at(-1) ?? ofSpace;
    return word;
  });
}

/** Where the words of a text start: runs of letters, digits and marks; every other character that is seen is one. */
function startsOf(text) {
  const characters = Array.from(text.matchAll(/./gsu), ({ 0: character, index }) => ({ character, index }));
  const starts = [];
  const inside = new Set(Array.from(text.matchAll(INSIDE_KOREAN), ({ index }) => index));
  let [base, isGlued] = [" ", false]; // the last character that is no mark, no joiner, no apostrophe inside a word
  characters.forEach(({ character, index }, at) => {
    if (JOINS.test(character) && !SPACE.test(base)) {
      isGlued = character === "\u200d";
      return;
    }
    const after = characters[at + 1]?.character ?? "";
    if (isLetter(base) && (inside.has(index) || (/['\u2019]/.test(character) && isLetter(after)))) return;
    if (!SPACE.test(character) && !isGlued && !(isLetter(base) && isLetter(character))) starts.push(index);
    [base, isGlued] = [character, false];
  });
  return starts;
}

/** What never starts a word: a mark, a joiner, the skin tone of an emoji. */
const JOINS = /[\u{1f3fb}-\u{1f3ff}]|(?!\u200b)[\p{M}\p{Cf}]/u;
const SPACE = /\p{White_Space}/u;
const HANGUL = "[\\u1100-\\u11ff\\u3131-\\u318e\\ua960-\\ua97f\\uac00-\\ud7ff\\uffa0-\\uffdc]";
const CLOSING = "[)\\]}\"'\\u2019\\u201d\\u3009\\u300b\\u300d\\u300f%\\u2103]";
const OPENING = "[(\\[{\\u2018\\u201c\\u3008\\u300a\\u300c\\u300e]";
/** Marks behind which a word of Korean goes on with its particle, as in words.py. */
const INSIDE_KOREAN = new RegExp(`${CLOSING}(?=${CLOSING}*${HANGUL})|${OPENING}(?=\\S{0,40}${CLOSING}${HANGUL})`, "gu");
/** The blocks of models/values/text/scripts.py. */
const SPACELESS = new RegExp(`[${[
  "\\u0e00-\\u0fff\\u1000-\\u109f\\u1780-\\u17ff\\u1950-\\u19ff\\u1a20-\\u1aaf\\u1b00-\\u1b7f\\u2e80-\\u2fdf\\u3005-\\u312f",
  "\\u31a0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua980-\\ua9ff\\uaa60-\\uaadf\\uf900-\\ufaff\\uff66-\\uff9f",
  "\\u{11700}-\\u{1174f}\\u{12000}-\\u{1467f}\\u{16fe0}-\\u{1b2ff}\\u{20000}-\\u{3ffff}",
].join("")}]`, "u");

function standsAlone(character) {
  return SPACELESS.test(character) && /[\p{Lo}\p{Lm}\p{Nl}\p{So}]/u.test(character);
}

/** A letter, a digit or "_" of a script with spaces. */
function isLetter(character) {
  return character === "_" || (/[\p{L}\p{N}]/u.test(character) && !standsAlone(character));
}

export function withoutMark(piece) {
  return piece.length > 2 && piece.startsWith("##") ? piece.slice(2) : piece;
}
