// Weights on disk: a safetensors file is a length, a header in JSON, and numbers.
//
// A matrix in 8 bits has a scale for each of its rows beside it, "NAME.scale" [rows]: number = whole number * scale.

import { Memory } from "./memory.js";

const SCALE = ".scale";
const HEADER_AT = 8; // the length of the header takes 64 bits

/** The tensors of a file {name: Float32Array with `shape`}, in one memory, and what is said of them: {tensors, metadata}. */
export function readSafetensors(buffer) {
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, HEADER_AT, length)));
  const numbersOf = ({ dtype, data_offsets: [start, end] }) => {
    if (!(dtype in READERS)) throw new Error(`weights of type ${dtype}`);
    return READERS[dtype](buffer.slice(HEADER_AT + length + start, HEADER_AT + length + end));
  };
  const kept = Object.entries(entries).filter(([name]) => !name.endsWith(SCALE));
  const sizes = kept.map(([, { shape }]) => shape.reduce((product, side) => product * side, 1));
  const memory = new Memory(sizes.reduce((sum, size) => sum + size, 0), Math.max(...kept.flatMap(([, { shape }]) => shape)));
  const tensors = Object.fromEntries(kept.map(([name, entry]) => {
    const [tensor, scale] = [memory.tensor(entry.shape), entries[name + SCALE]];
    tensor.set(numbersOf(entry));
    if (scale) scaleRows(tensor, numbersOf(scale));
    return [name, tensor];
  }));
  return { tensors, metadata };
}

const READERS = {
  F32: (bytes) => new Float32Array(bytes),
  F16: (bytes) => halvesAsNumbers(new Uint16Array(bytes)),
  I8: (bytes) => new Int8Array(bytes),
};

/** Whole numbers [rows, columns] times the scale of their row [rows], in place. */
function scaleRows(numbers, scale) {
  const nColumns = numbers.length / scale.length;
  for (let at = 0; at < numbers.length; at++) numbers[at] *= scale[Math.floor(at / nColumns)];
}

/** float16 (IEEE 754) from their bits: a sign, 5 bits of exponent, 10 of fraction. Looked up: there are 65,536. */
function halvesAsNumbers(halves) {
  const table = new Float32Array(2 ** 16);
  for (let bits = 0; bits < table.length; bits++) {
    const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, (bits & 1023) / 1024];
    if (exponent === 31) table[bits] = fraction ? NaN : sign * Infinity;
    else table[bits] = sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
  }
  const numbers = new Float32Array(halves.length);
  for (let at = 0; at < halves.length; at++) numbers[at] = table[halves[at]];
  return numbers;
}
