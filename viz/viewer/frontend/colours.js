// Colours of numbers, from the palettes of viz/kit/theme.py: lightness in equal steps, legible to colour-blind readers.

/** `n` colours from a palette, each a 32-bit number as an ImageData holds it (red in the lowest byte). */
export function ramp(palette, n = 1024) {
  const stops = palette.map(channels);
  return Uint32Array.from({ length: n }, (_, index) => {
    const place = (index / (n - 1)) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    return packedColour(stops[low].map((from, c) => Math.round(from + (stops[low + 1][c] - from) * (place - low))));
  });
}

/** One colour as a 32-bit number. */
export function packedHex(hex) {
  return packedColour(channels(hex));
}

/** "#rrggbb" with an opacity, as CSS. */
export function faded(hex, opacity) {
  return `rgb(${channels(hex).join(" ")} / ${opacity})`;
}

/** Whether dark ink reads better on this colour, a 32-bit number. */
export function isLight(colour) {
  return 0.299 * (colour & 255) + 0.587 * ((colour >> 8) & 255) + 0.114 * ((colour >> 16) & 255) > 140;
}

/** The CSS of a 32-bit colour. */
export function cssOf(colour) {
  return `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
}

/** Tell the style sheet the colours of a theme. */
export function dressed(node, colours) {
  for (const name of STYLED) node.style.setProperty(`--${name}`, colours[name]);
  node.style.setProperty("--field", faded(colours.border, 0.1));
}

const STYLED = ["ink", "ground", "quiet", "border", "accent", "masked", "hover", "bar", "still", "control"];

function channels(hex) {
  return [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16));
}

function packedColour([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
