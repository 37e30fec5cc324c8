// The numbers as files, made in the browser for a viewer opened from a disk; as viz/viewer/files.py makes them.

import { positioned } from "./axis.js";
import { listed, toSay, tr, trn } from "./language.js";
import { numbersFile, textsFile, zipFile } from "./npz.js";

/** The chosen head as the parts of a CSV file, with the labels and nineDigits of viz/attention/transform.py `matrix_csv`. */
export async function headTable(model) {
  const matrix = await exactMatrix(model);
  const lines = [["query \\ key", ...model.keys.map(positioned)]];
  const parts = ["\ufeff", csvLine(lines[0])];
  for (let i = 0; i < model.queries.length; i++) {
    parts.push(csvLine([positioned(model.queries[i]), ...Array.from(matrix.row(i), nineDigits)]));
    if (i % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTask();
  }
  return parts;
}

/** The weights of all heads of a kind as the parts of an .npz file; `progress(layer)` before each layer. */
export async function allHeads(model, progress) {
  const kind = model.shown;
  const shape = [kind.nLayers, kind.nHeads, kind.queries.length, kind.keys.length];
  const held = heldSentence(model);
  if (held) throw new Error([held, tr("You can get all heads where this file was made.")].join(" "));
  if (4 * shape.reduce((product, side) => product * side, 1) > MOST_NPZ) throw new Error(tr(TOO_MANY_WEIGHTS));
  const [arrays, sinks, norms] = [[], [], { value_norms: [], output_norms: [] }];
  for (let layer = 0; layer < kind.nLayers; layer++) {
    progress(layer);
    for (let head = 0; head < kind.nHeads; head++) {
      const matrix = await kind.exact({ layer, head, quantity: "weights" }, model.stop.signal);
      arrays.push(filled(matrix));
      sinks.push(matrix.sinkShares ?? new Float32Array(matrix.nQuery));
      for (const name of Object.keys(norms)) norms[name].push(matrix.parts?.[name]);
    }
    await nextTask();
  }
  return zipFile({
    "README.npy": textsFile(ABOUT_WEIGHTS), "model.npy": textsFile(model.about.model), "kind.npy": textsFile(kind.kind),
    "query_tokens.npy": textsFile(kind.queries.map((token) => token.text)),
    "key_tokens.npy": textsFile(kind.keys.map((token) => token.text)), "weights.npy": numbersFile(arrays, shape),
    ...(kind.sinkLayers.length ? { "sink_shares.npy": numbersFile(sinks, shape.slice(0, 3)) } : {}),
    ...normFiles(norms, [kind.nLayers, kind.nHeads, kind.keys.length]),
  });
}

/** The norms of the keys of every head, those that are known. */
function normFiles(norms, shape) {
  const known = Object.entries(norms).filter(([, arrays]) => arrays.every(Boolean));
  return Object.fromEntries(known.map(([name, arrays]) => [`${name}.npy`, numbersFile(arrays, shape)]));
}

/** Which heads of a long text an opened file holds exactly; empty if all of them. */
export function heldSentence({ about, shown: { kind, nHeads } }) {
  const { held } = about.kinds.find((each) => each.kind === kind);
  if (!held) return "";
  const headsOf = new Map();
  for (const [layer, head] of held) headsOf.set(layer, [...(headsOf.get(layer) ?? []), head]);
  const whole = [...headsOf.keys()].filter((layer) => headsOf.get(layer).length === nHeads);
  const parts = [...headsOf.keys()].filter((layer) => !whole.includes(layer));
  const all = whole.length ? [trn("all heads of layer {layers}", "all heads of layers {layers}", whole.length, { layers: inRuns(whole) })] : [];
  const heads = listed([...all, ...parts.map((layer) => headsOfLayer(layer, headsOf.get(layer)))]);
  if (!heads) return tr("To stay small, this file holds the small maps of all heads.");
  return tr("To stay small, this file holds the small maps of all heads, and all numbers of {heads}.", { heads });
}

const MOST_NPZ = 200e6;
const TOO_MANY_WEIGHTS = toSay(
  "The weights of all heads would take more than 200 MB. You can get them where this file was made.");
const NUMBERS_UNDER_WAY = toSay("The numbers of this head are not here yet. Try again in a moment.");
const ROWS_AT_ONCE = 256;
const ABOUT_WEIGHTS = [
  "Attention weights, from Headlight.",
  "weights[layer, head, query, key], float32; each row sums to 1, or as given; 0 where a query cannot look.",
  "sink_shares[layer, head, query], if they are there, go to the sinks of the heads: a row sums to 1 less that.",
  "query_tokens and key_tokens name the rows and the columns.",
  "value_norms[layer, head, key] are the lengths of the values; output_norms, if they are there, those after W_O.",
];

async function exactMatrix(model) {
  await model.want(model.headIndex);
  await model.complete();
  const matrix = model.matrix();
  if (!matrix?.exact) throw new Error(model.failure || tr(NUMBERS_UNDER_WAY));
  return matrix;
}

/** A line of a CSV file, as Python's csv module writes it. */
export function csvLine(cells) {
  const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return `${cells.map(quoted).join(",")}\r\n`;
}

/** Nine significant nineDigits: they give back every float32. */
export function nineDigits(value) {
  return Number.isNaN(value) ? "masked" : String(Number(value.toPrecision(9)));
}

/** All numbers of a matrix in one array; what is masked is 0. */
function filled(matrix) {
  const values = new Float32Array(matrix.nQuery * matrix.nKey);
  for (let i = 0; i < matrix.nQuery; i++) values.set(matrix.row(i), i * matrix.nKey);
  return values.map((value) => (Number.isNaN(value) ? 0 : value));
}

function headsOfLayer(layer, heads) {
  return trn("layer {layer}, head {heads}", "layer {layer}, heads {heads}", heads.length, { layer, heads: inRuns(heads) });
}

/** "2 to 5 and 8": numbers in rising order. */
function inRuns(numbers) {
  const runs = [];
  for (const number of numbers) {
    if (runs.at(-1)?.at(-1) === number - 1) runs.at(-1).push(number);
    else runs.push([number]);
  }
  return listed(runs.map((run) => (run.length > 1 ? tr("{first} to {last}", { first: run[0], last: run.at(-1) }) : `${run[0]}`)));
}

/** Let the browser draw and listen. */
function nextTask() {
  return new Promise((resume) => setTimeout(resume));
}
