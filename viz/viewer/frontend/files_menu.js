// What can be taken away, behind one button: a line for each file that says what it is for.

import { element } from "./dom.js";
import { tr } from "./language.js";
import { Panel } from "./panel.js";

export class FilesMenu {
  /** `files` are {name, title, make}; `take(name, make)` makes one and hands it over. */
  constructor(files, take) {
    this.buttons = new Map(files.map(({ name, title, make }) => [name, this.line(name, tr(title), () => take(name, make))]));
    this.panel = new Panel(tr("Take away"), tr("Take away"), ...this.buttons.values());
    this.panel.node.classList.add("files-menu");
    this.panel.node.addEventListener("keydown", (event) => this.press(event));
    this.node = element("div", { class: "files" }, this.panel.button, this.panel.node);
  }

  line(name, title, take) {
    const pressed = () => {
      this.panel.node.hidePopover();
      take();
    };
    return element("button", { type: "button", "aria-label": `${name}: ${title}`, onclick: pressed },
      element("b", {}, name), element("span", {}, title));
  }

  /** The arrow keys go from line to line. */
  press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const offered = [...this.buttons.values()].filter((button) => !button.hidden);
    const at = offered.findIndex((button) => button.matches(":focus"));
    offered[(at + step + offered.length) % offered.length].focus();
  }
}
