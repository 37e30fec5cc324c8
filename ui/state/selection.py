"""The reader's choices: shared by all pages, kept in the address, restored from a copied link.

Every choice is in `st.session_state` under its own name, which is also its name in the address. Values from an address
are untrusted: the parser in `choices.py` checks them, and invalid ones are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException

from models.values.record import Recording
from ui.shared.links import links
from ui.state.addresses import expand_address, is_lost, read_address, shorten_address, to_address
from ui.state.choices import DEFAULTS, Selection
from ui.state.first_visit import defaults
from ui.state.keeping import has_changed, keep, settle
from ui.state.navigation import page_file
from ui.state.teaching import known_room, show_class
from viz.kit.declaring import takes
from viz.kit.parsing import MEAN, written
from viz.viewer.choices import OF_A_TEXT

_WRITTEN = "headlight_written_addresses"
_BROUGHT = "headlight_brought_address"
_IS_CUT = "headlight_run_was_cut"
_LOST = "headlight_lost_link"
_PAGE = "headlight_page"
_VISITS = "headlight_visits"
_OURS = "headlight_held_by_us"
_WHOLE_PAGE = "headlight_whole_page"
_WHOLE_PAGE_NEXT = "headlight_whole_page_next"
_TEXT_ON_SHOW = "headlight_text_on_show"
_CHOSEN_IN_TEXTS = "headlight_chosen_in_texts"
ReadWith = ParamSpec("ReadWith")
ReadWhole = TypeVar("ReadWhole")
MOST_WRITTEN = 50
"""The number of addresses that are remembered as written or taken over by the app itself, the newest."""
MOST_READINGS = 100
"""How often something is read once more before an error is one."""
TEXTS_REMEMBERED = 20
"""The number of texts whose choices are remembered in a session."""
_HEAD = ("layer", "head")
_OF_A_CLASS = ("lesson_guess", "lesson_own")
"""Choices that a class sees, and that a link leaves to its reader."""
_OUR_HEAD = "headlight_our_head"
"""The session key for the layer and head that the app has chosen; None once the reader has changed one of them."""


def restore(page: str) -> None:
    """Restore the choices from the address if it is new, else from the session. Call before any widget is drawn."""
    address = _address_bar()
    if address and _is_brought(address):
        take_over(read_address(expand_address(address)))
        if is_lost(address):
            st.session_state[_LOST] = st.session_state.get("text", defaults()["text"])
    keep(defaults(), page=page)
    state = st.session_state
    if state.get(_PAGE) != page_file(page) or state.get(_IS_CUT, False):
        state[_VISITS] = visit_of_page() + 1
    state[_PAGE] = page_file(page)


def visit_of_page() -> int:
    """Return the number of pages that this session has come to, the present one included. One whose last run was cut
    short counts again: the browser may not have received what that run has sent."""
    return int(st.session_state.get(_VISITS, 0))


def _is_brought(address: dict[str, str]) -> bool:
    """Return whether the reader came with this address, by a link or by going back.

    What a reader does during a run arrives with the address from before that run, and to take that for a link would
    undo the choices made since. Such a request has changed a choice or cut the run short; going back does neither.
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
    """Apply choices from a link or a lesson; positions among them belong to the text that comes with them."""
    st.session_state.update(choices)
    if any(name in choices for name in OF_A_TEXT):
        st.session_state.pop(_TEXT_ON_SHOW, None)


def turn_to_text(text: str) -> None:
    """Restore the locked tokens and the zoom that belong to a text. `text` is any string that identifies it."""
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
    """Return whether the link that the reader followed sets this choice."""
    address = _address_bar()
    return _is_brought(address) and name in expand_address(address)


def has_lost_link() -> bool:
    """Return whether the reader followed an unknown short link and has not typed a text since."""
    return bool(st.session_state.get(_LOST) == st.session_state["text"])


def selection() -> Selection:
    """Return the current choices of this session."""
    state = read_steadily(st.session_state.to_dict)()
    return Selection(**{name: state[name] for name in DEFAULTS})


def _address_bar() -> dict[str, str]:
    return read_steadily(st.query_params.to_dict)()


