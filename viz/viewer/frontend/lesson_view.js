// The picture of a step: the viewer with the head in question, or bars. Before the answer, what is asked for is covered.

import { MEAN } from "./declared.js";
import { element } from "./dom.js";
import { tr } from "./language.js";
import { written } from "./lesson_words.js";
import { liveSource, withColumns } from "./live_source.js";
import { ViewerFrame } from "./viewer_frame.js";

/** The pages of the app whose picture the viewer draws. */
const VIEWED = ["home", "attention", "bert_and_gpt", "queries_keys_values", "positions"];
/** What is counted that only the small maps of all heads show. */
const OF_HEADS = ["layers", "heads", "all-heads"];
/** Questions of which the names beside the bars tell nothing that is asked. */
const NAMED = ["likeliest-word", "likeliest-sentence", "follows", "head-off", "most-alike", "same-word", "nearest-position", "turned-likeness", "with-temperature", "left-out", "important-word", "loss-at", "begins-at", "answer-sum", "strongest-writer", "settled-after"];
const N_COVERED = 5; // bars whose number would be an answer
const QUANTITIES = { "best-score": "scores", "score-ratio": "scores", "shortest-value": "value_weighted" };

/**
 * The picture of a question: {node, close()}. `asked` is {ask, outcome, readings, settings, view, kind, begins}, of which the last is the head of a map where the question names none; `covers` says that it is not
 * answered, and `isBare` that the picture is seen whole all the same, but for the head that it begins with.
 */
export function lessonView(asked, { covers = false, isBare = false } = {}) {
  const { ask, outcome, readings, view, kind } = asked;
  const isViewed = VIEWED.includes(view) && readings.length > 0;
  if (isViewed && !(covers && ask.of === "tokens")) return viewers(asked, covers, isBare); // its rows would count them
  const drawn = isViewed || !outcome.bars.length ? [] : [element("p", {}, kind.about), bars(ask, outcome, covers)];
  return { node: element("div", {}, ...drawn), close: () => {} };
}

function viewers({ ask, outcome, readings, settings, kind, begins }, covers, isBare) {
  const { kind: attended, layer = 0, head = 0, position } = outcome.layer === undefined ? { ...begins, ...outcome } : outcome;
  const [node, isWhole] = [element("div"), !covers || isBare];
  const row = position === undefined ? [] : [position];
  const rowsOf = (queries) => (ask.what === "visible-cells" ? [...queries.texts.keys()] : row); // its mask is asked for
  const shown = (covers ? readings.slice(0, 1) : readings).map((reading, at, all) => {
    const place = element("div", isWhole ? {} : { inert: true, class: "lesson-covered" });
    node.append(...(readings.length > 1 ? [element("h3", {}, at ? tr("Shuffled") : tr("As written"))] : []), place);
    const viewer = new ViewerFrame(place);
    const attention = withColumns(reading, ask.text, reading.written, settings.spelled).map((stack) =>
      ({ ...stack, covered: isWhole || (attended && attended !== stack.kind) ? [] : rowsOf(stack.queries) }));
    const isShort = !isWhole || all.length > 1; // beside a covered row, or another map, nothing else is read
    viewer.open(liveSource({ attention, text: ask.text, number: `${at}` }, settings), {
      picture: "map", shows: isShort ? "picture" : ask.what === "strongest-head" || OF_HEADS.includes(ask.of) ? "heads" : "map", quantity: QUANTITIES[ask.what] ?? "weights",
      ...(attended && { kind: attended }), layer, head: covers && kind.tap === "head" ? MEAN : head, locked: isWhole ? row : [],
    }, `${at}`);
    return viewer;
  });
  const isCovered = !isWhole && (row.length > 0 || ask.what === "visible-cells");
  if (isCovered) node.append(element("p", {}, tr("Covered: what you are asked. Your guess uncovers it.")));
  return { node, close: () => shown.forEach((viewer) => viewer.close()) };
}

/** A bar for each number; covered ones have no number, and those whose count is asked no name. */
function bars(ask, { bars: all, known = [] }, covers) {
  const isNamed = !covers || NAMED.includes(ask.what);
  const lines = isNamed ? all : Array.from({ length: N_COVERED }, () => [{ is: "word", value: "…" }, null]);
  const most = Math.max(1, ...all.map(([, fact]) => fact.value));
  return element("ol", { class: "lesson-bars" }, ...lines.map(([name, fact], at) => bar(written(name), covers && !known.includes(at) ? null : fact, most)));
}

function bar(name, fact, most) {
  const width = fact ? Math.max(0, fact.value / most) : 1;
  const line = element("span", { class: "lesson-bar" }, element("span", { style: `width:${100 * width}%` }));
  return element("li", { "data-covered": fact === null }, element("bdi", {}, name), line, element("span", {}, fact ? written(fact) : "?"));
}
