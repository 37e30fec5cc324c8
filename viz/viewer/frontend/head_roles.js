// What a head is known to do, over many texts: one line for each thing, the surest first.

import { element } from "./dom.js";

/** What is known of a head, [{name, said, numbers}]: `name` tells one from another; nothing of the mean, and of most heads nothing. */
export function rolesOf(model, { layer, head }) {
  const { kind } = model.choices;
  return model.about.roles.filter((role) => role.kind === kind && role.layer === layer && role.head === head);
}

/** Under the title: what the chosen head does, and the numbers that say so. */
export class HeadRoles {
  constructor(model) {
    this.model = model;
    this.node = element("ul", { class: "head-roles" });
  }

  draw() {
    const { choices } = this.model;
    const found = choices.heads.length && choices.picture === "text" ? [] : rolesOf(this.model, choices);
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
