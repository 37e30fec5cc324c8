// What else is known of a cell: the score before the softmax beside its weight, the weight beside its score.

import { MEAN } from "./declared.js";

export class Companion {
  constructor(model) {
    Object.assign(this, { model, rows: null, name: "" });
  }

  /** Pairs [quantity, number] for a cell {query, key}; none until they are here, then the model tells its listeners. */
  of({ query, key }) {
    const { model } = this;
    const { kind, layer, head, quantity, special } = model.choices;
    const [row, column] = [model.queries[query], model.keys[key]];
    if (head === MEAN || row.positions.length > 1 || column.positions.length > 1) return []; // they have no score
    const other = quantity === "scores" ? "weights" : "scores";
    if (other === "weights" && special === "hidden_renormalised") return [];
    const name = [model.about.id, kind, layer, head, other].join(" ");
    if (this.name !== name) this.fetch(name, other);
    const value = this.row(row.position)?.[column.position];
    return value === undefined || Number.isNaN(value) ? [] : [[other, value]];
  }

  /** The row of a position; the last one is kept. */
  row(position) {
    if (this.last?.rows !== this.rows || this.last.position !== position) {
      this.last = { rows: this.rows, position, values: this.rows?.(position) };
    }
    return this.last.values;
  }

  async fetch(name, other) {
    Object.assign(this, { name, rows: null });
    try {
      const rows = await this.rowsOf(other);
      if (this.name !== name) return;
      this.rows = rows;
      this.model.tell({ choices: false, told: false });
    } catch {
      if (this.name === name) this.rows = () => []; // nothing is said rather than something wrong
    }
  }

  /** Where queries and keys are at hand, every quantity follows from them without another question. */
  async rowsOf(other) {
    const { shown, stop, choices: { layer, head, quantity, words, special } } = this.model;
    const here = await shown.exact({ layer, head, quantity, words, special }, stop.signal);
    if (here.rowsOf) return here.rowsOf(other);
    const asked = await shown.exact({ layer, head, quantity: other, words: false, special: "shown" }, stop.signal);
    return (position) => asked.row(position);
  }
}
