"""The heads of a model that are known for something, to go to one."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.head_roles import HeadRole, sort_roles
from models.values.record import Recording
from ui.state.plain import marked, plain
from ui.state.selection import selection
from ui.widgets.words import linked
from viz.heads.words import nearest_in_words, role_choice, role_in_words
from viz.kit.language import language, said, to_say, tr

KEY = "known_head"
KNOWN_HEADS = to_say("Known heads")


def go_to_known_head(roles: tuple[HeadRole, ...], place: DeltaGenerator, *, label: str = KNOWN_HEADS) -> None:
    """Pick a head by what it does; shows what the chosen one does. Nothing, where nothing is known of any."""
    if not roles:
        return
    state = st.session_state
    roles, labels = _in_order(roles, language())
    chosen = selection().layer, selection().head
    state[KEY] = next((at for at, role in enumerate(roles) if (role.layer, role.head) == chosen), None)
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
    """Show the best measured role of the chosen head, or else the nearest; nothing, if the model's heads are
    unmeasured."""
    chosen = selection()
    at = chosen.kind, chosen.layer, chosen.head
    known, nearest = (
        sort_roles(role for role in roles if (role.kind, role.layer, role.head) == at)
        for roles in (recording.info.head_roles, recording.info.nearest_roles)
    )
    for told in [*map(role_in_words, known[:1]), *map(nearest_in_words, nearest)]:
        name = tr(
            "Layer {layer} · Head {head}: {role}, {numbers}.",
            layer=told["layer"],
            head=told["head"],
            role=marked(told["said"]),
            numbers=plain(told["numbers"]),
        )
        st.caption(linked(name))


@lru_cache(maxsize=64)
def _in_order(roles: tuple[HeadRole, ...], _spoken: str) -> tuple[tuple[HeadRole, ...], tuple[str, ...]]:
    """Return the surest first, and what each is called in the language that is spoken: the same at every run of a
    page."""
    ordered = sort_roles(roles)
    return ordered, tuple(map(role_choice, ordered))


def _go(roles: tuple[HeadRole, ...]) -> None:
    """Turn to the head that was picked; emptying the box turns nothing."""
    at = st.session_state[KEY]
    if at is not None:
        st.session_state.update(layer=roles[at].layer, head=roles[at].head)
