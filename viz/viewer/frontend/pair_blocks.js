// For a pair of sentences: the share of its attention that each gives to itself, to the other, to special tokens.

import { cssOf, packedHex, ramp } from "./colours.js";
import { element, sized } from "./dom.js";
import { toSay, tr } from "./language.js";
import { inkOn } from "./legible.js";
import { groupsOfPair, PairShares } from "./pair_shares.js";
import { cutToWidth } from "./text_layout.js";
import { inDigits, inPerCent } from "./text_numbers.js";
import { Tip } from "./tip.js";

export class PairBlocks {
  constructor(model, viewer) {
    Object.assign(this, { model, viewer, wanted: "", shares: null, failure: "", pointed: null });
    this.focus = { row: 0, column: 0 };
    this.pen = document.createElement("canvas").getContext("2d");
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.grid = element("div", { class: "pair-grid", role: "grid", "aria-label": tr("Attention between the sentences") });
    this.stage = element("div", { class: "pair-stage" }, this.canvas, this.grid);
    this.tip = new Tip(this.stage);
    for (const name of ["pointermove", "pointerdown"]) this.stage.addEventListener(name, (event) => this.tip.follow(event));
    this.said = element("p", { class: "pair-said", "aria-live": "polite" });
    this.note = element("p", { class: "pair-note" });
    this.node = element("section", { class: "pair-blocks", "aria-label": tr("Sentence A and sentence B") },
      this.stage, this.said, this.note);
    this.grid.addEventListener("keydown", (event) => this.keyed(event));
    this.grid.addEventListener("pointerleave", ({ pointerType }) => { if (pointerType !== "touch") this.pointAt(null); });
  }

  draw(colours) {
    this.node.hidden = this.model.choices.picture !== "blocks";
    if (this.node.hidden) return;
    this.font = getComputedStyle(this.node).fontFamily;
    const groups = groupsOfPair(this.model.shown);
    this.stage.hidden = !groups;
    if (!groups) {
      this.said.textContent = this.model.choices.kind === "cross" ? tr(NO_PAIR_ACROSS) : tr(NO_PAIR);
      this.note.textContent = "";
      return;
    }
    this.want(groups);
    const layout = this.layOut(groups, this.node.clientWidth || PAIR_WIDTH);
    Object.assign(this.stage.style, { width: `${layout.width}px`, height: `${layout.height}px` });
    this.paintPair(sized(this.canvas, layout.width, layout.height), layout, colours);
    this.placeCells(layout);
    this.speak(layout);
  }

  /** How large the picture is that `paint` paints at a width. */
  size(width) {
    const groups = groupsOfPair(this.model.shown);
    return { width, height: groups ? this.layOut(groups, width).height : 0 };
  }

  /** Paint the picture. */
  paint(context, { width, colours }) {
    const groups = groupsOfPair(this.model.shown);
    if (groups) this.paintPair(context, this.layOut(groups, width), colours);
  }

  /** Take up the numbers of the chosen head, unless that has been done or has begun. */
  want(groups) {
    const { kind, layer } = this.model.choices;
    const wanted = [this.model.about.id, kind, layer, this.model.headIndex].join(" ");
    if (wanted === this.wanted) return;
    Object.assign(this, { wanted, shares: null, exact: false, failure: "" });
    const rough = this.model.shown.whole && this.model.shown.rough(layer, this.model.headIndex);
    if (rough) this.collect(new PairShares(rough, groups), wanted, false);
    const { signal } = this.model.stop;
    this.fetch(wanted, groups, signal).catch((error) => {
      if (wanted !== this.wanted || signal.aborted) return;
      this.failure = error.message;
      this.viewer.draw();
    });
  }

  async fetch(wanted, groups, signal) {
    const { layer } = this.model.choices;
    const choice = { layer, head: this.model.headIndex, quantity: "weights", words: false, special: "shown" };
    const matrix = await this.model.shown.exact(choice, signal);
    const whole = matrix.complete ? await matrix.complete() : matrix;
    this.collect(new PairShares(whole, groups), wanted, true);
  }

