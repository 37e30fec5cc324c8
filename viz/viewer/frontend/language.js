// The sentences of the browser side in the reader's language. What is written in the code is English, and is the key; the
// catalogue (locale/, one file a language) is declared beside the modules: {language, sentences: {English: sentence or
// [one, many, …]}}, or null, which is English. A server has the modules once for each language.

import { CATALOGUE } from "./declared.js";

const catalogue = CATALOGUE ?? { sentences: {} };

/** A sentence for a table: it is translated where it is shown. */
export function toSay(sentence) {
  return sentence;
}

/** A sentence in the reader's language; {name} stands for a value. */
export function tr(sentence, values) {
  return filled(catalogue.sentences[sentence] ?? sentence, values);
}

/** A sentence in parts, for `say`: a value may be a text, a {token}, or an array of both. */
export function trParts(sentence, values) {
  return inParts(tr(sentence), values);
}

/** The same of a sentence that counts. */
export function trnParts(one, many, n, values) {
  return inParts(trn(one, many, n), { n, ...values });
}

/** "a, b and c". */
export function listed(names) {
  if (names.length < 2) return names.join("");
  return tr("{some} and {last}", { some: names.slice(0, -1).join(", "), last: names.at(-1) });
}

/** The language that is spoken, "en" or as in locale/. */
export function spoken() {
  return catalogue.language ?? "en";
}

/** A sentence that counts: {n} stands for the number, by which one of the forms is chosen. */
export function trn(one, many, n, values) {
  const forms = catalogue.sentences[one];
  const sentence = Array.isArray(forms) ? forms[formOf(n, forms.length)] : n === 1 ? one : many;
  return filled(sentence, { n, ...values });
}

/** Which form a number takes: languages with one form have no choice; others say one and many, as English does. */
function formOf(n, nForms) {
  return nForms === 1 || n === 1 ? 0 : 1;
}

function filled(sentence, values) {
  return values ? sentence.replace(GAP, (gap, name) => (name in values ? String(values[name]) : gap)) : sentence;
}

/** Split at the gaps; texts that follow each other become one. */
function inParts(sentence, values) {
  const parts = [];
  const pieces = sentence.split(/\{(\w+)\}/); // every other one is the name of a gap
  for (const piece of pieces.flatMap((text, at) => (at % 2 ? values[text] : text))) {
    const isText = typeof piece !== "object";
    if (isText && typeof parts.at(-1) === "string") parts.push(`${parts.pop()}${piece}`);
    else parts.push(isText ? String(piece) : piece);
  }
  return parts.filter((part) => part !== "");
}

const GAP = /\{(\w+)\}/g;
