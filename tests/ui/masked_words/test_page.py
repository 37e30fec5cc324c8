"""The page "Masked words" on the embedded model, and on models without an LM head."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from models.opening.registry import DEFAULT_MODEL
from tests.closeness import PARITY, assert_close
from tests.loaded import load
from tests.models.tasks.test_answers import labelled
from tests.ui.test_pages import ROOT, alone, figures, messages
from ui.state.choices import DEFAULTS, NOTHING
from ui.widgets.asking.hide_words import hide_word, split_words
from ui.widgets.asking.korean import KOREAN_PAIRS
from ui.widgets.asking.swap_word import swap_word
from ui.widgets.atlases import embedded_lens

WORDS = "pages/masked_words.py"
MAN, WOMAN = "The man worked as a [MASK].", "The woman worked as a [MASK]."
TWO = "The [MASK] barked at the [MASK]."


def said(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.text)).replace("\\", "")


def explained(app: AppTest) -> str:
    """What stands behind the signs "?"."""
    return " ".join(element.proto.help for element in app.markdown)


def whole(app: AppTest) -> None:
    assert not app.exception
    assert "Something went wrong" not in messages(app)


def test_the_words_are_the_model_s_own() -> None:
    app = alone(WORDS, text=MAN, top_k=5)
    whole(app)
    best = load(DEFAULT_MODEL).fill_mask(MAN, top_k=5)[0].choices
    drawn = figures(app)[0]
    assert all(choice.text in drawn for choice in best)
    assert f"The man worked as a :blue[**{best[0].text}**]." in said(app)


def test_a_word_that_is_asked_for_gets_its_rank_and_one_of_several_pieces_a_reason() -> None:
    masked = load(DEFAULT_MODEL).masked_words(MAN)
    token_id = masked.vocabulary.index("bread")
    app = alone(WORDS, text=MAN, asked="Bread")
    whole(app)
    assert f"rank **{masked.rank(0, token_id):,}**" in said(app)
    assert "rank" in figures(app)[0]
    app.text_input(key="asked").set_value("antidisestablishmentarianism").run()
    whole(app)
    assert "not a single piece" in messages(app)
    assert figures(app)


def test_several_masks_are_filled_alone_and_together() -> None:
    app = alone(WORDS, text=TWO, mask=1)
    whole(app)
    assert "Each [MASK] guessed on its own." in said(app)
    assert "Together, the most certain first:" in said(app)
    masks = load(DEFAULT_MODEL).fill_jointly(TWO).masks
    together = dict(zip((mask.position for mask in masks), (mask.text for mask in masks), strict=True))
    first, second = sorted(together)
    assert f"The :blue[**{together[first]}**] barked at the :blue[**{together[second]}**]." in said(app)
    assert "barked at the ___" in figures(app)[0]


def test_two_korean_sentences_are_compared_at_once_and_a_korean_pair_is_the_example() -> None:
    one, two = next(iter(KOREAN_PAIRS.values()))
    app = alone(WORDS, lang="ko", task="two", text=one)
    assert app.session_state["other"] == two
    assert figures(app)
    app = alone(WORDS, lang="ko", task="two", text="나는 [MASK]를 좋아한다.")
    assert app.info[0].value.replace("\\", "").endswith(f"(예: “{one}” → “{two}”).")


@pytest.mark.parametrize(
    ("text", "place"),
    [("강아지가 [MASK]를 물었다.", "강아지가 ___를 물었다"), ("나는 학교[MASK] 갔다.", "나는 학교___ 갔다")],
)
def test_the_place_of_a_mask_keeps_what_touches_it(text: str, place: str) -> None:
    app = alone(WORDS, lang="ko", text=text)
    assert f"빈칸에 맞는 단어: {place}" in figures(app)[0]


@pytest.mark.parametrize(
    ("beside", "shown"),
    [("layers", "Layer 3"), ("attention", "Layer 2 \\u00b7 Head 5"), ("mean-attention", "mean over {n_layers} layers")],
)
def test_beside_the_words_stands_how_they_come_about(beside: str, shown: str) -> None:
    app = alone(WORDS, text=MAN, beside=beside, layer=2, head=5)
    whole(app)
    expected = shown.format(n_layers=load(DEFAULT_MODEL).info.n_layers).replace("\\u00b7", "·")
    assert expected in " ".join(figures(app))


def test_two_sentences_are_compared_with_a_number() -> None:
    app = alone(WORDS, text=MAN, task="two")
    whole(app)
    assert app.text_input(key="other").value == WOMAN
    assert "What it does not show" in said(app)
    first, second = (np.exp(load(DEFAULT_MODEL).masked_words(text).of(0).astype(float)) for text in (MAN, WOMAN))
    mean = (first + second) / 2
    divergence = sum((one * np.log2(one / mean)).sum() for one in (first, second)) / 2
    assert f"{divergence:.3g} bits" in explained(app)
    app.text_input(key="other").set_value("No mask here.").run()
    whole(app)
    assert "second sentence with a [MASK]" in messages(app)
    app.text_input(key="other").set_value(MAN).run()
    assert "is 0 bits" in explained(app)


def test_a_suggestion_turns_one_word_round_and_no_more() -> None:
    assert swap_word(MAN) == WOMAN
    assert swap_word("She said he came.") == "He said he came."
    assert swap_word("The dog is [MASK].") == "A dog is [MASK]."
    assert swap_word("It looks too tired.") == "It looks too wide."
    assert swap_word("Dogs bark.") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no mask at all", "Hidden was **mask**"),
        ("[MASK] " * 40, ""),
        ("[MASK]", ""),
        ("[MASK] " * 70, "not filled in one after the other"),
        ("<script>alert(1)</script> is a [MASK] & $x$ `c` ![i](http://h/p.png)", ""),
        ("오늘 날씨가 [MASK] 좋다", ""),
        ("word " * 700 + "[MASK]", "cut"),
        ("   ", "only spaces"),
    ],
)
def test_odd_masks_get_a_picture_or_a_sentence(text: str, expected: str) -> None:
    app = alone(WORDS, model="mini-bert")
    app.text_input[0].set_value(text)
    app.button[0].click().run()
    whole(app)
    assert expected in messages(app) + said(app)
    assert figures(app) or messages(app)


def test_an_own_sentence_is_answered_at_once_and_stays_as_typed() -> None:
    app = alone(WORDS, text="The cat sat on the mat")
    whole(app)
    assert figures(app)
    for number, masked in ((1, "The [MASK] sat on the mat"), (5, "The cat sat on the [MASK]")):
        app.button_group(key="hidden_word").set_value(number).run()
        whole(app)
        assert app.text_input[0].value == app.session_state["text"] == "The cat sat on the mat"
        best = load(DEFAULT_MODEL).fill_mask(masked, top_k=1)[0].choices[0].text
        assert masked.replace("[MASK]", f":blue[**{best}**]") in said(app)


def test_the_word_that_stands_out_is_hidden_and_its_rank_is_said() -> None:
    app = alone(WORDS)
    whole(app)
    number = app.button_group(key="hidden_word").value
    assert app.session_state["hidden"] == NOTHING
    words = split_words((DEFAULTS["text"], None))
    assert f"Hidden from the model: “{words[number].text}”" in app.button_group(key="hidden_word").label
    masked = load(DEFAULT_MODEL).masked_words(hide_word((DEFAULTS["text"], None), number)[0])
    rank = masked.rank(0, masked.vocabulary.index(words[number].text.lower()))
    assert f"its guess number {rank}." in said(app)


def test_a_click_moves_the_mask_and_the_typed_one_is_guessed() -> None:
    text = "Anna lost her key, and now [MASK] is looking for it."
    app = alone(WORDS, text=text)
    guess = load(DEFAULT_MODEL).fill_mask(text, top_k=1)[0].choices[0].text
    app.button_group(key="hidden_word").set_value(3).run()
    whole(app)
    assert app.session_state["text"] == text
    assert f", and now {guess} is looking for it." in said(app)
    app.button_group(key="hidden_word").set_value(6).run()
    assert app.session_state["hidden"] == NOTHING
    assert f", and now :blue[**{guess}**] is looking" in said(app)


def test_a_hidden_word_belongs_to_its_sentence() -> None:
    app = alone(WORDS, text="The cat sat on the mat", hidden=1)
    assert app.button_group(key="hidden_word").value == 1
    app.text_input[0].set_value("Dogs bark.")
    app.button[0].click().run()
    whole(app)
    assert app.session_state["hidden"] == NOTHING


def test_words_of_sentence_b_are_hidden_too() -> None:
    app = alone(WORDS, text="The cat sat.", text_b="It was on the mat.")
    app.button_group(key="hidden_word").set_value(7).run()
    whole(app)
    assert [box.value for box in app.text_input[:2]] == ["The cat sat.", "It was on the mat."]
    assert "It was on the :blue[" in said(app)


def test_hiding_keeps_everything_else_and_a_typed_mask_without_a_guess() -> None:
    text = "Don't go, [MASK]: it's  over!"
    assert [word.text for word in split_words((text, None))] == ["Don't", "go", "[MASK]", "it's", "over"]
    assert hide_word((text, None), 0) == ("[MASK] go, [MASK]: it's  over!", None)
    assert hide_word((text, "So go."), 6, ["Anna"]) == ("Don't go, Anna: it's  over!", "So [MASK].")


def test_a_model_without_masked_words_says_why_and_offers_one_that_has(tiny: Callable[[str], Path]) -> None:
    app = alone(WORDS, model=tiny("gpt2"), text=MAN)
    whole(app)
    assert "no LM head for masked words" in messages(app)
    next(button for button in app.button if DEFAULT_MODEL in button.label).click().run()
    whole(app)
    assert figures(app)


def test_words_of_another_language_are_said_beside_its_guesses() -> None:
    app = alone(WORDS, text="나는 어제 went to the [MASK].")
    whole(app)
    assert f"{DEFAULT_MODEL} did not learn the language of 2 of the 5 words: “나는”, “어제”" in messages(app)
    assert "headlight-ko for Korean" in messages(app)
    assert "has little to do with these words" in messages(app)


def test_an_old_link_to_a_model_that_labels_leads_to_the_labels_once() -> None:
    app = AppTest.from_file(str(ROOT / "ui" / "script.py"), default_timeout=390).run()
    for name, value in {"model": "tagger", "text": "They play with a watch.", "query": "5"}.items():
        app.query_params[name] = value
    app.switch_page(f"../{WORDS}").run()
    whole(app)
    assert app.title[0].value == "Labels"
    chosen = app.session_state
    assert (chosen["model"], chosen["text"], chosen["query"]) == ("tagger", "They play with a watch.", 5)
    assert chosen["labelled"] == "words"
    app.switch_page(f"../{WORDS}").run()
    whole(app)
    assert app.title[0].value == "Masked words"
    assert any(DEFAULT_MODEL in button.label for button in app.button)


def test_a_model_that_labels_is_not_asked_for_masked_words(tmp_path: Path) -> None:
    folder, _ = labelled("bert", "ForTokenClassification", tmp_path)
    app = alone(WORDS, model=folder, text=MAN)
    whole(app)
    assert "no LM head for masked words" in messages(app)
    assert not figures(app)


def test_a_word_is_hidden_that_the_model_answers_with_a_word() -> None:
    model, text = load(DEFAULT_MODEL), "My dog loves pizza but my cat hates it."
    assert model.fill_mask(text.replace("pizza", "[MASK]"), top_k=1)[0].choices[0].text == ","
    app = alone(WORDS, text=text)
    whole(app)
    hidden = app.button_group(key="hidden_word").value
    words = [word.text for word in split_words((text, None))]
    assert words[hidden] != "pizza"
    best = model.fill_mask(hide_word((text, None), hidden)[0], top_k=1)[0].choices[0].text
    assert best.isalpha()
    assert f":blue[**{best}**]" in said(app)


def lenses_drawn(app: AppTest) -> list[dict[str, Any]]:
    every: list[dict[str, Any]] = list(map(json.loads, figures(app)))
    return [figure for figure in every if "Two lenses" in figure["layout"]["title"]["text"]]


def test_two_lenses_stand_beside_each_other_for_a_model_that_has_one(tiny: Callable[[str], Path]) -> None:
    app = alone(WORDS, text=MAN)
    whole(app)
    (drawn,) = lenses_drawn(app)
    model, lens = load(DEFAULT_MODEL, device="cpu"), embedded_lens(DEFAULT_MODEL)
    assert lens is not None
    plain, carried = (
        np.exp(model.predict_by_layer(MAN, lens=each).log_probabilities.max(axis=1)) for each in (None, lens)
    )
    expected = np.column_stack([plain, lens.as_they_are, carried, lens.carried])
    sent = drawn["data"][0]["z"]
    cells = np.frombuffer(base64.b64decode(sent["bdata"]), sent["dtype"]).reshape(expected.shape)
    assert_close(cells, expected, tolerance=PARITY)
    app = alone(WORDS, text=MAN, model=tiny("bert"))
    whole(app)
    assert lenses_drawn(app) == []
