// A cell in a few words, for the label at the pointer: both tokens and the number.

import { withMarking } from "./axis.js";
import { QUANTITY_NAMES } from "./colour_bar.js";
import { tr } from "./language.js";
import { inPerCent, largestPlaces, threeDigits } from "./text_numbers.js";

/** Parts of a sentence, plain texts and {token}: a cell, or the strongest of a row; null until its number is here. */
export function briefOfCell(model, { query, key }) {
  const matrix = model.matrix();
  const row = matrix && model.queries[query] && !(matrix.step && !matrix.asks) ? matrix.row(query) : null;
  const at = key ?? (matrix?.step ? undefined : row && largestPlaces(row, 1)[0]);
  const value = row?.[at];
  if (value === undefined || !model.keys[at]) return null;
  const pair = [...withMarking(model.queries[query]), " → ", ...withMarking(model.keys[at])];
  const { quantity } = model.choices;
  if (Number.isNaN(value)) return [...pair, "\n", tr("masked")];
  const number = written(value, quantity, matrix.exact || matrix.step, { brief: true });
  const said = { quantity: tr(QUANTITY_NAMES[quantity]), number };
  return [...pair, "\n", matrix.step ? tr("{quantity} up to {number}", said) : tr("{quantity} {number}", said)];
}

/** Three significant digits; in `brief`, a weight in whole per cent. What is known to 16 bits only is about that. */
export function written(value, quantity, exact, { brief = false } = {}) {
  if (quantity === "scores") return `${value < 0 ? "" : "+"}${threeDigits(value)}`;
  const number = brief && quantity === "weights" ? inPerCent(value) : threeDigits(value);
  return exact ? number : `≈ ${number}`;
}
