// The sentences of the browser side in the reader's language. What is written in the code is English, and is the key; the
// catalogue (locale/, one file a language) has been told before anything is drawn.

let catalogue = { sentences: {} };

/** Speak the language of a catalogue: {sentences: {English: sentence or [one, many, …]}}; null is English. */
export function speak(told) {
  catalogue = told ?? { sentences: {} };
}

/** A sentence for a table: it is translated where it is shown. */
export function toSay(sentence) {
  return sentence;
}

/** A sentence in the reader's language; {name} stands for a value. */
export function tr(sentence, values) {
  return filled(catalogue.sentences[sentence] ?? sentence, values);
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

const GAP = /\{(\w+)\}/g;
