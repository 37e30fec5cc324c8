// The sentence twice, queries and keys, with lines or shading whose strength is the weight.

import { positioned } from "./axis.js";
import { element, sized } from "./dom.js";
import { HeadChips } from "./head_chips.js";
import { mentioned } from "./text_numbers.js";
import { paintText } from "./text_paint.js";
import { TextScenes } from "./text_scene.js";
import { TokenPane } from "./token_pane.js";

export class TokenView {
  constructor(model, viewer) {
    Object.assign(this, { model, viewer, hovered: null, focused: null, hushed: null });
    this.scenes = new TextScenes(model, () => this.font);
    this.chips = new HeadChips(model);
    this.across = element("button", { type: "button", class: "text-button", onclick: () => this.turn() }, "Across");
    this.release = element("button", { type: "button", class: "text-button", onclick: () => this.releaseAll() });
    this.panes = { query: new TokenPane("query", this), key: new TokenPane("key", this) };
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.stage = element("div", { class: "token-stage" }, this.canvas, this.panes.query.node, this.panes.key.node);
    this.said = element("p", { class: "token-said" });
    this.footnote = element("p", { class: "token-footnote" });
    this.node = element(
      "section", { class: "token-view", "aria-label": "Attention in the text" },
      element("div", { class: "token-bar" }, this.chips.node, this.across, this.release), this.said, this.stage, this.footnote,
    );
    this.node.addEventListener("keydown", (event) => this.keyed(event));
  }

  draw(colours) {
    this.node.hidden = this.model.choices.picture !== "text";
    if (this.node.hidden) return;
    this.font = getComputedStyle(this.node).fontFamily;
    this.chips.draw(colours);
    this.drawSwitches();
    const tallest = Math.max(SCREENS * window.innerHeight, LEAST);
    const scene = this.scene(this.node.clientWidth || NO_LAYOUT, colours, tallest);
    this.stage.hidden = !scene;
    this.drawWords(scene);
    if (!scene) return;
    const { width, height } = scene.geometry;
    Object.assign(this.stage.style, { width: `${width}px`, height: `${height}px` });
    this.placePanes(scene);
    paintText(sized(this.canvas, width, height), this.scrolled(scene), colours);
  }

  /** How large the picture is that `paint` paints at a width. */
  size(width) {
    const scene = this.whole(width, this.viewer.colours);
    return { width, height: Math.ceil(scene?.geometry.height ?? 0) };
  }

  /** Paint the picture: the whole text, or what is seen of a long one. */
  paint(context, { width, colours }) {
    const scene = this.whole(width, colours);
    if (scene) paintText(context, scene, colours);
  }

  whole(width, colours) {
    const scene = this.scene(width, colours, undefined);
    if (!scene || scene.geometry.height <= TALLEST_PAINTED) return scene;
    return this.scrolled(this.scene(width, colours, TALLEST_PAINTED / 2));
  }

  scene(width, colours, tallest) {
    return this.scenes.make({ width, colours, active: this.active(), focus: this.focus(), tallest });
  }

  scrolled(scene) {
    scene.scroll = { query: this.panes.query.node.scrollTop, key: this.panes.key.node.scrollTop };
    return scene;
  }

  /** The token under the pointer, or with the focus of the keyboard: {side, index}; null where neither is. */
  active() {
    const own = this.hovered ?? this.focused;
    const entries = own && (own.side === "query" ? this.model.queries : this.model.keys);
    return own && own.index < entries.length ? own : null;
  }

  /** What is shown alone: {queries} whose attention is summed, {key} that is looked at, or null: everything. */
  focus() {
    const active = this.active();
    if (active && this.hushed !== nameOfToken(active)) {
      return active.side === "query" ? { queries: [active.index] } : { key: active.index };
    }
    const held = this.scenes.locked();
    return held.length ? { queries: held } : null;
  }

  placePanes({ geometry, entries, rightToLeft, held, pointed }) {
    this.panes.query.place(geometry, entries.query, {
      mirrored: rightToLeft.query, selected: (index) => held.has(index), multiple: true, name: QUERY_LIST,
    });
    this.panes.key.place(geometry, entries.key, {
      mirrored: rightToLeft.key, selected: (index) => pointed?.side === "key" && pointed.index === index, name: KEY_LIST,
    });
  }

  drawSwitches() {
    const held = this.scenes.locked().length;
    this.across.setAttribute("aria-pressed", String(this.model.choices.across));
    this.release.hidden = held === 0;
    this.release.textContent = `Release ${held === 1 ? "the token" : `all ${held} tokens`}`;
  }

  drawWords(scene) {
    const sentences = scene ? this.sentences(scene) : [EMPTY];
    this.said.replaceChildren(...sentences.map((sentence) => element("span", {}, sentence)));
    this.footnote.textContent = scene ? this.leftOut(scene) : "";
  }

