// Words in the prose of a page: a link to "#word-key" opens the entry of "key" where it stands.

import { WORDS } from "./declared.js";
import { placeBelow } from "./panel.js";

/** Hear the clicks of a page on such links; `parentElement` holds the popover. Gives what ends it. */
export function openComponent({ parentElement }) {
  const panel = parentElement.querySelector("[popover]");
  if (heard) document.removeEventListener("click", heard, true); // Streamlit calls this again for another theme
  const listens = (heard = (event) => clicked(event, panel));
  document.addEventListener("click", listens, true);
  return () => document.removeEventListener("click", listens, true);
}

let heard; // one for the page
const BEGINS = "#word-";

function clicked(event, panel) {
  const link = event.target.closest?.(`a[href^="${BEGINS}"]`);
  const entry = link && WORDS[link.getAttribute("href").slice(BEGINS.length)];
  if (!entry) return;
  event.preventDefault();
  event.stopPropagation();
  open(panel, entry, link);
}

function open(panel, { word, meaning, formula }, link) {
  const [name, said, shape] = panel.children;
  name.textContent = word;
  said.textContent = meaning;
  Object.assign(shape, { textContent: formula, hidden: !formula });
  panel.setAttribute("aria-label", word);
  panel.showPopover();
  placeBelow(panel, link);
  panel.focus({ preventScroll: true });
  panel.ontoggle = ({ newState }) => { // the focus goes back, unless a click has taken it elsewhere
    const { activeElement } = panel.getRootNode();
    if (newState === "closed" && (activeElement === panel || document.activeElement === document.body)) link.focus();
  };
}
