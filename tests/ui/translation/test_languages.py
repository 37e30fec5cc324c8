"""Pages let a reader choose the languages of a translator of many, and say which were taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.loaded import load
from tests.models.tasks.tiny_translators import KINDS, TASKS
from tests.ui.test_pages import alone, messages

TRANSLATION, ATTENTION = "pages/translation.py", "pages/attention.py"
TEXT = "the street"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return KINDS["m2m100"].save(tmp_path_factory.mktemp("m2m100"))


def whole(app: AppTest) -> None:
    assert not app.exception
    assert not app.error


def test_languages_are_chosen_and_said(folder: Path) -> None:
    app = alone(TRANSLATION, model=folder, text=TEXT, beams=1)
    whole(app)
    source, target = app.selectbox(key="source_language"), app.selectbox(key="target_language")
    assert (source.value, target.value) == ("en", "fr")
    assert "Read as en, translated into fr." in messages(app)
    target.set_value("ko").run()
    whole(app)
    assert "Read as en, translated into ko." in messages(app)
    written = load(folder, device="cpu", target_language="ko").translate(TEXT)
    assert app.query_params["target_language"] in ("ko", ["ko"])
    texts = [element.value.replace("\\", "") for element in app.markdown]
    assert any((written.text.strip() or "(nothing but the end)") in text for text in texts)


def test_an_address_says_the_languages_and_one_that_is_not_known_is_left(folder: Path) -> None:
    app = alone(TRANSLATION, model=folder, text=TEXT, beams=1, source_language="de", target_language="zz_Latn")
    whole(app)
    assert "Read as de, translated into fr." in messages(app)
    assert app.selectbox(key="target_language").value == "fr"


def test_other_pages_that_let_it_write_offer_them_too(folder: Path) -> None:
    app = alone(ATTENTION, model=folder, text=TEXT, source_language="ko")
    whole(app)
    assert app.selectbox(key="source_language").value == "ko"
    assert "Read as ko, translated into fr." in " ".join((messages(app), *(each.value for each in app.caption)))


def test_a_model_that_is_told_none_has_no_such_choice() -> None:
    app = alone(ATTENTION, source_language="ko")
    whole(app)
    assert not [each for each in app.selectbox if each.key in {"source_language", "target_language"}]


def test_the_tasks_of_a_t5_are_those_of_its_configuration(tmp_path: Path) -> None:
    app = alone(TRANSLATION, model=KINDS["t5"].save(tmp_path), text=TEXT, beams=1)
    whole(app)
    offered = {each["prefix"].strip().rstrip(":") for each in TASKS.values()}
    assert offered <= {button.label for button in app.button}
    assert not [each for each in app.selectbox if each.key == "source_language"]  # it reads one
    app.selectbox(key="target_language").set_value("de").run()
    whole(app)
    assert "Read as en, translated into de." in messages(app)
    assert "T5 does what" not in messages(app)
