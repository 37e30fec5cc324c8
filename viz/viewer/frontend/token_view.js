// The sentence twice, queries and keys, with lines or shading whose strength is the weight.

import { positioned } from "./axis.js";
import { element, sized } from "./dom.js";
import { HeadChips } from "./head_chips.js";
import { toSay, tr } from "./language.js";
import { PointedTokens } from "./pointed_tokens.js";
import { legendOf, paintLegend } from "./text_legend.js";
import { paintText } from "./text_paint.js";
import { TextScenes } from "./text_scene.js";
import { leftOutOf, lineInText, linesFor, NOBODY, wordsOfScene } from "./text_words.js";
import { Tip } from "./tip.js";
import { TokenPane } from "./token_pane.js";

export class TokenView extends PointedTokens {
  constructor(model, viewer) {
    super(model, viewer);
    this.hushed = null;
    this.scenes = new TextScenes(model, () => this.font, () => this.viewer.draw());
    this.chips = new HeadChips(model);
    this.across = element("button", { type: "button", onclick: () => this.turn() }, tr("Running text"));
    this.release = element("button", { type: "button", onclick: () => this.releaseAll() }, tr("Release all"));
    this.panes = { query: new TokenPane("query", this), key: new TokenPane("key", this) };
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.stage = element("div", { class: "token-stage" }, this.canvas, this.panes.query.node, this.panes.key.node);
    this.tip = new Tip(this.stage);
    for (const name of ["pointermove", "pointerdown"]) this.stage.addEventListener(name, (event) => this.tip.follow(event));
    this.stage.addEventListener("pointerleave", ({ pointerType }) => { if (pointerType !== "touch") this.tip.leave(); });
    this.said = element("p", { class: "token-said" });
    this.note = element("p", { class: "token-note" });
    this.footnote = element("p", { class: "token-footnote" });
    this.node = element(
      "section", { class: "token-view", "aria-label": tr("Attention in the text") },
      element("div", { class: "token-bar" }, this.chips.node, this.across, this.release),
      this.said, this.stage, this.note, this.footnote,
    );
    this.node.addEventListener("keydown", (event) => this.keyed(event));
    document.fonts.ready.then(() => this.fontCame());
  }

  /** The font of a page may come late: what was measured before is not true any more. */
  fontCame() {
    this.scenes.measureAnew();
    this.viewer.draw();
  }

  draw(colours) {
    this.node.hidden = this.model.choices.picture !== "text";
    if (this.node.hidden || this.about !== this.model.about) this.forget();
    if (this.node.hidden) return;
    this.font = getComputedStyle(this.node).fontFamily;
    this.chips.draw(colours);
    this.drawSwitches();
    const tallest = Math.max(TEXT_SCREENS * window.innerHeight, LEAST_TEXT);
    const scene = this.scene(this.node.clientWidth || WIDTH_WITHOUT_LAYOUT, colours, tallest);
    this.stage.hidden = !scene;
    this.drawWords(scene);
    if (!scene) return;
    const { width, height } = scene.geometry;
    Object.assign(this.stage.style, { width: `${width}px`, height: `${height}px` });
    this.placePanes(scene);
    if (this.bringsUp) this.bringUp(scene);
    paintText(sized(this.canvas, width, height), this.scrolled(scene), colours);
  }

  /** Nothing is pointed at: the picture is put away, or another text has come. */
  forget() {
    Object.assign(this, { about: this.model.about, hovered: null, focused: null, hushed: null });
    this.tip.leave();
    this.scenes.later.stop();
    if (!this.node.hidden) for (const pane of Object.values(this.panes)) pane.rewind();
  }

  /** How large the picture is that `paint` paints at a width. */
  size(width) {
    const scene = this.whole(width, this.viewer.colours);
    return { width, height: scene ? Math.ceil(scene.geometry.height + this.legend(scene, width).height) : 0 };
  }

  /** Paint the picture and its legend: the whole text, or what is seen of a long one. */
  paint(context, { width, colours }) {
    const scene = this.whole(width, colours);
    if (!scene) return;
    paintText(context, scene, colours);
    paintLegend(context, this.legend(scene, width), scene.geometry.height, scene, colours);
  }

  legend(scene, width) {
    const measure = (text, size) => this.scenes.ruler.measure(text, size);
    return legendOf(scene, { width, footnote: this.footnote.textContent, measure });
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
    return own && own.index < this.entriesOf(own.side).length ? own : null;
  }

