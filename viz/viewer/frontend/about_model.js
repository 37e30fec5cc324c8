// What is said of a model that is in the page.

import { element } from "./dom.js";
import { tr } from "./language.js";

/** Where the model comes from, and the terms that go along with it. */
export function aboutModel({ name, license, sha256, notice, rounded }) {
  const facts = [tr("Model: {model}", { model: name }), tr("Licence: {license}", { license }), tr("SHA-256 of its weights: {digest}", { digest: sha256 }), rounded];
  const terms = notice ? [element("pre", {}, notice)] : [];
  return element("details", { class: "live-origin" }, element("summary", {}, tr("About this model")), ...facts.map((fact) => element("p", {}, fact)), ...terms);
}
