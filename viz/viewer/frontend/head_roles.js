// What a head is known to do, over many texts: one line for each thing, the surest first.

import { element } from "./dom.js";
import { tr } from "./language.js";

/** What is known of a head, [{name, said, numbers}]: `name` tells one from another; nothing of the mean. `among` may be what
 * heads without a role come nearest to. */
export function rolesOf(model, { layer, head }, among = model.about.roles) {
  const { kind } = model.choices;
  return among.filter((role) => role.kind === kind && role.layer === layer && role.head === head);
}

/** Under the title: what the chosen head does, or else comes nearest to, and the numbers that say so. */
export class HeadRoles {
  constructor(model) {
    this.model = model;
    this.node = element("ul", { class: "head-roles", "aria-label": tr("What this head does in many texts:") });
  }

  draw() {
    const { choices } = this.model;
    const known = rolesOf(this.model, choices);
    const told = known.length ? known : rolesOf(this.model, choices, this.model.about.nearest);
    const found = choices.heads.length && choices.picture === "text" ? [] : told;
    const said = found.map((role) => `${role.said} ${role.numbers}`).join("\n");
    this.node.hidden = !found.length;
    if (said === this.said) return;
    this.said = said;
    this.node.replaceChildren(...found.map(lineOf));
  }
}

function lineOf({ said, numbers }) {
  return element("li", {}, element("strong", {}, said), element("span", {}, `: ${numbers}`));
}