  /** What is under the pointer, or locked, in words; a sentence a head, at most a few. */
  sentences({ heads, focus, lit, entries }) {
    if (heads.some(({ matrix }) => !matrix)) return [this.model.failure || WAITING];
    if (!focus) return [HINT];
    const side = lit.key ? "key" : "query";
    if (!lit[side]) return [`${positioned(entries.key[focus.key])}: ${TOO_LARGE}`];
    if (heads.some(({ matrix }) => !matrix.exact)) return [WAITING];
    const more = heads.length - SENTENCES;
    return heads.slice(0, SENTENCES).map(({ name }, head) => {
      const found = mentioned(entries[side], lit[side][head].values, MENTIONED);
      return `${heads.length > 1 ? `${name} · ` : ""}${subjectOf(focus, entries)} ${found || "no token"}`;
    }).concat(more > 0 ? [`and ${more} more ${more === 1 ? "head" : "heads"}.`] : []);
  }

  leftOut({ lines: { edges, total }, geometry, focus, heads }) {
    const many = edges.length > 0 && edges.length < total;
    return [
      many ? `Lines: the ${edges.length.toLocaleString("en")} strongest of ${total.toLocaleString("en")}.` : "",
      !focus && !geometry.listed && !this.scenes.isLarge() ? AVERAGES : "",
      focus && heads.length > 1 && !(geometry.listed && geometry.columns === heads.length) ? MEANS : "",
    ].filter(Boolean).join(" ");
  }

  // What the panes tell.

  pointed(side, index) {
    if (this.hovered && nameOfToken(this.hovered) === nameOfToken({ side, index })) return;
    this.hovered = { side, index };
    this.moved();
  }

  unpointed() {
    if (!this.hovered) return;
    this.hovered = null;
    this.moved();
  }

  focusedOn(side, index) {
    this.focused = { side, index };
    this.moved();
  }

  blurred() {
    if (!this.focused) return;
    this.focused = null;
    this.moved();
  }

  /** A query that was chosen is locked, or released; its own attention gives way to the sum until the pointer moves. */
  chosen(side, index) {
    if (side === "key") {
      this.hovered = { side, index };
      return this.moved();
    }
    const { positions, position } = this.model.queries[index];
    const { locked } = this.model.choices;
    const without = locked.filter((at) => !positions.includes(at));
    this.hushed = nameOfToken({ side, index });
    return this.model.set({ locked: without.length < locked.length ? without : [...locked, position] });
  }

  /** From one list to the other, to the token of the same place. */
  crossed(side, index) {
    this.panes[side === "query" ? "key" : "query"].goTo(index);
  }

  repaint() {
    this.viewer.draw();
  }

  /** What a screen reader says of the token with the focus. */
  label(side, index) {
    const { model } = this;
    const entries = { query: model.queries, key: model.keys };
    const token = positioned(entries[side][index]);
    if (this.focused?.side !== side || this.focused.index !== index) return token;
    const held = side === "query" && this.scenes.locked().includes(index);
    return `${token}${held ? ", locked" : ""}: ${this.said.textContent}`;
  }

  moved() {
    const active = this.active();
    if (!active || nameOfToken(active) !== this.hushed) this.hushed = null;
    this.model.point(active?.side === "query" ? { query: active.index, key: null } : null);
    this.viewer.draw();
  }

  turn() {
    this.model.set({ across: !this.model.choices.across });
  }

  releaseAll() {
    this.hovered = null;
    this.hushed = null;
    this.model.set({ locked: [] });
    this.moved();
  }

  keyed(event) {
    if (event.key !== "Escape") return;
    if (this.model.choices.locked.length || this.hovered) event.stopPropagation();
    this.releaseAll();
  }
}

function nameOfToken({ side, index }) {
  return `${side} ${index}`;
}

function subjectOf({ queries, key }, entries) {
  if (key !== undefined) return `${positioned(entries.key[key])} is looked at by`;
  const names = queries.slice(0, MENTIONED).map((index) => positioned(entries.query[index]));
  if (queries.length === 1) return `${names[0]} looks at`;
  const more = queries.length > MENTIONED ? ", …" : "";
  return `${queries.length} tokens (${names.join(", ")}${more}), the sum of what they give:`;
}

const SCREENS = 0.8; // of the window, that a text may take before it scrolls by itself
const LEAST = 360; // pixels that it may take anyhow
const TALLEST_PAINTED = 8000; // pixels of a picture that is taken away
const NO_LAYOUT = 640;
const SENTENCES = 4;
const MENTIONED = 5;
const EMPTY = "Every token is special: with special tokens hidden, nothing is left to show.";
const WAITING = "The numbers are on their way.";
const HINT = "Point at a token; click to lock one or several.";
const TOO_LARGE = "this text is too long to look at all queries at once. Point at a query.";
const AVERAGES = "Shading: what a token receives on average; the most is the strongest colour.";
const MEANS = "Numbers beside tokens: the mean of these heads.";
const QUERY_LIST = "Query tokens. Enter locks a token, Escape releases all.";
const KEY_LIST = "Key tokens: who looks at them.";
