"""A text in letters that the chosen model does not read: one sentence and one button, on every page that has a text."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models.opening.registry import entry_for
from models.opening.tasks import TEXT_GENERATION, TRANSLATION
from models.text.unknown import unread_script
from ui.state.choices import DEFAULTS
from ui.widgets.asking.unread import BUTTONS, NOT_READ, NOT_READ_BY
from viz.kit.language import read_in

ROOT = Path(__file__).resolve().parents[3]
KOREAN, ENGLISH = "아이가 학교에서 밥을 먹었다.", "The old man went to the shop."
LETTERS = {KOREAN: "HANGUL", ENGLISH: "LATIN"}


def opened(page: str, **choices: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=390)
    for name, value in choices.items():
        app.query_params[name] = value
    return app.run()


def written(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.error, app.warning, app.info)
    return "\n".join(element.value for kind in kinds for element in kind).replace("\\", "")


@pytest.mark.parametrize(
    ("page", "model", "text", "reader"),
    [
        ("home", "headlight-bert", KOREAN, "headlight-ko"),
        ("attention", "mini-bert", KOREAN, "headlight-ko"),
        ("attention", "headlight-ko", ENGLISH, "headlight-bert"),
        ("queries_keys_values", "headlight-bert", KOREAN, "headlight-ko"),
        ("masked_words", "headlight-ko", ENGLISH, "headlight-bert"),
        ("labels", "sentiment", KOREAN, "sentiment-ko"),
        ("labels", "sentiment-ko", ENGLISH, "sentiment"),
    ],
)
def test_one_sentence_and_one_button_lead_to_a_model_that_reads_the_text(
    page: str, model: str, text: str, reader: str
) -> None:
    app, letters = opened(page, model=model, text=text), LETTERS[text]
    sentence = NOT_READ[letters] if page != "labels" else NOT_READ_BY[letters].format(model=model)
    assert written(app).count(sentence) == 1
    assert "everything unknown" not in written(app)
    (button,) = [button for button in app.button if button.label == BUTTONS[letters]]
    button.click().run()
    assert not app.exception
    assert (app.session_state["model"], app.session_state["text"]) == (reader, text)
    assert not [button for button in app.button if button.label in BUTTONS.values()]
    assert not any(other in written(app) for other in NOT_READ.values())


def test_the_button_is_korean_and_keeps_the_head_that_the_reader_has_chosen() -> None:
    app = opened("attention", lang="ko", model="headlight-bert", text=KOREAN, layer="2", head="5")
    assert "이 모델은 한글을 읽지 못합니다." in written(app)
    with read_in("ko"):  # AppTest writes the labels of options in this thread
        next(button for button in app.button if button.label == "한국어 모델로 보기").click().run()
    assert [app.session_state[name] for name in ("model", "lang", "layer", "head")] == ["headlight-ko", "ko", 2, 5]


@pytest.mark.parametrize(("page", "model"), [("translation", "translator-es"), ("attention", "mini-gpt")])
def test_where_no_embedded_model_reads_it_the_sentence_names_what_can_be_done(page: str, model: str) -> None:
    app = opened(page, model=model, text=KOREAN)
    task = {"translator-es": TRANSLATION, "mini-gpt": TEXT_GENERATION}[model]
    assert written(app).count(NOT_READ["HANGUL"]) == 1
    assert f"choose {entry_for('ko', task).name}, which reads Korean" in written(app)
    assert "everything unknown" not in written(app)
    assert not [button for button in app.button if button.label in BUTTONS.values()]


def test_of_two_models_that_do_not_read_a_text_each_is_named_once() -> None:
    app = opened("bert_and_gpt", text=KOREAN)
    for model in (DEFAULTS["model"], DEFAULTS["causal_model"]):
        assert written(app).count(NOT_READ_BY["HANGUL"].format(model=model)) == 1
    assert [button.label for button in app.button].count(BUTTONS["HANGUL"]) == 1


@pytest.mark.parametrize(
    ("text", "languages", "script"),
    [
        (KOREAN, ("en",), "HANGUL"),
        ("ㅋㅋㅋ 진짜 [MASK]", ("en",), "HANGUL"),
        ("The 김치 in Seoul", ("en",), ""),
        ("Seoul에서 BTS를 보았다", ("ko",), ""),
        (KOREAN, ("multilingual",), ""),
        (ENGLISH, (), ""),
        ("[MASK] 1789 →", ("ko",), ""),
        ("", ("ko",), ""),
    ],
)
def test_the_letters_of_most_words_decide(text: str, languages: tuple[str, ...], script: str) -> None:
    assert unread_script((text, ""), languages) == script
