"""The choice of a head by its known role, and the role of the chosen head."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.head_roles import HeadRole, sort_roles
from models.values.record import Recording
from ui.state.plain import in_bold, plain
from ui.state.selection import choose, selection
from ui.widgets.words import link_words
from viz.heads.words import nearest_in_words, role_choice, role_in_words
from viz.kit.language import language, said, to_say, tr

KEY = "known_head"
KNOWN_HEADS = to_say("Known heads")


def go_to_known_head(roles: tuple[HeadRole, ...], place: DeltaGenerator, *, label: str = KNOWN_HEADS) -> None:
    """Draw a list of heads by their roles, which also shows that of the chosen head; nothing without roles."""
    if not roles:
        return
    state = st.session_state
    roles, labels = _in_order(roles, language())
    shown = selection()
    chosen = shown.layer, shown.head
    state[KEY] = next((number for number, role in enumerate(roles) if (role.layer, role.head) == chosen), None)
    place.selectbox(
        said(label),
        range(len(roles)),
        key=KEY,
        format_func=labels.__getitem__,
        placeholder=tr("a head that ..."),
        on_change=lambda: _go(roles),
        help=tr(
            "What the heads of this model do, measured over many texts and compared with a baseline. A single sentence "
            "may look different."
        ),
    )


def say_name(recording: Recording) -> None:
    """Show the best measured role of the chosen head, or else the nearest; nothing if the heads are unmeasured."""
    chosen = selection()
    head_place = chosen.kind, chosen.layer, chosen.head
    known, nearest = (
        sort_roles(role for role in roles if (role.kind, role.layer, role.head) == head_place)
        for roles in (recording.info.head_roles, recording.info.nearest_roles)
    )
    for words in [*map(role_in_words, known[:1]), *map(nearest_in_words, nearest)]:
        name = tr(
            "Layer {layer} · Head {head}: {role}, {numbers}.",
            layer=words["layer"],
            head=words["head"],
            role=in_bold(words["said"]),
            numbers=plain(words["numbers"]),
        )
        st.caption(link_words(name))


@lru_cache(maxsize=64)
def _in_order(roles: tuple[HeadRole, ...], _spoken: str) -> tuple[tuple[HeadRole, ...], tuple[str, ...]]:
    """Sort the roles, the surest first, with their labels in the current language; cached across runs."""
    ordered = sort_roles(roles)
    return ordered, tuple(map(role_choice, ordered))


def _go(roles: tuple[HeadRole, ...]) -> None:
    """Show the picked head; nothing if the box was emptied."""
    number = st.session_state[KEY]
    if number is not None:
        choose(layer=roles[number].layer, head=roles[number].head)
