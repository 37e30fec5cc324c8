"""The page "Step by step": one layer and head, step by step, and what-if changes.

Everything below the model is a fragment: another step, head or change redraws it, and nothing else of the page.
"""

from __future__ import annotations

from typing import get_args

import streamlit as st

from models.inspection.source import source_of_step
from models.opening.registry import Model
from models.values.record import Recording
from models.values.steps import STEP_NAMES, STEP_OF_WHAT_IF, LayerWalk, StepName, WhatIf, WhatIfName
from ui.desk.ask import ask
from ui.state.choices import NO_CHANGE, TEMPERATURES, Selection
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.known_heads import say_name
from ui.widgets.asking.pickers import layer_and_head, next_seed, one_head, pick_kind
from ui.widgets.browser.keys import letters_press
from ui.widgets.browser.viewport import SIDE_BY_SIDE, column_widths, page_width
from ui.widgets.finding import bring_row, record_at_finding
from ui.widgets.frame import part_of_page, readable_errors, theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.kit.tokens import positioned_texts
from viz.steps.changes import change_of, change_picture, largest_change
from viz.steps.numbers import followed_row, step_table, worked_example
from viz.steps.texts import SHORT_TITLES, step_text
from viz.steps.walk import step_file, step_picture
from viz.steps.what_ifs import WHAT_IFS, shows_change, what_if_name

NO_MEAN = to_say(
    "A walk follows one head: a mean over the heads has no queries, keys and values of its own. This is head 0."
)
RECORDER = "models/recording/attention_call.py"
FUSED = to_say(
    "PyTorch usually does this in one go with the steps around it, in a fast kernel. This is the same, written out."
)
NOT_HERE = to_say("This model leaves that step out.")
BESIDE = (7, 4)
"""The shares of a picture and of its words in the width of the page."""
BACK_KEY, NEXT_KEY = "B", "N"
"""Keyboard shortcuts; letters, because sliders and lists use the arrow keys."""


@st.fragment
def step_explorer() -> None:
    """Draw everything below the sentences."""
    with part_of_page():
        chosen = selection()
        recording = record_at_finding(with_mean=False)
        bring_row(recording)
        _pickers(recording)
        before = _walk(None)
        name = selection().step
        _all_steps(before, name)
        if name in before.names:
            _step(before, name)
        else:
            _say_missing(before, name)
        say_name(recording)
        say_notes(recording.info, recording.tokens, (chosen.text, chosen.text_b), before.note)
        letters_press({BACK_KEY: "step-back", NEXT_KEY: "step-next"})


def _pickers(recording: Recording) -> None:
    """Draw kind of attention if there are several, layer, head, and the token to follow."""
    several = len(recording.kinds) > 1
    one_head(said(NO_MEAN))
    *kind, heads, token = st.columns([3, 6, 3] if several else [8, 3], vertical_alignment="bottom")
    pick_kind(recording.kinds, kind[0] if kind else None)
    shown = recording.of(selection().kind)
    with heads:
        layer_and_head(shown, with_mean=False)
    positions = range(len(shown.query_tokens))
    if selection().query not in positions:
        choose(query=followed_row(shown.query_tokens, selection().query))
    token.selectbox(
        tr("Follow the token"),
        positions,
        key="query",
        format_func=positioned_texts(shown.query_tokens, positions).__getitem__,
        help=tr("Its row is framed in every picture, and the example is worked out for it."),
    )


def _walk(change: WhatIf | None) -> LayerWalk:
    """Walk through the chosen layer and head, with a change to the model or without."""
    chosen = selection()
    return ask(
        chosen.model,
        chosen.device,
        Model.walk,
        *chosen.texts,
        kind=chosen.kind,
        layer=chosen.layer,
        head=chosen.head_index or 0,
        what_if=change,
    )


# -- where one is -----------------------------------------------------------------------------------------------------


def _all_steps(shown: LayerWalk, current: StepName) -> None:
    """Draw Back, Next, and a button for every step: the current one filled, unavailable ones disabled."""
    why = {missing.name: plain(missing.why) for missing in shown.missing}
    listed = [name for name in STEP_NAMES if name in shown.names or name in why]
    is_narrow = page_width() < SIDE_BY_SIDE
    with st.container(key="step-strip" if is_narrow else "step-strip-names", horizontal=True, gap="xsmall"):
        _back_and_next(shown, current)
        for number, name in enumerate(listed, start=1):
            st.button(
                str(number) if is_narrow else said(SHORT_TITLES[name]),
                key=f"go-{name}",
                on_click=_go,
                args=(name,),
                disabled=name in why,
                help=why.get(name),
                type="primary" if name == current else "secondary",
            )
    for name, reason in why.items():
        st.caption(f"{said(SHORT_TITLES[name])}: {reason}")


