// Read what viz/viewer/stored.py writes: all weights of a short text as codes of 16 bits, without the means.

import { MOST_16, unpack, weightsOfCodes } from "./payload.js";

/** The contents of a cell as those of a file. */
export function restored(buffer) {
  const { meta, arrays } = unpack(buffer);
  const partsOf = (part) => Object.fromEntries(Object.entries(arrays)
    .filter(([name]) => name.startsWith(`${part} `)).map(([name, bytes]) => [name.slice(part.length + 1), bytes]));
  const overviews = partsOf("overviews");
  for (const kind of meta.about.kinds) if (kind.whole) overviews[kind.kind] = withMeans(overviews[kind.kind], kind);
  return { ...meta, overviews, heads: partsOf("heads") };
}

/** The codes of all heads with the mean after each layer and the mean of all at the end, as a server sends them. */
function withMeans(planes, { n_layers: nLayers, n_heads: nHeads }) {
  const half = planes.length / 2; // all low bytes come before all high ones: they are compressed better
  const size = half / nLayers / nHeads;
  const codes = new Uint16Array(((nHeads + 1) * nLayers + 1) * size);
  const [layer, all] = [new Mean(size), new Mean(size)];
  let end = 0;
  for (let index = 0; index < nLayers * nHeads; index++) {
    for (let at = index * size; at < (index + 1) * size; at++) codes[end++] = planes[at] + 256 * planes[half + at];
    layer.add(codes.subarray(end - size, end));
    all.add(codes.subarray(end - size, end));
    if ((index + 1) % nHeads === 0) end = layer.write(codes, end);
  }
  all.write(codes, end);
  return new Uint8Array(codes.buffer);
}

/** The mean of the codes that were added; a cell is masked if it is masked in all of them. */
class Mean {
  constructor(size) {
    Object.assign(this, { totals: new Float64Array(size), seen: new Uint8Array(size), count: 0 });
  }

  add(codes) {
    this.count += 1;
    codes.forEach((code, cell) => {
      if (code > MOST_16) return;
      this.totals[cell] += WEIGHTS[code];
      this.seen[cell] = 1;
    });
  }

  /** Write the mean as codes from `start` on, and begin anew; gives where it ends. */
  write(codes, start) {
    const { totals, seen, count } = this;
    totals.forEach((total, cell) => { codes[start + cell] = seen[cell] ? Math.round(Math.sqrt(total / count) * MOST_16) : MOST_16 + 1; });
    totals.fill(0);
    seen.fill(0);
    this.count = 0;
    return start + totals.length;
  }
}

const WEIGHTS = weightsOfCodes(MOST_16);
