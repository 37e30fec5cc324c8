"""The part "Sampling": the distribution of the next token, and what five settings make of it."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.tasks.sampling import read_choices, sampling_steps
from ui.answers.costs.parts import can_write
from ui.desk.ask import ask
from ui.state.choices import MIN_PS, REPETITION_PENALTIES, TOP_PS, WRITING_TEMPERATURES, WRITING_TOP_K
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say
from viz.writing.sampling import sampling_bars, sampling_story, sampling_table

LABELS = {
    "repetition_penalty": to_say("Repetition penalty"),
    "writing_temperature": to_say("Temperature"),
    "writing_top_k": to_say("Top-k"),
    "top_p": to_say("Top-p"),
    "min_p": to_say("Min-p"),
}
HELP = {
    "writing_temperature": to_say("Divides all logits. Below 1, likely tokens become likelier; 0 takes the likeliest."),
    "writing_top_k": to_say("Keeps so many of the likeliest tokens; 0 means all of them."),
    "top_p": to_say("Keeps as many of the likeliest tokens as it takes for this share of the probability."),
    "min_p": to_say("Keeps tokens that have at least this part of the likeliest token's probability."),
    "repetition_penalty": to_say("Makes tokens that were already read less likely; 1 changes nothing."),
}


def sampling_part() -> None:
    """Draw the distribution before and after, beside the settings and what each of them does."""
    if not can_write():
        return
    chosen = selection()
    answer = ask(chosen.model, chosen.device, Model.answer_logits, chosen.text, of="next")
    steps = sampling_steps(
        answer.logits,
        read_choices(answer),
        temperature=chosen.writing_temperature,
        top_k=chosen.writing_top_k,
        top_p=chosen.top_p,
        min_p=chosen.min_p,
        repetition_penalty=chosen.repetition_penalty,
    )
    left, right, widths = two_columns(3, 2)
    with left:
        picture(sampling_bars(steps, answer.choices, theme=theme(), width=widths[0]), "sampling")
        st.markdown("\n".join(f"- {plain(line)}" for line in sampling_story(steps, answer.choices)))
        numbers(lambda: sampling_table(steps, answer.choices), "sampling")
    with right:
        _settings()


def _settings() -> None:
    """Draw the five sliders, in the order in which they act."""
    options = {
        "repetition_penalty": REPETITION_PENALTIES,
        "writing_temperature": WRITING_TEMPERATURES,
        "writing_top_k": range(WRITING_TOP_K[0], WRITING_TOP_K[1] + 1),
        "top_p": TOP_PS,
        "min_p": MIN_PS,
    }
    for key, values in options.items():
        st.select_slider(
            said(LABELS[key]), values, key=key, help=said(HELP[key]), format_func=lambda value: f"{value:g}"
        )
