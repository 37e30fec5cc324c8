// Weights on disk: a safetensors file is a length, a header in JSON, and numbers.
//
// A matrix in 8 bits has a scale for each of its rows beside it, "NAME.scale" [rows]: number = whole number * scale.

const SCALE = ".scale";
const HEADER_AT = 8; // the length of the header takes 64 bits

/** The tensors of a file {name: Float32Array with `shape`}, and what is said of them: {tensors, metadata}. */
export function readSafetensors(buffer) {
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, HEADER_AT, length)));
  const numbersOf = ({ dtype, data_offsets: [start, end] }) => {
    if (!(dtype in READERS)) throw new Error(`weights of type ${dtype}`);
    return READERS[dtype](buffer.slice(HEADER_AT + length + start, HEADER_AT + length + end));
  };
  const tensors = {};
  for (const [name, entry] of Object.entries(entries)) {
    if (name.endsWith(SCALE)) continue;
    const [numbers, scale] = [numbersOf(entry), entries[name + SCALE]];
    tensors[name] = Object.assign(scale ? scaledRows(numbers, numbersOf(scale)) : numbers, { shape: entry.shape });
  }
  return { tensors, metadata };
}

const READERS = {
  F32: (bytes) => new Float32Array(bytes),
  F16: (bytes) => halvesAsNumbers(new Uint16Array(bytes)),
  I8: (bytes) => new Int8Array(bytes),
};

/** Whole numbers [rows, columns] times the scale of their row [rows]. */
function scaledRows(whole, scale) {
  const [numbers, nColumns] = [new Float32Array(whole.length), whole.length / scale.length];
  for (let row = 0, at = 0; row < scale.length; row++) {
    for (let column = 0; column < nColumns; column++, at++) numbers[at] = whole[at] * scale[row];
  }
  return numbers;
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