def read_steadily(read: Callable[ReadWith, ReadWhole]) -> Callable[ReadWith, ReadWhole]:
    """Let a function that reads all of the session, or of the address, read once more if it changes meanwhile: a run
    that another one has replaced writes on, under a lock of its own, until it next asks Streamlit for something."""

    @wraps(read)
    def _again(*args: ReadWith.args, **kwargs: ReadWith.kwargs) -> ReadWhole:
        for _ in range(MOST_READINGS):
            with suppress(RuntimeError, KeyError):  # it changed while it was read
                return read(*args, **kwargs)
        return read(*args, **kwargs)

    return _again


def write_address() -> None:
    """Write the choices into the address bar. A layer and a head that the app has chosen are left out, so that the link
    opens on what stands out."""
    chosen = selection()
    left_out = _OF_A_CLASS if is_turned() else (*_OF_A_CLASS, *_HEAD)
    address = {name: value for name, value in to_address(chosen).items() if name not in left_out}
    address = shorten_address(address, links().keep)
    if address != _address_bar():
        st.query_params.from_dict(address)
    state = st.session_state
    brought, _ = state.pop(_BROUGHT, (None, False))
    before = [other for other in (*state.get(_WRITTEN, ()), brought) if other and other != address]
    state[_WRITTEN] = (*before, address)[-MOST_WRITTEN:]
    if known_room() is not None:
        show_class(st.session_state.get(_PAGE, ""), whole_address(chosen))


def hold_for_reader(positions: Sequence[int]) -> tuple[int, ...]:
    """Return the locked tokens: the reader's, or these `positions` of the app if the reader has not changed any."""
    st.session_state[_OURS] = tuple(positions)
    chosen: tuple[int, ...] | None = st.session_state["locked"]
    return tuple(positions) if chosen is None else chosen


def whole_address(chosen: Selection) -> dict[str, str]:
    """Return the address of everything on show, including the app's own choices, and without the language."""
    held = st.session_state.get(_OURS, ()) if chosen.locked is None else chosen.locked
    return to_address(replace(chosen, lang=DEFAULTS["lang"])) | {"locked": written(tuple(held))}


@contextmanager
def remember_choices(page: str) -> Iterator[None]:
    """Restore the choices before the page of that name is drawn, and write the address after it."""
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
def remember_choices_in_part() -> Iterator[None]:
    """Keep the choices during a fragment, which also runs without its page."""
    if is_whole_page():  # the page keeps them; widgets above own some already
        yield
        return
    if st.session_state.pop(_WHOLE_PAGE_NEXT, False):
        st.rerun()
    keep(defaults())
    try:
        yield
    finally:
        settle()


def run_again() -> NoReturn:
    """Rerun the page at once with the current choices. `st.rerun` alone keeps the present address, which the end of
    this run changes: it would be read as a followed link."""
    write_address()
    st.rerun()


def draw_whole_page() -> None:
    """Draw the whole page after a callback, instead of a fragment alone.

    Call it where a button of a fragment changes a choice whose widget is outside: that widget would not be updated, and
    the browser would send its old value with the next run.
    """
    st.session_state[_WHOLE_PAGE_NEXT] = True


def is_whole_page() -> bool:
    """Return whether the whole page runs, and not a fragment of it alone."""
    return bool(st.session_state.get(_WHOLE_PAGE, False))


def fit(recording: Recording) -> None:
    """Clamp kind, layer and head to the recording. Call before their widgets are drawn."""
    state = st.session_state
    if state["kind"] not in recording.kinds:
        state["kind"] = recording.kinds[0]
    shown = recording.of(state["kind"])
    fit_heads(shown.n_layers, shown.n_heads)


def fit_heads(n_layers: int, n_heads: int) -> None:
    """Clamp the layer and the head. Call before their widgets are drawn."""
    is_readers = is_turned()
    at_most("layer", n_layers - 1)
    if st.session_state["head"] != MEAN:
        at_most("head", n_heads - 1)
    if not is_readers:
        leave_head_to_us()


def at_most(name: str, last: int) -> None:
    """Clamp a choice to `last`. One that fits is not assigned, because that would send it to the browser."""
    chosen = st.session_state[name]
    if chosen > last:
        st.session_state[name] = last


def is_turned() -> bool:
    """Return whether the reader has chosen the layer or the head, by a slider, a click or a link. Until then the app
    may choose them for every sentence."""
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
    """Let the app choose the layer and the head again, until the reader changes one."""
    st.session_state[_OUR_HEAD] = tuple(st.session_state[name] for name in _HEAD)
