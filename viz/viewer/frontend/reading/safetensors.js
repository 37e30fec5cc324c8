// Weights on disk: a safetensors file is a length, a header in JSON, and numbers.
//
// A matrix in 8 bits has a scale for each of its rows beside it, "NAME.scale" [rows]: number = whole number * scale.

import { Memory, sizeOf } from "./memory.js";

const SCALE = ".scale";
const HEADER_AT = 8; // the length of the header takes 64 bits

/** The tensors of a file {name: Float32Array with `shape`}, in one memory, and what is said of them: {tensors, metadata}. */
export function readSafetensors(buffer) {
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, HEADER_AT, length)));
  const kept = Object.entries(entries).filter(([name]) => !name.endsWith(SCALE));
  const size = kept.reduce((sum, [, { shape }]) => sum + sizeOf(shape), 0);
  const memory = new Memory(size, Math.max(...kept.flatMap(([, { shape }]) => shape)));
  const read = (into, { dtype, data_offsets: [start, end] }) => {
    if (!(dtype in READERS)) throw new Error(`weights of type ${dtype}`);
    READERS[dtype](buffer.slice(HEADER_AT + length + start, HEADER_AT + length + end), into);
  };
  const tensors = Object.fromEntries(kept.map(([name, entry]) => {
    const [tensor, scale] = [memory.tensor(entry.shape), entries[name + SCALE]];
    read(tensor, entry);
    if (scale) scaleRows(tensor, scale, read);
    return [name, tensor];
  }));
  return { tensors, metadata };
}

const READERS = {
  F32: (bytes, into) => into.set(new Float32Array(bytes)),
  F16: (bytes, into) => {
    const halves = new Uint16Array(bytes);
    for (let at = 0; at < halves.length; at++) into[at] = HALVES[halves[at]];
  },
  I8: (bytes, into) => into.set(new Int8Array(bytes)),
};

/** Whole numbers [rows, columns] times the scale of their row [rows], in place. */
function scaleRows(numbers, entry, read) {
  const scale = new Float32Array(sizeOf(entry.shape));
  read(scale, entry);
  const nColumns = numbers.length / scale.length;
  for (let at = 0; at < numbers.length; at++) numbers[at] *= scale[Math.floor(at / nColumns)];
}

/** All numbers of float16 (IEEE 754) by their bits: a sign, 5 bits of exponent, 10 of fraction. */
const HALVES = Float32Array.from({ length: 2 ** 16 }, (_, bits) => {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, (bits & 1023) / 1024];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
});
