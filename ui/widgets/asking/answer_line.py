"""The reader's sentence with the model's answer in it, in large letters."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.values.probing.contrast import AnswerLogits
from models.values.record import Token
from ui.state.plain import in_bold, plain
from ui.widgets.asking.which_answer import JUDGED, AskedAnswer
from viz.kit.labels import answer_text
from viz.kit.language import said
from viz.kit.theme import whole_percent


def answer_line(
    asked: AskedAnswer, answers: AnswerLogits, colour: str, says: str, *, crossed_out: Sequence[Token] = ()
) -> None:
    """Draw the sentence with the best answer in it and without the tokens that are `crossed_out`, and after it what
    `says` how it was made, with its probability."""
    best = answers.best(1)[0]
    share = whole_percent(float(answers.probabilities[best]))
    about = " · ".join(filter(None, (says, share)))
    st.markdown(f"{_with_answer(asked, answers, best, colour, crossed_out)} :small[:gray[{plain(about)}]]")


def _with_answer(
    asked: AskedAnswer, answers: AnswerLogits, best: int, colour: str, crossed_out: Sequence[Token]
) -> str:
    """Return the text with an answer where it belongs, as Markdown: in place of the mask, or at the end."""
    word = said(answers.choices[best]) if answers.of in JUDGED else answer_text(answers.choices[best], answers.of)
    coloured = f":{colour}[{in_bold(word)}]"
    mask = None if answers.of != "mask" or answers.position is None else answers.tokens[answers.position]
    is_inside = mask is not None and mask.start is not None
    texts = [
        _mark(text, segment, mask if is_inside else None, coloured, crossed_out)
        for segment, text in enumerate((asked.text, asked.text_b))
    ]
    both = " ".join(filter(None, texts))
    return both if is_inside else f"{both} {'' if answers.of == 'next' else '→ '}{coloured}"


def _mark(text: str, segment: int, mask: Token | None, coloured: str, crossed_out: Sequence[Token]) -> str:
    """Return one of the texts as Markdown, with the answer in place of its `mask` and tokens crossed out."""
    own = [token for token in crossed_out if token.segment == segment and token.start is not None]
    spans = [(token.start or 0, token.end or 0, "") for token in own]
    if mask is not None and mask.segment == segment:
        spans.append((mask.start or 0, mask.end or 0, coloured))
    parts, done = [], 0
    for start, end, instead in sorted(spans):
        parts += [plain(text[done:start]), instead or f":gray[~~{plain(text[start:end])}~~]"]
        done = end
    return "".join([*parts, plain(text[done:])])
