"""Whether the reader's window is as narrow as a telephone: only the browser knows, so the browser tells."""

from __future__ import annotations

import streamlit as st

NARROW = 640
"""Windows below this many CSS pixels get the compact form of the pictures."""
_KEY = "headlight_viewport"
_STATE = "headlight_narrow"

_JAVASCRIPT = f"""
export default function ({{ data, setStateValue }}) {{
  const query = window.matchMedia("(max-width: {NARROW - 1}px)");
  const tell = () => {{ if (query.matches !== data.narrow) setStateValue("narrow", query.matches); }};
  query.addEventListener("change", tell);
  tell();
  return () => query.removeEventListener("change", tell);
}}
"""
_watch = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def watch_viewport() -> None:
    """Draw the invisible watcher. A wide window is assumed until the browser speaks, and it speaks only of changes."""
    known = is_narrow()
    told = _watch(key=_KEY, data={"narrow": known}, default={"narrow": known}, height=1, on_narrow_change=lambda: None)
    st.session_state[_STATE] = bool(told.narrow)


def is_narrow() -> bool:
    """The last word of the browser."""
    return bool(st.session_state.get(_STATE, False))
