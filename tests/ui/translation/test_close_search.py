"""The page "Translation" opens its beam search on the example whose search ends closest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from models.analysis.one_text.beams import closeness
from models.opening.registry import REGISTRY
from tests.loaded import load
from tests.ui.test_pages import alone
from tests.ui.translation.test_page import TRANSLATION, press, said, whole


def texts(name: str) -> list[str]:
    return [text for _, text in REGISTRY[name].examples]


def closest(name: str, width: int) -> str:
    model = load(name, device="cpu")
    return max(texts(name), key=lambda text: closeness(model.translate(text, width=width, length_penalty=0.6)))


@pytest.mark.parametrize("name", ["translator-es", "translator-ko"])
@pytest.mark.parametrize("width", [2, 4])
def test_a_link_to_the_search_opens_with_the_closest_example(name: str, width: int) -> None:
    app = alone(TRANSLATION, model=name, translation="beams", beams=width)
    whole(app)
    assert app.session_state["text"] == closest(name, width)
    assert "How close it was: the winner has" in said(app)


def test_choosing_the_search_changes_the_sentence_and_leaving_it_does_not() -> None:
    app = alone(TRANSLATION)
    assert app.session_state["text"] == texts("translator-es")[0]
    app.button_group(key="translation").set_value("beams").run()
    whole(app)
    found = app.session_state["text"]
    assert found == closest("translator-es", app.session_state["beams"])
    assert app.text_input[0].value == found
    app.button_group(key="translation").set_value("alignment").run()
    app.run()
    whole(app)
    assert app.session_state["text"] == found


def test_a_greedy_search_has_nothing_to_choose_until_it_gets_beams() -> None:
    app = alone(TRANSLATION, translation="beams", beams=1)
    assert app.session_state["text"] == texts("translator-es")[0]
    press(app, "Search with 4 beams")
    whole(app)
    assert app.session_state["text"] == closest("translator-es", 4)


def test_a_sentence_of_the_reader_stays() -> None:
    app = alone(TRANSLATION, text="The boy sees a dog.")
    app.button_group(key="translation").set_value("beams").run()
    whole(app)
    assert app.session_state["text"] == "The boy sees a dog."
    chosen = alone(TRANSLATION)
    label, text = REGISTRY["translator-es"].examples[2]
    chosen.button_group(key="example").set_value(label).run()
    chosen.button_group(key="translation").set_value("beams").run()
    assert chosen.session_state["text"] == text


def test_a_model_of_others_and_one_that_does_not_translate_keep_the_sentence(tiny: Callable[[str], Path]) -> None:
    for model in (tiny("bart"), "mini-gpt", "no/such-model"):
        app = alone(TRANSLATION, model=model, translation="beams", beams=2)
        assert not app.exception
        assert app.session_state["text"] == texts("translator-es")[0]
