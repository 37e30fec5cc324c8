// The switches: which picture, which quantity, of which tokens, in which colours.

import { CHOICES } from "./declared.js";
import { element } from "./dom.js";
import { toSay, tr } from "./language.js";
import { Panel } from "./panel.js";

export class Controls {
  constructor(model) {
    this.model = model;
    this.pictures = new Choice(model, "picture", tr("Picture"), PICTURES);
    this.others = new Choice(model, "picture", tr("Other pictures"), OTHER_PICTURES);
    const quantities = new Quantities(model);
    const seldom = [
      new Select(model, "special", tr("Special tokens"), SPECIALS),
      new Select(model, "top", tr("Strongest of a row"), TOPS),
      new Slider(model),
      new Scales(model),
      new Switch(model, "words", tr("Whole words"), tr(WORDS_HELP), tr(WORDS_REFUSED)),
    ];
    this.parts = [this.pictures, this.others, quantities, ...seldom];
    const others = element("div", { class: "other-pictures" }, element("span", { "aria-hidden": "true" }, tr("Other pictures")), this.others.node);
    this.more = new Panel(tr("Options"), tr("More of what is shown"), others, ...seldom.map((part) => part.node), quantities.why);
    this.node = element("div", { class: "controls", role: "group", "aria-label": tr("What is shown") },
      this.pictures.node, quantities.node, this.more.button, this.more.node);
  }

  draw() {
    if (!this.kind && this.model.kinds.size > 1 && !this.model.source.live) this.addKinds();
    this.others.offer("blocks", this.model.shown.queries.some((token) => token.segment === 1));
    for (const part of this.parts) part.draw();
    this.kind?.draw();
    const { choices } = this.model;
    this.more.mark(choices.picture in OTHER_PICTURES || SELDOM.some((name) => choices[name] !== CHOICES[name]));
  }

  /** In a file there is no page around that offers the kinds of attention. */
  addKinds() {
    const names = [...this.model.kinds.keys()];
    this.kind = new Select(this.model, "kind", tr("Attention"), Object.fromEntries(names.map((name) => [name, KINDS[name]])));
    this.node.prepend(this.kind.node);
  }
}

/** Buttons of which one is pressed. */
class Choice {
  constructor(model, name, label, options) {
    Object.assign(this, { model, name, refused: new Set() });
    this.buttons = Object.entries(options).map(([value, text]) =>
      element("button", { type: "button", role: "radio", "data-value": value, onclick: () => model.set({ [name]: value }) }, tr(text)));
    this.node = element("div", { class: "choice", role: "radiogroup", "aria-label": label, onkeydown: (event) => this.press(event) },
      ...this.buttons);
  }

  offer(value, offered) {
    if (offered) this.refused.delete(value);
    else this.refused.add(value);
  }

  draw() {
    const chosen = this.model.choices[this.name];
    const isHere = this.buttons.some(({ dataset }) => dataset.value === chosen);
    this.buttons.forEach((button, index) => {
      const { value } = button.dataset;
      button.hidden = this.refused.has(value) && value !== chosen;
      button.setAttribute("aria-checked", value === chosen);
      button.tabIndex = value === chosen || (!isHere && !index) ? 0 : -1;
    });
  }

  press(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const offered = this.buttons.filter((button) => !button.hidden);
    const at = Math.max(offered.indexOf(event.target), 0);
    const next = offered[(at + step + offered.length) % offered.length];
    this.model.set({ [this.name]: next.dataset.value });
    next.focus();
  }
}

class Select {
  constructor(model, name, label, options) {
    Object.assign(this, { model, name });
    const isNumber = typeof model.choices[name] === "number";
    this.select = element("select", { "aria-label": label, onchange: () => model.set({ [name]: isNumber ? Number(this.select.value) : this.select.value }) },
      ...Object.entries(options).map(([value, text]) => element("option", { value }, tr(text))));
    this.node = element("label", {}, element("span", {}, label), this.select);
  }

  draw() {
    this.select.value = this.model.choices[this.name];
  }
}

/** What a cell is. What this model does not have stays in the list, and says why. */
class Quantities extends Select {
  constructor(model) {
    super(model, "quantity", tr("Show"), QUANTITIES);
    this.why = element("p", { class: "hint", hidden: true });
  }

