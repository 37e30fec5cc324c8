"""The page "Next sentence" on the embedded model, and on models without an NSP head."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import DEFAULT_MODEL
from tests.loaded import load
from tests.ui.test_pages import alone, figures, messages
from ui.answers.next_sentence.second_sentences import SENTENCES
from ui.answers.next_sentence.short_pairs import BY_CHANCE, PAIRS, reached_by_chance
from viz.attention.sentence_pairs import block_shares, most_crossing
from viz.kit.theme import WEIGHT_FORMAT

PAIR = "pages/next_sentence.py"


def whole(app: AppTest) -> None:
    assert not app.exception
    assert "Something went wrong" not in messages(app)


@pytest.mark.parametrize("text_b", ["", "  "])
def test_three_second_sentences_are_offered_and_the_first_is_answered(text_b: str) -> None:
    text = "My dog loves pizza but my cat hates it."
    app = alone(PAIR, text=text, text_b=text_b)
    whole(app)
    model = load(DEFAULT_MODEL)
    chances = {sentence: model.next_sentence(text, sentence) for sentence in SENTENCES}
    follows, between, does_not = (option.replace("\\", "") for option in app.button_group(key="offered_b").options)
    assert (follows, does_not) == (max(chances, key=chances.__getitem__), min(chances, key=chances.__getitem__))
    assert chances[does_not] < chances[between] < chances[follows]
    assert f"B is next: {chances[follows]:{WEIGHT_FORMAT}}<" in figures(app)[0]
    app.button_group(key="offered_b").set_value(2).run()
    whole(app)
    assert f"B is next: {chances[does_not]:{WEIGHT_FORMAT}}<" in figures(app)[0]
    assert (app.session_state["text"], app.session_state["text_b"]) == (text, text_b)


def test_the_next_sentence_and_its_most_crossing_head_are_the_model_s_own() -> None:
    pair = {"text": "Where is my hat?", "text_b": "It is on the table."}
    app = alone(PAIR, **pair)
    whole(app)
    model = load(DEFAULT_MODEL)
    share = model.next_sentence(*pair.values())
    assert f"B is next: {share:{WEIGHT_FORMAT}}<" in figures(app)[0]
    layer, head = most_crossing(block_shares(model.record(*pair.values()).of("encoder")))
    assert (app.session_state["layer"], app.session_state["head"]) == (layer, head)
    app = alone(PAIR, **pair, layer=0, head=0)
    next(button for button in app.button if f"Layer {layer} · Head {head}" in button.label).click().run()
    assert (app.session_state["layer"], app.session_state["head"]) == (layer, head)


def test_a_model_that_guesses_on_short_pairs_says_so_there_and_on_its_cards() -> None:
    pairs, model = PAIRS["ko"], load("headlight-ko")
    n_right = sum((model.next_sentence(a, b) >= 0.5) + (model.next_sentence(a, c) < 0.5) for a, b, c in pairs)
    assert reached_by_chance(n_right, 2 * len(pairs)) >= BY_CHANCE
    app = alone(PAIR, model="headlight-ko", text=pairs[0][0], text_b=pairs[0][1])
    whole(app)
    (warned,) = app.warning
    assert f"Of {2 * len(pairs)} short pairs written by hand, headlight-ko is right on {n_right}" in warned.value
    assert f"one time in {round(1 / reached_by_chance(n_right, 2 * len(pairs)))} on as many" in warned.value
    for card, says in (("README.md", f"{n_right} of {2 * len(pairs)}"), ("README.ko.md", f"{n_right}개")):
        assert says in (ROOT / PRETRAINED / "headlight-ko" / card).read_text(encoding="utf-8")


def test_guessing_is_right_on_half_of_the_pairs() -> None:
    assert reached_by_chance(0, 24) == 1 == reached_by_chance(12, 24) + reached_by_chance(13, 24)


def test_every_direction_of_the_blocks_can_be_shown() -> None:
    app = alone(PAIR, text="Where is my hat?", text_b="It is on the table.", direction="A to [SEP]")
    whole(app)
    picker = app.selectbox(key="direction")
    assert picker.value == "A to [SEP]"
    picker.select("B to A").run()
    whole(app)
    assert alone(PAIR, text="A b.", text_b="C d.", direction="<script>").selectbox(key="direction").value == "crossing"


@pytest.mark.parametrize("family", ["gpt2", "roberta", "t5"])
def test_a_model_without_next_sentence_says_why_and_shows_what_it_can(family: str, tiny: Callable[[str], Path]) -> None:
    app = alone(PAIR, model=tiny(family), text="the animal was tired", text_b="it was tired")
    whole(app)
    assert "no NSP head" in messages(app)
    assert any(DEFAULT_MODEL in button.label for button in app.button)
