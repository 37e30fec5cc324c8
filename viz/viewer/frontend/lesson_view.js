// The picture of a step: the viewer with the head in question, or bars. Before the answer, what is asked for is covered.

import { MEAN } from "./declared.js";
import { element } from "./dom.js";
import { tr } from "./language.js";
import { written } from "./lesson_words.js";
import { liveSource } from "./live_source.js";
import { columnsOf } from "./live_words.js";
import { ViewerFrame } from "./viewer_frame.js";

/** The pages of the app whose picture the viewer draws. */
const VIEWED = ["home", "attention", "bert_and_gpt", "queries_keys_values", "positions"];
/** Questions about all heads, and not one alone. */
const ABOUT_HEADS = ["strongest-head", "how-many"];
/** Questions of which the names beside the bars tell nothing that is asked. */
const NAMED = ["likeliest-word", "likeliest-sentence", "follows", "head-off", "most-alike", "same-word", "nearest-position", "turned-likeness", "with-temperature"];
const N_COVERED = 5; // bars whose number would be an answer
const QUANTITIES = { "best-score": "scores", "score-ratio": "scores", "shortest-value": "value_weighted" };

/**
 * The picture of a question: {node, close()}. `asked` is {ask, outcome, readings, settings, view, tap}; `covers` says that it is not
 * answered, and `isBare` that the picture is seen whole all the same, but for what it begins with.
 */
export function lessonView({ ask, outcome, readings, settings, view, tap }, { covers = false, isBare = false } = {}) {
  const isViewed = VIEWED.includes(view) && readings.length > 0;
  if (isViewed && covers && ask.what === "how-many" && ask.of === "tokens") return still(); // its rows would count them
  if (isViewed) return viewers({ ask, outcome, settings, isOfHead: !(covers && tap === "head") }, covers && !isBare, covers ? readings.slice(0, 1) : readings);
  return outcome.bars.length ? { node: bars(ask, outcome, covers), close: () => {} } : still();
}

function still() {
  return { node: element("div"), close: () => {} };
}

function viewers({ ask, outcome, settings, isOfHead }, covers, readings) {
  const node = element("div", { class: "lesson-viewers" });
  const { layer = 0, head = 0, position } = outcome;
  const covered = covers && position !== undefined ? [position] : [];
  const shown = readings.map(({ layers, pieces }, at) => {
    const place = element("div", { inert: covered.length > 0 });
    const name = readings.length > 1 ? [element("h3", {}, at ? tr("Shuffled") : tr("As written"))] : [];
    node.append(...name, place);
    const viewer = new ViewerFrame(place);
    const columns = columnsOf(pieces, ask.text, settings.spelled);
    const source = liveSource({ layers, columns, text: ask.text, number: `${at}`, covered }, settings);
    viewer.open(source, {
      picture: "map", shows: ABOUT_HEADS.includes(ask.what) ? "heads" : "map", layer, head: isOfHead ? head : MEAN, quantity: QUANTITIES[ask.what] ?? "weights",
      locked: position === undefined || covered.length ? [] : [position],
    }, `${at}`);
    return viewer;
  });
  if (covered.length) node.append(element("p", { class: "hint" }, tr("Your guess uncovers the row that is asked for.")));
  return { node, close: () => shown.forEach((viewer) => viewer.close()) };
}

/** A bar for each number; covered ones have no number, and those whose count is asked no name. */
function bars(ask, { bars: all, known = [] }, covers) {
  const isNamed = !covers || NAMED.includes(ask.what);
  const lines = isNamed ? all : Array.from({ length: N_COVERED }, () => [{ is: "word", value: "…" }, null]);
  return element("ol", { class: "lesson-bars" }, ...lines.map(([name, fact], at) => bar(written(name), covers && !known.includes(at) ? null : fact)));
}

function bar(name, fact) {
  const width = fact ? Math.max(0, Math.min(1, fact.value)) : 1;
  const line = element("span", { class: "live-bar" }, element("span", { style: `width:${100 * width}%` }));
  return element("li", { "data-covered": fact === null }, element("bdi", {}, name), line, element("span", {}, fact ? written(fact) : "?"));
}
