// A picture to send: the sentence with its arcs, one line of text and where it is from, in the shape that chats show.

import { POSTER } from "./arcs_layout.js";
import { element } from "./dom.js";
import { handOver } from "./hand_over.js";
import { toSay, tr } from "./language.js";
import { Panel } from "./panel.js";
import { drawingFile } from "./picture_files.js";

/** The picture {width, height, title, description, paint(context)} of what a view of arcs shows. */
export function cardOf(arcs, { source, colours, font }) {
  const sentence = arcs.said.textContent;
  const { width, height } = arcs.size(ROOM.width, POSTER);
  return {
    title: sentence, description: [arcs.footnote.textContent, source].filter(Boolean).join(" "), width: WIDTH, height: HEIGHT,
    paint(context) {
      context.fillStyle = colours.ground;
      context.fillRect(0, 0, WIDTH, HEIGHT);
      context.save();
      context.translate(EDGE, EDGE + Math.max(ROOM.height - height, 0) / 2);
      arcs.paint(context, { width, colours, look: POSTER });
      context.restore();
      Object.assign(context, { textAlign: "left", textBaseline: "middle", direction: "ltr", fillStyle: colours.ink });
      context.font = `600 ${fittingSize(context, sentence, font)}px ${font}`;
      context.fillText(sentence, EDGE, HEIGHT - 120);
      Object.assign(context, { fillStyle: colours.quiet, font: `24px ${font}` });
      context.fillText(source, EDGE, HEIGHT - 56);
    },
  };
}

/** The button that opens the picture, with both files to take. */
export class Card {
  /** `makePicture()` gives the picture, `nameOf(ending)` the name of its file. */
  constructor(makePicture, nameOf) {
    Object.assign(this, { makePicture, nameOf });
    this.canvas = element("canvas", { class: "card-seen", role: "img" });
    const button = (name, take) => element("button", { type: "button", onclick: take }, name);
    const files = element("div", { class: "files" }, button("PNG", () => this.takeImage()), button("SVG", () => this.takeDrawing()));
    const panel = new Panel(tr(SEND), tr(SEND), this.canvas, files);
    panel.node.addEventListener("beforetoggle", ({ newState }) => newState === "open" && this.draw());
    Object.assign(this, { panel, button: panel.button, node: panel.node });
  }

  draw() {
    this.picture = this.makePicture();
    Object.assign(this.canvas, { width: this.picture.width, height: this.picture.height });
    this.canvas.setAttribute("aria-label", this.picture.title);
    this.picture.paint(this.canvas.getContext("2d"));
  }

  takeImage() {
    this.canvas.toBlob((blob) => handOver(blob, this.nameOf("png")), "image/png");
  }

  takeDrawing() {
    handOver(new Blob(drawingFile(this.picture), { type: "image/svg+xml" }), this.nameOf("svg"));
  }
}

function fittingSize(context, text, font) {
  context.font = `600 ${LETTERS}px ${font}`;
  return Math.max(Math.min(LETTERS, (LETTERS * ROOM.width) / context.measureText(text).width), SMALLEST);
}

const [WIDTH, HEIGHT] = [1200, 630]; // as Open Graph recommends
const EDGE = 48;
const ROOM = { width: WIDTH - 2 * EDGE, height: 400 };
const [LETTERS, SMALLEST] = [40, 20];
const SEND = toSay("A picture to send");
