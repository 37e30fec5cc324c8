// The current picture and the numbers, as files.

import { ArcsView } from "./arcs_view.js";
import { positioned } from "./axis.js";
import { Card, cardOf } from "./card.js";
import { element } from "./dom.js";
import { FilesMenu } from "./files_menu.js";
import { handOver } from "./hand_over.js";
import { toSay, tr } from "./language.js";
import { allHeads, headTable, heldSentence } from "./number_files.js";
import { Overview } from "./overview.js";
import { drawingFile, framed, imageFile, PRINT_DOTS, PRINT_WIDTH } from "./picture_files.js";

export class TakeAway {
  constructor(model, viewer) {
    Object.assign(this, { model, viewer, colours: null });
    this.menu = new FilesMenu(FILES_TO_TAKE, (name, make) => this.take(name, make));
    this.held = element("p", { class: "held", hidden: true });
    this.news = element("p", { class: "news", role: "status" });
    this.failure = element("p", { class: "failure", role: "alert", hidden: true });
    this.card = new Card(() => this.pictureToSend, (ending) => `headlight-${this.nameOf(ending)}`);
    this.menu.node.prepend(this.card.button, this.card.node);
    this.node = element("div", { class: "take-away" }, this.menu.node, this.news, this.failure, this.held);
  }

  draw(colours) {
    this.colours = colours;
    this.menu.buttons.get("HTML").hidden = !this.model.source.live;
    this.menu.buttons.get("LIVE").hidden = !this.model.about.portable;
    this.card.button.hidden = this.arcs.node.hidden || !this.model.matrix()?.exact;
    const sentence = heldSentence(this.model);
    if (this.held.textContent !== sentence) this.held.textContent = sentence;
    this.held.hidden = !sentence;
  }

