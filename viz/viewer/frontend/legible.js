// Which of the two colours of a page can be read on a coloured cell: WCAG 2.2, "contrast ratio".

import { packedHex } from "./colours.js";

/** The one of `ink` and `ground` that stands out more from a colour, a 32-bit number. */
export function inkOn(colour, { ink, ground }) {
  return contrast(packedHex(ink), colour) >= contrast(packedHex(ground), colour) ? ink : ground;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + FLARE) / (low + FLARE);
}

function luminance(colour) {
  const [red, green, blue] = [0, 8, 16].map((shift) => {
    const channel = ((colour >> shift) & 255) / 255;
    return channel <= LINEAR_UNTIL ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const FLARE = 0.05;
const LINEAR_UNTIL = 0.04045;