def _back_and_next(shown: LayerWalk, current: StepName) -> None:
    """Draw the buttons for the previous and the next step."""
    place = STEP_NAMES.index(current)
    earlier = [name for name in STEP_NAMES[:place] if name in shown.names]
    later = [name for name in STEP_NAMES[place + 1 :] if name in shown.names]
    st.button(
        tr("Back"),
        key="step-back",
        icon=":material/arrow_back:",
        shortcut=BACK_KEY,
        disabled=not earlier,
        on_click=_go,
        args=(earlier[-1] if earlier else current,),
    )
    st.button(
        tr("Next"),
        key="step-next",
        icon=":material/arrow_forward:",
        shortcut=NEXT_KEY,
        disabled=not later,
        on_click=_go,
        args=(later[0] if later else current,),
    )


def _go(name: StepName) -> None:
    choose(step=name)


def _say_missing(shown: LayerWalk, name: StepName) -> None:
    why = next((missing.why for missing in shown.missing if missing.name == name), NOT_HERE)
    st.info(plain(why), icon=":material/info:")


# -- one step ---------------------------------------------------------------------------------------------------------


def _step(before: LayerWalk, name: StepName) -> None:
    """Draw a step: its picture, its text beside or above it, what-if switches, numbers and source code."""
    above, (picture_place, words, _) = st.container(), two_columns(*BESIDE)
    change, after = _chosen_change(selection()), before
    if change is not None:
        with readable_errors():
            after = _walk(change)
    if name in after.names:
        with picture_place:
            _step_picture(before, after, name, change)
        with above if page_width() < SIDE_BY_SIDE else words:
            st.markdown(plain(step_text(after, name).sentence))
    with words:
        if name in after.names:
            _explain(after, name)
        _what_if(name, change)
    if name not in after.names:
        _say_missing(after, name)
        return
    numbers(lambda: step_table(after, name), step_file(after, name))
    _code(after, name)


def _step_picture(before: LayerWalk, after: LayerWalk, name: StepName, change: WhatIf | None) -> None:
    """Draw the matrices of a step, or what a change does to them."""
    if after is not before and shows_change(name, change):
        _difference(before, after, name)
        return
    row, width = selection().query, column_widths(*BESIDE)[0]
    picture(step_picture(before, name, row=row, theme=theme(), width=width), f"step-{name}")


def _explain(shown: LayerWalk, name: StepName) -> None:
    """Draw a step on an example, and as an equation."""
    text = step_text(shown, name)
    example = worked_example(shown, name, row=selection().query)
    st.markdown(tr("**For example:** {example}", example=plain(example)))
    st.latex(text.equation)
    st.caption(plain(text.source), text_alignment="center")


def _difference(before: LayerWalk, after: LayerWalk, name: StepName) -> None:
    """Draw before, after and the difference of one output of a step."""
    outputs = after.step(name).outputs
    output = len(outputs) - 1
    if len(outputs) > 1:
        output = st.segmented_control(
            tr("Compare"),
            range(len(outputs)),
            default=output,
            key=f"compared-{name}",
            required=True,
            format_func=lambda index: f"{outputs[index].symbol} · {said(outputs[index].name)}",
        )
    change = change_of(before, after, name, output=output)
    st.markdown(f"**{plain(largest_change(after, change))}**")
    figure = change_picture(
        before, after, name, output=output, row=selection().query, theme=theme(), width=column_widths(*BESIDE)[0]
    )
    picture(figure, f"what-if-{name}")


def _code(shown: LayerWalk, name: StepName) -> None:
    """Draw the lines of the scratch implementation."""
    listings = source_of_step(
        name,
        norm="pre" if shown.norm == "pre" else "post",
        kind=shown.kind,
        norm_kind=shown.norm_kind,
        gated="gate" in shown.names,
        soft_capped=any("capped" in array.name for step in shown.steps for array in step.outputs),
        has_sinks=shown.sinks is not None,
    )
    sentences = [tr("**The lines that do it**, in the transformer from scratch of this app.")]
    if shown.info.implementation != "scratch":
        sentences.append(tr("This model runs in Hugging Face's code; ours does the same."))
    if any(lines.path == RECORDER for lines in listings):
        sentences.append(said(FUSED))
    st.markdown(" ".join(sentences))
    for lines in listings:
        st.caption(tr("{path}, from line {line}", path=plain(lines.path), line=lines.first_line))
        st.code(lines.code, language="python")


# -- what if ----------------------------------------------------------------------------------------------------------


def _what_if(name: StepName, change: WhatIf | None) -> None:
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


def _chosen_change(chosen: Selection) -> WhatIf | None:
    name = next((known for known in get_args(WhatIfName) if known == chosen.what_if), None)
    return None if name is None else WhatIf(name=name, temperature=chosen.temperature, seed=chosen.seed)
