// A drawing context that writes SVG. It knows the part of the canvas that the pictures use, so one `paint` serves both.
//
// Points are moved and turned as they come (there is no scaling), so that paths and clips stand in the coordinates of
// the whole drawing; only text and images carry a transformation. Text stays text.

import { element } from "./dom.js";

export class SvgContext {
  constructor() {
    Object.assign(this, CANVAS_STATE, { place: UNMOVED, clipping: null, dashes: [] });
    this.kept = [];
    this.path = [];
    this.definitions = [];
    this.marks = [];
    this.family = null; // of the letters, where nothing else is said
    this.open = null; // the clip whose group is being written
    this.name = Math.random().toString(36).slice(2, 8); // two drawings in one document must not share their clips
    this.ruler = element("canvas").getContext("2d");
  }

  save() {
    this.kept.push(Object.fromEntries(CANVAS_MEMORY.map((name) => [name, this[name]])));
  }

  restore() {
    Object.assign(this, this.kept.pop());
  }

  translate(x, y) {
    this.place = { ...this.place, ...this.point(x, y) };
  }

  rotate(angle) {
    const { cos, sin } = this.place;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    this.place = { ...this.place, cos: cos * c - sin * s, sin: sin * c + cos * s };
  }

  setLineDash(dashes) {
    this.dashes = [...dashes];
  }

  beginPath() {
    this.path = [];
  }

  closePath() {
    this.path.push("Z");
  }

  moveTo(x, y) {
    this.path.push(`M${this.pair(x, y)}`);
  }

  lineTo(x, y) {
    this.path.push(`${this.path.length ? "L" : "M"}${this.pair(x, y)}`);
  }

  bezierCurveTo(x1, y1, x2, y2, x, y) {
    if (!this.path.length) this.moveTo(x1, y1);
    this.path.push(`C${this.pair(x1, y1)} ${this.pair(x2, y2)} ${this.pair(x, y)}`);
  }

