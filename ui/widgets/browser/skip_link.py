"""A link for keyboard users that skips the fields of a page and goes to its picture."""

from __future__ import annotations

import streamlit as st

from viz.kit.language import tr

_KEY = "headlight_skip"

_STYLE = """
a {
  position: absolute; z-index: 10; padding: 0.5rem 1rem; border-radius: 0.5rem; white-space: nowrap;
  background: var(--st-primary-color); color: #ffffff; outline: 3px solid var(--st-background-color);
}
a:not(:focus) { width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
"""

_JAVASCRIPT = """
const PICTURES = '.js-plotly-plot, [data-testid="stIFrame"], .stIFrame';
const STOPS = ':is(.large, .compared-arcs) :is([tabindex="0"], button)';
const ofPicture = (viewer) => [...viewer.querySelectorAll(STOPS)].find((node) => node.checkVisibility());

/** What a picture is read with: the cells of the viewer, or the frame around a figure. */
function picture(content) {
  const viewers = [...content.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]
    .map((host) => host.shadowRoot?.querySelector("[data-viewer], [data-comparison]")).filter(Boolean);
  return viewers.map(ofPicture).find(Boolean)
    ?? [...content.querySelectorAll(PICTURES)].find((node) => node.checkVisibility()) ?? null;
}

function goTo(place) {
  if (place.tabIndex < 0) place.tabIndex = -1;  // a figure has no stop of its own; now it can be gone to
  place.scrollIntoView({ block: "nearest" });
  place.focus({ focusVisible: true });
}

let pressed;  // one for the page: this function runs again for every page and theme
export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement;
  const content = host.closest('[data-testid="stMain"]') ?? document.body;
  const link = parentElement.querySelector("a");
  link.textContent = data.label;
  link.onclick = (event) => {
    event.preventDefault();
    const place = picture(content);
    if (place) goTo(place);
  };
  if (pressed) removeEventListener("keydown", pressed, true);
  const looked = pressed = (event) => {  // a page without a picture has no such link, and pictures come late
    if (event.key === "Tab") link.hidden = !picture(content);
  };
  addEventListener("keydown", looked, true);
  return () => removeEventListener("keydown", looked, true);
}
"""
_link = st.components.v2.component(_KEY, html='<a href="#"></a>', css=_STYLE, js=_JAVASCRIPT)


def skip_link() -> None:
    """Draw the link, before anything else of the page; it is visible only with the focus."""
    _link(key=_KEY, data={"label": tr("Skip to the picture")})
