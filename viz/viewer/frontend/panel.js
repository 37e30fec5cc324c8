// A button that opens a panel below it: a popover of the browser, which Escape and a click elsewhere close.

import { element } from "./dom.js";
import { toSay, tr } from "./language.js";

export class Panel {
  constructor(text, label, ...children) {
    this.node = element("div", { class: "panel", popover: "auto", role: "group", "aria-label": label }, ...children);
    this.mark_ = element("span", { class: "panel-mark", hidden: true, title: tr(CHANGED) }, "•");
    this.button = element("button", { type: "button", class: "panel-button", "aria-expanded": "false" }, text, this.mark_);
    this.button.popoverTargetElement = this.node;
    this.node.addEventListener("toggle", ({ newState }) => this.toggled(newState === "open"));
  }

  toggled(isOpen) {
    this.button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) placeBelow(this.node, this.button);
  }

  /** Whether something in the panel is not as usual: what is hidden shall not surprise. */
  mark(isChanged) {
    this.mark_.hidden = !isChanged;
  }
}

/** Put an open popover below what opened it, within the window; above, where there is no room below. */
export function placeBelow(node, anchor) {
  const [box, { width, height }] = [anchor.getBoundingClientRect(), node.getBoundingClientRect()];
  const end = anchor.closest(".viewer")?.getBoundingClientRect().right ?? innerWidth - EDGE;
  const left = Math.max(Math.min(box.left, end - width, innerWidth - width - EDGE), EDGE);
  const fits = box.bottom + GAP + height <= innerHeight || box.top - GAP - height < 0;
  const top = fits ? Math.min(box.bottom + GAP, Math.max(innerHeight - height - EDGE, EDGE)) : box.top - GAP - height;
  Object.assign(node.style, { left: `${left}px`, top: `${top}px` });
}

const GAP = 6; // CSS pixels
const EDGE = 8;
const CHANGED = toSay("Something here is not as usual.");
