// The sentence with arcs: a word under the pointer shows where it looks, a click holds it, Shift and a click one more.

import { numberOfLink, paintArcs } from "./arcs_paint.js";
import { arcsScene, wordsOf } from "./arcs_scene.js";
import { element, say, sized } from "./dom.js";
import { toSay, tr, trParts } from "./language.js";
import { PointedTokens } from "./pointed_tokens.js";
import { Remembered } from "./remembered.js";
import { TextRuler } from "./text_ruler.js";
import { TokenPane } from "./token_pane.js";
import { Turning } from "./turning.js";
import { tokenWorded } from "./words.js";

export class ArcsView extends PointedTokens {
  constructor(model, viewer) {
    super(model, viewer);
    this.ruler = new TextRuler(() => getComputedStyle(this.node).fontFamily);
    this.remembered = new Remembered();
    this.turning = new Turning(() => this.paintSeen());
    this.panes = { query: new TokenPane("query", this), key: new TokenPane("key", this) };
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.stage = element("div", { class: "arcs-stage" });
    this.said = element("p", { class: "arcs-said" });
    this.rest = element("p", { class: "arcs-rest" });
    this.note = element("p", { class: "arcs-note" });
    this.footnote = element("p", { class: "arcs-footnote", hidden: true });
    const label = tr("Attention as arcs over the sentence");
    this.node = element("section", { class: "arcs-view", "aria-label": label }, this.stage, this.said, this.rest, this.note, this.footnote);
    this.node.addEventListener("keydown", (event) => this.keyed(event));
    document.fonts.ready.then(() => this.fontCame());
  }

  /** The font of a page may come late: what was measured before is not true any more. */
  fontCame() {
    this.ruler.forget();
    this.remembered.forget();
    this.viewer.draw();
  }

  draw(colours) {
    this.node.hidden = this.model.choices.picture !== "arcs";
    if (this.node.hidden || this.about !== this.model.about) this.forget();
    if (this.node.hidden) return this.stage.replaceChildren();
    if (!this.stage.firstChild) this.stage.append(this.canvas, this.panes.query.node, this.panes.key.node);
    const tallest = Math.max(SCREENS * window.innerHeight, LEAST);
    const scene = this.scene(this.node.clientWidth || WIDTH_WITHOUT_LAYOUT, tallest);
    Object.assign(this, { seen: scene, colours });
    this.stage.hidden = !scene;
    this.say(scene);
    if (!scene) return;
    const { width, height } = scene.geometry;
    Object.assign(this.stage.style, { width: `${width}px`, height: `${height}px` });
    this.placePanes(scene);
    this.paintSeen();
    this.stage.dataset.arcs = JSON.stringify(scene.links.map(({ query, key, value }) => [query, key, Number(value.toFixed(4))]));
  }

  /** Paint what is seen, on its way from what was: nothing else of the viewer moves. */
  paintSeen() {
    const { seen, colours } = this;
    if (this.node.hidden || !seen) return;
    const { width, height, panes } = seen.geometry;
    const words = Object.values(panes).map(({ boxes }) => boxes.length).join(" ");
    const links = this.turning.between(seen.links, seen.matrix, words);
    paintArcs(sized(this.canvas, width, height), { ...this.scrolled(seen), links }, colours);
  }

  /** Nothing is pointed at: the picture is put away, or another text has come. */
  forget() {
    Object.assign(this, { about: this.model.about, hovered: null, focused: null });
    if (!this.node.hidden) for (const pane of Object.values(this.panes)) pane.rewind();
  }

  /** How large the picture is that `paint` paints at a width, with letters of a `look` (arcs_layout.js). */
  size(width, look) {
    const scene = this.whole(width, look);
    return { width, height: scene ? Math.ceil(scene.geometry.height) : 0 };
  }

  /** Paint the picture: the whole text, or what is seen of a long one. */
  paint(context, { width, colours, look }) {
    const scene = this.whole(width, look);
    if (scene) paintArcs(context, this.scrolled(scene), colours);
  }

  whole(width, look) {
    const scene = this.scene(width, undefined, look);
    return scene && scene.geometry.height > TALLEST_PAINTED ? this.scene(width, TALLEST_PAINTED, look) : scene;
  }

  scene(width, tallest, look) {
    const { model, ruler, remembered, held } = this;
    const active = this.hovered ?? this.focused;
    const pointed = active && active.index < this.entriesOf(active.side).length ? active : null;
    const focus = pointed?.side === "query" ? [pointed.index] : held.size ? [...held] : null;
    return arcsScene(model, { width, tallest, look, focus, pointed, held, ruler, remembered });
  }

  scrolled(scene) {
    const at = (pane, geometry) => (geometry?.scrolls ? pane.node.scrollTop : 0);
    const { query, key } = scene.geometry.panes;
    return Object.assign(scene, { scroll: { query: at(this.panes.query, query), key: at(this.panes.key, key) } });
  }

