// A page in the hand of a student who looks around alone: the model is fetched once, and reads there whatever is typed.

import { element } from "./dom.js";
import { counted } from "./kept_files.js";
import { tr } from "./language.js";
import { LivePage } from "./live_viewer.js";

/** Show the page in `root`: the contents of a LivePage, the `address` and `size` of its weights, and the `page` of the app. */
export function openFile(root, contents) {
  const weights = async (come) => {
    const { ok, status, statusText, body } = await fetch(contents.address);
    if (!ok) throw new Error(`${status} ${statusText}`);
    return new Response(counted(body, (bytes) => come(bytes / contents.size))).arrayBuffer();
  };
  document.documentElement.setAttribute("data-embed", "");
  const place = element("div");
  root.replaceChildren(place, element("p", {}, element("a", { href: contents.page }, tr("Open in the app"))));
  return new LivePage(place, { ...contents, weights });
}
