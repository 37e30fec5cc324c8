"""The reader's sentence with the model's answer in it, in large letters."""

from __future__ import annotations

import streamlit as st

from models.values.probing.contrast import AnswerLogits
from ui.state.plain import in_bold, plain
from ui.widgets.asking.which_answer import JUDGED, AskedAnswer
from viz.kit.labels import answer_text
from viz.kit.language import said
from viz.kit.theme import whole_percent


def answer_line(asked: AskedAnswer, answers: AnswerLogits, colour: str, says: str) -> None:
    """Draw the sentence with the best answer in it, and after it what `says` how it was made, with its probability."""
    best = answers.best(1)[0]
    share = whole_percent(float(answers.probabilities[best]))
    about = " · ".join(filter(None, (says, share)))
    st.markdown(f"{_with_answer(asked, answers, best, colour)} :small[:gray[{plain(about)}]]")


def _with_answer(asked: AskedAnswer, answers: AnswerLogits, best: int, colour: str) -> str:
    """Return the text with an answer where it belongs, as Markdown: in place of the mask, or at the end."""
    word = said(answers.choices[best]) if answers.of in JUDGED else answer_text(answers.choices[best], answers.of)
    coloured = f":{colour}[{in_bold(word)}]"
    token = None if answers.of != "mask" or answers.position is None else answers.tokens[answers.position]
    if token is None or token.start is None or token.end is None:
        both = " ".join(filter(None, (asked.text, asked.text_b)))
        return f"{plain(both)} {'' if answers.of == 'next' else '→ '}{coloured}"
    texts = [asked.text, asked.text_b]
    before, after = texts[token.segment][: token.start], texts[token.segment][token.end :]
    texts[token.segment] = f"{plain(before)}{coloured}{plain(after)}"
    texts[1 - token.segment] = plain(texts[1 - token.segment])
    return " ".join(filter(None, texts))
