// The sentences of a lesson: facts as they are written, claims with facts in them, and verdicts on predictions.
//
// As lessons/values.py, claims.py and verdicts.py.

import { toSay, tr } from "./language.js";
import { titleOf } from "./overview.js";

/** A fact as a person reads it. */
export function written(fact) {
  return WRITTEN[fact.is](fact);
}

const WRITTEN = {
  share: ({ value }) => writtenShare(100 * value),
  count: ({ value }) => withCommas(value, 0),
  number: ({ value, digits }) => withCommas(value, digits).replace("-", "−"),
  word: ({ value }) => value,
  said: ({ value, written: text = value }) => text,
  small: ({ value }) => (value < SMALL ? tr("less than {share}", { share: SMALL.toFixed(6) }) : value.toFixed(6)),
  phrase: ({ value }) => tr(PHRASES.find((phrase) => phrase === value)),
  head: (place) => titleOf(place),
  off: ({ layer, head }) => tr("Off: Layer {layer} · Head {head}", { layer, head }),
  after: ({ value }) => (value ? tr("after layer {layer}", { layer: value - 1 }) : tr("before layer 0")),
  later: ({ value }) => tr("{n} positions later", { n: value }),
};
/** The phrases that answers have, in English. */
const PHRASES = [
  toSay("falls"), toSay("hardly changes"), toSay("rises"), toSay("in the same way"), toSay("differently"), toSay("with all heads"), toSay("without this head"),
  toSay("yes"), toSay("no"), toSay("the heads"), toSay("the feed-forward networks"), toSay("the embeddings"), toSay("heads"), toSay("feed-forward"), toSay("embeddings"), toSay("biases"),
  toSay("with all words"), toSay("without what is left out"), toSay("raw attention"),
];

const SMALL = 1e-6;
const [LEAST, MOST] = ["0.01%", "99.99%"]; // nearer to none and to all a share is not written

function writtenShare(percent) {
  if (percent > 0 && percent < 0.005) return tr("less than {share}", { share: LEAST });
  if (percent >= 99.995 && percent < 100) return tr("more than {share}", { share: MOST });
  const isWhole = (percent >= 10 && percent < 99.5) || percent === 0 || percent === 100;
  return `${percent.toFixed(isWhole ? 0 : percent >= 1 && percent < 10 ? 1 : 2)}%`;
}

function withCommas(value, digits) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The facts of all questions of a step; those beside the first have a name before theirs: "wide.share". */
export function factsOf(outcomes) {
  return Object.fromEntries(Object.entries(outcomes).flatMap(([name, { facts }]) =>
    Object.entries(facts).map(([fact, value]) => [name ? `${name}.${fact}` : fact, value])));
}

/** A text with facts in braces, in parts: [{text, isFact}]. */
export function partsOf(template, facts) {
  const parts = template.trim().replace(/\s+/g, " ").split(/\{([a-z_.]+)\}/);
  return parts.map((text, at) => {
    if (at % 2 === 0) return { text, isFact: false };
    const fact = written(facts[text]);
    return { text: at === 1 && !parts[0].trim() ? fact[0].toUpperCase() + fact.slice(1) : fact, isFact: true };
  }).filter(({ text }) => text);
}

/** Whether all comparisons [left, relation, right] of a claim are true of the facts. */
export function isTrue(conditions, facts) {
  return conditions.every(([name, relation, text]) => {
    const [left, right] = [facts[name].value, rightOf(text, facts)];
    return RELATIONS[relation](left, right);
  });
}

const RELATIONS = {
  "=": isEqual,
  "≠": (left, right) => !isEqual(left, right),
  "≥": (left, right) => left >= right,
  "≤": (left, right) => left <= right,
  ">": (left, right) => left > right,
  "<": (left, right) => left < right,
};

function isEqual(left, right) {
  if (typeof left === "string" || typeof right === "string") return String(left).toLowerCase() === String(right).toLowerCase();
  return Math.abs(left - right) <= Math.max(5e-3, 1e-6 * Math.max(Math.abs(left), Math.abs(right)));
}

/** The right side of a comparison: another fact, a number or a percentage, or a word. */
function rightOf(text, facts) {
  if (text in facts) return facts[text].value;
  if (!/^[-−]?\d+(\.\d+)?( ?%)?$/.test(text)) return text.replace(/^["“]|["”]$/g, "");
  return parseFloat(text.replace("−", "-")) / (text.endsWith("%") ? 100 : 1);
}

const [NEAR, QUITE_NEAR] = [0.05, 0.15]; // shares of the line on which a number was guessed
const MOST_NAMED = 3;

/** The steps in which a number can be guessed. */
export function stepOf({ number, low, high }) {
  if (low === 0 && high === 1) return 0.01;
  if (!Number.isInteger(number) && high - low <= 50) return high - low <= 5 ? 0.05 : 0.1;
  return Math.max(1, Math.round((high - low) / 500));
}

/** A number of the line as it is shown. */
export function writtenNumber(value, outcome) {
  if (outcome.low === 0 && outcome.high === 1) return `${(100 * value).toFixed(0)}%`;
  const step = stepOf(outcome);
  return withCommas(value, step >= 1 ? 0 : step >= 0.1 ? 1 : 2).replace("-", "−");
}

/** Whether an option was right, or a number near. */
export function isRight(prediction, { options, right, number, low, high }) {
  if (options.length) return right.includes(prediction);
  return Math.abs(prediction - number) <= NEAR * (high - low);
}

/** The prediction and whether it was right; only the answer where it was skipped. */
export function verdictOn(prediction, outcome) {
  const answer = answerOf(outcome);
  if (prediction === null) return tr("You skipped the prediction. The answer is {answer}.", { answer });
  if (!outcome.options.length) return verdictOnNumber(prediction, outcome, answer);
  const said = written(outcome.options[prediction]);
  if (isRight(prediction, outcome)) return tr("You said “{said}”, and that is right.", { said });
  return tr("You said “{said}”; the answer is {answer}.", { said, answer });
}

function verdictOnNumber(prediction, outcome, answer) {
  const [said, apart] = [writtenNumber(prediction, outcome), Math.abs(prediction - outcome.number) / (outcome.high - outcome.low)];
  if (said === answer) return tr("You said {said}, and that is right.", { said });
  if (apart <= NEAR) return tr("You said {said}, and that is very near: it is {answer}.", { said, answer });
  if (apart <= QUITE_NEAR) return tr("You said {said}, which is quite near: it is {answer}.", { said, answer });
  if (outcome.number < prediction) return tr("You said {said}. It is less: {answer}.", { said, answer });
  return tr("You said {said}. It is more: {answer}.", { said, answer });
}

function answerOf(outcome) {
  if (!outcome.options.length) return writtenNumber(outcome.number, outcome);
  const named = outcome.right.slice(0, MOST_NAMED).map((at) => tr("“{answer}”", { answer: written(outcome.options[at]) }));
  return named.reduce((some, last) => tr("{some} or {last}", { some, last }));
}
