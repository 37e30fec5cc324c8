// A chip for every head of the layer and for their mean: which are shown beside each other, in which colours.

import { MEAN } from "./declared.js";
import { element } from "./dom.js";
import { tr } from "./language.js";
import { headsBeside, lookOf, nameOfHead } from "./text_numbers.js";

export class HeadChips {
  constructor(model) {
    this.model = model;
    this.node = element("div", { class: "head-chips", role: "group", "aria-label": tr("Heads beside each other") });
    this.node.addEventListener("keydown", (event) => this.keyed(event));
    this.focus = 0;
  }

  draw(colours) {
    const { nHeads } = this.model.shown;
    if (this.chips?.length !== nHeads + 1) this.make(nHeads);
    const beside = headsBeside(this.model);
    this.chips.forEach((chip, index) => {
      const place = beside.indexOf(index);
      chip.setAttribute("aria-pressed", String(place >= 0));
      chip.tabIndex = index === this.focus ? 0 : -1;
      const { colour, dash } = lookOf(Math.max(place, 0), colours);
      chip.style.setProperty("--chip", place >= 0 ? colour : "transparent");
      chip.style.setProperty("--dash", dash.length ? "dashed" : "solid");
    });
  }

  make(nHeads) {
    this.chips = Array.from({ length: nHeads + 1 }, (_, index) => {
      const name = nameOfHead(this.model, index);
      return element(
        "button", { type: "button", class: "head-chip", "aria-label": name, onclick: () => this.toggle(index) },
        element("span", { class: "head-chip-line" }), index === nHeads ? tr("mean") : String(index),
      );
    });
    this.focus = Math.min(this.focus, nHeads);
    this.node.replaceChildren(element("span", { class: "head-chips-name" }, tr("Heads")), ...this.chips);
  }

  /** The mean stands alone; a head joins those that are shown or leaves them; the last one stays. */
  toggle(index) {
    const beside = headsBeside(this.model);
    this.focus = index;
    if (index === this.model.shown.nHeads) return this.model.set({ head: MEAN, heads: [] });
    const others = beside.filter((head) => head !== this.model.shown.nHeads && head !== index);
    const heads = beside.includes(index) ? others : [...others, index];
    if (!heads.length) return undefined;
    const { head } = this.model.choices;
    return this.model.set({ head: heads.includes(head) ? head : heads[0], heads: heads.length > 1 ? heads : [] });
  }

  keyed(event) {
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    this.focus = Math.min(Math.max(this.focus + moves[event.key], 0), this.chips.length - 1);
    this.chips.forEach((chip, index) => { chip.tabIndex = index === this.focus ? 0 : -1; });
    this.chips[this.focus].focus();
  }
}
