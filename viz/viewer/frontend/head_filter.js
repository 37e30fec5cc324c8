// Heads that are known for one thing: a list to pick it from, and a veil over all other heads of the overview.

import { element, sized } from "./dom.js";
import { rolesOf } from "./head_roles.js";
import { toSay, tr } from "./language.js";

export class HeadFilter {
  constructor(model) {
    Object.assign(this, { model, offered: "" });
    this.select = element("select", { "aria-label": tr(LABEL), onchange: () => model.set({ known: this.select.value }) });
    this.node = element("label", { class: "head-filter", hidden: true, title: tr(HELP) }, element("span", {}, tr(LABEL)), this.select);
    this.veil = element("canvas", { class: "veil", hidden: true, "aria-hidden": true });
  }

  /** What is chosen, if heads of this kind of attention are known for it. */
  get name() {
    const { known } = this.model.choices;
    return [...this.select.options].some(({ value }) => value === known) ? known : "";
  }

  /** Offer what the heads of this kind of attention are known for, and lay the veil over the boxes of the others. */
  draw({ width, height }, places, boxOf, colours) {
    this.offer();
    this.veil.hidden = !this.name;
    const others = this.name ? places.filter((place) => !this.holds(place)) : [];
    const state = [width, height, colours.ground, this.name, this.model.about.id, this.model.shown.kind].join(" ");
    if (!this.name || state === this.done) return;
    this.done = state;
    const context = sized(this.veil, width, height);
    Object.assign(context, { fillStyle: colours.ground, globalAlpha: VEILED });
    for (const place of others) {
      const box = boxOf(place);
      context.fillRect(box.x, box.y, box.width, box.height);
    }
  }

  holds(place) {
    return rolesOf(this.model, place).some(({ name }) => name === this.name);
  }

  /** The list, with how many heads each thing is known of; hidden where nothing is known of any. */
  offer() {
    const { kind } = this.model.shown;
    const counted = new Map();
    for (const role of this.model.about.roles) {
      if (role.kind === kind) counted.set(role.name, { said: role.said, n: (counted.get(role.name)?.n ?? 0) + 1 });
    }
    const offered = JSON.stringify([...counted]);
    if (offered !== this.offered) {
      const options = [...counted].map(([name, { said, n }]) => element("option", { value: name }, `${said} (${n})`));
      this.select.replaceChildren(element("option", { value: "" }, tr(ALL)), ...options);
      this.offered = offered;
    }
    this.select.value = this.name;
    this.node.hidden = !counted.size || (this.model.source.live && !this.name); // a page has its own list of known heads
  }
}

const LABEL = toSay("Heads known for");
const ALL = toSay("anything: all heads");
const HELP = toSay("What heads do over many texts. The maps of all heads that are not known for it are veiled.");
const VEILED = 0.85; // how much of a map the veil hides
