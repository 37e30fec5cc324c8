// One side of the token view for pointer, keyboard and screen reader: a list of options over the painted tokens.

import { positioned } from "./axis.js";
import { element } from "./dom.js";
import { boxOnNextLine, firstBelow } from "./text_layout.js";

export class TokenPane {
  /**
   * `hears` is told: pointed, unpointed, focusedOn, blurred, chosen, crossed, repaint; and asked for a label, and for
   * the entries of a side, which are others than those drawn here until the next frame. For both sides it keeps where
   * the pointer is, `pointerPlace`, and whether keys have moved the text under it, `isTyping`.
   */
  constructor(side, hears) {
    Object.assign(this, { side, hears, focus: 0, options: new Map(), boxes: [], scroll: 0 });
    this.content = element("div", { class: "token-content", role: "presentation" });
    this.node = element("div", { class: "token-pane", role: "listbox", "data-side": side }, this.content);
    this.node.addEventListener("scroll", () => this.scrolled());
    this.node.addEventListener("pointerleave", (event) => this.unhovered(event));
    this.node.addEventListener("pointerover", (event) => this.hovered(event));
    this.node.addEventListener("pointermove", (event) => this.pointerMoved(event));
    this.node.addEventListener("click", (event) => this.clicked(event));
    this.node.addEventListener("keydown", (event) => this.keyed(event));
    this.node.addEventListener("focusin", (event) => this.focused(event));
    this.node.addEventListener("focusout", () => hears.blurred());
  }

  /** Stand where the geometry says, over these entries. `selected(index)` is what is locked or pointed at. */
  place(geometry, entries, { mirrored, selected, name, multiple }) {
    const pane = geometry.panes[this.side];
    const moved = this.boxes !== pane.boxes || this.entries !== entries;
    Object.assign(this, { pane, entries, mirrored, selected, listed: geometry.listed, boxes: pane.boxes });
    if (moved) this.moved(pane);
    this.node.style.direction = this.listed && pane.isLeft ? "rtl" : "ltr"; // puts the bar for scrolling outside
    this.focus = Math.min(this.focus, entries.length - 1);
    this.node.setAttribute("aria-label", name);
    if (multiple) this.node.setAttribute("aria-multiselectable", "true");
    this.node.setAttribute("aria-orientation", this.listed ? "vertical" : "horizontal");
    this.render();
  }

