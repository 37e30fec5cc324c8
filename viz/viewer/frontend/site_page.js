// A page of the site: a model is fetched once, kept by the browser, and reads there whatever is typed.

import { element, write } from "./dom.js";
import { counted, kept, openOffline } from "./kept_files.js";
import { tr } from "./language.js";
import { LivePage } from "./live_viewer.js";

/**
 * Show the page in `root`: {models, engine}. Of each model {name, title, settings, weights, size}: the addresses of what a
 * LivePage needs of it, and of its weights, which have `size` bytes. What its files hold is in their names.
 */
export function openFile(root, contents) {
  return new SitePage(root, contents);
}

class SitePage {
  constructor(root, { models, engine }) {
    Object.assign(this, { models, engine, asked: new URLSearchParams(location.search), text: null });
    const options = models.map(({ name, title }) => element("option", { value: name }, title));
    this.pick = element("select", { id: "site-model", onchange: () => this.choose(this.pick.value) }, ...options);
    this.failure = element("p", { class: "failure", role: "alert", hidden: true });
    this.examples = element("div", { class: "site-examples", role: "group", "aria-label": tr("Examples") });
    this.place = element("div");
    root.replaceChildren(element("p", { class: "site-model" }, element("label", { for: this.pick.id }, tr("Model")), this.pick, element("a", { href: "lessons.html" }, tr("Lessons"))), this.examples, this.failure, this.place);
    document.documentElement.toggleAttribute("data-embed", this.asked.has("embed"));
    openOffline();
    this.choose(this.asked.get("model"));
  }

  async choose(name) {
    const model = this.models.find((one) => one.name === name) ?? this.models[0];
    this.pick.value = model.name;
    this.page?.close();
    this.place.replaceChildren();
    this.examples.replaceChildren();
    this.failure.hidden = true;
    try {
      const answer = await kept(model.settings, this.models);
      if (this.pick.value === model.name) this.show(model, await answer.json());
    } catch (error) {
      write(this.failure, tr("The model cannot be fetched: {reason}", { reason: error.message }));
      this.failure.hidden = false;
    }
  }

  show(model, settings) {
    const asked = this.page ? new URLSearchParams() : this.asked; // the address is about the first model
    const text = this.text ?? asked.get("text") ?? settings.text;
    const choices = { ...settings.choices, ...choicesOf(asked, settings.about.kinds) };
    const weights = async (told) => {
      const { body } = await kept(model.weights, this.models);
      return new Response(counted(body, (come) => told(come / model.size))).arrayBuffer();
    };
    this.page = new LivePage(this.place, { ...settings, text, choices, engine: this.engine, weights }, (state) => this.note(model, settings, state), this.readers());
    this.examples.replaceChildren(...settings.examples.map((example) => this.chip(example)));
  }

  /** Functions that open a model that reads another script, with the text that stands there. */
  readers() {
    const reading = (language) => this.models.find(({ languages }) => languages.includes(language));
    const scripts = [["HANGUL", reading("ko")], ["LATIN", reading("en")]];
    return Object.fromEntries(scripts.flatMap(([script, model]) => (model ? [[script, () => this.choose(model.name)]] : [])));
  }

  /** The chip of an example: a click begins it, and each further one exchanges its text for that of the next side. */
  chip({ label, sees, sides }) {
    const next = () => {
      const at = sides.findIndex(({ text }) => text === this.page.field.value);
      const { text, choices } = sides[(at + 1) % sides.length];
      this.page.begin(text, choices);
    };
    return element("button", { type: "button", title: sees, onclick: next }, label);
  }

  /** The address says what is on show, with the words that the app's addresses have. */
  note(model, settings, { text, choices: { kind, layer, head, picture } }) {
    const isOurs = settings.examples.some(({ sides }) => sides.some((side) => side.text === text));
    this.text = isOurs || text === settings.text ? null : text;
    for (const [name, value] of Object.entries({ model: model.name, text, kind, layer, head, picture })) this.asked.set(name, value);
    if (settings.about.kinds.length === 1) this.asked.delete("kind");
    if (text.length > LONGEST) this.asked.delete("text");
    if (location.search !== `?${this.asked}`) history.replaceState(null, "", `?${this.asked}`); // a browser counts how often
  }
}

const LONGEST = 2000; // of a text in the address
const PICTURES = ["arcs", "map", "text"];

/** What an address asks for, as far as the model has it. */
function choicesOf(asked, kinds) {
  const chosen = {};
  const { kind, n_layers: nLayers, n_heads: nHeads } = kinds.find((one) => one.kind === asked.get("kind")) ?? kinds[0];
  const within = (name, size) => {
    const number = Number(asked.get(name) ?? NaN);
    if (Number.isInteger(number) && number >= 0 && number < size) chosen[name] = number;
  };
  within("layer", nLayers);
  within("head", nHeads);
  if (kind === asked.get("kind")) chosen.kind = kind;
  if (PICTURES.includes(asked.get("picture"))) chosen.picture = asked.get("picture");
  return chosen;
}