  /** Look at the rows in short spells, so that the page stays alive; another head ends it. */
  collect(found, wanted, exact) {
    if (wanted !== this.wanted || (this.exact && !exact)) return;
    found.go(SPELL);
    this.progress = found.done / found.queue.length;
    if (found.finished) Object.assign(this, { shares: found.shares, exact });
    else setTimeout(() => this.collect(found, wanted, exact));
    this.viewer.draw();
  }

  layOut({ rows, columns }, width) {
    const size = width < PAIR_NARROW ? SMALL_PAIR : LARGE_PAIR;
    const rowNames = rows.map(({ name }) => tr("from {name}", { name: this.cut(name, size) }));
    const left = Math.max(...rowNames.map((name) => this.measure(name, size.label))) + size.gap;
    const cell = Math.min(size.cell, (width - left) / columns.length);
    const heads = columns.map(({ name }) => tr("to {name}", { name: this.cut(name, size) }));
    const fits = heads.every((text) => this.measure(text, size.label) < cell - 4);
    const tall = Math.min(cell, size.tall);
    const top = size.label + 2 * size.gap;
    return {
      size, left, top, cell, tall, rows, columns, width, height: Math.ceil(top + tall * rows.length) + 2,
      rowNames, columnNames: fits ? heads : columns.map(({ name }) => this.cut(name, size, cell - 4)),
    };
  }

  cut(name, { label, name: widest }, room = widest) {
    return cutToWidth(name, Math.min(room, widest), label, (text, font) => this.measure(text, font));
  }

  measure(text, size) {
    this.pen.font = `${size}px ${this.font}`;
    return this.pen.measureText(text).width;
  }

  paintPair(context, layout, colours) {
    const { size, left, top, cell, tall, rowNames, columnNames } = layout;
    const table = ramp(colours.sequential);
    context.font = `${size.label}px ${this.font}`;
    context.direction = "ltr";
    context.fillStyle = colours.ink;
    context.textBaseline = "middle";
    context.textAlign = "right";
    rowNames.forEach((name, row) => context.fillText(name, left - size.gap, top + (row + 0.5) * tall));
    context.textAlign = "center";
    const above = top - size.gap - size.label / 2;
    columnNames.forEach((name, column) => context.fillText(name, left + (column + 0.5) * cell, above));
    context.font = `${size.number}px ${this.font}`;
    this.eachCell(layout, ({ row, column, x, y, width, height, share }) => {
      const colour = share === null ? packedHex(colours.ground) : table[Math.round(share * (table.length - 1))];
      context.fillStyle = cssOf(colour);
      context.fillRect(x, y, width, height);
      context.fillStyle = inkOn(colour, colours);
      context.fillText(share === null ? "…" : inPerCent(share), x + width / 2, y + height / 2 + 1);
      if (this.pointed?.row !== row || this.pointed.column !== column) return;
      context.strokeStyle = colours.accent;
      context.lineWidth = 3;
      context.strokeRect(x + 1, y + 1, width - 2, height - 2);
    });
  }

  eachCell({ left, top, cell, tall, rows, columns }, visit) {
    rows.forEach((_, row) => columns.forEach((__, column) => visit({
      row, column, x: left + column * cell + PAIR_SPACE / 2, y: top + row * tall + PAIR_SPACE / 2,
      width: cell - PAIR_SPACE, height: tall - PAIR_SPACE, share: this.shares?.[row][column] ?? null,
    })));
  }