  moved({ x, y, width, height, content }) {
    Object.assign(this.node.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    this.node.style.overflowY = content > height ? "auto" : "hidden";
    this.content.style.height = `${content}px`;
    for (const option of this.options.values()) option.remove();
    this.options.clear();
  }

  /** Options for what is seen, a little more, and the one with the focus. */
  render() {
    this.scroll = this.node.scrollTop;
    const [top, bottom] = [this.scroll - OPTIONS_MARGIN, this.scroll + this.pane.height + OPTIONS_MARGIN];
    const wanted = new Set([this.focus]);
    for (let index = firstBelow(this.boxes, top); this.boxes[index]?.y < bottom; index++) wanted.add(index);
    for (const [index, option] of this.options) {
      if (wanted.has(index)) continue;
      option.remove();
      this.options.delete(index);
    }
    for (const index of wanted) if (!this.options.has(index)) this.add(index);
    for (const [index, option] of this.options) {
      option.setAttribute("aria-selected", String(this.selected(index)));
      option.tabIndex = index === this.focus ? 0 : -1;
      const asked = index === this.focus && this.has(index);
      const label = asked ? this.hears.label(this.side, index) : positioned(this.entries[index]);
      option.setAttribute("aria-label", label);
    }
  }

  /** Whether a token that is drawn here is still one of the text. */
  has(index) {
    return index !== null && index < this.hears.entriesOf(this.side).length;
  }

  /** The token of an event, null if it is on none. */
  indexOf(event) {
    const option = event.target.closest?.("[data-index]");
    const index = option ? Number(option.dataset.index) : null;
    return this.has(index) ? index : null;
  }

  add(index) {
    const { x, y, width, height } = this.boxes[index];
    const option = element("div", {
      class: "token-option", role: "option", "data-index": index,
      "aria-setsize": this.entries.length, "aria-posinset": index + 1,
      title: this.boxes[index].text === this.entries[index].text ? null : this.entries[index].text,
    });
    Object.assign(option.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    this.options.set(index, option);
    const after = [...this.content.children].find((other) => Number(other.dataset.index) > index) ?? null;
    this.content.insertBefore(option, after);
  }

  scrolled() {
    this.render();
    this.hears.repaint();
  }

  /** While a key scrolls the text, the pointer rests: what comes to lie under it is not pointed at. */
  pointerMoved(event) {
    const place = `${event.clientX} ${event.clientY}`;
    if (place === this.hears.pointerPlace) return;
    Object.assign(this.hears, { pointerPlace: place, isTyping: false });
    this.hovered(event);
  }

  hovered(event) {
    if (event.pointerType === "touch" || this.hears.isTyping) return;
    const index = this.indexOf(event);
    if (index === null) this.hears.unpointed();
    else this.hears.pointed(this.side, index);
  }

  unhovered(event) {
    if (event.pointerType !== "touch") this.hears.unpointed();
  }

  clicked(event) {
    const index = this.indexOf(event);
    if (index === null) return;
    this.focus = index;
    this.hears.chosen(this.side, index, { isTouch: event.pointerType === "touch", adds: addsTo(event) });
  }

  focused(event) {
    const index = this.indexOf(event);
    if (index === null) return;
    this.focus = index;
    if (event.target.matches(":focus-visible")) this.hears.focusedOn(this.side, index);
  }

  keyed(event) {
    if (event.altKey || ((event.ctrlKey || event.metaKey) && event.key !== "Enter")) return;
    const index = this.focus;
    if (!this.has(index)) return;
    this.hears.isTyping = true;
    if (event.key === "Enter" || event.key === " ") this.hears.chosen(this.side, index, { adds: addsTo(event) });
    else if (this.listed && ["ArrowLeft", "ArrowRight"].includes(event.key)) this.hears.crossed(this.side, index);
    else if (this.step(event.key) !== null) this.goTo(this.step(event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Where a key leads, null if nowhere. */
  step(key) {
    const last = this.entries.length - 1;
    const near = (index) => Math.min(Math.max(index, 0), last);
    if (key === "Home") return 0;
    if (key === "End") return last;
    if (key === "PageDown") return near(this.focus + TOKENS_A_PAGE);
    if (key === "PageUp") return near(this.focus - TOKENS_A_PAGE);
    if (this.listed) return { ArrowDown: near(this.focus + 1), ArrowUp: near(this.focus - 1) }[key] ?? null;
    const ahead = this.mirrored ? -1 : 1;
    if (key === "ArrowRight") return near(this.focus + ahead);
    if (key === "ArrowLeft") return near(this.focus - ahead);
    if (key === "ArrowDown") return boxOnNextLine(this.boxes, this.focus, 1);
    if (key === "ArrowUp") return boxOnNextLine(this.boxes, this.focus, -1);
    return null;
  }

  /** Move the focus to a token and bring it into view. */
  goTo(index) {
    this.focus = Math.min(index, this.entries.length - 1);
    this.hears.focusedOn(this.side, this.focus);
    this.show(this.focus);
    this.options.get(this.focus).focus({ preventScroll: true });
    this.options.get(this.focus).scrollIntoView({ block: "nearest" }); // of the page, too
  }

  /** To the beginning, for another text. */
  rewind() {
    this.focus = 0;
    this.node.scrollTop = 0;
  }

  /** Whether a token is seen. */
  shows(index) {
    const { y, height } = this.boxes[index];
    return y >= this.node.scrollTop && y + height <= this.node.scrollTop + this.pane.height;
  }

  /** Scroll a token into view, if it is out of it. */
  show(index) {
    const { y, height } = this.boxes[index];
    const [above, below] = [this.node.scrollTop, y + height - this.pane.height];
    if (y < above) this.node.scrollTop = y - FREE_AROUND;
    else if (below > above) this.node.scrollTop = below + FREE_AROUND;
    this.render();
  }

  /** Scroll a token to where it is seen well. */
  centre(index) {
    this.node.scrollTop = this.boxes[index].y - UPPER_PART * this.pane.height;
    this.render();
  }
}

const OPTIONS_MARGIN = 200; // pixels above and below what is seen that are ready for the pointer
const FREE_AROUND = 40; // pixels that stay free around a token that was scrolled to
const UPPER_PART = 0.3; // of a text, where a token stands that was brought up
const TOKENS_A_PAGE = 10; // tokens

/** Whether a click or a key adds to what is held. */
function addsTo({ shiftKey, ctrlKey, metaKey }) {
  return shiftKey || ctrlKey || metaKey;
}
