"""A player: a choice advances by itself, until it is stopped or at its end.

The browser waits and reports back; the next wait begins when the page has drawn the result. So nothing piles up on a
slow machine, and closing the tab stops it.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.kit.language import tr

_KEY = "headlight_player"
_PLAYING = "headlight_playing"
DELAY = 900
"""Milliseconds between two pictures."""

_JAVASCRIPT = """
export default function ({ data, setTriggerValue }) {
  if (!data.playing) return;
  const timer = setTimeout(() => setTriggerValue("tick", data.at), data.delay);
  return () => clearTimeout(timer);
}
"""
_wait = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def turning_line(name: str) -> DeltaGenerator:
    """Return the line for the buttons that turn the choice `name` and its slider: the buttons are as wide as their
    words, and the slider takes the rest."""
    return st.container(key=f"turning-{name}", horizontal=True, vertical_alignment="center", gap="small")


def play_button(name: str, n_places: int) -> None:
    """Draw Play or Stop for the choice `name`, a number below `n_places` in the session. Call `play_on` at the end."""
    playing = is_playing()
    st.button(
        tr("Stop") if playing else tr("Play"),
        key="play",
        icon=":material/stop:" if playing else ":material/play_arrow:",
        on_click=_turn,
        args=(name, n_places),
    )


def play_on(name: str, n_places: int, delay: int = DELAY) -> None:
    """Draw the invisible timer of the player; each tick, `delay` milliseconds after the last picture, advances the
    choice `name` by one."""
    position = st.session_state[name]
    _wait(
        key=_KEY,
        data={"playing": is_playing() and position < n_places - 1, "at": position, "delay": delay},
        height=1,
        on_tick_change=lambda: _tick(name, n_places),
    )


def stop_playing() -> None:
    st.session_state[_PLAYING] = False


def is_playing() -> bool:
    return bool(st.session_state.get(_PLAYING, False))


def _turn(name: str, n_places: int) -> None:
    """Play, from the beginning if it is at the end; or stop."""
    st.session_state[_PLAYING] = not is_playing()
    if is_playing() and st.session_state[name] >= n_places - 1:
        st.session_state[name] = 0


def _tick(name: str, n_places: int) -> None:
    """Advance on a tick from the browser, if it is about the current position: the reader may have moved since."""
    position = st.session_state[name]
    if not is_playing() or (st.session_state.get(_KEY) or {}).get("tick") != position:
        return
    st.session_state[name] = min(position + 1, n_places - 1)
    st.session_state[_PLAYING] = position + 1 < n_places - 1
