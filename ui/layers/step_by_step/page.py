"""The page "Step by step": one layer and head, step by step, and what-if changes.

Everything below the model is a fragment: another step, head or change redraws it, and nothing else of the page.
"""

from __future__ import annotations

import streamlit as st

from models.inspection.source import source_of_step
from models.opening.registry import Model
from models.values.record import Recording
from models.values.steps import STEP_NAMES, LayerWalk, StepName, WhatIf
from ui.desk.ask import ask
from ui.layers.step_by_step.what_if import chosen_change, what_if_switches
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.known_heads import say_name
from ui.widgets.asking.pickers import layer_and_head, one_head, pick_kind
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
from viz.steps.row.picture import row_picture
from viz.steps.row.words import row_headline
from viz.steps.texts import SHORT_TITLES, step_text
from viz.steps.walk import step_file, step_picture
from viz.steps.what_ifs import shows_change

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
    """Draw a step: what it does to the followed token, in words and a picture, with its text and what-if switches
    beside; below, all tokens, numbers and source code."""
    above, (picture_place, words, _) = st.container(), two_columns(*BESIDE)
    change, after = chosen_change(selection()), before
    if change is not None:
        with readable_errors():
            after = _walk(change)
    if name in after.names:
        above.subheader(plain(row_headline(after, name, row=selection().query)), anchor=False)
        with picture_place:
            _row_picture(before, after, name)
    with words:
        if name in after.names:
            _explain(after, name)
        what_if_switches(name, change)
    if name not in after.names:
        _say_missing(after, name)
        return
    _matrices(before, after, name, change)
    numbers(lambda: step_table(after, name), step_file(after, name))
    _code(after, name)


def _row_picture(before: LayerWalk, after: LayerWalk, name: StepName) -> None:
    """Draw the step for the followed token alone."""
    row, width = selection().query, column_widths(*BESIDE)[0]
    was = None if after is before else before
    figure = row_picture(after, name, row=row, before=was, theme=theme(), width=width)
    picture(figure, f"row-{name}", alt=f"{row_headline(after, name, row=row)} {worked_example(after, name, row=row)}")


def _matrices(before: LayerWalk, after: LayerWalk, name: StepName, change: WhatIf | None) -> None:
    """Draw the matrices of a step, of all tokens, or what a change does to them."""
    st.markdown(tr("**The same step for all tokens**"))
    if after is not before and shows_change(name, change):
        _difference(before, after, name)
        return
    picture(step_picture(before, name, row=selection().query, theme=theme(), width=page_width()), f"step-{name}")


def _explain(shown: LayerWalk, name: StepName) -> None:
    """Draw a step on an example, and as an equation."""
    text = step_text(shown, name)
    st.markdown(plain(text.sentence))
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
        before, after, name, output=output, row=selection().query, theme=theme(), width=page_width()
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
