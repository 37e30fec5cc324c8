"""A drawing in SVG that stands in the page itself, so that its letters are those of the page: a picture of its own
would not have the page's font."""

from __future__ import annotations

from typing import Literal

import streamlit as st

_STYLE = "svg { display: block; max-width: 100%; height: auto; }"

_JAVASCRIPT = """
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("[data-root]");
  const drawn = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
  root.setAttribute("aria-label", data.alt);
  root.replaceChildren(document.importNode(drawn, true));
}
"""
_drawing = st.components.v2.component(
    "headlight_drawing", html='<div data-root role="img"></div>', css=_STYLE, js=_JAVASCRIPT
)


def drawing(svg: str, key: str, *, alt: str, height: int | Literal["content"] = "content") -> None:
    """Draw SVG whose texts are escaped; `alt` says in plain text what it shows, `height` keeps its place free until it
    is drawn."""
    _drawing(key=key, data={"svg": svg, "alt": alt}, height=height)
