// Arrays as NumPy writes them: a .npz is a zip archive, nothing compressed, of .npy files.
//
// The forms: "NumPy Enhancement Proposal 1" (.npy, version 1.0) and PKWARE's APPNOTE.TXT, section 4.3 (.zip).

/** The parts of a .npy file: float32 numbers from typed arrays that follow each other, of `shape` together. */
export function numbersFile(arrays, shape) {
  return [npyHeader("<f4", shape), ...arrays.map(viewedBytes)];
}

/** The parts of a .npy file: texts [n], or one text if `texts` is a string; every character takes 32 bits. */
export function textsFile(texts) {
  const single = typeof texts === "string";
  const rows = (single ? [texts] : texts).map((text) => Array.from(text, (letter) => letter.codePointAt(0)));
  const longest = Math.max(1, ...rows.map((row) => row.length));
  const codes = new Uint32Array(rows.length * longest);
  rows.forEach((row, index) => codes.set(row, index * longest));
  return [npyHeader(`<U${longest}`, single ? [] : [texts.length]), viewedBytes(codes)];
}

/** The parts of a zip archive of `files`, {name: parts}. Below 4 GB. */
export function zipFile(files) {
  const [parts, directory] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const entry = { name: new TextEncoder().encode(name), sum: checksum(content), size: sizeOfParts(content), offset };
    const header = zipHeader(entry);
    parts.push(header, ...content);
    directory.push(zipEntry(entry));
    offset += header.length + entry.size;
  }
  return [...parts, ...directory, zipEnd(directory.length, sizeOfParts(directory), offset)];
}

/** The CRC-32 of bytes that come in parts, as zip and PNG use it. */
export function checksum(parts) {
  let sum = -1;
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) sum = (sum >>> 8) ^ CRC_TABLE[(sum ^ part[at]) & 255];
  }
  return (sum ^ -1) >>> 0;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});
const NPY_BEGINS = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
const NPY_ALIGNED = 64;
const ZIP_HEADER = 0x04034b50;
const ZIP_ENTRY = 0x02014b50;
const ZIP_END = 0x06054b50;
const ZIP_VERSION = 20;
const ZIP_DAY = (1 << 5) | 1; // 1 January 1980: the same numbers give the same file

function npyHeader(type, shape) {
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const described = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sides}), }`;
  const start = NPY_BEGINS.length + 2;
  const room = NPY_ALIGNED - ((start + described.length + 1) % NPY_ALIGNED);
  const text = `${described}${" ".repeat(room)}\n`;
  return Uint8Array.from([...NPY_BEGINS, text.length & 255, text.length >> 8, ...new TextEncoder().encode(text)]);
}

function zipHeader({ name, sum, size }) {
  return joinedBytes(zipFields([4, ZIP_HEADER], ...zipDescribed({ name, sum, size })), name);
}

function zipEntry({ name, sum, size, offset }) {
  const rest = [[2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]; // no comment, first disk, no attributes
  return joinedBytes(zipFields([4, ZIP_ENTRY], [2, ZIP_VERSION], ...zipDescribed({ name, sum, size }), ...rest), name);
}

/** What both descriptions of a file share: version, flags, no compression, time, checksum, sizes. */
function zipDescribed({ name, sum, size }) {
  const before = [[2, ZIP_VERSION], [2, 0], [2, 0], [2, 0], [2, ZIP_DAY]];
  return [...before, [4, sum], [4, size], [4, size], [2, name.length], [2, 0]];
}

function zipEnd(count, size, offset) {
  return zipFields([4, ZIP_END], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
}

/** Whole numbers of 2 or 4 bytes, the lowest byte first. */
function zipFields(...numbers) {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, number] of numbers) {
    if (size === 2) view.setUint16(at, number, true);
    else view.setUint32(at, number, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

function joinedBytes(...parts) {
  const whole = new Uint8Array(sizeOfParts(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function sizeOfParts(parts) {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function viewedBytes(array) {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
