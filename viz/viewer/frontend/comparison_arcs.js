// The two texts of a comparison as arcs, one above the other. A word that is held or pointed at in the one is so in the other.

import { lookOfHalf } from "./arcs_layout.js";
import { wordsOf } from "./arcs_scene.js";
import { ArcsView } from "./arcs_view.js";
import { entriesOf, tokensOf } from "./axis.js";
import { element, write } from "./dom.js";
import { Dense, derive } from "./matrix.js";
import { Model } from "./model.js";

export class ComparedArcs {
  /** `viewer.draw()` draws the comparison anew. */
  constructor(viewer) {
    Object.assign(this, { viewer, sides: [], pairs: [] });
    this.nodes = SIDES.map((side) => element("div", { class: "compared-arcs", "data-side": side, hidden: true }));
  }

  /** Show another comparison: its tokens, and which belong together, as viz/viewer/comparison.py writes them. */
  show({ about, arrays }) {
    this.pairs = about.pairs.rows;
    this.sides = SIDES.map((name, side) => {
      const model = new SideModel(about, arrays[name], side, this);
      const view = new HalfArcs(model, this.viewer);
      const caption = element("p", { class: "compared-caption" });
      write(caption, about.captions[name]);
      this.nodes[side].replaceChildren(...(about.captions[name] ? [caption] : []), view.node);
      return { model, view };
    });
  }

  draw(colours, isShown) {
    for (const node of this.nodes) node.hidden = !isShown;
    if (isShown) for (const { view } of this.sides) view.draw(colours);
  }

  /** In one text other words are held: the same ones are in the other. */
  holds({ side, choices }) {
    const other = this.sides[1 - side];
    const locked = choices.locked.map((position) => this.pairOf(side, [position])).filter((position) => position !== null);
    other.model.choices = { ...other.model.choices, locked };
    this.viewer.draw();
  }

  /** A word of one text is pointed at, or none: the same one is in the other. */
  pointsAt({ side, queries }, cell) {
    const { model, view } = this.sides[1 - side];
    const position = cell && this.pairOf(side, queries[cell.query].positions);
    const place = model.queries.findIndex(({ positions }) => positions.includes(position));
    const index = wordsOf(model, view.remembered).queries.indexOf(place);
    view.hovered = index < 0 ? null : { side: "query", index };
  }

  /** The position in the other text of the first of some positions that has one; null if none has. */
  pairOf(side, positions) {
    const pair = this.pairs.find((both) => positions.includes(both[side]) && both[1 - side] !== null);
    return pair ? pair[1 - side] : null;
  }

  /** Both pictures below each other, as picture_files.js takes a part. */
  get part() {
    const tall = (width) => this.sides.map(({ view }) => view.size(width).height);
    return {
      size: (width) => ({ width, height: tall(width).reduce((sum, height) => sum + height + GAP, -GAP) }),
      paint: (context, { width, colours }) => this.sides.forEach(({ view }, side) => {
        context.save();
        context.translate(0, side * (tall(width)[0] + GAP));
        view.paint(context, { width, colours });
        context.restore();
      }),
    };
  }
}

/** Arcs with less room above them: two such pictures stand on one screen. */
class HalfArcs extends ArcsView {
  scene(width, tallest, look = lookOfHalf(width)) {
    return super.scene(width, tallest, look);
  }
}

/** One text and its numbers in the form that a picture asks for. */
class SideModel extends Model {
  constructor(about, values, side, arcs) {
    super();
    const { queries, keys, held } = about.sides[SIDES[side]];
    const tokens = { queries: tokensOf(queries) };
    tokens.keys = keys ? tokensOf(keys) : tokens.queries;
    const whole = (entries) => entriesOf(entries, { words: true, special: "shown" });
    Object.assign(this, { about, side, arcs, kinds: new Map([[this.choices.kind, tokens]]) });
    this.choices = { ...this.choices, picture: "arcs", words: true, scale: "one", locked: held };
    this.axes = { queries: whole(tokens.queries), keys: whole(tokens.keys) };
    this.numbers = derive(numbersOf(about, values, side), this.queries, this.keys, false);
  }

  matrix() {
    return this.numbers;
  }

  get note() {
    return "";
  }

  set({ locked }) {
    this.choices = { ...this.choices, locked };
    this.arcs.holds(this);
  }

  point(cell) {
    this.arcs.pointsAt(this, cell);
  }

  /** All numbers are here. */
  async complete() {}
}

/** The weights of one text alone: of the shared rows and columns, those that it has, in its own order. */
function numbersOf({ pairs, sides }, values, side) {
  const { queries, keys } = sides[SIDES[side]];
  const [nQuery, nKey] = [queries.texts.length, (keys ?? queries).texts.length];
  const own = new Float32Array(nQuery * nKey);
  pairs.rows.forEach((row, i) => pairs.columns.forEach((column, j) => {
    if (row[side] !== null && column[side] !== null) own[row[side] * nKey + column[side]] = values[i * pairs.columns.length + j];
  }));
  return new Dense(own, nQuery, nKey);
}

const SIDES = ["one", "other"];
const GAP = 28; // pixels between the two in a file
