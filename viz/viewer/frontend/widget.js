// The viewer in a notebook: its choices are traits of a widget, which the kernel and the reader both read and set.

import { SHARED } from "./declared.js";
import { write } from "./dom.js";

/** What anywidget asks a module for. The viewer has a shadow of its own: its style does not reach the notebook. */
export function inNotebook(openFile, style) {
  return {
    render({ model, el }) {
      const root = document.createElement("div");
      const finding = document.createElement("p");
      finding.className = "finding";
      const sheet = Object.assign(document.createElement("style"), { textContent: style });
      el.attachShadow({ mode: "open" }).replaceChildren(sheet, finding, root);
      const choices = Object.fromEntries(SHARED.map((name) => [name, model.get(name)]));
      const viewer = openFile(root, { ...model.get("contents"), choices });
      viewer.tellPage = (chosen) => {
        for (const name of SHARED) model.set(name, chosen[name]);
        model.save_changes();
      };
      const tellFinding = () => {
        write(finding, model.get("finding").join(" "));
        finding.hidden = !finding.textContent;
      };
      tellFinding();
      const heard = SHARED.map((name) => [`change:${name}`, () => viewer.model.about && viewer.model.set({ [name]: model.get(name) }, { tell: false })]);
      heard.push(["change:finding", tellFinding]);
      for (const [event, hear] of heard) model.on(event, hear);
      const theme = new MutationObserver(() => viewer.draw()); // a notebook says its theme there
      for (const node of [document.documentElement, document.body]) theme.observe(node, { attributes: true });
      return () => {
        for (const [event, hear] of heard) model.off(event, hear);
        theme.disconnect();
        viewer.close();
      };
    },
  };
}
