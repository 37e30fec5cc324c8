// How wide texts are in the font of the page; many widths are kept.

export class TextRuler {
  /** `fontOfPage()` gives the family. */
  constructor(fontOfPage) {
    Object.assign(this, { fontOfPage, widths: new Map() });
    this.pen = document.createElement("canvas").getContext("2d");
  }

  get font() {
    return this.fontOfPage();
  }

  /** The width of a text in pixels. */
  measure(text, size, weight = 400) {
    const name = `${weight} ${size} ${text}`;
    let width = this.widths.get(name);
    if (width === undefined) {
      this.pen.font = `${weight} ${size}px ${this.font}`;
      width = this.pen.measureText(text).width;
      if (this.widths.size >= KEPT) this.widths.clear();
      this.widths.set(name, width);
    }
    return width;
  }

  /** The font has come, or changed. */
  forget() {
    this.widths.clear();
  }
}

const KEPT = 20000; // widths
