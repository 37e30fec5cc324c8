"""A text of thousands of tokens, which the card of a model offers, stands among the examples of pages that show it."""

from __future__ import annotations

import pytest

from models.opening.registry import DEFAULT_MODEL, REGISTRY
from tests.ui.test_pages import ATTENTION, alone, messages, viewed
from ui.desk.long_answers import how_far
from ui.state.plain import plain

NAME = "mini-llama"
LABEL, TEXT = REGISTRY[NAME].long_example or ("", "")


@pytest.mark.parametrize("page", [ATTENTION, "pages/queries_keys_values.py", "pages/switchboard.py"])
def test_the_chapter_is_offered_for_its_model_alone(page: str) -> None:
    assert plain(LABEL) in alone(page, model=NAME).button_group(key="example").options
    assert plain(LABEL) not in alone(page, model=DEFAULT_MODEL).button_group(key="example").options


def test_the_chapter_is_shown_whole() -> None:
    app = alone(ATTENTION, model=NAME)
    app = app.button_group(key="example").set_value(LABEL).run()
    assert not app.exception
    assert "was cut" not in messages(app)
    (shown,) = viewed(app)
    (decoder,) = shown["kinds"]
    assert len(decoder["queries"]["texts"]) > 3_000


def test_how_far_work_is_says_how_long_the_rest_takes() -> None:
    assert how_far(0, 0, 2.6) == "3 s"
    assert how_far(0, 40, 2.6) == "0 of 40"
    assert how_far(10, 40, 20.0) == "10 of 40, about 60 s left"
