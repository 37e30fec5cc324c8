// The memory in which the weights lie, and the products of its matrices: in WebAssembly, four numbers at a time, or in JavaScript.
//
// WebAssembly Core Specification 2.0, chapter 5: the few instructions of a block of products are written out as bytes.

const [ROWS, COLUMNS, LANES] = [4, 2, 4]; // a block is ROWS tokens times COLUMNS outputs: each number takes part in several products
const TALL = 16; // tokens for which a matrix is gone through once: it comes from far away, and they stay in the cache
const PAGE = 65536; // bytes

export class Memory {
  /** Room for so many numbers, and for TALL rows before and after a matrix of no more than `widest` rows and columns. */
  constructor(nNumbers, widest) {
    const size = nNumbers + 2 * TALL * (widest + COLUMNS);
    const inPlain = (x, w, y, dIn, dOut) => plainBlock(this.numbers, x, w, y, dIn, dOut);
    Object.assign(this, { end: 0, scratch: nNumbers, inPlain, block: inPlain });
    try {
      const memory = new WebAssembly.Memory({ initial: Math.ceil((4 * size) / PAGE) });
      const { block } = new WebAssembly.Instance(new WebAssembly.Module(PROGRAM), { own: { memory } }).exports;
      this.numbers = new Float32Array(memory.buffer);
      this.block = (x, w, y, dIn, dOut) => block(4 * x, 4 * w, 4 * y, 4 * dIn, 4 * dOut); // in bytes
    } catch {
      this.numbers = new Float32Array(size); // the browser is too old, or the page may not
    }
  }

  /** Room for the next tensor of a shape, as a view. */
  tensor(shape) {
    this.end += sizeOf(shape);
    return this.view(this.end - sizeOf(shape), shape);
  }

  view(start, shape) {
    return Object.assign(this.numbers.subarray(start, start + sizeOf(shape)), { shape, start, memory: this });
  }

  /** A matrix [n_rows, n_columns] turned in its place, as [n_columns, n_rows]. */
  turn(matrix) {
    const [before, [nRows, nColumns]] = [matrix.slice(), matrix.shape];
    before.forEach((number, at) => { matrix[(at % nColumns) * nRows + Math.floor(at / nColumns)] = number; });
    return this.view(matrix.start, [nColumns, nRows]);
  }

  /** The first, second or last third of the rows of a tensor. */
  third({ start, shape: [nRows, ...rest] }, index) {
    const shape = [nRows / 3, ...rest];
    return this.view(start + index * sizeOf(shape), shape);
  }

  /** x W^T: `x` [n, d_in] and a matrix of this memory [d_out, d_in] -> [n, d_out]. */
  product(x, { shape: [dOut, dIn], start }) {
    const { numbers, scratch } = this;
    const [n, width, out] = [x.length / dIn, dOut + (dOut % COLUMNS), scratch + TALL * dIn];
    const block = dIn % LANES ? this.inPlain : this.block;
    const y = new Float32Array(n * dOut);
    for (let i = 0; i < n; i += TALL) {
      const tall = Math.min(TALL, n - i);
      numbers.set(x.subarray(i * dIn, (i + tall) * dIn), scratch); // rows after the last are those of before, and are left
      for (let j = 0; j < dOut; j += COLUMNS) {
        for (let row = 0; row < tall; row += ROWS) block(scratch + row * dIn, start + j * dIn, out + row * width + j, dIn, width);
      }
      for (let row = 0; row < tall; row++) y.set(numbers.subarray(out + row * width, out + row * width + dOut), (i + row) * dOut);
    }
    return y;
  }
}

/** How many numbers a tensor has. */
export function sizeOf(shape) {
  return shape.reduce((product, side) => product * side, 1);
}

