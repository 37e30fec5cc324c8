// Where the viewer is shown: in a file, and in a component of Streamlit.

import { embeddedSource } from "./source.js";
import { TakeAway } from "./take_away.js";
import { Typing } from "./typing.js";
import { ViewerFrame } from "./viewer_frame.js";

/** Show the recording of an embedded file in `root`. */
export function openFile(root, contents) {
  const viewer = new Viewer(root);
  viewer.open(embeddedSource(contents), contents.choices);
  return viewer;
}

/**
 * Mount into, or update inside, a component of Streamlit. `data` is {base, id, choices, told, typed}: `told` is the number of
 * the last choice of ours that the page has heard of; what it says before it has heard all of them is old. `typed` is null, or
 * the field whose text the model in the browser reads: {field, text, engine, model, note}. Gives what ends it.
 *
 * Streamlit calls this again for a new theme, too. Where the call before has not been answered by then, because the module
 * is still loading, it ends that one after the newer has begun: only the newest call of an element ends the viewer in it.
 */
export function openComponent({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector("[data-root]");
  if (!MOUNTED.has(root)) MOUNTED.set(root, mounted(root, data.told));
  const { viewer, typing } = MOUNTED.get(root);
  const call = (viewer.newestCall = {});
  viewer.tellPage = (choices, number) => setStateValue("choices", { ...typing.toldOf(choices), number });
  typing.hear(data);
  return () => {
    if (viewer.newestCall !== call) return;
    typing.close();
    viewer.close();
    MOUNTED.delete(root);
  };
}

function mounted(root, told) {
  const viewer = new Viewer(root, told);
  return { viewer, typing: new Typing(viewer) };
}

/** The viewer with the files that a reader can take away. */
export class Viewer extends ViewerFrame {
  constructor(root, told = 0) {
    super(root, told, [TakeAway]);
  }
}

const MOUNTED = new WeakMap();
