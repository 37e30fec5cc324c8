// What is drawn on the plot of the map: cells, hatching where a query may not look, numbers, marks.

import { cssOf, faded, isLight, packedHex } from "./colours.js";
import { cellSize, segmentBorders } from "./map_labels.js";

/** Draw images of {image, region}, the coarse one first; clear cells are masked. */
export function paintCells(context, { layout, view }, images, colours) {
  const { plot } = layout;
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  const masked = images.some((image) => image.masked);
  if (masked) hatch(context, plot, colours);
  context.imageSmoothingEnabled = false;
  for (const { image, region } of images) {
    if (masked && image !== images.at(-1).image && covers(images.at(-1).region, view)) continue; // it would show through
    const [wide, tall] = [plot.width / view.columns, plot.height / view.rows];
    context.drawImage(image, plot.x + (region.left - view.left) * wide, plot.y + (region.top - view.top) * tall,
      (region.right - region.left) * wide, (region.bottom - region.top) * tall);
  }
  context.restore();
}

/** Thin lines between cells that are large enough, and dotted ones where sentence B begins. */
export function paintLines(context, scene, colours) {
  const { layout: { plot }, view, queries, keys } = scene;
  const x = (j) => plot.x + ((j - view.left) / view.columns) * plot.width;
  const y = (i) => plot.y + ((i - view.top) / view.rows) * plot.height;
  const upright = (at) => { context.moveTo(at, plot.y); context.lineTo(at, plot.y + plot.height); };
  const level = (at) => { context.moveTo(plot.x, at); context.lineTo(plot.x + plot.width, at); };
  const cell = cellSize(scene);
  context.save();
  Object.assign(context, { strokeStyle: colours.ground, lineWidth: 1 });
  context.beginPath();
  if (cell.width >= GRID_FROM) for (let j = Math.floor(view.left) + 1; j < view.left + view.columns; j++) upright(x(j));
  if (cell.height >= GRID_FROM) for (let i = Math.floor(view.top) + 1; i < view.top + view.rows; i++) level(y(i));
  context.stroke();
  Object.assign(context, { strokeStyle: colours.accent, lineWidth: 1.5 });
  context.setLineDash([2, 3]);
  context.beginPath();
  for (const j of segmentBorders(keys)) if (j > view.left && j < view.left + view.columns) upright(x(j));
  for (const i of segmentBorders(queries)) if (i > view.top && i < view.top + view.rows) level(y(i));
  context.stroke();
  context.restore();
}

/** Numbers in cells that have room for them and are more than pale. */
export function paintNumbers(context, scene, { matrix, rule, reach, signed, table }, colours) {
  const cell = cellSize(scene);
  if (Math.min(cell.width, cell.height) < NUMBERS_FROM || matrix.step) return;
  const digits = digitsOf(cell.width, { exact: matrix.exact, signed });
  const { layout: { plot, sizes }, view, ruler } = scene;
  const [dark, light] = isLight(packedHex(colours.ink)) ? [colours.ground, colours.ink] : [colours.ink, colours.ground];
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  Object.assign(context, { font: ruler.font(numberSize(cell, digits, sizes)), direction: "ltr" });
  Object.assign(context, { textAlign: "center", textBaseline: "middle" });
  for (let i = Math.floor(view.top); i < Math.min(Math.ceil(view.top + view.rows), matrix.nQuery); i++) {
    const row = matrix.row(i);
    const { floor, scale } = rule(row);
    for (let j = Math.floor(view.left); j < Math.min(Math.ceil(view.left + view.columns), matrix.nKey); j++) {
      if (!(row[j] >= floor)) continue; // masked, or not drawn
      const share = signed ? (row[j] / reach + 1) / 2 : row[j] / scale / reach;
      if (!signed && share < WORTH_READING) continue;
      const colour = table[Math.round(Math.min(Math.max(share, 0), 1) * (table.length - 1))];
      context.fillStyle = isLight(colour) ? dark : light;
      const text = numberText(row[j], digits, signed);
      context.globalAlpha = Number(text) === 0 ? 0.6 : 1;
      context.fillText(text, plot.x + (j + 0.5 - view.left) * cell.width, plot.y + (i + 0.5 - view.top) * cell.height);
    }
  }
  context.restore();
}