/** y[r, c] = sum over k of x[r, k] * w[c, k]: rows of `x` and `w` have `dIn` numbers, those of `y` `dOut`. */
function plainBlock(numbers, x, w, y, dIn, dOut) {
  const [x1, x2, x3, w1] = [x + dIn, x + 2 * dIn, x + 3 * dIn, w + dIn];
  let [y00, y01, y10, y11, y20, y21, y30, y31] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < dIn; k++) {
    const a = numbers[x + k], b = numbers[x1 + k], c = numbers[x2 + k], d = numbers[x3 + k];
    const e = numbers[w + k], f = numbers[w1 + k];
    y00 += a * e; y01 += a * f; y10 += b * e; y11 += b * f; y20 += c * e; y21 += c * f; y30 += d * e; y31 += d * f;
  }
  [y00, y01, y10, y11, y20, y21, y30, y31].forEach((sum, at) => { numbers[y + (at >> 1) * dOut + (at & 1)] = sum; });
}

const PROGRAM = program();

/** The same as a module of WebAssembly, with the sizes in bytes: it takes its memory, and gives the function `block`. */
function program() {
  const names = ["x", "w", "y", "dIn", "dOut", "k"]; // the locals: what is given, then numbers, then vectors of LANES
  const each = (count, make) => Array.from({ length: count }, (_, index) => make(index)).flat();
  const local = (name) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
  const [get, set, add] = [(name) => [0x20, local(name)], (name) => [0x21, local(name)], [0x6a]];
  const [addFour, multiplyFour] = [[0xfd, 0xe4, 0x01], [0xfd, 0xe6, 0x01]];
  const loadFour = (pointer, into) => [...get(pointer), ...get("k"), ...add, 0xfd, 0x00, 0x04, 0x00, ...set(into)];
  const pointers = (name, count) => each(count, (i) => [...(i ? [...get(name + (i - 1)), ...get("dIn"), ...add] : get(name)), ...set(name + i)]);
  const eachPair = (make) => each(ROWS, (r) => each(COLUMNS, (c) => make(`sum${r}${c}`, r, c)));
  const starts = [...pointers("x", ROWS), ...pointers("w", COLUMNS)];
  const [given, whole] = [5, names.length - 5];
  const four = [...each(ROWS, (r) => loadFour(`x${r}`, `a${r}`)), ...each(COLUMNS, (c) => loadFour(`w${c}`, `b${c}`))];
  const sums = eachPair((sum, r, c) => [...get(sum), ...get(`a${r}`), ...get(`b${c}`), ...multiplyFour, ...addFour, ...set(sum)]);
  const isNext = [...get("k"), 0x41, 4 * LANES, ...add, 0x22, local("k"), ...get("dIn"), 0x49]; // (k += 16) < dIn
  const lane = (sum, index) => [...get(sum), 0xfd, 0x1f, index];
  const nextRow = [...get("y"), ...get("dOut"), ...add, ...set("y")];
  const store = eachPair((sum, r, c) => [
    ...(r && !c ? nextRow : []), ...get("y"), ...lane(sum, 0), ...each(LANES - 1, (index) => [...lane(sum, index + 1), 0x92]), 0x38, 0x02, 4 * c,
  ]);
  const code = [...starts, 0x03, 0x40, ...four, ...sums, ...isNext, 0x0d, 0x00, 0x0b, ...store, 0x0b]; // a loop, then the sums
  const locals = [2, whole, 0x7f, names.length - given - whole, 0x7b];
  return Uint8Array.from([
    0x00, ...text("asm"), 1, 0, 0, 0,
    ...section(1, [1, 0x60, given, ...Array(given).fill(0x7f), 0]), // the type of the function
    ...section(2, [1, 3, ...text("own"), 6, ...text("memory"), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, 5, ...text("block"), 0x00, 0]),
    ...section(10, [1, ...sized([...locals, ...code])]),
  ]);
}

function text(word) {
  return Array.from(word, (letter) => letter.charCodeAt(0));
}

function section(id, bytes) {
  return [id, ...sized(bytes)];
}

/** Bytes after their number, which takes 7 bits a byte. */
function sized(bytes) {
  const length = [];
  for (let rest = bytes.length; rest || !length.length; rest >>= 7) length.push((rest & 127) | (rest > 127 ? 128 : 0));
  return [...length, ...bytes];
}