  /** Cells for the pointer, the keyboard and screen readers over the painted ones. */
  placeCells(layout) {
    const { rows, columns } = layout;
    if (this.cells?.length !== rows.length || this.cells[0].length !== columns.length) this.makeCells(layout);
    this.eachCell(layout, ({ row, column, x, y, width, height }) => {
      const cell = this.cells[row][column];
      Object.assign(cell.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
      cell.setAttribute("aria-label", this.sentence(layout, row, column));
      cell.tabIndex = row === this.focus.row && column === this.focus.column ? 0 : -1;
    });
  }

  makeCells({ rows, columns }) {
    Object.assign(this, { focus: { row: 0, column: 0 }, pointed: null });
    this.cells = rows.map((_, row) => columns.map((__, column) => element("div", {
      class: "pair-cell", role: "gridcell", "data-row": row, "data-column": column,
      onpointerenter: () => this.pointAt({ row, column }), onclick: () => this.pointAt({ row, column }),
      onfocus: () => this.pointAt({ row, column }), onblur: () => this.pointAt(null),
    })));
    this.grid.replaceChildren(...this.cells.map((cells) => element("div", { role: "row" }, ...cells)));
  }

  pointAt(cell) {
    this.pointed = cell;
    if (!cell) this.tip.leave();
    this.viewer.draw();
  }

  keyed(event) {
    const { row, column } = this.focus;
    const last = { row: this.cells.length - 1, column: this.cells[0].length - 1 };
    const next = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [row, 0], End: [row, last.column],
    }[event.key];
    if (!next) return;
    event.preventDefault();
    const within = (at, most) => Math.min(Math.max(at, 0), most);
    this.tip.leave();
    this.focus = { row: within(next[0], last.row), column: within(next[1], last.column) };
    this.cells.flat().forEach((cell) => { cell.tabIndex = -1; });
    const cell = this.cells[this.focus.row][this.focus.column];
    cell.tabIndex = 0;
    cell.focus();
  }

  /** "from A to B: 0.123 (12%)". */
  sentence({ rows, columns }, row, column) {
    const names = { row: rows[row].name, column: columns[column].name };
    if (!this.shares) return tr("from {row} to {column}", names);
    const share = this.shares[row][column];
    const number = this.exact ? `${inDigits(share)} (${inPerCent(share)})` : inPerCent(share);
    return tr("from {row} to {column}: {number}", { ...names, number });
  }

  speak(layout) {
    const { pointed } = this;
    this.tip.show(pointed && this.shares ? [this.sentence(layout, pointed.row, pointed.column)] : null);
    this.said.textContent = pointed ? this.sentence(layout, pointed.row, pointed.column) : this.summary();
    const { quantity, words, special, scale } = this.model.choices;
    const other = quantity !== "weights" || words || special !== "shown" || scale !== "one";
    this.note.textContent = [tr(PAIR_NOTE, { sums: this.model.sums() }), ...(other ? [tr(PAIR_UNTOUCHED)] : [])].join(" ");
  }

  summary() {
    if (this.failure && !this.shares) return this.failure;
    if (!this.shares) return this.progress > 0 ? tr("Adding up: {share} of the rows.", { share: inPerCent(this.progress) }) : tr(PAIR_WAITING);
    const [toB, toA] = [this.shares[0][1], this.shares[1][0]].map(inPerCent);
    return tr("A token of A gives {toB} to B, a token of B gives {toA} to A, on average.", { toB, toA });
  }
}

const LARGE_PAIR = { label: 17, number: 20, gap: 10, cell: 120, tall: 68, name: 140 };
const SMALL_PAIR = { label: 13, number: 15, gap: 6, cell: 90, tall: 52, name: 64 };
const PAIR_NARROW = 480; // CSS pixels
const PAIR_WIDTH = 640;
const PAIR_SPACE = 4;
const SPELL = 12; // milliseconds
const NO_PAIR = toSay("This text has no sentence B. To see attention between sentences, add a second one.");
const NO_PAIR_ACROSS = toSay("This attention goes from one text to another, so it has no sentences A and B on both sides. "
  + "Choose the attention of the encoder and give it a pair of sentences.");
const PAIR_NOTE = toSay("How a token of A, a token of B or a special token shares out its attention, on average. "
  + "{sums} A longer sentence gets more simply because it is longer.");
const PAIR_UNTOUCHED = toSay("Always the weights of all word pieces, with special tokens, on the scale from 0 to 1.");
const PAIR_WAITING = toSay("The numbers are on their way.");
