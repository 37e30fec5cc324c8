"""The most striking head in the sentence, which pages open on, with its token and a sentence above the picture.

It is recomputed for every sentence and model until the reader chooses a layer or a head.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from models.analysis.one_text.row import strongest_in_row
from models.analysis.one_text.standing_out import is_small_enough, stands_out
from models.values.head_roles import SPECIAL, sort_roles
from models.values.record import AttentionRecord, Recording
from models.values.results.finding import Finding
from ui.desk.ask import record_selection
from ui.desk.cache import Kept
from ui.state.plain import plain
from ui.state.selection import choose, is_from_link, is_turned, leave_head_to_us, selection, show_head
from ui.widgets.asking.showcases import place_on_show
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
_BROUGHT_ROW = "headlight_brought_row"
_FOUND: Kept[tuple[object, ...], Finding | None] = Kept("findings")


def record_at_finding(*, with_mean: bool = True) -> Recording:
    """Record the chosen texts, and show the head that stands out unless the reader has chosen one; a page that can show
    a mean over heads gets that of the last layer where none does, another one the first head."""
    recording = record_selection()
    if not is_turned():
        finding, shown = finding_of(recording), _chosen_record(recording)
        layer, head = (finding.layer, finding.head) if finding else _best_known(recording, shown)
        show_head(layer, head if with_mean or head != MEAN else 0)
    return recording


def bring_row(recording: Recording) -> None:
    """Choose the query that another page holds: the reader's row, or else that of the finding; once for each."""
    chosen, finding = selection(), finding_on_show(recording)
    held = chosen.locked if chosen.locked is not None else [finding.query] if finding else []
    row = recording.info.identity, chosen.kind, chosen.text, chosen.text_b, tuple(held)
    if held and not is_from_link("query") and st.session_state.get(_BROUGHT_ROW) != row:
        choose(query=held[0])
    st.session_state[_BROUGHT_ROW] = row


def finding_of(recording: Recording) -> Finding | None:
    """Return what the showcase shows, or else the strongest finding of the chosen kind of attention; None if there is
    none."""
    info, shown, chosen = recording.info, _chosen_record(recording), selection()
    key = info.identity, shown.kind, chosen.text, chosen.text_b
    atlas = embedded_atlas(info.name, shown.kind)
    place = place_on_show(recording)
    if place is not None:
        layer, head, query = place
        return strongest_in_row(shown, atlas, layer=layer, head=head, query=query)
    return _FOUND.get(key, lambda: stands_out(shown, atlas))


def finding_on_show(recording: Recording) -> Finding | None:
    """Return the finding if its head is the chosen one; None otherwise."""
    finding, chosen = finding_of(recording), selection()
    return finding if finding and (finding.layer, finding.head) == (chosen.layer, chosen.head) else None


def say_finding(recording: Recording) -> None:
    """Show the finding in words, or a button back to it if another head is chosen."""
    finding, shown = finding_on_show(recording), _chosen_record(recording)
    if finding is not None:
        tells, against = finding_in_words(finding, shown)
        st.markdown(f"**{plain(tells)}** {plain(against)}", help=said(HOW))
    elif finding_of(recording) is not None:
        st.button(said(BACK), icon=":material/star:", type="tertiary", on_click=_go_back)
    else:
        st.caption(said(NOTHING_FOUND if is_small_enough(shown) else TOO_LONG))


def _go_back() -> None:
    """Go back to the head of the finding, and lock its token, whatever the reader has locked meanwhile."""
    leave_head_to_us()
    choose(locked=None)


def viewer_lock(recording: Recording) -> dict[str, Any]:
    """Return the viewer's argument that locks the token of the finding, while its head is shown."""
    finding = finding_on_show(recording)
    return {"locked": [finding.query]} if finding else {}


def _chosen_record(recording: Recording) -> AttentionRecord:
    return recording.of(selection().kind)


def _best_known(recording: Recording, shown: AttentionRecord) -> tuple[int, int | str]:
    """Return the head that is best known for a role, else the mean of the last layer; for a text without a finding."""
    known = sort_roles(role for role in recording.info.head_roles if role.kind == shown.kind)
    best = next((role for role in known if role.name != SPECIAL), None)
    return (best.layer, best.head) if best else (shown.n_layers - 1, MEAN)
