"""The switches of "What if?": each changes one pass through the model at its step; later steps show what follows."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from models.values.steps import STEP_OF_WHAT_IF, StepName, WhatIf, WhatIfName
from ui.state.choices import NO_CHANGE, TEMPERATURES, Selection
from ui.state.selection import choose, selection
from ui.widgets.asking.pickers import next_seed
from viz.kit.language import said, tr
from viz.steps.texts import SHORT_TITLES
from viz.steps.what_ifs import WHAT_IFS, shows_change, what_if_name


def what_if_switches(name: StepName, change: WhatIf | None) -> None:
    """Draw the switches of this step, and the active change if it belongs to another one."""
    offered = [change for change, step in STEP_OF_WHAT_IF.items() if step == name]
    for offered_name in offered:
        _switch(offered_name)
    if change is not None and change.name not in offered:
        where = SHORT_TITLES[STEP_OF_WHAT_IF[change.name]]
        changed = what_if_name(change, head=selection().head_index or 0)
        warned = (
            tr(
                "What if: the model runs {change}. Everything from “{step}” on follows from that.",
                change=changed,
                step=where,
            )
            if shows_change(name, change)
            else tr("What if: the model runs {change}. Nothing changes before “{step}”.", change=changed, step=where)
        )
        st.warning(warned, icon=":material/science:")
        st.button(
            tr("Switch it off"), key="what-if-off", icon=":material/undo:", on_click=_set_change, args=(NO_CHANGE,)
        )


def _switch(name: WhatIfName) -> None:
    """Draw the switch of one change, with its own choice if it has one."""
    key, is_on = f"switch-{name}", selection().what_if == name
    with st.container(border=True):
        st.session_state[key] = is_on
        st.toggle(tr("**What if?** {change}", change=WHAT_IFS[name].label), key=key, on_change=_turn, args=(name,))
        st.caption(said(WHAT_IFS[name].sentence))
        if is_on and name == "temperature":
            st.select_slider(tr("Temperature"), TEMPERATURES, key="temperature")
        if is_on and name == "shuffled_positions":
            st.button(tr("Shuffle again"), icon=":material/shuffle:", key="shuffle-again", on_click=next_seed)


def _turn(name: WhatIfName) -> None:
    _set_change(name if st.session_state[f"switch-{name}"] else NO_CHANGE)


def _set_change(name: str) -> None:
    choose(what_if=name)


def chosen_change(chosen: Selection) -> WhatIf | None:
    """Return the change that the reader has switched on."""
    name = next((known for known in get_args(WhatIfName) if known == chosen.what_if), None)
    return None if name is None else WhatIf(name=name, temperature=chosen.temperature, seed=chosen.seed)