  entriesOf(side) {
    return side === "query" ? this.model.queries : this.model.keys;
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
      mirrored: rightToLeft.query, selected: (index) => held.has(index), multiple: true, name: tr(QUERY_LIST),
    });
    this.panes.key.place(geometry, entries.key, {
      mirrored: rightToLeft.key, name: tr(KEY_LIST),
      selected: (index) => pointed?.side === "key" && pointed.index === index,
    });
  }

  /** Where a query that was locked looks most is scrolled into view, if none of its strongest keys is seen. */
  bringUp({ numbers, lit }) {
    if (!lit.key || !numbers.length) return;
    this.bringsUp = false;
    const seen = numbers.slice(0, STRONGEST_SEEN).some(({ index }) => this.panes.key.shows(index));
    if (!seen) this.panes.key.centre(numbers[0].index);
  }

  drawSwitches() {
    this.across.setAttribute("aria-pressed", String(this.model.choices.across));
    this.release.disabled = this.scenes.locked().length === 0;
  }

  /** Always as many lines, so that the picture stays where it is while the pointer moves. */
  drawWords(scene) {
    const { subject, lines } = scene ? wordsOfScene(scene, this.model.failure) : { subject: [tr(NO_TOKENS)], lines: [] };
    this.drawTip(subject, lines);
    const free = scene ? linesFor(scene.heads) - lines.length : 0;
    this.said.replaceChildren(
      element("span", { class: "token-subject" }, ...subject.map((part) => (part.token ? tokenElement(part) : part))),
      ...lines.map(lineElement),
      ...Array.from({ length: free }, () => element("span", { class: "token-found" })),
    );
    this.said.classList.toggle("beside", Boolean(scene?.geometry.listed && scene.geometry.columns === scene.heads.length));
    this.note.textContent = scene ? this.model.note : "";
    this.footnote.textContent = scene ? leftOutOf(scene).join(" ") : "";
  }

  /** At the pointer, or the finger: the token, and of every head where most of it goes, or comes from. */
  drawTip(subject, lines) {
    const found = lines.filter(({ mentions }) => mentions.length);
    const isAt = this.hovered || this.tip.at?.isFinger;
    this.tip.show(isAt && found.length ? [...subject, ...found.flatMap(firstOfLine)] : null);
  }

  // What the panes tell.

  /** A query that was chosen is locked, or released; its own attention gives way to the sum until the pointer moves. */
  chosen(side, index, { isTouch = false, adds = false } = {}) {
    if (side === "key") return this.keyChosen({ side, index }, isTouch);
    this.hushed = nameOfToken({ side, index });
    this.bringsUp = true;
    this.completeRows();
    return this.model.hold(this.model.queries[index], { adds });
  }

  /** A finger cannot hover: it taps a key to look at it, and once more to look away. */
  keyChosen(token, isTouch) {
    const again = isTouch && this.hovered && nameOfToken(this.hovered) === nameOfToken(token);
    this.hovered = again ? null : token;
    this.moved();
  }

  /** From one list to the other, to the token of the same place. */
  crossed(side, index) {
    this.panes[side === "query" ? "key" : "query"].goTo(index);
  }

  /** What a screen reader says of a token: of the one with the focus also where it looks, or who looks at it. */
  label(side, index) {
    const token = positioned(this.entriesOf(side)[index]);
    if (this.focused?.side !== side || this.focused.index !== index) return token;
    const { lines } = this.scenes.words(side === "query" ? { queries: [index] } : { key: index }, this.viewer.colours);
    const said = { token, tokens: lines.map(lineInText).join("; ") };
    if (!lines.length) return token;
    return side === "query" ? tr("{token}: looks at {tokens}", said) : tr("{token}: is looked at by {tokens}", said);
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

/** "\nHead 2: 7 · street 0.4213", the name where there are several heads. */
function firstOfLine({ name, mentions: [{ token, number }] }) {
  return [`\n${name ? `${name}: ` : ""}`, { token }, ` ${number}`];
}

function nameOfToken({ side, index }) {
  return `${side} ${index}`;
}

/** "5 · the" with a writing direction of its own: the number comes first also before an Arabic word. */
function tokenElement({ token }) {
  return element("bdi", { dir: "ltr" }, token);
}

/** A line about a head: the head in its colour, then as many tokens as have room, each with a direction of its own. */
function lineElement({ name, colour, dash, mentions }) {
  const line = element("span", { class: "token-found" });
  if (name) {
    const swatch = element("span", { class: "token-swatch" });
    swatch.style.borderBottom = `4px ${dash.length ? "dashed" : "solid"} ${colour}`;
    line.append(element("span", { class: "token-head" }, swatch, name));
  }
  for (const { token, number } of mentions) {
    line.append(element("span", { class: "token-mention" }, tokenElement({ token }), ` ${number}`));
  }
  if (!mentions.length) line.append(tr(NOBODY));
  return line;
}

const TEXT_SCREENS = 0.8; // of the window, that a text may take before it scrolls by itself
const LEAST_TEXT = 360; // pixels that it may take anyhow
const TALLEST_PAINTED = 8000; // pixels of a picture that is taken away
const WIDTH_WITHOUT_LAYOUT = 640;
const STRONGEST_SEEN = 3; // of the strongest keys, one has to be seen
const NO_TOKENS = toSay("Every token here is special, so with special tokens hidden there is nothing to show.");
const QUERY_LIST = toSay("Query tokens. Enter locks a token, Escape releases all.");
const KEY_LIST = toSay("Key tokens: who looks at them.");
