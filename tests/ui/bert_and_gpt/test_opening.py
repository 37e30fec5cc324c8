"""The word that the page "BERT and GPT" opens on, and what is said of it."""

from __future__ import annotations

from models.opening.registry import DEFAULT_MODEL
from tests.closeness import assert_close
from tests.loaded import load
from tests.ui.test_pages import alone, figures
from ui.answers.bert_and_gpt.same import GUESSED_AT_ONCE
from ui.state.choices import CAUSAL_MODEL
from viz.kit.theme import whole_percent
from viz.two_models.guesses import most_different_token
from viz.two_models.sight import same_place

PAGE = "pages/bert_and_gpt.py"


def test_it_opens_on_the_word_that_both_sides_give_away_and_says_both_guesses() -> None:
    app = alone(PAGE)
    assert not app.exception
    both, left = (load(name).guess_tokens(app.session_state["text"]) for name in (DEFAULT_MODEL, CAUSAL_MODEL))
    position = app.session_state["blank"]
    assert both.tokens[position].text == "dog"
    one, other = both.of(position), left.of(position)
    assert one is not None
    assert other is not None
    assert one.rank == 1 < other.rank
    ratios = [
        guess.probability / second.probability
        for guess in both.guesses
        if both.tokens[guess.position].text.isalpha() and guess.rank == 1
        if (place := same_place(both.tokens, guess.position, left.tokens)) is not None
        if (second := left.of(place)) is not None and second.rank > 1
        if left.tokens[place].text == both.tokens[guess.position].text
    ]
    assert_close(one.probability / other.probability, max(ratios))
    (news,) = (element.value.replace("\\", "") for element in app.subheader)
    for guess in (one, other):
        assert f"“{guess.choices[0].text}” ({whole_percent(guess.choices[0].probability)})" in news
    assert " ".join(figures(app)).count(other.choices[0].text) >= 2, "in the frame, and beside the name of the model"


def test_no_part_of_a_contraction_is_the_word_that_it_opens_on() -> None:
    text = "The animal didn't cross the street because it was too tired."
    both, left = (load(name).guess_tokens(text) for name in (DEFAULT_MODEL, CAUSAL_MODEL))
    position = most_different_token(both, left)
    assert position is not None
    assert both.tokens[position].text not in ("didn", "'", "t")


def test_a_long_text_is_not_guessed_before_anybody_asks() -> None:
    app = alone(PAGE, text="word " * (GUESSED_AT_ONCE + 1), model="mini-bert")
    assert not app.exception
    assert not app.subheader
    assert app.session_state["blank"] == 25
