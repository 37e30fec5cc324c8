"""The most striking head in the sentence, which pages open on, with its word and a sentence above the picture.

It is recomputed for every sentence and model until the reader chooses a layer or a head.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from models.analysis.one_text.habits import head_habits
from models.analysis.one_text.row import strongest_in_row
from models.analysis.one_text.standing_out import is_small_enough, stands_out
from models.model import Model
from models.opening.registry import embedded_folder
from models.values.answers import TokenLabels
from models.values.errors import HeadlightError
from models.values.head_roles import SPECIAL, sort_roles
from models.values.record import AttentionRecord, Recording
from models.values.results.finding import Finding
from models.values.results.habits import HeadHabits
from models.values.text.english import is_english
from ui.desk.ask import ask, ask_quietly, begin_opening, record_selection
from ui.desk.cache import Kept
from ui.state.plain import plain
from ui.state.selection import choose, is_from_link, is_turned, leave_head_to_us, selection, show_head
from ui.state.sources import source_of
from ui.widgets.asking.inputs import EXAMPLES, TAGGER
from ui.widgets.asking.opening import brought_by_reader, fitting
from ui.widgets.asking.showcases import Showcase, Side, place_on_show, query_of, showcase_texts
from ui.widgets.asking.unread import why_unread
from ui.widgets.atlases import embedded_atlas
from ui.widgets.notes import unreadable_note
from viz.heads.words import finding_explained, finding_in_words, habits_in_words
from viz.kit.language import said, to_say, tr
from viz.kit.parsing import MEAN

NOTHING_FOUND = to_say("Nothing stands out in this sentence.")
TOO_LONG = to_say("This text is too long to search for what stands out.")
BACK = to_say("Show what stands out")
SHORT_WORD = 3
"""Letters: words of no more, such as "in", do not make two texts alike."""
_BROUGHT_ROW = "headlight_brought_row"
_FOUND: Kept[tuple[object, ...], Finding | None] = Kept("findings")
_HABITS: Kept[tuple[object, ...], HeadHabits] = Kept("habits of heads")


def record_at_finding(*, with_mean: bool = True) -> Recording:
    """Record the chosen texts, and show the head that stands out unless the reader has chosen one; a page that can show
    a mean over heads gets that of the last layer where none does, another one the first head."""
    if _has_tagger():
        begin_opening(TAGGER)
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
    place = place_on_show(recording)
    return _FOUND.get((*_key(recording), place), lambda: _find(recording) if place is None else _show(recording, place))


def finding_of_showcase(showcase: Showcase, side: Side, device: str) -> tuple[Finding, AttentionRecord] | None:
    """Return where the word of a showcase looks most, with the attention of its sentence; None if it is not found."""
    recording = ask(showcase.model, device, Model.record, side.text)
    shown, query = recording.of(showcase.kind), query_of(recording, showcase, side)
    if query is None:
        return None
    atlas = embedded_atlas(recording.info.name, shown.kind)
    finding = strongest_in_row(shown, atlas, layer=side.layer, head=side.head, query=query)
    return None if finding is None else (finding, shown)


def _show(recording: Recording, place: tuple[int, int, int]) -> Finding | None:
    shown, (layer, head, query) = _chosen_record(recording), place
    atlas = embedded_atlas(recording.info.name, shown.kind)
    return strongest_in_row(shown, atlas, layer=layer, head=head, query=query)


def _find(recording: Recording) -> Finding | None:
    if why_unreadable(recording):
        return None
    shown, labels = _chosen_record(recording), _parts_of_speech(recording)
    if labels is not None and not is_english(labels.tokens):
        labels = None  # the model reads another language
    return stands_out(shown, embedded_atlas(recording.info.name, shown.kind), labels)


def finding_on_show(recording: Recording) -> Finding | None:
    """Return the finding if its head is the chosen one; None otherwise."""
    finding, chosen = finding_of(recording), selection()
    return finding if finding and (finding.layer, finding.head) == (chosen.layer, chosen.head) else None


def say_finding(recording: Recording) -> None:
    """Show above the picture what stands out, in words; or why nothing does, and an example in which something does.

    If another head is chosen, a button leads back.
    """
    finding, shown = finding_on_show(recording), _chosen_record(recording)
    if finding is not None:
        tells, against = finding_in_words(finding, shown)
        evidence = finding_explained(finding, was_searched=place_on_show(recording) is None)
        st.markdown(f"**{plain(tells)}** {plain(against)}", help=evidence)
    elif finding_of(recording) is not None:
        st.button(said(BACK), icon=":material/star:", type="tertiary", on_click=_go_back)
    else:
        _say_nothing_found(recording, shown)


def _say_nothing_found(recording: Recording, shown: AttentionRecord) -> None:
    chosen, unreadable = selection(), why_unreadable(recording)
    if why_unread(recording.info.name, (chosen.text, chosen.text_b)):
        return  # the bar says it, and offers a model that reads the text
    if unreadable:
        st.warning(plain(unreadable), icon=":material/help:")
    elif not is_small_enough(shown):
        st.caption(said(TOO_LONG))
    else:
        habits = habits_in_words(_HABITS.get(_key(recording), lambda: head_habits(shown)))
        st.markdown(f"{said(NOTHING_FOUND)} {plain(habits)}")
    offer_example()


def offer_example() -> None:
    """Draw a button that shows the sentence that has most words of the chosen one, of those that show something."""
    chosen = selection()
    pairs = showcase_texts() or tuple(fitting(EXAMPLES).values())
    others = [pair for pair in pairs if pair != (chosen.text, chosen.text_b)]
    if others:
        nearest = max(others, key=lambda pair: len(_long_words(chosen.text) & _long_words(pair[0])))
        label = tr("Try “{text}”", text=plain(nearest[0]))
        st.button(label, on_click=_take_example, args=nearest)


def _long_words(text: str) -> set[str]:
    return {word for word in text.casefold().split() if len(word) > SHORT_WORD}


def _take_example(text: str, text_b: str) -> None:
    choose(text=text, text_b=text_b)
    brought_by_reader()
    _go_back()


def _go_back() -> None:
    """Go back to the head of the finding, and lock its token, whatever the reader has locked meanwhile."""
    leave_head_to_us()
    choose(locked=None)


def viewer_lock(recording: Recording) -> dict[str, Any]:
    """Return the viewer's argument that locks the token of the finding, while its head is shown."""
    finding = finding_on_show(recording)
    return {"locked": [finding.query]} if finding else {}


