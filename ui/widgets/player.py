"""A player: something steps on by itself, until it is stopped or at its end.

The browser waits, and tells when it has; the next wait begins when the page has drawn what followed. So nothing piles
up on a slow machine, and a closed tab stops it.
"""

from __future__ import annotations

import streamlit as st

from viz.kit.language import tr

_KEY = "headlight_player"
_PLAYING = "headlight_playing"
DELAY = 900
"""Milliseconds that a picture stands before the next one."""

_JAVASCRIPT = """
export default function ({ data, setTriggerValue }) {
  if (!data.playing) return;
  const timer = setTimeout(() => setTriggerValue("tick", data.at), data.delay);
  return () => clearTimeout(timer);
}
"""
_wait = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def play_button(name: str, n_places: int) -> None:
    """Play and stop for the choice `name`, a number below `n_places` in the session. Call `play_on` at the end."""
    playing = is_playing()
    st.button(
        tr("Stop") if playing else tr("Play"),
        key="play",
        icon=":material/stop:" if playing else ":material/play_arrow:",
        on_click=_turn,
        args=(name, n_places),
        width="stretch",
    )


def play_on(name: str, n_places: int) -> None:
    """Draw the invisible clock of a player that plays; once it has ticked, the choice `name` moves on by one."""
    at = st.session_state[name]
    _wait(
        key=_KEY,
        data={"playing": is_playing() and at < n_places - 1, "at": at, "delay": DELAY},
        height=1,
        on_tick_change=lambda: _tick(name, n_places),
    )


def is_playing() -> bool:
    return bool(st.session_state.get(_PLAYING, False))


def _turn(name: str, n_places: int) -> None:
    """Play, from the beginning if it stands at the end; or stop."""
    st.session_state[_PLAYING] = not is_playing()
    if is_playing() and st.session_state[name] >= n_places - 1:
        st.session_state[name] = 0


def _tick(name: str, n_places: int) -> None:
    """Advance by a tick from the browser only if it is about the current position: the reader may have moved since."""
    at = st.session_state[name]
    if not is_playing() or (st.session_state.get(_KEY) or {}).get("tick") != at:
        return
    st.session_state[name] = min(at + 1, n_places - 1)
    st.session_state[_PLAYING] = at + 1 < n_places - 1
