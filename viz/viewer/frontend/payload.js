// Read what viz/viewer/payload.py writes: a header in JSON, then arrays; and weights as whole numbers.

export const MOST_8 = 254; // the code of a weight of 1 in 8 bits; 255 is masked
export const MOST_16 = 65534; // and in 16 bits
export const MASKED_16 = MOST_16 + 1;

const TYPES = { float32: Float32Array, uint8: Uint8Array, uint16: Uint16Array };

/** A container as {meta, arrays}: every array a typed array with `shape`. */
export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = padded(4 + length);
  const arrays = {};
  for (const { name, type, shape, offset } of header.arrays) {
    const size = shape.reduce((product, side) => product * side, 1);
    arrays[name] = new TYPES[type](buffer, start + offset, size);
    arrays[name].shape = shape;
  }
  return { meta: header.meta, arrays };
}

/** A table that turns a code into its weight: the square of code / most; NaN for the code that says masked. */
export function weightsOfCodes(most) {
  const table = new Float32Array(most + 2);
  for (let code = 0; code <= most; code++) table[code] = (code / most) ** 2;
  table[most + 1] = NaN;
  return table;
}

/** The other way round: weights 0 to 1 as whole numbers of 16 bits. */
export function codesOfWeights(weights) {
  const codes = new Uint16Array(weights.length);
  for (let at = 0; at < codes.length; at++) codes[at] = Math.min(Math.sqrt(weights[at]) * MOST_16 + 0.5, MOST_16);
  return codes;
}

function padded(length) {
  return length + ((8 - (length % 8)) % 8);
}
