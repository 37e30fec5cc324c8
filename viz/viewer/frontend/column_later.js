// Who looks at a key of a long text: that takes every row, a few at a time, while a reader rests on the key.

import { strengthsIn } from "./text_numbers.js";

export class ColumnLater {
  /** `changed()` is called now and then while it goes on. */
  constructor(model, changed) {
    Object.assign(this, { model, changed, needs: [], progress: 0, found: null });
  }

  /** {values, strengths} of every head over the queries; null until all rows have been looked at. */
  column(heads, key, needs) {
    const wanted = [key, ...needs];
    const same = wanted.length === this.needs.length && wanted.every((need, at) => need === this.needs[at]);
    if (!same) this.begin(heads, key, wanted);
    return this.found;
  }

  stop() {
    clearTimeout(this.due);
    this.needs = [];
  }

  begin(heads, key, needs) {
    this.stop();
    Object.assign(this, { needs, progress: 0, found: null, told: performance.now() });
    if (heads.some(({ matrix }) => !matrix?.exact)) return;
    const size = this.model.queries.length;
    const columns = heads.map(() => ({ values: new Float32Array(size), strengths: new Float32Array(size) }));
    this.due = setTimeout(() => this.go(heads, key, columns, 0), COLUMN_REST);
  }

  go(heads, key, columns, from) {
    const end = performance.now() + COLUMN_SPELL;
    const reach = this.model.reach;
    let query = from;
    for (; query < this.model.queries.length && performance.now() < end; query++) {
      heads.forEach(({ matrix }, head) => {
        const row = matrix.row(query);
        columns[head].values[query] = row[key];
        columns[head].strengths[query] = strengthsIn(this.model, row, reach)(row[key]);
      });
    }
    this.progress = query / this.model.queries.length;
    if (query < this.model.queries.length) this.due = setTimeout(() => this.go(heads, key, columns, query));
    else this.found = columns;
    if (this.found || performance.now() - this.told > COLUMN_NEWS) this.tell();
  }

  tell() {
    this.told = performance.now();
    this.changed();
  }
}

const COLUMN_REST = 250; // milliseconds on a key before its column is begun
const COLUMN_SPELL = 16; // milliseconds of work before the page may do something else
const COLUMN_NEWS = 300; // milliseconds from one word about it to the next
