// The numbers of a comparison as files: a table with a line for every cell, and arrays for NumPy.

import { numbersFile, textsFile, zipFile } from "./npz.js";
import { csvLine, nineDigits } from "./number_files.js";

/** The parts of a CSV file. What stands in one text alone has no number. */
export function comparisonTable(maps) {
  const { rows, columns, distances } = maps;
  const digits = (value) => (Number.isNaN(value) ? "" : nineDigits(value));
  const parts = ["\ufeff", csvLine(["query", "key", "one", "other", "difference", "distance of the rows"])];
  rows.forEach((row, query) => columns.forEach((column, key) => {
    const numbers = ["one", "other", "difference"].map((name) => digits(maps.value(name, { query, key })));
    parts.push(csvLine([row.name, column.name, ...numbers, digits(distances[query])]));
  }));
  return parts;
}

/** The parts of an .npz file. */
export function comparisonArchive({ panels, rows, columns, distances }, { about }) {
  const shape = [rows.length, columns.length];
  const maps = Object.fromEntries(panels.map(({ name, matrix }) => [`${name}.npy`, numbersFile([matrix.values], shape)]));
  return zipFile({
    "README.npy": textsFile(ABOUT_COMPARISON), "title.npy": textsFile(about.title),
    "queries.npy": textsFile(rows.map(({ name }) => name)), "keys.npy": textsFile(columns.map(({ name }) => name)),
    ...maps, "distances.npy": numbersFile([distances], [rows.length]),
  });
}

const ABOUT_COMPARISON = [
  "Two heads side by side, from Headlight: one, other and difference = other - one, each [query, key], float32.",
  "NaN where a token stands in one text alone. queries and keys name the rows and columns, each token with its position;",
  "tokens that differ are written with a bar between them. distances[query] are those of Jensen and Shannon, 0 to 1.",
];
