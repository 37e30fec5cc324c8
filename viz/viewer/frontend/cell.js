// The viewer in a cell that a notebook stores: its numbers come in the few bytes of viz/viewer/stored.py.

import { embeddedSource } from "./source.js";
import { restored } from "./stored_weights.js";
import { ViewerFrame } from "./viewer_frame.js";

/** Show the recording of a cell in `root`. */
export function openCell(root, buffer) {
  const contents = restored(buffer);
  const viewer = new ViewerFrame(root);
  viewer.open(embeddedSource(contents), contents.choices);
  return viewer;
}