  /** Make a file and hand it to the browser; say what happened. */
  async take(name, make) {
    const button = this.menu.buttons.get(name);
    if (button.getAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    this.say(tr("Making the {name} file …", { name }));
    try {
      const { parts, type, file, remark = "" } = await make(this);
      const size = handOver(new Blob(parts, { type }), file);
      this.say(`${file}, ${size}. ${remark}`);
    } catch (error) {
      this.say("", tr("No {name} file. {reason}", { name, reason: error.message }));
    }
    button.removeAttribute("aria-busy");
  }

  say(news, failure = "") {
    this.news.textContent = news;
    this.failure.textContent = failure;
    this.failure.hidden = !failure;
  }

  get arcs() {
    return this.viewer.parts.find((part) => part instanceof ArcsView);
  }

  get pictureToSend() {
    const font = getComputedStyle(this.node).fontFamily;
    const source = [this.model.about.model, this.viewer.title.textContent, "Headlight", publicAddress()];
    return cardOf(this.arcs, { source: source.filter(Boolean).join(" · "), colours: this.colours, font });
  }

  /** The picture that is seen, in its frame. */
  get picture() {
    const shown = this.viewer.parts.find((part) => part.paint && !part.node.hidden && !(part instanceof Overview));
    if (!shown?.size(PRINT_WIDTH).height) throw new Error(tr("No picture is shown."));
    if (!this.model.matrix()) throw new Error(tr("The numbers are still on their way. Try again in a moment."));
    const font = getComputedStyle(this.node).fontFamily;
    return framed(shown, { title: this.title, lines: this.linesBelow(shown), colours: this.colours, font });
  }

  /** What a reader of the picture has to know: what was done to the numbers, what is held or left out, the model. */
  linesBelow({ note, footnote }) {
    const { about, choices, queries, keys } = this.model;
    const isMap = choices.picture === "map"; // the others say themselves what is held
    const held = isMap ? queries.filter((entry) => choices.locked.includes(entry.position)).map(positioned) : [];
    const dense = isMap && Math.max(queries.length, keys.length) > MOST_CELLS_SEEN;
    return [
      [note?.textContent || this.model.note, footnote?.textContent, dense ? tr(SHARED_DOTS) : ""].filter(Boolean).join(" "),
      held.length ? tr("Held: {tokens}", { tokens: held.join(", ") }) : "", tr("Model: {model}", { model: about.model }),
    ];
  }

  /** "Layer 0 · Head 3 · Weights". */
  get title() {
    return `${this.viewer.title.textContent} · ${tr(QUANTITY_TITLES[this.model.choices.quantity])}`;
  }

  /** The heads that the picture shows beside each other; null if it is one. */
  get severalHeads() {
    const { picture, heads } = this.model.choices;
    return picture === "text" && heads.length ? heads : null;
  }

  /** "attention-layer-1-head-4.csv"; the kind and the quantity are named where they are not the usual ones. */
  nameOf(ending, heads = [this.model.choices.head]) {
    const { kind, layer, quantity } = this.model.choices;
    const which = heads.length > 1 ? "heads" : "head";
    const [several, usual] = [this.model.kinds.size > 1, quantity === "weights"];
    return fileName([several ? kind : "", "layer", layer, which, ...heads, usual ? "" : quantity], ending);
  }

  /** A file from the server as parts; what it says instead of a file is a failure. */
  async fetched(name, choices) {
    const asked = { signal: this.model.stop.signal, cache: "no-store" };
    const unheard = () => Promise.reject(new Error(tr(NO_ANSWER)));
    const answer = await fetch(this.model.source.file(name, choices), asked).catch(unheard);
    if (!answer.ok) throw new Error(answer.status === 404 ? tr(SENTENCE_GONE) : await answer.text());
    return [await answer.blob()];
  }
}

const FILES_TO_TAKE = [
  { name: "PNG", title: toSay("this picture, for a text or a slide"), make: takeImage },
  { name: "SVG", title: toSay("this picture, sharp at any size, to print or to edit"), make: takeDrawing },
  { name: "CSV", title: toSay("the numbers of this head, for a spreadsheet"), make: takeTable },
  { name: "NPZ", title: toSay("the weights of all heads, for NumPy"), make: takeNumbers },
  { name: "HTML", title: toSay("this viewer as one file that opens without a server"), make: takePage },
  { name: "LIVE", title: toSay("a page that reads your own sentences, with this model, without a server"), make: takeLivePage },
];
const QUANTITY_TITLES = {
  weights: toSay("Weights"), scores: toSay("Scores"), value_weighted: toSay("Weights × value norm"),
  output_weighted: toSay("Weights × norm after W_O"),
};
const HEAD_CHOICES = ["kind", "layer", "head", "quantity", "words", "special"];
const SENTENCE_GONE = toSay("The server has forgotten this sentence. Reload the page.");
const MOST_CELLS_SEEN = 400; // a side, above which cells are smaller than the dots of a picture
const SHARED_DOTS = toSay("Where several cells share a dot, it shows the largest.");
const NO_ANSWER = toSay("The server is not answering. Try again in a moment.");

async function takeDrawing(takeAway) {
  const file = takeAway.nameOf("svg", takeAway.severalHeads ?? undefined);
  return { parts: drawingFile(takeAway.picture), type: "image/svg+xml", file };
}

async function takeImage(takeAway) {
  const { parts, dotsPerInch } = await imageFile(takeAway.picture);
  const few = dotsPerInch < PRINT_DOTS;
  const dots = Math.round(dotsPerInch);
  const remark = few ? tr("A long picture: {dots} dots per inch at a width of 16 cm. SVG is sharp at any size.", { dots }) : "";
  return { parts, type: "image/png", file: takeAway.nameOf("png", takeAway.severalHeads ?? undefined), remark };
}

async function takeTable(takeAway) {
  const { model } = takeAway;
  const asked = Object.fromEntries(HEAD_CHOICES.map((name) => [name, model.choices[name]]));
  const parts = model.source.live ? await takeAway.fetched("head.csv", asked) : await headTable(model);
  return { parts, type: "text/csv", file: takeAway.nameOf("csv") };
}

async function takeNumbers(takeAway) {
  const { model } = takeAway;
  const file = fileName([model.kinds.size > 1 ? model.choices.kind : "", "all-heads"], "npz");
  const progress = (layer) => takeAway.say(tr("Making the NPZ file: layer {layer} …", { layer }));
  const parts = model.source.live
    ? await takeAway.fetched("heads.npz", { kind: model.choices.kind }) : await allHeads(model, progress);
  return { parts, type: "application/octet-stream", file };
}

async function takePage(takeAway) {
  const parts = await takeAway.fetched("viewer.html", takeAway.model.choices);
  return { parts, type: "text/html", file: takeAway.nameOf("html") };
}

async function takeLivePage(takeAway) {
  const parts = await takeAway.fetched("live.html", takeAway.model.choices);
  return { parts, type: "text/html", file: fileName(["live", takeAway.model.about.model], "html") };
}

/** Where others find this page; empty where it is on this computer only. */
function publicAddress() {
  const { protocol, hostname, host, pathname } = location;
  const isHere = !protocol.startsWith("http") || hostname === "localhost" || hostname.startsWith("127.") || hostname === "[::1]";
  return isHere ? "" : `${host}${pathname}`.replace(/\/$/, "");
}

/** Only letters, digits and hyphens: any system can keep a file of this name. */
function fileName(parts, ending) {
  const name = ["attention", ...parts].filter((part) => part !== "").join("-");
  return `${name.replaceAll(/[^a-zA-Z0-9]+/g, "-")}.${ending}`;
}
