"""What the reader has chosen: shared by all pages, kept in the address, restored from a copied link.

Every choice lives in `st.session_state` under its own name, which is also its name in the address. What comes from an
address is untrusted: it is checked by the parser that `choices.py` declares, and what does not fit is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import streamlit as st

from models.values.record import Recording
from ui.state.choices import CHOICES, DEFAULTS, LONGEST_LESSON_LINK, Selection
from ui.state.keeping import keep, settle
from ui.state.parsing import written
from viz.viewer.choices import MEAN

ALWAYS = frozenset({"text", "model", "layer", "head"})
"""Choices that the address holds even where they are the default."""
MAX_LINK = 2000
"""A longer sentence stays in the session, but not in the address: browsers and servers refuse longer ones."""
_LONGER = {"lesson_text": LONGEST_LESSON_LINK}
"""Choices that may be longer: whoever gives a lesson away by a link means to."""
_WRITTEN = "headlight_written_address"
_WHOLE_PAGE = "headlight_whole_page"
_WHOLE_PAGE_NEXT = "headlight_whole_page_next"
_HEAD = ("layer", "head")
_OUR_HEAD = "headlight_our_head"
"""The layer and the head that the app has chosen; None once the reader has turned one of them."""


def read_address(address: Mapping[str, str]) -> dict[str, Any]:
    """The choices in an address that fit; the others are left out."""
    chosen: dict[str, Any] = {}
    for name in filter(address.__contains__, CHOICES):
        try:
            chosen[name] = CHOICES[name].parse(address[name])
        except ValueError:
            continue
    return chosen


def to_address(selection: Selection) -> dict[str, str]:
    """The address of a state: sentence, model, layer and head always, the rest where it is not the default."""
    values = {name: getattr(selection, name) for name in CHOICES}
    address = {name: written(value) for name, value in values.items() if name in ALWAYS or value != DEFAULTS[name]}
    return {name: value for name, value in address.items() if len(value) <= _LONGER.get(name, MAX_LINK)}


def restore(page: str) -> None:
    """Take the choices from the address if it is new, else keep the session's. Call before any widget is drawn."""
    address = st.query_params.to_dict()
    if address and address != st.session_state.get(_WRITTEN):
        st.session_state.update(read_address(address))
    keep(DEFAULTS, page=page)


def is_from_link(name: str) -> bool:
    """Whether the address that the reader came with, and not the app, says what this choice is."""
    return name in st.query_params and st.query_params.to_dict() != st.session_state.get(_WRITTEN)


def selection() -> Selection:
    """The choices of this session."""
    return Selection(**{name: st.session_state[name] for name in DEFAULTS})


def write_address() -> None:
    """Put the choices into the address bar. A layer and a head that the app has chosen stand in none: who opens it sees
    again what stands out."""
    address = to_address(selection())
    if not is_turned():
        address = {name: value for name, value in address.items() if name not in _HEAD}
    if address != st.query_params.to_dict():
        st.query_params.from_dict(address)
    st.session_state[_WRITTEN] = address


@contextmanager
def remembered(page: str) -> Iterator[None]:
    """Restore the choices before the page of that name is drawn, and write the address after."""
    restore(page)
    st.session_state.pop(_WHOLE_PAGE_NEXT, None)
    st.session_state[_WHOLE_PAGE] = True
    try:
        yield
    finally:
        st.session_state[_WHOLE_PAGE] = False
        settle()
        write_address()


@contextmanager
def remembered_in_part() -> Iterator[None]:
    """The same for a fragment, which also runs without its page."""
    if is_whole_page():  # the page has kept the choices, and widgets above own some of them already
        yield
        return
    if st.session_state.pop(_WHOLE_PAGE_NEXT, False):
        st.rerun()
    keep(DEFAULTS)
    try:
        yield
    finally:
        settle()


def draw_whole_page() -> None:
    """Let the run that follows a callback draw the page, and not a fragment alone.

    Call it where a button of a fragment changes a choice whose widget stands outside: that would not be told, and the
    browser would send its old value with the next run.
    """
    st.session_state[_WHOLE_PAGE_NEXT] = True


def is_whole_page() -> bool:
    """Whether the page itself runs, and not a fragment of it alone."""
    return bool(st.session_state.get(_WHOLE_PAGE, False))


def fit(recording: Recording) -> None:
    """Bring the choices into the bounds of the recording. Call before their widgets are drawn."""
    state = st.session_state
    if state["kind"] not in recording.kinds:
        state["kind"] = recording.kinds[0]
    shown = recording.of(state["kind"])
    fit_heads(shown.n_layers, shown.n_heads)


def fit_heads(n_layers: int, n_heads: int) -> None:
    """Bring the layer and the head into these bounds. Call before their widgets are drawn."""
    turned = is_turned()
    at_most("layer", n_layers - 1)
    if st.session_state["head"] != MEAN:
        at_most("head", n_heads - 1)
    if not turned:
        leave_head_to_us()


def at_most(name: str, last: int) -> None:
    """Lower a choice that lies above `last`. One that fits is not assigned: that would send it to the browser."""
    chosen = st.session_state[name]
    if chosen > last:
        st.session_state[name] = last


def is_turned() -> bool:
    """Whether the layer and the head are the reader's: turned, clicked, or named by a link. Until then the app may
    choose them anew for every sentence."""
    state = st.session_state
    ours = state.get(_OUR_HEAD, tuple(DEFAULTS[name] for name in _HEAD))
    if ours != tuple(state[name] for name in _HEAD) or any(map(is_from_link, _HEAD)):
        state[_OUR_HEAD] = None
    return state.get(_OUR_HEAD, ours) is None


def show_head(layer: int, head: int | str) -> None:
    """Show a head that the app has chosen. Call before the widgets are drawn, and not if `is_turned`."""
    for name, value in zip(_HEAD, (layer, head), strict=True):
        if st.session_state[name] != value:
            st.session_state[name] = value
    leave_head_to_us()


def leave_head_to_us() -> None:
    """From now on the app chooses the layer and the head again, as long as the reader turns neither."""
    st.session_state[_OUR_HEAD] = tuple(st.session_state[name] for name in _HEAD)
