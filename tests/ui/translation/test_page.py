"""The page "Translation" shows what the model wrote, and gives every model and every text a picture or a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models.opening.registry import DEFAULT_MODEL, REGISTRY
from models.values.record import Recording
from models.values.writing import Writing
from tests.closeness import assert_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES, save
from tests.ui.test_pages import alone, figures, messages, through_app
from ui.answers.translation.page import T5_TASKS, TRANSLATORS
from viz.attention.transform import rows_of_weights
from viz.kit.theme import percentage
from viz.writing.translation import FAINT
from viz.writing.written import MOST_BARS

TRANSLATION = "pages/translation.py"
TEXT = "The animal was too tired"


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(FAMILIES["bart"], tmp_path_factory.mktemp("bart"))


def said(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.subheader, *app.caption)).replace("\\", "")


def whole(app: AppTest) -> None:
    assert not app.exception
    assert not app.error


def titles(app: AppTest) -> list[str]:
    return [json.loads(figure)["layout"]["title"]["text"] for figure in figures(app) if "layout" in figure]


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if label in button.label).click().run()


def test_the_page_shows_the_model_s_own_translation_and_candidates(bart: Path) -> None:
    app = alone(TRANSLATION, model=bart, text=TEXT, at_step=1)
    whole(app)
    writing = load(str(bart)).translate(TEXT, width=4, length_penalty=0.6)
    assert writing.text.strip() in said(app)
    first_picture, bars = figures(app)[:2]
    row = rows_of_weights(writing.recording.of("cross"), [writing.written[1].position], layer=None, head=None)[0]
    assert all(percentage(float(weight)) in first_picture for weight in row)
    assert all(percentage(choice.probability) in bars for choice in writing.written[1].candidates[:MOST_BARS])
    assert titles(app)[0].startswith("Position 1 · mean over all layers and heads")


def test_buttons_and_slider_go_through_the_positions(bart: Path) -> None:
    app = alone(TRANSLATION, model=bart, text=TEXT, at_step=0, beams=1)
    assert app.button(key="writing-back").disabled
    app.button(key="writing-next").click().run()
    whole(app)
    assert app.session_state["at_step"] == 1
    assert titles(app)[0].startswith("Position 1")
    slider = app.select_slider(key="at_step")
    slider.set_value(slider.options[-1] if isinstance(slider.value, str) else len(slider.options) - 1).run()
    whole(app)
    assert app.button(key="writing-next").disabled
    assert app.query_params["at_step"] in (str(len(slider.options) - 1), [str(len(slider.options) - 1)])


def test_a_layer_and_a_head_can_be_chosen_in_place_of_the_mean(bart: Path) -> None:
    app = alone(TRANSLATION, model=bart, text=TEXT, averaged="no", layer=2, head=3, at_step=0)
    whole(app)
    assert titles(app)[0] == "Position 0 · Layer 2 · Head 3"
    writing = load(str(bart)).translate(TEXT, width=4)
    weights = writing.recording.of("cross").weights(2, 3)[writing.written[0].position]
    assert all(percentage(float(weight)) in figures(app)[0] for weight in weights if weight >= FAINT)


def test_the_alignment_goes_to_the_head_that_points_most_clearly(bart: Path) -> None:
    app = alone(TRANSLATION, model=bart, text=TEXT, translation="alignment")
    whole(app)
    assert [title.split(" · ")[0] for title in titles(app)[:2]] == ["Alignment", "Alignment"]
    assert "largest weight in its row" in said(app)
    press(app, "points most clearly")
    whole(app)
    state = app.session_state
    assert not state["averaged"]
    assert titles(app)[0] == f"Alignment · Layer {state['layer']} · Head {state['head']}"
    shown = app.dataframe[0].value
    weights = load(str(bart)).translate(TEXT, width=4).recording.of("cross").weights(state["layer"], state["head"])
    assert_close(shown["weight"], weights[: len(shown)].max(1))


def test_the_tree_of_the_search_and_greedy_writing_without_one(bart: Path) -> None:
    app = alone(TRANSLATION, model=bart, text=TEXT, translation="beams", beams=1)
    whole(app)
    assert "Greedy writing" in figures(app)[0]
    press(app, "Search with 4 beams")
    whole(app)
    assert titles(app)[0] == "Beam search · width 4"
    last = load(str(bart)).translate(TEXT, width=4, length_penalty=0.6).branches[-1]
    assert_close(list(app.dataframe[0].value["score"]), [branch.score for branch in last])


def test_all_attention_is_the_recording_of_the_writing(bart: Path) -> None:
    app = alone(TRANSLATION, model=bart, text=TEXT, translation="all", kind="cross")
    whole(app)
    assert '"kind": "cross"' in figures(app)[-1]


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_a_model_that_cannot_translate_says_why(family: str, tiny: Callable[[str], Path]) -> None:
    app = alone(TRANSLATION, model=tiny(family), text=TEXT)
    whole(app)
    assert "translat" in messages(app)
    assert "encoder" in messages(app)


def test_the_embedded_translators_are_offered_and_a_word_they_do_not_know_is_named() -> None:
    app = alone(TRANSLATION, model=DEFAULT_MODEL, text="The girl has a red skirt.")
    whole(app)
    press(app, "Use translator-ko")
    whole(app)
    assert load("translator-ko").translate("The girl has a red skirt.", width=4).text in said(app)
    app.text_input[0].set_value("The girl has a red zzyzx.")
    app.button[0].click().run()
    whole(app)
    assert "translator-ko does not know 1 of the 6 words: “zzyzx”." in messages(app)
    assert "made for translating short everyday sentences from English to Korean" in messages(app)
    assert "klue" not in messages(app)
    app.text_input[0].set_value("The girl has a red skirt 🙂.")
    app.button[0].click().run()
    assert "translator-ko has no token for “🙂”" in messages(app)
    assert "does not know" not in messages(app)


@pytest.mark.parametrize("family", ["marian", "t5"])
@pytest.mark.parametrize("part", ["step", "alignment", "beams", "all"])
def test_other_families_translate_too(family: str, part: str, tiny: Callable[[str], Path]) -> None:
    app = alone(TRANSLATION, model=tiny(family), text=TEXT, translation=part, beams=2)
    whole(app)
    assert figures(app)


def test_t5_is_told_what_to_do(tiny: Callable[[str], Path]) -> None:
    app = alone(TRANSLATION, model=tiny("t5"), text=TEXT, beams=1)
    assert "T5 does what" in messages(app)
    press(app, "English to German")
    whole(app)
    assert app.session_state["text"] == T5_TASKS[0] + TEXT
    assert "T5 does what" not in messages(app)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty"),
        ("   ", "spaces"),
        ("</script><img src=x onerror=pwned=1> $x$ `c` **b**", ""),
        ("שלום עולם", ""),
        ("🙂 👩‍👩‍👧", ""),
        ("한국어 문장을 읽습니다.", ""),
        ("word " * 300, "cut"),
    ],
)
def test_odd_texts_get_a_picture_or_a_sentence(text: str, expected: str, bart: Path) -> None:
    for part in ("step", "alignment"):
        app = alone(TRANSLATION, model=bart, text=text, beams=1, translation=part)
        assert not app.exception
        assert "Something went wrong" not in messages(app)
        assert expected in messages(app)
        assert figures(app) or messages(app)


def test_choices_out_of_bounds_are_brought_back(bart: Path) -> None:
    for head in (300, "mean"):
        app = alone(
            TRANSLATION, model=bart, text=TEXT, layer=300, head=head, at_step=999, beams=99, penalty=7, averaged="no"
        )
        whole(app)
        assert "Layer 2" in titles(app)[0]


def test_unknown_words_and_a_cut_are_said(bart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from ui.answers.translation import close_search

    writing: Writing = load(str(bart)).translate(TEXT)
    odd: Recording = replace(writing.recording, note="The text was cut.")
    changed = replace(writing, recording=odd, unknown_words=("<zzz>", "qqq"), is_finished=False)
    monkeypatch.setattr(close_search, "ask", lambda *_args, **_choices: changed)
    app = alone(TRANSLATION, model=bart, text=TEXT)
    whole(app)
    assert "“<zzz>”, “qqq”" in messages(app)
    assert "The text was cut." in messages(app)
    assert f"cut after {len(writing.written)} tokens" in messages(app)


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_sentence_that_is_unlike_what_was_learned_is_announced_before_its_translation(name: str) -> None:
    strange = "Of the to walked sheet very quite upon umbrella because."
    writing = load(name).translate(strange, width=4)
    assert writing.familiarity is not None
    assert writing.familiarity.is_unlike
    app = alone(TRANSLATION, model=name, text=strange)
    whole(app)
    assert f"{name} has learned from sentences unlike this one" in messages(app)
    assert f"{writing.familiarity.bits:.1f} bits a piece" in messages(app)
    shown = [element for element in app.main if element.type in {"alert", "warning", "subheader"}]
    assert [element.type == "subheader" for element in shown] == [False] * (len(shown) - 1) + [True]


@pytest.mark.parametrize("name", TRANSLATORS)
def test_the_examples_are_those_of_the_card_and_nothing_is_announced_before_them(name: str) -> None:
    app = alone(TRANSLATION, model=name)
    offered = dict(REGISTRY[name].examples)
    assert app.button_group(key="example").options == list(offered)
    for text in offered.values():
        app = alone(TRANSLATION, model=name, text=text)
        whole(app)
        assert not messages(app)


def test_the_page_opens_with_a_translator_and_gives_the_model_of_the_reader_back() -> None:
    app = through_app(TRANSLATION)
    assert app.session_state["model"] == "translator-es"
    app.switch_page("../pages/masked_words.py").run()
    assert app.session_state["model"] == DEFAULT_MODEL
    app.switch_page(f"../{TRANSLATION}").run()
    assert app.session_state["model"] == "translator-es"
    app.session_state["model"] = "translator-ko"
    app.run()
    app.switch_page("../pages/attention.py").run()
    assert app.session_state["model"] == "translator-ko"


def test_a_reader_who_declines_the_translator_does_not_get_it_again() -> None:
    app = alone(TRANSLATION)
    assert app.session_state["model"] == "translator-es"
    app.session_state["model"] = DEFAULT_MODEL
    app.run()
    app.run()
    assert app.session_state["model"] == DEFAULT_MODEL
    assert any("cannot translate" in info.value for info in app.info)
