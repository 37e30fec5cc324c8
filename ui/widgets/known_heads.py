"""The heads of a model that are known for something, to go to one."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.head_roles import HeadRole, in_order
from models.values.record import Recording
from ui.state.selection import selection
from ui.widgets.plain import marked, plain
from viz.heads.words import role_choice, role_name, role_numbers

KEY = "known_head"


def go_to_known_head(roles: tuple[HeadRole, ...], place: DeltaGenerator, *, label: str = "Known heads") -> None:
    """Pick a head by what it does; shows what the chosen one does. Nothing, where nothing is known of any."""
    if not roles:
        return
    roles, state = in_order(roles), st.session_state
    chosen = state["layer"], state["head"]
    state[KEY] = next((at for at, role in enumerate(roles) if (role.layer, role.head) == chosen), None)
    place.selectbox(
        label, range(len(roles)), key=KEY, format_func=lambda at: role_choice(roles[at]),
        placeholder="a head that ...", on_change=lambda: _go(roles),
        help=(
            "What the heads of this model do, measured over many texts and compared with a baseline. A single sentence "
            "may look different."
        ),
    )  # fmt: skip


def say_name(recording: Recording) -> None:
    """What the chosen head is known for, the surest of it with its numbers; nothing, where nothing is known."""
    chosen = selection()
    at = chosen.kind, chosen.layer, chosen.head
    known = in_order(role for role in recording.info.head_roles if (role.kind, role.layer, role.head) == at)
    for role in known[:1]:
        st.caption(f"Layer {role.layer} · Head {role.head}: {marked(role_name(role))}, {plain(role_numbers(role))}.")


def _go(roles: tuple[HeadRole, ...]) -> None:
    """Turn to the head that was picked; emptying the box turns nothing."""
    at = st.session_state[KEY]
    if at is not None:
        st.session_state.update(layer=roles[at].layer, head=roles[at].head)