/** Frame what is pointed at, and mark the rows that are held. */
export function paintMarks(context, scene, colours) {
  const { layout: { plot }, view, locked, cell } = scene;
  const size = cellSize(scene);
  context.save();
  context.beginPath();
  context.rect(plot.x - 4, plot.y - 4, plot.width + 8, plot.height + 8);
  context.clip();
  const box = (index, start, one, from, whole) => {
    const width = Math.max(one, SMALLEST_FRAME);
    const at = from + (index + 0.5 - start) * one - width / 2;
    return [Math.max(at, from - whole), width];
  };
  const all = { x: plot.x, width: plot.width };
  for (const i of locked) frameOf(context, { ...all, ...rowBox(i) }, colours.ink, colours.ground, 1.5);
  if (cell) {
    const { y, height } = rowBox(cell.query);
    const [x, width] = cell.key === null ? [plot.x, plot.width] : box(cell.key, view.left, size.width, plot.x, plot.width);
    const hasNumbers = Math.min(size.width, size.height) >= NUMBERS_FROM;
    if (cell.key !== null && !hasNumbers) cross(context, plot, { x: x + width / 2, y: y + height / 2 }, colours);
    frameOf(context, { x, y, width, height }, colours.accent, colours.ground, 2.5);
  }
  context.restore();

  function rowBox(i) {
    const [y, height] = box(i, view.top, size.height, plot.y, plot.height);
    return { y, height };
  }
}

const GRID_FROM = 12; // pixels a side of a cell, from which on lines part the cells
const NUMBERS_FROM = 46; // and from which on they have numbers in them
const WORTH_READING = 0.02; // of the scale, from which on a cell has a number: as arcs have
const FOUR_DIGITS_FROM = 68;
const SIGN_ROOM = 10;
const SMALLEST_FRAME = 7;
const HATCH = 7; // pixels between the lines that hatch

function covers(region, { top, left, rows, columns }) {
  return region.top <= top && region.left <= left && region.bottom >= top + rows && region.right >= left + columns;
}

function hatch(context, plot, colours) {
  context.fillStyle = colours.masked;
  context.fillRect(plot.x, plot.y, plot.width, plot.height);
  Object.assign(context, { strokeStyle: faded(colours.quiet, 0.35), lineWidth: 1 });
  context.beginPath();
  for (let at = -plot.height; at < plot.width; at += HATCH) {
    context.moveTo(plot.x + at, plot.y + plot.height);
    context.lineTo(plot.x + at + plot.height, plot.y);
  }
  context.stroke();
}

/** A sign takes the room of a digit. */
function digitsOf(width, { exact, signed }) {
  if (exact && width >= FOUR_DIGITS_FROM + (signed ? SIGN_ROOM : 0)) return 4;
  return signed && width < NUMBERS_FROM + SIGN_ROOM ? 1 : 2;
}

function numberSize(cell, digits, sizes) {
  return Math.min(sizes.label + 3, Math.floor(cell.width / (digits === 4 ? 4.4 : 3.2)));
}

function numberText(value, digits, signed) {
  return signed && value > 0 ? `+${value.toFixed(digits)}` : value.toFixed(digits);
}

/** A line that is seen on any colour: one on the ground of another. */
export function frameOf(context, { x, y, width, height }, colour, ground, thick) {
  Object.assign(context, { strokeStyle: ground, lineWidth: thick + 2 });
  context.strokeRect(x, y, width, height);
  Object.assign(context, { strokeStyle: colour, lineWidth: thick });
  context.strokeRect(x, y, width, height);
}

/** From the labels to the cell. */
function cross(context, plot, { x, y }, colours) {
  Object.assign(context, { strokeStyle: faded(colours.accent, 0.55), lineWidth: 1 });
  context.beginPath();
  context.moveTo(plot.x, y);
  context.lineTo(x, y);
  context.moveTo(x, plot.y);
  context.lineTo(x, y);
  context.stroke();
}

/** The line around the plot. */
export function frameOfPlot(context, { x, y, width, height }, { border }) {
  Object.assign(context, { strokeStyle: border, lineWidth: 1, globalAlpha: 0.35 });
  context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
  context.globalAlpha = 1;
}

/** A word in place of the cells. */
export function writeOnPlot(context, { layout: { plot, sizes }, ruler }, text, { quiet }) {
  Object.assign(context, { font: ruler.font(sizes.label), fillStyle: quiet, direction: "ltr" });
  Object.assign(context, { textAlign: "left", textBaseline: "middle" });
  context.fillText(text, plot.x + sizes.gap, plot.y + plot.height / 2);
}

