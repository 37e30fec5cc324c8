// The viewer in a cell of a notebook, with the picture or the sound that was read beside the map.

import { addSourcePane } from "./source_pane.js";
import { embeddedSource } from "./source.js";
import { restored } from "./stored_weights.js";
import { ViewerFrame } from "./viewer_frame.js";

/** Show the recording of a cell in `root`. */
export function openCell(root, buffer) {
  const contents = restored(buffer);
  const viewer = addSourcePane(new ViewerFrame(root), contents);
  viewer.open(embeddedSource(contents), contents.choices);
  return viewer;
}
