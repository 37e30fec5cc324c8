"""The wall of heads: a tile for each, which a click or the keyboard chooses."""

from __future__ import annotations

import streamlit as st

from models.values.results.atlas import HeadAtlas
from ui.state.selection import choose, selection
from viz.heads.wall import wall_of_heads
from viz.kit.language import tr

_KEY = "headlight_wall"

_STYLE = """
:host { font-family: var(--st-font); color: var(--st-text-color); }
main { display: block; }
section { display: flex; gap: 0.25rem 1rem; align-items: baseline; justify-content: space-between; padding: 0.25rem 0;
  border-bottom: 1px solid var(--st-border-color); }
section.many { display: block; border: 0; }
section.many h3 { margin-bottom: 0.25rem; }
h3 { flex: none; margin: 0; font-size: 1rem; font-weight: 600; line-height: 1.4; }
h3 span { font-weight: 400; opacity: 0.75; }
div { display: flex; flex-wrap: wrap; gap: 0.25rem; }
section:not(.many) > div { justify-content: flex-end; }
@media (width < 40rem) {
  section { display: block; padding: 0.375rem 0; border: 0; }
  section:not(.many) > div { justify-content: flex-start; }
}
button {
  padding: 0.25rem 0.5rem; border: 1px solid var(--st-border-color); border-radius: 0.5rem; cursor: pointer;
  background: var(--st-secondary-background-color); color: inherit; font: inherit; font-size: 0.875rem;
}
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 3px solid currentColor; outline-offset: -3px; }
button[aria-pressed="true"] { background: var(--st-primary-color); color: #ffffff; }
b { font-weight: 600; }
"""

_JAVASCRIPT = """
const FEW = 6; // tiles of groups that stand side by side
const node = (name, looks, ...children) => {
  const made = Object.assign(document.createElement(name), looks);
  made.append(...children);
  return made;
};
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("[data-root]");
  const focused = root.querySelector(":focus")?.name;
  const tile = ({ layer, head, share, about }) => {
    const name = `${layer}.${head}`;
    const label = `L${layer} · H${head}`;
    const looks = { type: "button", name, title: about, onclick: () => setTriggerValue("picked", [layer, head]) };
    const made = node("button", looks, label, ...(share ? [" ", node("b", {}, share)] : []));
    made.setAttribute("aria-pressed", String(name === data.chosen));
    return made;
  };
  root.replaceChildren(...data.groups.map(({ name, tiles }) => {
    const title = node("h3", {}, name, node("span", {}, ` · ${tiles.length}`));
    const className = tiles.length > FEW ? "many" : "";
    return node("section", { className }, title, node("div", {}, ...tiles.map(tile)));
  }));
  root.querySelector(`[name="${focused}"]`)?.focus();
}
"""
_wall = st.components.v2.component(_KEY, html="<main data-root></main>", css=_STYLE, js=_JAVASCRIPT)


def heads_wall(atlas: HeadAtlas) -> None:
    """Draw the wall, with the chosen head marked."""
    chosen = selection()
    st.caption(tr("Each tile is a head. Click one to see a text that shows what it does."))
    with st.container(key="heads-wall"):
        _wall(
            key=_KEY,
            data={"groups": wall_of_heads(atlas), "chosen": f"{chosen.layer}.{chosen.head_index or 0}"},
            on_picked_change=lambda: _take_picked(atlas),
        )


def _take_picked(atlas: HeadAtlas) -> None:
    """Choose the head of the tile that was clicked; what a browser sends is checked."""
    picked = (st.session_state.get(_KEY) or {}).get("picked")
    if not isinstance(picked, list | tuple) or len(picked) != 2 or not all(type(one) is int for one in picked):
        return
    layer, head = picked
    if 0 <= layer < atlas.n_layers and 0 <= head < atlas.n_heads:
        choose(layer=layer, head=head)