  /** The places, among the words that are drawn, of those that are held. */
  get held() {
    const locked = new Set(this.model.choices.locked);
    const entries = this.entriesOf("query");
    return new Set(entries.flatMap(({ positions }, place) => (positions.some((at) => locked.has(at)) ? [place] : [])));
  }

  entriesOf(side) {
    return wordsOf(this.model, this.remembered).entries[side];
  }

  placePanes({ geometry, entries, rightToLeft, held, pointed }) {
    this.panes.query.place(geometry, entries.query, {
      mirrored: rightToLeft.query, selected: (index) => held.has(index), multiple: true, name: tr(WORDS),
    });
    this.panes.key.node.hidden = !geometry.across;
    if (!geometry.across) return;
    this.panes.key.place(geometry, entries.key, {
      mirrored: rightToLeft.key, name: tr(KEYS), selected: (index) => pointed?.side === "key" && pointed.index === index,
    });
  }

  say(scene) {
    const { said, rest, note, model } = this;
    say(said, this.sentence(scene));
    rest.hidden = !scene?.rest;
    if (scene?.rest) say(rest, this.sentenceOfRest(scene));
    note.textContent = scene ? model.note : "";
    this.footnote.textContent = [said.textContent, rest.hidden ? "" : rest.textContent].filter(Boolean).join(" ");
  }

  /** Where the words that are asked about look, in words; what the picture shows if none is. */
  sentence(scene) {
    if (!scene) return [tr(NO_WORDS)];
    if (!scene.focus) return [tr(scene.links.length ? UNASKED : POINT)];
    return scene.focus.slice(0, MOST_SAID).flatMap((place, index) => [index ? " · " : "", ...this.ofWord(scene, place)]);
  }

  ofWord(scene, place) {
    const { entries, links } = scene;
    const own = strongestOf(links, place);
    const query = element("b", { class: "arcs-from" }, quoted(entries.query[place]));
    if (!own.length) return trParts("{query} looks at no word", { query: [query] });
    const keys = own.flatMap(({ key, value }, index) => [
      index ? ", " : "", element(index ? "span" : "b", { class: index ? "" : "arcs-to" }, quoted(entries.key[key])),
      ` ${numberOfLink(value, scene)}`,
    ]);
    return trParts("{query} looks at {keys}", { query: [query], keys });
  }

  sentenceOfRest({ focus, rest: { share, names } }) {
    const said = { share: numberOfLink(share, { isShare: true }), tokens: names.flatMap((name, index) => [index ? ", " : "", ...tokenWorded(name, new Set())]) };
    return focus ? trParts("{share} rests on {tokens}: the part that no word gets.", said)
      : trParts("On average, {share} of a word's attention rests on {tokens}: the part that no word gets.", said);
  }

  // What the panes tell.

  chosen(side, index, { adds = false } = {}) {
    if (side === "key") return;
    this.completeRows();
    this.model.hold(this.entriesOf("query")[index], { adds });
  }

  crossed() {}

  /** What a screen reader says of a word: of the one with the focus also where it looks. */
  label(side, index) {
    const token = this.entriesOf(side)[index].text;
    const matrix = this.model.matrix();
    if (side === "key" || this.focused?.index !== index || !matrix?.exact) return token;
    const scene = this.scene(WIDTH_WITHOUT_LAYOUT, undefined);
    const own = strongestOf(scene.links, index);
    const tokens = own.map(({ key, value }) => `${scene.entries.key[key].text} ${numberOfLink(value, scene)}`).join("; ");
    return own.length ? tr("{token}: looks at {tokens}", { token, tokens }) : token;
  }

  moved() {
    const active = this.hovered ?? this.focused;
    const place = active?.side === "query" ? wordsOf(this.model, this.remembered).queries[active.index] : undefined;
    this.model.point(place === undefined ? null : { query: place, key: null });
    this.viewer.draw();
  }

  keyed(event) {
    if (event.key !== "Escape") return;
    if (this.model.choices.locked.length || this.hovered) event.stopPropagation();
    this.hovered = null;
    this.model.set({ locked: [] });
    this.moved();
  }
}

function quoted({ text }) {
  return `“${text}”`;
}

/** The strongest links of a word, strongest first. */
function strongestOf(links, place) {
  return links.filter(({ query }) => query === place).reverse().slice(0, SAID);
}

const SCREENS = 0.8; // of the window, that a text may take before it scrolls by itself
const LEAST = 360; // pixels that it may take anyhow
const TALLEST_PAINTED = 8000; // pixels of a picture that is taken away
const WIDTH_WITHOUT_LAYOUT = 640;
const SAID = 3; // keys of a word
const MOST_SAID = 2; // words
const WORDS = toSay("Words. Enter holds one, Shift and Enter one more, Escape releases all.");
const KEYS = toSay("Words that are looked at.");
const UNASKED = toSay("The strongest links of this head. Point at a word to see where it looks.");
const POINT = toSay("No link stands out in this head. Point at a word to see where it looks.");
const NO_WORDS = toSay("Every token here is special, so there is no word to show.");
