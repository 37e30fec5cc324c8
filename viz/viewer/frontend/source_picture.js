// A picture under a veil: the clearer a patch, the more it is attended to.

import { faded } from "./colours.js";
import { element } from "./dom.js";
import { frameOf } from "./map_cells.js";
import { rawBytes } from "./source_sound.js";

export class Photograph {
  /** `source` is {width, height, pixels}, the pixels red, green, blue in base64. */
  constructor({ width, height, pixels }) {
    Object.assign(this, { shape: { width, height }, canvas: element("canvas", { width, height }) });
    const [bytes, image] = [rawBytes(pixels), new ImageData(width, height)];
    for (let at = 0; at < width * height; at++) image.data.set([...bytes.subarray(3 * at, 3 * at + 3), OPAQUE], 4 * at);
    this.canvas.getContext("2d").putImageData(image, 0, 0);
  }

  height(width) {
    return Math.round((width * this.shape.height) / this.shape.width);
  }

  /** Where a pointer is, as shares of the sides. */
  at(x, y, { width, height }) {
    return { x: x / width, y: y / height };
  }

  holds([left, top, right, bottom], { x, y }) {
    return x >= left && x < right && y >= top && y < bottom;
  }

  paint(context, { width, height, shares, query, key, colours }) {
    const box = ([left, top, right, bottom]) => ({
      x: left * width, y: top * height, width: (right - left) * width, height: (bottom - top) * height,
    });
    context.imageSmoothingEnabled = this.shape.width > width;
    context.drawImage(this.canvas, 0, 0, width, height);
    for (const [place, share] of shares ?? []) veil(context, box(place), 1 - share, colours);
    for (const [entry, colour, thick] of [[key, colours.ink, KEY_LINE], [query, colours.accent, QUERY_LINE]]) {
      if (entry?.place) frameOf(context, inset(box(entry.place), thick / 2 + 1), colour, colours.ground, thick);
    }
  }
}

const OPAQUE = 255;
const VEIL = 0.86; // of the ground over a patch that gets nothing
const SEAM = 0.5; // CSS pixels of the picture between veils: the grid of the patches
const [KEY_LINE, QUERY_LINE] = [2, 3];

function veil(context, { x, y, width, height }, strength, colours) {
  context.fillStyle = faded(colours.ground, VEIL * strength);
  context.fillRect(x + SEAM, y + SEAM, width - 2 * SEAM, height - 2 * SEAM);
}

/** A line lies inside its patch, so that those at the border of the picture are seen whole. */
function inset({ x, y, width, height }, by) {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
}