  draw() {
    super.draw();
    const { refused } = this.model.shown;
    const reasons = [...new Set(Object.values(refused))].join(" ");
    for (const option of this.select.options) {
      const isRefused = option.value in refused;
      option.disabled = isRefused;
      const quantity = tr(QUANTITIES[option.value]);
      option.textContent = isRefused ? tr("{quantity} (not here)", { quantity }) : quantity;
    }
    this.node.title = tr(QUANTITY_HELP);
    if (this.why.textContent !== reasons) this.why.textContent = reasons;
    this.why.hidden = !reasons;
  }
}

/** Only weights end at 1; scores are shown from minus to plus. */
class Scales extends Select {
  constructor(model) {
    super(model, "scale", tr("Scale"), SCALES);
  }

  draw() {
    const { quantity } = this.model.choices;
    this.select.value = this.model.scale;
    this.select.disabled = quantity === "scores";
    this.select.options[0].disabled = quantity !== "weights";
    this.node.title = quantity === "scores" ? tr(SCORES_SCALE) : tr(SCALE_HELP);
  }
}

class Switch {
  constructor(model, name, label, help, refused) {
    Object.assign(this, { model, name, help, refused });
    this.input = element("input", { type: "checkbox", onchange: () => model.set({ [name]: this.input.checked }) });
    this.node = element("label", { class: "switch" }, this.input, element("span", {}, label));
  }

  draw() {
    const refused = this.model.choices.quantity === "scores";
    this.input.checked = this.model.choices[this.name] && !refused;
    this.input.disabled = refused;
    this.node.title = refused ? this.refused : this.help;
  }
}

class Slider {
  constructor(model) {
    this.model = model;
    this.said = element("output");
    this.input = element("input", { "aria-label": tr("Threshold"), type: "range", min: 0, max: 0.5, step: 0.01,
      oninput: () => model.set({ threshold: Number(this.input.value) }) });
    this.node = element("label", { title: tr("Smaller numbers are not drawn.") },
      element("span", {}, tr("Threshold"), " ", this.said), this.input);
  }

  draw() {
    const { threshold, quantity } = this.model.choices;
    this.input.disabled = quantity === "scores";
    this.input.value = threshold;
    this.said.textContent = threshold > 0 ? threshold.toFixed(2) : tr("off");
  }
}

const SELDOM = ["special", "top", "threshold", "scale", "words"];
const PICTURES = { arcs: toSay("Arcs"), map: toSay("Map") };
const OTHER_PICTURES = { text: toSay("Sentence"), blocks: toSay("A and B") };
const KINDS = { encoder: toSay("Encoder"), decoder: toSay("Decoder"), cross: toSay("Cross (decoder to encoder)") };
const QUANTITIES = {
  weights: toSay("Weights"), scores: toSay("Scores before softmax"), value_weighted: toSay("Weights × value norm"),
  output_weighted: toSay("Weights × norm after W_O"),
};
const QUANTITY_HELP = toSay(
  "Weights α: how much a query looks at a key. Scores: the same before the softmax. Weights × value norm, α‖v‖: how much " +
  "the key hands over to the head. Weights × norm after W_O, ‖α v W_O‖: how much of that the head adds to the residual " +
  "stream (Kobayashi et al. 2020, “Attention is Not Only a Weight”, equation 5).");
const SPECIALS = {
  shown: toSay("Shown"), margin: toSay("In the margin"), hidden: toSay("Hidden"), hidden_renormalised: toSay("Hidden, renormalised"),
};
const TOPS = { 0: toSay("All"), 1: "1", 3: "3", 5: "5", 10: "10" };
const WORDS_HELP = toSay("The columns of a word's pieces are added up and its rows averaged, so every row keeps its sum.");
const WORDS_REFUSED = toSay("Scores before the softmax cannot be added up over the pieces of a word.");
const SCALES = { one: toSay("0 to 1"), map: toSay("Fit the map"), row: toSay("Fit each row") };
const SCALE_HELP = toSay("Which number gets the strongest colour: 1, the largest of the map, or the largest of each row.");
const SCORES_SCALE = toSay("Scores are shown on one scale, centred at 0.");
