"""Special tokens, marks, spaces, one token, an emoji or masks alone: a picture or a sentence, on every page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from models.values.results.attribution import NO_WORDS
from tests.ui.lessons.test_page import opened, press, said
from tests.ui.test_pages import alone, messages
from ui.lessons.library import own_lessons
from ui.state.choices import ASKS_A_MODEL

SMALL = "models/pretrained/tiny-bert/step-001708"
ODD = ("[MASK]", "[CLS] [SEP]", "[MASK] [MASK]", "[PAD]", "…!", "   ", "a", "🙂", "\u200b")
WENT_WRONG = ("Something went wrong", "Part of this model failed")


def whole(app: AppTest, text: str) -> None:
    assert not app.exception, text
    assert not any(each in messages(app) for each in WENT_WRONG), text


@pytest.mark.parametrize("page", ASKS_A_MODEL, ids=lambda page: page.title)
def test_a_page_takes_any_text(page) -> None:
    app = alone(page.path, model=SMALL, text=ODD[0], text_b="")
    whole(app, ODD[0])
    for text in ODD[1:]:
        app.session_state["text"] = text
        whole(app.run(), text)


@pytest.mark.parametrize("text", ["[MASK]", "[CLS] [MASK] [SEP]"])
def test_lesson_8_takes_masks_alone(text: str) -> None:
    steps = own_lessons()["explanation"].lesson.steps
    of_kinds = {step.ask.what: at for at, step in enumerate(steps) if step.own}
    for at in (of_kinds[what] for what in ("important-word", "agreement", "left-out") if what in of_kinds):
        app = press(opened(lesson="explanation", lesson_step=at), "skip-")
        for field in app.text_input:
            field.set_value(text if (field.key or "").endswith("-text") else "[MASK]")
        app = next(each for each in app.button if each.label == "Ask the same").click().run()
        whole(app, text)
        again = [each for each in app.button if (each.key or "").startswith("skip-own")]
        app = again[0].click().run() if again else app
        whole(app, text)
        if text == "[MASK]":
            assert str(NO_WORDS) in said(app) or "single word" in said(app)
