"""The reader's choices: shared by all pages, kept in the address, restored from a copied link.

Every choice lives in `st.session_state` under its own name, which is also its name in the address. What comes from an
address is untrusted: it is checked by the parser that `choices.py` declares, and what does not fit is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException

from models.values.record import Recording
from ui.shared.links import links
from ui.state.addresses import is_lost, read_address, shortened, to_address, unshortened
from ui.state.choices import DEFAULTS, Selection
from ui.state.keeping import has_changed, keep, settle
from ui.state.navigation import page_file
from ui.state.teaching import show_class, taught
from viz.kit.declaring import takes
from viz.kit.parsing import MEAN, written
from viz.viewer.choices import OF_A_TEXT

_WRITTEN = "headlight_written_addresses"
_BROUGHT = "headlight_brought_address"
_IS_CUT = "headlight_run_was_cut"
_LOST = "headlight_lost_link"
_PAGE = "headlight_page"
_OURS = "headlight_held_by_us"
_WHOLE_PAGE = "headlight_whole_page"
_WHOLE_PAGE_NEXT = "headlight_whole_page_next"
_TEXT_ON_SHOW = "headlight_text_on_show"
_CHOSEN_IN_TEXTS = "headlight_chosen_in_texts"
MOST_WRITTEN = 50
"""Addresses of a session that are known as our own, the newest."""
TEXTS_REMEMBERED = 20
"""Texts of a session of which it is kept what was chosen in them."""
_HEAD = ("layer", "head")
_OUR_HEAD = "headlight_our_head"
"""The layer and the head that the app has chosen; None once the reader has turned one of them."""


def restore(page: str) -> None:
    """Take the choices from the address if it is new, else keep the session's. Call before any widget is drawn."""
    address = st.query_params.to_dict()
    if address and _is_brought(address):
        take_over(read_address(unshortened(address)))
        if is_lost(address):
            st.session_state[_LOST] = st.session_state.get("text", DEFAULTS["text"])
    keep(DEFAULTS, page=page)
    st.session_state[_PAGE] = page_file(page)


def _is_brought(address: dict[str, str]) -> bool:
    """Return whether the reader came with this address, by a link or by going back, and did not just see it there.

    What a reader does while a run is under way comes with the address from before that run, and to take that for a link
    would undo what was chosen since. Such a request has changed a choice or cut the run short; going back does neither.
    """
    state = st.session_state
    known, is_brought = state.get(_BROUGHT, (None, False))
    if known != address:
        written = state.get(_WRITTEN, ())
        is_late = address in written and (has_changed() or state.get(_IS_CUT, False))
        is_brought = not is_late and address != (written[-1] if written else None)
        state[_BROUGHT] = (address, is_brought)
    return bool(is_brought)


@takes(Selection)
def choose(**choices: Any) -> None:
    """Set some choices of this session. Call it before their widgets are drawn, or in a callback."""
    st.session_state.update(choices)


def take_over(choices: Mapping[str, Any]) -> None:
    """Take some choices over, as a link or a lesson says them; tokens among them are those of the text that comes."""
    st.session_state.update(choices)
    if any(name in choices for name in OF_A_TEXT):
        st.session_state.pop(_TEXT_ON_SHOW, None)


def turn_to_text(text: str) -> None:
    """Show the tokens that are held, and the part of the map, which were chosen in this text when it was last seen.
    `text` is whatever tells it from others."""
    state = st.session_state
    before = state.get(_TEXT_ON_SHOW, text)
    state[_TEXT_ON_SHOW] = text
    if before != text:
        known: dict[str, dict[str, Any]] = state.setdefault(_CHOSEN_IN_TEXTS, {})
        known[before] = {name: state[name] for name in OF_A_TEXT}
        state.update(known.pop(text, {name: DEFAULTS[name] for name in OF_A_TEXT}))
        if len(known) > TEXTS_REMEMBERED:
            del known[next(iter(known))]


def is_from_link(name: str) -> bool:
    """Return whether the address that the reader came with, and not the app, says what this choice is."""
    address = st.query_params.to_dict()
    return _is_brought(address) and name in unshortened(address)


def has_lost_link() -> bool:
    """Return whether the reader came with a short link that this server does not know, and has typed nothing since."""
    return bool(st.session_state.get(_LOST) == st.session_state["text"])


def selection() -> Selection:
    """Return the choices of this session, as they are now."""
    state = st.session_state.to_dict()  # one lock for all
    return Selection(**{name: state[name] for name in DEFAULTS})


def write_address() -> None:
    """Put the choices into the address bar. A layer and a head that the app has chosen stand in none: who opens it sees
    again what stands out."""
    chosen = selection()
    address = to_address(chosen)
    if not is_turned():
        address = {name: value for name, value in address.items() if name not in _HEAD}
    address = shortened(address, links().keep)
    if address != st.query_params.to_dict():
        st.query_params.from_dict(address)
    state = st.session_state
    before = [other for other in state.get(_WRITTEN, ()) if other != address]
    state[_WRITTEN] = (*before, address)[-MOST_WRITTEN:]
    state.pop(_BROUGHT, None)
    if taught() is not None:
        show_class(st.session_state.get(_PAGE, ""), whole_address(chosen))


def hold_for_reader(positions: Sequence[int]) -> tuple[int, ...]:
    """Return the tokens that are held: the reader's, or where the reader holds none and has let none go, these of the
    app."""
    st.session_state[_OURS] = tuple(positions)
    chosen: tuple[int, ...] | None = st.session_state["locked"]
    return tuple(positions) if chosen is None else chosen


def whole_address(chosen: Selection) -> dict[str, str]:
    """Return the address of all that is seen, with what the app has chosen, so that others see just that; each in the
    language of their own."""
    held = st.session_state.get(_OURS, ()) if chosen.locked is None else chosen.locked
    return to_address(replace(chosen, lang=DEFAULTS["lang"])) | {"locked": written(tuple(held))}


@contextmanager
def remembered(page: str) -> Iterator[None]:
    """Restore the choices before the page of that name is drawn, and write the address after."""
    restore(page)
    st.session_state.pop(_WHOLE_PAGE_NEXT, None)
    st.session_state[_WHOLE_PAGE] = True
    is_cut = False
    try:
        yield
    except RerunException:
        is_cut = True
        raise
    finally:
        st.session_state[_IS_CUT] = is_cut
        st.session_state[_WHOLE_PAGE] = False
        settle()
        write_address()


@contextmanager
def remembered_in_part() -> Iterator[None]:
    """Keep the choices during a fragment, which also runs without its page."""
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


def run_again() -> NoReturn:
    """Run the page again, at once, with the choices as they are. `st.rerun` alone keeps the address of this moment,
    which the end of this run changes: it would be read as a link from outside."""
    write_address()
    st.rerun()


def draw_whole_page() -> None:
    """Let the run that follows a callback draw the page, and not a fragment alone.

    Call it where a button of a fragment changes a choice whose widget stands outside: that would not be told, and the
    browser would send its old value with the next run.
    """
    st.session_state[_WHOLE_PAGE_NEXT] = True


def is_whole_page() -> bool:
    """Return whether the page itself runs, and not a fragment of it alone."""
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
    """Return whether the layer and the head are the reader's: turned, clicked, or named by a link. Until then the app
    may choose them anew for every sentence."""
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
