"""One sentence and one button for a text in letters that a model does not read: a model of its kind that reads them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.opening.entries import ModelEntry
from models.opening.registry import entry_for, entry_of
from models.opening.tasks import FILL_MASK
from models.text.unknown import unread_script
from ui.state.plain import plain
from ui.state.selection import choose, draw_whole_page
from ui.state.sources import short_name
from viz.kit.language import said, to_say, tr

LANGUAGES = {"HANGUL": "ko", "LATIN": "en"}
"""The language of a text by its Unicode script, of those that embedded models read."""
NOT_READ = {"HANGUL": to_say("This model does not read Hangul."), "LATIN": to_say("This model hardly reads English.")}
NOT_READ_BY = {
    "HANGUL": to_say("{model} does not read Hangul."),
    "LATIN": to_say("{model} hardly reads English."),
}
BUTTONS = {"HANGUL": to_say("Open in a Korean model"), "LATIN": to_say("Open in an English model")}

TYPE_ENGLISH = to_say("Type an English sentence.")


def offer_reader(model: str, texts: Sequence[str], *, by_name: bool = False) -> None:
    """Say that a model does not read the texts, and draw the button that opens them in an embedded model that does.

    Nothing is drawn if it reads them. `by_name` names the model, for a page with several.
    """
    script, sentence = _script_of(model, texts), why_unread(model, texts, by_name=by_name)
    if not sentence:
        return
    reader = _reader_of(model, script)
    with st.container(key=f"unread-{short_name(model)}", horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/translate: {plain(sentence)}", width="content")
        if reader is not None and reader.is_embedded:
            st.button(
                said(BUTTONS[script]),
                key=f"read-instead-of-{model}",
                on_click=_open_in,
                args=(reader.name,),
                type="primary",
            )


def why_unread(model: str, texts: Sequence[str], *, by_name: bool = False) -> str:
    """Return that a model does not read the texts, and what can be done if no embedded model of its kind reads them.

    Empty if it reads them, or if nobody knows what it reads.
    """
    script = _script_of(model, texts)
    if not script:
        return ""
    sentence = tr(NOT_READ_BY[script], model=short_name(model)) if by_name else said(NOT_READ[script])
    reader = _reader_of(model, script)
    if script == "LATIN" or (reader is not None and reader.is_embedded):
        return sentence
    if reader is None:
        return f"{sentence} {said(TYPE_ENGLISH)}"
    other = tr("Type an English sentence, or choose {model}, which reads Korean.", model=reader.name)
    return f"{sentence} {other}"


def _script_of(model: str, texts: Sequence[str]) -> str:
    """Return the script of the texts that a model does not read; empty for none, and for one without a sentence here.

    Korean models of the hub read some English: of the listed ones, only those embedded hardly read it.
    """
    entry = entry_of(model)
    script = unread_script(texts, entry.languages) if entry else ""
    is_said = script == "HANGUL" or (script == "LATIN" and entry is not None and entry.is_embedded)
    return script if is_said else ""


def _reader_of(model: str, script: str) -> ModelEntry | None:
    """Return the model of the list that does what this one does, and reads a script; None for none."""
    entry = entry_of(model)
    return entry_for(LANGUAGES[script], entry.task if entry and entry.task else FILL_MASK)


def _open_in(reader: str) -> None:
    choose(model=reader)
    draw_whole_page()
