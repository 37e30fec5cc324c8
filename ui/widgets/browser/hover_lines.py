"""Lines between words: while the pointer is on a word, lines of other words fade; in the browser, without a rerun.

Plotly draws the lines as shapes, which get no pointer events, but reports which word is under the pointer.
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
    """Draw the invisible listener for the picture with that key. Shape i joins point ends[i][0] of the first trace with
    point ends[i][1] of the second."""
    _listen(key=_KEY, data={"picture": picture, "ends": [list(pair) for pair in ends]}, height=1)
