"""The frame of every page: title, restored choices, errors as sentences, the theme."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from models.checkpoints.device_faults import device_fault
from models.checkpoints.devices import available_devices, split_place
from models.opening.registry import ALIASES
from models.text.tokenizer.patience import is_panic
from models.values.errors import HeadlightError, ModelError
from ui.state.first_visit import first_visit
from ui.state.navigation import page_file
from ui.state.plain import plain
from ui.state.selection import (
    has_lost_link,
    is_whole_page,
    remember_choices,
    remember_choices_in_part,
    selection,
    write_address,
)
from ui.state.speaking import speak_as_chosen
from ui.state.teaching import is_framed
from ui.widgets.asking.opening import turn_to_language
from ui.widgets.browser.copy_link import copy_link
from ui.widgets.browser.skip_link import skip_link
from ui.widgets.browser.viewport import watch_viewport
from ui.widgets.missing import offer
from ui.widgets.pick_language import pick_language
from ui.widgets.stand_in import take_stand_in_away
from ui.widgets.teacher_bar import teacher_bar
from ui.widgets.words import open_words
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Theme

FAVICON = Path(__file__).parents[1] / "serving" / "icons" / "icon.svg"
"""A local file: Streamlit loads emoji and Material icons for tabs from another host."""

LOST_LINK = to_say(
    "This link was shortened by a server, and this server does not know it, or not any more. What was too long for an "
    "address is missing: mostly the sentence."
)

_log = logging.getLogger(__name__)


@contextmanager
def page(title: str) -> Iterator[None]:
    """Draw a page inside the block: restore its choices before, write the address after, and show errors in a sentence.

    The title is the English one of `ui/state/navigation.py`.
    """
    speak_as_chosen()
    st.set_page_config(page_title=f"{tr(title)} · Headlight", page_icon=FAVICON, layout="wide")
    watch_viewport()
    skip_link()
    if not is_framed():
        with st.container(key="bar-end", horizontal=True, vertical_alignment="center", gap="xxsmall"):
            pick_language()
            copy_link()
    teacher_bar(page_file(title))
    open_words()
    with remember_choices(title), readable_errors():
        take_stand_in_away()
        turn_to_language()
        if has_lost_link():
            st.warning(said(LOST_LINK), icon=":material/link_off:")
        yield


@contextmanager
def part_of_page(way_out: str = "") -> Iterator[None]:
    """Run a fragment inside the block: keep choices, show errors, write the address."""
    speak_as_chosen()
    with remember_choices_in_part(), readable_errors(way_out):
        yield
    if not is_whole_page():  # the page writes it at its end
        write_address()


@contextmanager
def readable_errors(way_out: str = "") -> Iterator[None]:
    """Show an error of Headlight in its own words, and any other in a general sentence; details go to the log.

    If the chosen model has failed, `way_out` is offered in its place; empty for the model that the app opens with.
    """
    try:
        yield
    except HeadlightError as error:
        st.error(plain(str(error)), icon=":material/error:")
        other = way_out or first_visit().model
        if isinstance(error, ModelError) and _is_chosen(error.name) and not _is_chosen(other):
            offer(other)
    except Exception as error:
        _log.exception("A page failed.")
        fault = device_fault(error, str(selection().model), _device())
        if fault is not None:
            st.error(plain(str(fault)), icon=":material/error:")
            return
        went_wrong = tr(
            "Something went wrong inside Headlight; the server's log says what. Your sentence is still here. Try "
            "another model, layer or text, or reload the page."
        )
        st.error(went_wrong, icon=":material/error:")
    except BaseException as error:
        if not is_panic(error):
            raise  # Streamlit stops and reruns scripts with exceptions of its own
        _log.error("A page failed in Rust code.", exc_info=error)
        failed = tr("Part of this model failed; the server's log says how. Try another model or text.")
        st.error(failed, icon=":material/error:")


def _device() -> str:
    """Return the chosen device; the fastest one for "auto"."""
    chosen, available = split_place(str(selection().device))[0], available_devices()
    return chosen if chosen in available else available[0]


def _is_chosen(name: str) -> bool:
    """Return whether a model is the chosen one; the name in an error may be an old short id or a full one."""
    chosen = str(selection().model).strip()
    return name.strip() in (chosen, ALIASES.get(chosen, chosen))


def theme() -> Theme:
    """Return the reader's theme, as the browser reports it."""
    return "dark" if st.context.theme.type == "dark" else "light"
