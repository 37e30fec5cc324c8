"""Lines between words of which only those of the word under the pointer stay bright: in the browser, without a rerun.

Plotly draws the lines as shapes, which hear no pointer, but tells which word is under it: this listener fades the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

_KEY = "headlight_hover_lines"

_JAVASCRIPT = """
const FADED = "0.06";
const LINES = ".shapelayer path[data-index]";
const only = (graph, keeps) => {
  for (const path of graph.querySelectorAll(LINES)) {
    const ends = graph.headlightEnds[Number(path.dataset.index)];
    path.style.opacity = !ends || keeps(ends) ? "" : FADED;
  }
};
const listen = (graph) => {
  graph.on("plotly_hover", ({ points: [word] }) => only(graph, (ends) => ends[word.curveNumber] === word.pointNumber));
  graph.on("plotly_unhover", () => only(graph, () => true));
};
export default function ({ data }) {
  const entered = (event) => {
    const graph = event.target.closest?.(`.st-key-${data.picture} .js-plotly-plot`);
    if (!graph?.on) return;
    if (!graph.headlightEnds) listen(graph);
    graph.headlightEnds = data.ends;
  };
  document.addEventListener("pointerover", entered);
  return () => document.removeEventListener("pointerover", entered);
}
"""
_listen = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def lines_follow_pointer(picture: str, ends: Sequence[tuple[int, int]]) -> None:
    """Draw the invisible listener for the picture with that key: shape i joins point ends[i][0] of its first trace with
    point ends[i][1] of its second."""
    _listen(key=_KEY, data={"picture": picture, "ends": [list(pair) for pair in ends]}, height=1)
