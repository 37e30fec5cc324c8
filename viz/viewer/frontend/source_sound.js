// A sound as the lowest and highest sample of every stretch, over shades: the stronger, the more it is attended to.

import { faded } from "./colours.js";
import { frameOf } from "./map_cells.js";

export class Wave {
  /** `source` is {seconds, n, peaks}, the peaks [2, n] as bytes in base64; frames may lie behind the end of the sound. */
  constructor({ seconds, n, peaks }, { kinds }) {
    const bytes = new Int8Array(rawBytes(peaks).buffer);
    const ends = kinds.flatMap(({ queries, keys }) => [queries, keys]).flatMap((axis) => (axis?.places ?? []).map((place) => place?.[1] ?? 0));
    Object.assign(this, { seconds, low: bytes.subarray(0, n), high: bytes.subarray(n), end: ends.reduce((one, other) => Math.max(one, other), seconds) });
  }

  height() {
    return TALL + BELOW;
  }

  /** When a pointer is. */
  at(x, _y, { width }) {
    return (x / width) * this.end;
  }

  holds([start, end], second) {
    return second >= start && second < end;
  }

  paint(context, { width, shares, query, key, colours }) {
    const x = (second) => (second / this.end) * width;
    for (const [[start, end], share] of shares ?? []) {
      context.fillStyle = faded(colours.bar, SHADE * share);
      context.fillRect(x(start), 0, x(end) - x(start), TALL);
    }
    this.paintWave(context, x(this.seconds), colours);
    this.paintTimes(context, x, colours);
    for (const [entry, colour, thick] of [[key, colours.ink, KEY_LINE], [query, colours.accent, QUERY_LINE]]) {
      if (entry?.place) mark(context, x(entry.place[0]), x(entry.place[1]), width, { colour, thick, ground: colours.ground });
    }
  }

  /** A line from the lowest to the highest sample, for every pixel. */
  paintWave(context, width, colours) {
    const y = (sample) => TALL / 2 - (sample / LOUDEST) * (TALL / 2 - MARGIN);
    context.fillStyle = faded(colours.ink, SEEN_THROUGH);
    for (let at = 0; at < width; at += STROKE) {
      const [first, last] = [at, at + STROKE].map((edge) => Math.min(Math.floor((edge / width) * this.low.length), this.low.length - 1));
      const [high, low] = [Math.max(...this.high.subarray(first, last + 1)), Math.min(...this.low.subarray(first, last + 1))];
      context.fillRect(at, y(high) - LINE / 2, STROKE, y(low) - y(high) + LINE);
    }
  }

  paintTimes(context, x, colours) {
    const step = STEPS.find((each) => this.end / each <= MOST_TICKS) ?? STEPS.at(-1);
    Object.assign(context, { fillStyle: colours.quiet, font: TIME_FONT + getComputedStyle(context.canvas).fontFamily, textBaseline: "top" });
    context.fillRect(0, TALL, x(this.end), 1);
    for (let tick = 0; tick * step <= this.end; tick++) {
      const second = Number((tick * step).toFixed(3));
      context.textAlign = tick === 0 ? "left" : second >= this.end ? "right" : "center";
      context.fillRect(Math.min(x(second), x(this.end) - 1), TALL, 1, TICK);
      context.fillText(`${second} s`, x(second), TALL + TICK + 2);
    }
  }
}

/** The bytes of a base64 text. */
export function rawBytes(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const [TALL, BELOW] = [132, 24]; // CSS pixels
const MARGIN = 8;
const LOUDEST = 127;
const SHADE = 0.85;
const SEEN_THROUGH = 0.55; // the shade is seen behind the wave
const STROKE = 1;
const LINE = 1.5;
const TICK = 5;
const MOST_TICKS = 5;
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120];
const TIME_FONT = "14px ";
const LEAST_MARK = 7; // CSS pixels: a frame of a long sound is thinner
const [KEY_LINE, QUERY_LINE] = [2, 2.5];

/** A frame around a stretch, as wide as it takes to be seen. */
function mark(context, start, end, width, { colour, ground, thick }) {
  const wide = Math.max(end - start, LEAST_MARK);
  const left = Math.min(Math.max((start + end - wide) / 2, thick), width - wide - thick);
  frameOf(context, { x: left, y: thick, width: wide, height: TALL - 2 * thick }, colour, ground, thick);
}