def why_unreadable(recording: Recording) -> str:
    """Return why the model can hardly read the chosen texts, for a note above the picture; empty if it can."""
    labels = _parts_of_speech(recording)
    return unreadable_note(recording, is_english=labels is None or is_english(labels.tokens))


def _parts_of_speech(recording: Recording) -> TokenLabels | None:
    """Return the parts of speech of the chosen texts; None without a tagger, and for a model that was trained here."""
    if not _has_tagger() or source_of(recording.info.name) is not None:
        return None
    try:
        return ask_quietly(TAGGER, Model.label_tokens, *selection().texts)
    except HeadlightError:
        return None


def _has_tagger() -> bool:
    return embedded_folder(TAGGER) is not None


def _key(recording: Recording) -> tuple[object, ...]:
    return recording.info.identity, _chosen_record(recording).kind, *selection().texts


def _chosen_record(recording: Recording) -> AttentionRecord:
    return recording.of(selection().kind)


def _best_known(recording: Recording, shown: AttentionRecord) -> tuple[int, int | str]:
    """Return the head that is best known for a role, else the mean of the last layer; for a text without a finding."""
    known = sort_roles(role for role in recording.info.head_roles if role.kind == shown.kind)
    best = next((role for role in known if role.name != SPECIAL), None)
    return (best.layer, best.head) if best else (shown.n_layers - 1, MEAN)
