// The viewer: every head of every layer under the pointer. One element, one recording, one state.

import { ArcsView } from "./arcs_view.js";
import { dressed } from "./colours.js";
import { Controls } from "./controls.js";
import { element, isDark, say, write } from "./dom.js";
import { HeadMap } from "./head_map.js";
import { HeadRoles } from "./head_roles.js";
import { SHARED } from "./declared.js";
import { toSay, tr, trn } from "./language.js";
import { Model } from "./model.js";
import { Overview, titleOf } from "./overview.js";
import { PairBlocks } from "./pair_blocks.js";
import { Readout } from "./readout.js";
import { TokenView } from "./token_view.js";
import { worded, WordPanel } from "./words.js";

/** `files` are the parts with which a reader takes something away; a cell of a notebook has none. */
export class ViewerFrame {
  constructor(root, told = 0, files = []) {
    Object.assign(this, { root, told, id: null, tellPage: null, due: null });
    this.model = new Model();
    this.parts = [Controls, Overview, Readout, HeadRoles, HeadMap, ArcsView, TokenView, PairBlocks, ...files].map((Part) => new Part(this.model, this));
    this.title = element("h3", { class: "title" });
    this.failure = element("p", { class: "failure", role: "alert", hidden: true });
    this.frame = layOut(this.title, this.failure, ...this.parts.map((part) => part.node));
    root.replaceChildren(this.frame);
    this.words = new WordPanel(this.frame);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(root);
    addEventListener("resize", this.resized = () => this.draw()); // the map is as tall as the window lets it
    DARK_SYSTEM.addEventListener("change", this.redraw = () => this.draw());
    this.model.listen((change) => this.changed(change));
  }

  /** Show another recording. What is seen stays until that has come. */
  open(source, choices, id = "file") {
    this.id = id;
    this.model.open(source, choices).catch((error) => this.failed(error, id));
  }

  /** The page says what is chosen. It is old news if we have told it something since. */
  hear({ choices, told }) {
    this.draw(); // the theme may have changed
    if (this.model.about?.id !== this.id || told < this.told) return;
    this.model.set(choices, { tell: false });
  }

  changed({ told, arrived }) {
    if (told && this.tellPage) {
      const choices = Object.fromEntries(SHARED.map((name) => [name, this.model.choices[name]]));
      clearTimeout(this.due);
      this.told += 1;
      this.due = setTimeout(() => this.tellPage?.(choices, this.told), SETTLED);
    }
    if (arrived && this.isPainted) this.drawSmallMaps();
    else this.draw();
  }

  /** Draw everything, once: the large picture in the next frame, the small maps in the one after it. */
  draw() {
    this.isWhole = true;
    this.drawSmallMaps();
  }

  /** Draw the overview in the next frame, or all the rest in it if that is asked for, too. */
  drawSmallMaps() {
    this.waiting ??= requestAnimationFrame(() => {
      const isWhole = this.isWhole;
      Object.assign(this, { waiting: null, isWhole: false });
      if (!this.model.about) return;
      if (isWhole) {
        this.drawNow();
        this.drawSmallMaps();
      } else this.overview.draw(this.colours);
      this.report();
    });
  }

  get overview() {
    return this.parts.find((part) => part instanceof Overview);
  }

  /** Whether the chosen head has been drawn, from whatever numbers. */
  get isPainted() {
    const { recording, painted } = this.frame.dataset;
    return Boolean(this.model.about) && recording === this.model.about.id && painted === this.painting;
  }

  /** What there is to be drawn of the chosen head; null if nothing has come. */
  get painting() {
    const [{ kind, layer, head }, matrix] = [this.model.choices, this.model.matrix()];
    return matrix && `${kind} ${layer} ${head} ${matrix.exact ? "exact" : "rough"}`;
  }

  drawNow() {
    const { choices, about, failure } = this.model;
    this.colours = about.palettes[isDark(this.root) ? "dark" : "light"];
    const frame = [this.colours, roomOf(this.root.clientWidth, choices.shows), choices.picture, choices.shows];
    if (frame.some((value, index) => value !== this.framed?.[index])) this.drawFrame(...(this.framed = frame));
    say(this.title, worded(tr(KIND_TITLES[choices.kind], { title: headsBeside(choices) ?? titleOf(choices) })));
    write(this.failure, failure);
    this.failure.hidden = !failure;
    for (const part of this.parts) if (part !== this.overview) part.draw(this.colours);
  }

  /** Only when it changes: the browser lays out everything anew. */
  drawFrame(colours, room, picture, shows) {
    dressed(this.frame, colours);
    Object.assign(this.frame.dataset, { picture, shows, room });
    this.frame.classList.toggle("narrow", room === "narrow");
    this.root.getRootNode().host?.toggleAttribute("data-drawn", true); // for what waits below it (ui/serving/style.css)
  }

  /** What has been drawn, for tests and for whoever measures. */
  report() {
    const [{ about, shown }, { dataset }, painted] = [this.model, this.frame, this.painting];
    if (!painted) return;
    const drawn = { painted, recording: about.id, heads: shown.arrived === shown.total ? "all" : "some" };
    requestAnimationFrame(() => {
      if (Object.keys(drawn).some((name) => dataset[name] !== drawn[name])) dataset.drawnAt = Date.now();
      Object.assign(dataset, drawn);
    });
  }

  failed(error, id) {
    if (this.model.stop.signal.aborted || id !== this.id) return;
    Object.assign(this.failure, { textContent: error.message, hidden: false });
  }

  close() {
    clearTimeout(this.due);
    cancelAnimationFrame(this.waiting);
    this.observer.disconnect();
    removeEventListener("resize", this.resized);
    DARK_SYSTEM.removeEventListener("change", this.redraw);
    this.model.close();
  }
}

const DARK_SYSTEM = matchMedia("(prefers-color-scheme: dark)"); // a file follows it, and so does a page of Streamlit
const SETTLED = 120; // milliseconds of rest before the page is told: holding an arrow key is one choice

/** How many parts stand beside each other in so many CSS pixels: "narrow" is one, "wide" all. */
function roomOf(width, shows) {
  if (shows === "heads") return width < HEADS_AND_MAP ? "narrow" : "two";
  if (shows !== "all") return width < MAP_AND_READOUT ? "narrow" : "two";
  return width < SIDE_BY_SIDE ? "narrow" : width < ALL_BESIDE ? "two" : "wide";
}

const [HEADS_AND_MAP, MAP_AND_READOUT, SIDE_BY_SIDE, ALL_BESIDE] = [560, 760, 860, 1060];
/** A head of a kind of attention. */
export const KIND_TITLES = { encoder: "{title}", decoder: toSay("Decoder · {title}"), cross: toSay("Cross-attention · {title}") };

/** "Layer 0 · Heads 2, 5" where the text shows several; null elsewhere. */
function headsBeside({ layer, heads, picture }) {
  if (picture !== "text" || !heads.length) return null;
  return trn("Layer {layer} · Head {heads}", "Layer {layer} · Heads {heads}", heads.length, { layer, heads: heads.join(", ") });
}

function layOut(title, failure, controls, overview, readout, roles, map, arcs, text, pairs, ...files) {
  const bar = element("div", { class: "viewer-bar" }, title, controls);
  const parts = [overview, element("div", { class: "large" }, map, arcs, text, pairs), readout, roles, ...files];
  const pictures = element("div", { class: "pictures" }, ...parts);
  return element("div", { class: "viewer", "data-viewer": true, style: "visibility:var(--shown,hidden)" }, bar, failure, pictures);
}