  rect(x, y, width, height) {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  /** A part of a circle, in at most two pieces: one arc of SVG cannot be a whole circle. */
  arc(x, y, radius, start, end, backwards = false) {
    const span = backwards ? -oneTurn(start - end) : oneTurn(end - start);
    this.lineTo(x + radius * Math.cos(start), y + radius * Math.sin(start));
    for (const angle of [start + span / 2, start + span]) {
      const [to, r] = [this.pair(x + radius * Math.cos(angle), y + radius * Math.sin(angle)), hundredths(radius)];
      this.path.push(`A${r} ${r} 0 0 ${span > 0 ? 1 : 0} ${to}`);
    }
  }

  /** Only what is inside of the path, and of the clips before, is drawn until `restore`. */
  clip() {
    const name = `clip-${this.name}-${this.definitions.length}`;
    const within = this.clipping ? { "clip-path": `url(#${this.clipping})` } : {};
    this.definitions.push(xmlTag("clipPath", { id: name, ...within }, xmlTag("path", { d: this.path.join("") })));
    this.clipping = name;
  }

  fill() {
    if (this.path.length) this.mark("path", { d: this.path.join(""), ...this.filling() });
  }

  stroke() {
    if (this.path.length) this.mark("path", { d: this.path.join(""), ...this.stroking() });
  }

  fillRect(x, y, width, height) {
    this.rectangle(x, y, width, height, this.filling());
  }

  strokeRect(x, y, width, height) {
    this.rectangle(x, y, width, height, this.stroking());
  }

  measureText(text) {
    const { font, textAlign, textBaseline } = this;
    Object.assign(this.ruler, { font, textAlign, textBaseline, direction: this.writing });
    return this.ruler.measureText(text);
  }

  fillText(text, x, y) {
    const anchor = this.textAlign === "center" ? "middle" : ANCHORS[this.writing][this.textAlign];
    const place = this.standing(x, y + this.toBaseline());
    this.mark("text", {
      ...place, ...this.lettering(), ...this.filling(), direction: this.writing === "rtl" ? "rtl" : null,
      "text-anchor": anchor === "start" ? null : anchor, "xml:space": "preserve",
    }, escapedXml(String(text)));
  }

  drawImage(image, x, y, width, height) {
    this.mark("image", {
      ...this.standing(x, y), width: hundredths(width), height: hundredths(height), preserveAspectRatio: "none",
      style: "image-rendering: pixelated", opacity: this.globalAlpha === 1 ? null : hundredths(this.globalAlpha),
      "xlink:href": dataAddress(image), // the older name is the one that drawing programs know
    });
  }

  /** The whole drawing as a document. */
  document({ width, height, title, description }) {
    const marks = this.open ? [...this.marks, "</g>"] : this.marks;
    const [wide, tall] = [width, height].map(hundredths);
    const size = { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` };
    const usual = { "font-family": this.family, direction: "ltr", "stroke-miterlimit": 10 };
    return xmlTag("svg", { ...NAMESPACES, ...size, role: "img", ...usual }, [
      xmlTag("title", {}, escapedXml(title)), xmlTag("desc", {}, escapedXml(description)),
      xmlTag("defs", {}, this.definitions.join("\n")), ...marks,
    ].join("\n"));
  }

  get writing() {
    return this.direction === "rtl" ? "rtl" : "ltr";
  }

  point(x, y) {
    const { cos, sin, x: left, y: top } = this.place;
    return { x: left + cos * x - sin * y, y: top + sin * x + cos * y };
  }

  pair(x, y) {
    const moved = this.point(x, y);
    return `${hundredths(moved.x)} ${hundredths(moved.y)}`;
  }

  /** How far the line that letters stand on is below the one that `textBaseline` names: few programs know those. */
  toBaseline() {
    const above = this.measureText("x").fontBoundingBoxAscent;
    this.ruler.textBaseline = "alphabetic";
    return this.ruler.measureText("x").fontBoundingBoxAscent - above;
  }

  /** The letters, from the font as the canvas writes it: "italic 600 15px system-ui, sans-serif". */
  lettering() {
    const [, before, size, family] = this.ruler.font.match(/^(.*?)([\d.]+)px\s+(.*)$/);
    this.family ??= family;
    return {
      "font-family": family === this.family ? null : family, "font-size": size,
      "font-style": before.includes("italic") ? "italic" : null,
      "font-weight": before.match(/\b(bold|[1-9]00)\b/)?.[0] ?? null,
    };
  }

  /** Where a thing stands, and how it is oneTurn. */
  standing(x, y) {
    const { cos, sin } = this.place;
    const moved = this.point(x, y);
    if (sin === 0 && cos === 1) return { x: hundredths(moved.x), y: hundredths(moved.y) };
    const numbers = [...[cos, sin, -sin, cos].map(fiveDigits), hundredths(moved.x), hundredths(moved.y)];
    return { transform: `matrix(${numbers.join(" ")})` };
  }

  rectangle(x, y, width, height, look) {
    const size = { width: hundredths(Math.abs(width)), height: hundredths(Math.abs(height)) };
    this.mark("rect", { ...this.standing(Math.min(x, x + width), Math.min(y, y + height)), ...size, ...look });
  }

  filling() {
    return this.paintOf("fill", this.fillStyle);
  }

  stroking() {
    const { lineWidth, lineCap, dashes } = this;
    return {
      fill: "none", ...this.paintOf("stroke", this.strokeStyle), "stroke-width": hundredths(lineWidth),
      "stroke-linecap": lineCap === "butt" ? null : lineCap,
      "stroke-dasharray": dashes.length ? dashes.map(hundredths).join(" ") : null,
    };
  }

  /** A colour as drawing programs read it: six digits, and its opacity beside it. */
  paintOf(what, colour) {
    this.ruler.fillStyle = colour; // the canvas writes any colour as "#rrggbb" or "rgba(r, g, b, a)"
    const solid = this.ruler.fillStyle.startsWith("#");
    const [red, green, blue, alpha] = solid ? [0, 0, 0, 1] : this.ruler.fillStyle.match(/[\d.]+/g).map(Number);
    const opacity = this.globalAlpha * alpha;
    return {
      [what]: solid ? this.ruler.fillStyle : `#${[red, green, blue].map(hexDigits).join("")}`,
      [`${what}-opacity`]: opacity === 1 ? null : fiveDigits(opacity),
    };
  }

  /** Write an element into the group of the clip that holds now. */
  mark(name, attributes, content = "") {
    if (this.open !== this.clipping) {
      if (this.open) this.marks.push("</g>");
      if (this.clipping) this.marks.push(`<g clip-path="url(#${this.clipping})">`);
      this.open = this.clipping;
    }
    this.marks.push(xmlTag(name, attributes, content));
  }
}

/** Text as it may stand in XML: no markup, and none of the characters that XML forbids. */
export function escapedXml(text) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(FORBIDDEN_XML, "\ufffd").replace(/[&<>"]/g, (character) => entities[character]);
}

const CANVAS_STATE = {
  fillStyle: "#000000", strokeStyle: "#000000", lineWidth: 1, lineCap: "butt",
  font: "10px sans-serif", textAlign: "start", textBaseline: "alphabetic", direction: "ltr",
  globalAlpha: 1, imageSmoothingEnabled: true,
};
const CANVAS_MEMORY = [...Object.keys(CANVAS_STATE), "place", "clipping", "dashes"];
const UNMOVED = { cos: 1, sin: 0, x: 0, y: 0 };
const NAMESPACES = { xmlns: "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink" };
const ANCHORS = {
  ltr: { start: "start", left: "start", end: "end", right: "end" },
  rtl: { start: "start", right: "start", end: "end", left: "end" },
};
const FORBIDDEN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const WHOLE_TURN = 2 * Math.PI;

/** An angle as the canvas takes it: a whole turn and more is a whole turn, less than nothing is counted on. */
function oneTurn(angle) {
  return angle >= WHOLE_TURN ? WHOLE_TURN : ((angle % WHOLE_TURN) + WHOLE_TURN) % WHOLE_TURN;
}

function xmlTag(name, attributes, content = "") {
  const written = Object.entries(attributes).filter(([, value]) => value !== null);
  const opening = [name, ...written.map(([key, value]) => `${key}="${escapedXml(String(value))}"`)].join(" ");
  return content ? `<${opening}>${content}</${name}>` : `<${opening}/>`;
}

/** An image as a data address; what is no canvas is copied to one. */
function dataAddress(image) {
  if (image.toDataURL) return image.toDataURL("image/png");
  const canvas = Object.assign(element("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/png");
}

function hundredths(number) {
  return String(Math.round(number * 100) / 100);
}

function fiveDigits(number) {
  return String(Math.round(number * 1e5) / 1e5);
}

function hexDigits(channel) {
  return Math.round(channel).toString(16).padStart(2, "0");
}
