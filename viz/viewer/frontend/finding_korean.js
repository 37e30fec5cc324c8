// Parts of speech of Korean words by their form; as models/values/text/korean.py and particles.py, whose tables are given.

import { withoutMark } from "./live_words.js";

/** What each piece marks if it is certainly a particle, "" for any other; `starts` are the pieces at which words begin. */
export function particleMarkings(pieces, starts, tables) {
  const texts = pieces.map(({ text }) => withoutMark(text).normalize("NFC"));
  const markings = pieces.map(() => "");
  starts.forEach((start, place) => {
    const end = starts[place + 1] ?? pieces.length;
    for (let at = start + 1; at < end; at++) {
      const [before, after] = [texts.slice(start, at), texts.slice(at + 1, end)];
      if (after.every((text) => tables.second_of_two.includes(text)) && isParticle(before, texts[at], after.length > 0, tables)) {
        markings[at] = tables.markings[texts[at]];
      }
    }
  });
  return markings;
}

function isParticle(before, form, isFollowed, tables) {
  const [word, last] = [before.join(""), before.at(-1)];
  const coda = codaOf(last);
  if (!(form in tables.markings) || coda === null || (isFollowed && !tables.first_of_two.includes(form))) return false;
  const isVowelFirst = form in tables.after_vowel && !tables.after_vowel[form].includes(coda);
  if ((tables.after_consonant.includes(form) && coda === 0) || isVowelFirst) return false;
  if (["은", "을", "이"].includes(form)) return !tables.codas_of_verbs.includes(coda) && !tables.stems.includes(last);
  const isSecond = before.length > 1 && tables.first_of_two.includes(last);
  if (isSecond || form === "도") return isSecond && ["는", "도"].includes(form);
  const isShort = (form === "로" ? last : word).length === 1 && ["는", "와", "과", "로"].includes(form);
  return !isShort && !(tables.not_before[form] ?? "").includes(word.at(-1));
}

/** The final consonant of the last syllable by its number, 0 for none; null after any other letter. */
function codaOf(text) {
  const code = text ? text.charCodeAt(text.length - 1) - 0xac00 : -1;
  return code >= 0 && code < 11172 ? code % 28 : null;
}

/** The part of speech of each word where its form tells it, "" elsewhere. */
export function koreanClasses(pieces, starts, tables) {
  const markings = particleMarkings(pieces, starts, tables);
  const texts = starts.map((start, place) => pieces.slice(start, starts[place + 1]).map(({ text }) => withoutMark(text)).join(""));
  return texts.map((text, place) => {
    const isMarked = markings.slice(starts[place], starts[place + 1]).some(Boolean);
    if (text.slice(1).includes(tables.honorific) || tables.pronouns.includes(text) || isMarked) return "NOUN";
    const isLast = place + 1 === texts.length || /^[.?!]$/.test(texts[place + 1]) || pieces[starts[place + 1]].isStructural;
    if (tables.negations.includes(text)) return "ADV";
    const isFinal = isLast && text.length > 1 && tables.final_endings.some((end) => text.endsWith(end)) && /^[가-힣]/.test(text);
    const isPredicate = isFinal || tables.negated_stems.some((stem) => text.startsWith(stem)) || tables.linking_endings.some((end) => text.endsWith(end));
    return isPredicate ? "VERB" : "";
  });
}
