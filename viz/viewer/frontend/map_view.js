// What part of the map is seen: a region of cells, moved and enlarged.

export class MapView {
  /** All of a map of `nQuery` x `nKey` cells; `most` is the strongest enlargement. */
  constructor(nQuery, nKey, most) {
    Object.assign(this, { nQuery, nKey, most: Math.max(most, 1), zoom: 1, top: 0, left: 0 });
  }

  /** The rows and columns that are seen, which need not be whole. */
  get rows() {
    return this.nQuery / this.zoom;
  }

  get columns() {
    return this.nKey / this.zoom;
  }

  get region() {
    return { top: this.top, bottom: this.top + this.rows, left: this.left, right: this.left + this.columns };
  }

  get isWhole() {
    return this.zoom <= 1;
  }

  /** What is seen, as a choice: [times, first row, first column]; empty for all of it. */
  get choice() {
    return this.isWhole ? [] : [this.zoom, this.top, this.left].map((value) => Number(value.toFixed(DIGITS)));
  }

  /** See what a choice says, as far as the map goes. */
  take([zoom = 1, top = 0, left = 0]) {
    this.zoom = Math.min(Math.max(zoom, 1), this.most);
    this.moveTo(top, left);
  }

  /** Enlarge by a factor; the place {x, y} of the plot, as shares of its sides, stays where it is. */
  zoomAt(factor, { x, y } = { x: 0.5, y: 0.5 }) {
    const [row, column] = [this.top + y * this.rows, this.left + x * this.columns];
    this.zoom = Math.min(Math.max(this.zoom * factor, 1), this.most);
    if (this.zoom < BARELY) this.zoom = 1;
    this.moveTo(row - y * this.rows, column - x * this.columns);
  }

  /** Move by shares of what is seen. */
  pan(x, y) {
    this.moveTo(this.top + y * this.rows, this.left + x * this.columns);
  }

  moveTo(top, left) {
    this.top = Math.min(Math.max(top, 0), this.nQuery - this.rows);
    this.left = Math.min(Math.max(left, 0), this.nKey - this.columns);
  }

  whole() {
    Object.assign(this, { zoom: 1, top: 0, left: 0 });
  }

  /** Move as little as is needed to see a cell. */
  reveal({ query, key }) {
    const near = (start, size, index) => Math.min(Math.max(start, index + 1 - size), index);
    const left = key === null ? this.left : near(this.left, this.columns, key);
    if (!this.isWhole) this.moveTo(near(this.top, this.rows, query), left);
  }
}

const BARELY = 1.01;
const DIGITS = 2; // a hundredth of a cell
