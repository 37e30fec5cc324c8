// The cells of the map as small images, made again only when they must be: one of all, one of the part that is seen.

import { Computed } from "./matrix.js";

/**
 * `subject` is what is drawn: {name, matrix, rule, reach, signed, table}; two of equal names look alike. `pixels`
 * is the size {width, height} that the plot has on the screen.
 */
export class MapRasters {
  constructor() {
    Object.assign(this, { whole: null, part: null });
  }

  /** The image of all cells; of a long text, in blocks. */
  all(subject, pixels) {
    const { nQuery, nKey } = subject.matrix;
    const region = { top: 0, bottom: nQuery, left: 0, right: nKey };
    const matrix = isLong(subject) ? subject.matrix.coarse : subject.matrix;
    if (!this.fits(this.whole, subject, region, pixels)) this.whole = coloured({ ...subject, matrix }, region, pixels);
    return this.whole;
  }

  /** The image of the part that was last made, if it is of this subject. */
  last(subject) {
    return this.part?.name === subject.name ? this.part : null;
  }

  /** Whether the image of all cells is too coarse for a region, and that of the part is not of it. */
  needs(subject, region, pixels) {
    const { image } = this.all(subject, pixels);
    const enough = !isLong(subject) && image.width >= subject.matrix.nKey && image.height >= subject.matrix.nQuery;
    return !enough && !this.fits(this.part, subject, outward(region, subject.matrix), pixels);
  }

  /** Make the image of a part, for at most `budget` milliseconds; says whether it is done. */
  refine(subject, region, pixels, budget) {
    const cells = outward(region, subject.matrix);
    if (!prepared(subject.matrix, cells, pixels, budget)) return false;
    this.part = coloured(subject, cells, pixels);
    return true;
  }

  fits(made, subject, region, pixels) {
    return made !== null && made.name === subject.name && made.pixels === `${pixels.width} ${pixels.height}`
      && SIDES.every((side) => made.region[side] === region[side]);
  }
}

const SIDES = ["top", "bottom", "left", "right"];

function isLong({ matrix }) {
  return matrix instanceof Computed;
}

/** Whole cells around a region. */
function outward({ top, bottom, left, right }, { nQuery, nKey }) {
  const end = { bottom: Math.min(Math.ceil(bottom), nQuery), right: Math.min(Math.ceil(right), nKey) };
  return { top: Math.floor(top), left: Math.floor(left), ...end };
}

/** Have the rows of a long text computed that an exact picture needs. */
function prepared(matrix, { top, bottom }, { height }, budget) {
  if (!isLong({ matrix }) || !matrix.isFine({ top, bottom }, Math.min(bottom - top, height))) return true;
  const end = performance.now() + budget;
  for (let i = top; i < bottom; i++) {
    if (performance.now() > end) return false;
    matrix.row(i);
  }
  return true;
}

function coloured({ name, matrix, rule, reach, signed, table }, region, pixels) {
  const width = Math.max(1, Math.min(region.right - region.left, Math.round(pixels.width)));
  const height = Math.max(1, Math.min(region.bottom - region.top, Math.round(pixels.height)));
  const values = matrix.raster(region, width, height, rule);
  const image = document.createElement("canvas");
  Object.assign(image, { width, height });
  const data = new ImageData(width, height);
  const masked = paintPixels(values, new Uint32Array(data.data.buffer), table, signed ? -reach : 0, reach);
  image.getContext("2d").putImageData(data, 0, 0);
  return { name, image, region, masked, pixels: `${pixels.width} ${pixels.height}` };
}

/** Numbers from `low` to `high` as colours of a table; what is masked stays clear. Says whether anything is masked. */
function paintPixels(values, pixels, table, low, high) {
  const last = table.length - 1;
  const steps = last / (high - low);
  let masked = false;
  for (let at = 0; at < values.length; at++) {
    const place = (values[at] - low) * steps + 0.5;
    if (place !== place) masked = true;
    else pixels[at] = table[place < 0 ? 0 : place > last ? last : place | 0];
  }
  return masked;
}
