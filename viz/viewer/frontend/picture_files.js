// A picture as a file to print: framed by its title, what was done to its numbers, and the model. As SVG and as PNG.

import { element } from "./dom.js";
import { toSay, tr } from "./language.js";
import { checksum } from "./npz.js";
import { SvgContext } from "./svg_context.js";

/** A `part` of the viewer with a frame: {width, height, paint(context), title, description}. `lines` stand below it. */
export function framed(part, { title, lines, colours, font }) {
  const ruler = element("canvas").getContext("2d");
  const [heading, note] = [`600 ${TITLE_SIZE}px ${font}`, `${NOTE_SIZE}px ${font}`];
  const { width, height } = part.size(PRINT_WIDTH);
  const whole = Math.max(PRINT_WIDTH, width);
  const [above, below] = [brokenInto(ruler, heading, [title], whole), brokenInto(ruler, note, lines, whole)];
  const top = PRINT_MARGIN + above.length * LINE_HEIGHT * TITLE_SIZE + PRINT_GAP;
  const bottom = top + height + PRINT_GAP;
  return {
    title, description: lines.filter(Boolean).join(" "), width: whole + 2 * PRINT_MARGIN,
    height: bottom + below.length * LINE_HEIGHT * NOTE_SIZE + PRINT_MARGIN,
    paint(context) {
      Object.assign(context, { fillStyle: colours.ground, imageSmoothingEnabled: false });
      context.fillRect(0, 0, this.width, this.height);
      writeLines(context, above, { font: heading, colour: colours.ink, top: PRINT_MARGIN, size: TITLE_SIZE });
      context.save();
      context.translate(PRINT_MARGIN, top);
      part.paint(context, { width, height, colours });
      context.restore();
      writeLines(context, below, { font: note, colour: colours.quiet, top: bottom, size: NOTE_SIZE });
    },
  };
}

/** The parts of an SVG file. */
export function drawingFile(picture) {
  const context = new SvgContext();
  picture.paint(context);
  return ['<?xml version="1.0" encoding="UTF-8"?>\n', context.document(picture), "\n"];
}

/** The parts of a PNG file for a print 16 cm wide, and the dots an inch that it has: few if it is very long. */
export async function imageFile(picture) {
  const { width, height } = picture;
  const [longest, largest] = [LONGEST_CANVAS / Math.max(width, height), Math.sqrt(LARGEST_CANVAS / (width * height))];
  const scale = Math.min(PRINT_SCALE, longest, largest);
  const [wide, tall] = [width, height].map((side) => Math.round(side * scale));
  const canvas = Object.assign(element("canvas"), { width: wide, height: tall });
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  picture.paint(context);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error(tr(TOO_LARGE_FOR_PNG));
  const dotsPerMetre = Math.round(canvas.width / PRINT_METRES);
  const parts = withResolution(new Uint8Array(await blob.arrayBuffer()), dotsPerMetre);
  return { parts, dotsPerInch: dotsPerMetre * METRES_PER_INCH };
}

export const PRINT_DOTS = 300; // an inch
export const PRINT_WIDTH = 720; // CSS pixels of the picture: letters of 15 pixels are 9 points on a page of 16 cm
const PRINT_MARGIN = 24;
const PRINT_GAP = 14;
const TITLE_SIZE = 22;
const NOTE_SIZE = 15;
const LINE_HEIGHT = 1.4;
const PRINT_SCALE = 3;
const PRINT_METRES = 0.16;
const METRES_PER_INCH = 0.0254;
const LONGEST_CANVAS = 16_000; // what browsers can hold: pixels a side,
const LARGEST_CANVAS = 40e6; // and in all
const TOO_LARGE_FOR_PNG = toSay("This picture is too large for a PNG file. Take it as SVG.");
const PNG_HEADER = 33; // bytes of a PNG before the place where its resolution may stand
const PNG_METRES = 1;

/** Texts broken at spaces into lines of at most `width`. */
function brokenInto(ruler, font, texts, width) {
  ruler.font = font;
  const lines = [];
  for (const text of texts.filter(Boolean)) {
    let line = "";
    for (const word of text.split(" ")) {
      const longer = line ? `${line} ${word}` : word;
      if (line && ruler.measureText(longer).width > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines;
}

function writeLines(context, lines, { font, colour, top, size }) {
  Object.assign(context, { font, fillStyle: colour, textAlign: "left", textBaseline: "middle", direction: "ltr" });
  lines.forEach((line, index) => context.fillText(line, PRINT_MARGIN, top + (index + 0.5) * LINE_HEIGHT * size));
}

/** A PNG that says how large it is on paper: the chunk pHYs, section 11.3.4.3 of the specification. */
function withResolution(png, dotsPerMetre) {
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, 9);
  chunk.set(new TextEncoder().encode("pHYs"), 4);
  view.setUint32(8, dotsPerMetre);
  view.setUint32(12, dotsPerMetre);
  chunk[16] = PNG_METRES;
  view.setUint32(17, checksum([chunk.subarray(4, 17)]));
  return [png.subarray(0, PNG_HEADER), chunk, png.subarray(PNG_HEADER)];
}
