"""The most striking head in the sentence, which pages open on: with its token, and the words above the picture.

It is found anew for every sentence and model until the reader turns the layer or the head.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from models.analysis.one_text.standing_out import is_small_enough, stands_out
from models.values.head_roles import SPECIAL, sort_roles
from models.values.record import AttentionRecord, Recording
from models.values.results.finding import Finding
from ui.desk.ask import recorded
from ui.desk.cache import Kept
from ui.state.plain import plain
from ui.state.selection import choose, is_turned, leave_head_to_us, selection, show_head
from ui.widgets.atlases import embedded_atlas
from viz.heads.words import finding_in_words
from viz.kit.language import said, to_say
from viz.kit.parsing import MEAN

NOTHING_FOUND = to_say("Nothing stands out in this sentence: no word looks at another one much more than usual.")
TOO_LONG = to_say("This text is too long to search for what stands out.")
BACK = to_say("Show what stands out")
HOW = to_say(
    "Of all heads and all pairs of words, this is where weight × log₂(weight / expected weight) is largest. Expected "
    "is what the head gives at this distance, or what this token is given by the others, whichever is more."
)
_FOUND: Kept[tuple[object, ...], Finding | None] = Kept("findings")


def recorded_where_it_stands_out() -> Recording:
    """Return the recording that the selection asks for, at the head that stands out, if the reader has turned to
    none."""
    recording = recorded()
    if not is_turned():
        found, shown = finding_of(recording), _shown(recording)
        show_head(*((found.layer, found.head) if found else _best_known(recording, shown)))
    return recording


def finding_of(recording: Recording) -> Finding | None:
    """Return the strongest finding of the chosen kind of attention; None if there is none."""
    info, shown = recording.info, _shown(recording)
    key = info.identity, shown.kind, selection().text, selection().text_b
    return _FOUND.get(key, lambda: stands_out(shown, embedded_atlas(info.name, shown.kind)))


def finding_on_show(recording: Recording) -> Finding | None:
    """Return the finding, if its head is the chosen one."""
    found = finding_of(recording)
    return found if found and (found.layer, found.head) == (selection().layer, selection().head) else None


def say_finding(recording: Recording) -> None:
    """The finding in words; where another head is chosen, the way back to it."""
    found, shown = finding_on_show(recording), _shown(recording)
    if found is not None:
        tells, against = finding_in_words(found, shown)
        st.markdown(f"**{plain(tells)}** {plain(against)}", help=said(HOW))
    elif finding_of(recording) is not None:
        st.button(said(BACK), icon=":material/star:", type="tertiary", on_click=_go_back)
    else:
        st.caption(said(NOTHING_FOUND if is_small_enough(shown) else TOO_LONG))


def _go_back() -> None:
    """The app chooses the head again, and holds the token of the finding, whatever the reader has held meanwhile."""
    leave_head_to_us()
    choose(locked=None)


def held(recording: Recording) -> dict[str, Any]:
    """For the viewer: the token of the finding is held, while its head is shown."""
    found = finding_on_show(recording)
    return {"locked": [found.query]} if found else {}


def _shown(recording: Recording) -> AttentionRecord:
    return recording.of(selection().kind)


def _best_known(recording: Recording, shown: AttentionRecord) -> tuple[int, int | str]:
    """Return the head that is best known for a role, else the mean of the last layer, for a text without a finding."""
    known = sort_roles(role for role in recording.info.head_roles if role.kind == shown.kind)
    best = next((role for role in known if role.name != SPECIAL), None)
    return (best.layer, best.head) if best else (shown.n_layers - 1, MEAN)
