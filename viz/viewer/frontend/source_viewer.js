// The viewer with the picture or the sound that was read beside the map. Text needs none of it, so it is an entry of its own.

import { addSourcePane } from "./source_pane.js";
import { embeddedSource } from "./source.js";
import { Viewer } from "./viewer.js";

/** Show the recording of an embedded file in `root`. */
export function openFile(root, contents) {
  const viewer = addSourcePane(new Viewer(root), contents);
  viewer.open(embeddedSource(contents), contents.choices);
  return viewer;
}
