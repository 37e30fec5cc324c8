"""The page "Positions": every section on the embedded model and on models with the other schemes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from models.opening.registry import DEFAULT_MODEL
from tests.closeness import PARITY, assert_close
from tests.loaded import load
from tests.ui.test_pages import alone, compared, figures, messages
from ui.layers.positions.page import SECTIONS
from ui.state.addresses import read_address, to_address
from ui.state.choices import SCHEMES, Selection

POSITIONS = "pages/positions.py"
DOG = "the dog saw the man"


def opened(scheme: str, **choices: object) -> AppTest:
    app = alone(POSITIONS, scheme=scheme, **choices)
    assert not app.exception
    assert "Something went wrong" not in messages(app)
    return app


def said(app: AppTest) -> str:
    """What the page says, without the links of words to their entries."""
    findings = [about["finding"] for about in compared(app)]
    written = " ".join([*findings, *(element.value for element in (*app.markdown, *app.caption))]).replace("\\", "")
    return re.sub(r"\[([^\]]*)\]\(#word-[\w-]+\)", r"\1", written)


def largest_difference(app: AppTest) -> float:
    """The number that the page says for all heads, or the one that it says it stays below."""
    rounding = re.search(r"between two weights is under ([\d.]+): rounding", said(app))
    if rounding is not None:
        return float(rounding.group(1))
    found = re.search(r"by up to (\d+)% in all", said(app))
    assert found is not None
    return int(found.group(1)) / 100


def test_every_choice_of_a_section_is_drawn() -> None:
    assert set(SECTIONS) == set(SCHEMES)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_section_opens_with_pictures_and_says_what_the_model_does(scheme: str) -> None:
    app = opened(scheme)
    assert figures(app)
    assert f"{DEFAULT_MODEL} learns its positions" in said(app)
    assert not app.error


def test_an_address_restores_the_sliders_of_the_formula() -> None:
    app = opened("sinusoidal", length=32, d_model=16, base=1000, pair=3, shift=2)
    assert "32 positions and 8 pairs" in said(app)
    assert "1000" in " ".join(element.value for element in app.latex)
    assert "Pair 3" in " ".join(figures(app))
    worst = re.search(r"less than \*\*([\d.]+)\*\*", said(app))
    assert worst is not None
    assert_close(float(worst.group(1)), 0, magnitude=1)
    app.slider(key="length").set_value(40).run()
    assert app.query_params["length"] in ("40", ["40"])


@pytest.mark.parametrize(
    "wrong",
    [{"length": 0}, {"length": 513}, {"d_model": 7}, {"d_model": 99999}, {"base": 0}, {"pair": 9999}, {"shift": 65}],
)
def test_what_does_not_fit_in_an_address_is_left_out_or_brought_into_bounds(wrong: dict[str, int]) -> None:
    assert figures(opened("sinusoidal", **wrong))


def test_the_fewest_dimensions_leave_the_pair_within_bounds() -> None:
    app = opened("sinusoidal", pair=60)
    app.slider(key="d_model").set_value(8).run()
    assert not app.exception
    assert app.slider(key="pair").value == 3


def test_an_address_restores_every_choice_and_drops_what_is_not_offered() -> None:
    chosen = Selection(
        scheme="alibi",
        length=512,
        d_model=512,
        base=1000000,
        pair=9,
        shift=64,
        alibi_heads=32,
        bias_head=31,
        buckets=8,
        max_distance=256,
        both_ways=False,
        with_positions=True,
        seed=999,
    )
    assert Selection(**read_address(to_address(chosen))) == chosen
    wrong = {"scheme": "none", "length": "1", "d_model": "9", "base": "7", "shift": "65", "alibi_heads": "0"}
    assert read_address(wrong | {"buckets": "33", "max_distance": "1e3", "seed": "-1", "pair": "x"}) == {}


def test_a_section_that_is_not_there_is_the_first() -> None:
    assert "The same attention" in said(opened("<script>"))


def test_the_learned_table_is_the_model_s_own(tiny: Callable[[str], Path]) -> None:
    app = opened("learned", model=tiny("roberta"))
    assert "128 vectors of 32 dimensions" in said(app)
    assert len(figures(app)) == 5


def test_sinusoids_of_a_model_are_shown_as_its_table(tiny: Callable[[str], Path]) -> None:
    app = opened("learned", model=tiny("marian"))
    assert "adds sinusoids" in said(app)
    assert len(figures(app)) == 5


def test_a_model_without_a_table_says_so_and_offers_one_that_has(tiny: Callable[[str], Path]) -> None:
    app = opened("learned", model=tiny("llama"))
    assert "no table of positions" in messages(app)
    assert not figures(app)
    next(button for button in app.button if DEFAULT_MODEL in button.label).click().run()
    assert len(figures(app)) == 5


def test_rotary_angles_are_those_of_the_model_or_said_to_be_the_formula_s(tiny: Callable[[str], Path]) -> None:
    assert "does not turn its queries and keys" in said(opened("rotary"))
    app = opened("rotary", model=tiny("llama"), pair=60)
    assert "turns its queries and keys" in said(app)
    assert "in its first layer" in said(app)
    assert app.slider(key="pair").value == 3  # heads of 8 dimensions have 4 pairs
    before = figures(app)[2]
    next(button for button in app.button if "Another query" in button.label).click().run()
    assert figures(app)[2] != before
    assert app.query_params["seed"] in ("1", ["1"])


@pytest.mark.parametrize(("n_heads", "head"), [(1, 0), (12, 11), (32, 3)])
def test_alibi_for_any_number_of_heads(n_heads: int, head: int) -> None:
    app = opened("alibi", alibi_heads=n_heads, bias_head=300 if head == n_heads - 1 else head)
    assert f"The bias of head {head}" in " ".join(figures(app))


def test_the_bias_of_a_t5_is_its_own_and_without_one_the_buckets_stand_alone(tiny: Callable[[str], Path]) -> None:
    app = opened("buckets", both_ways="no", buckets=16, max_distance=64)
    assert "it takes a T5" in messages(app)
    assert any("google-t5/t5-small" in button.label for button in app.button)
    assert len(figures(app)) == 1
    app = opened("buckets", model=tiny("t5"), bias_head=2)
    assert "T5's relative buckets" in said(app)
    assert len(figures(app)) == 3
    assert "The bias of head 2" in " ".join(figures(app))


def test_without_positions_the_order_does_not_count_and_with_them_it_does() -> None:
    app = opened("why", text=DOG, layer=2, head=1)
    assert_close(largest_difference(app), 0, tolerance=PARITY, magnitude=1)
    assert "The same attention" in said(app)
    assert "Layer 2 · Head 1" in figures(app)[-1]
    app.button_group(key="with_positions").set_value([True]).run()
    assert not app.exception
    assert largest_difference(app) > 0.01
    assert "The same attention" not in said(app)


def orders(app: AppTest) -> list[list[str]]:
    """The tokens of both sentences, without special ones."""
    (about,) = compared(app)
    sides = [about["sides"][side]["queries"] for side in ("one", "other")]
    return [
        [text for text, special in zip(side["texts"], side["special"], strict=True) if not special] for side in sides
    ]


def test_it_opens_on_who_bites_whom() -> None:
    app = opened("why")
    assert orders(app) == [["the", "dog", "bites", "the", "man", "."], ["the", "man", "bites", "the", "dog", "."]]
    assert "The same attention in all 72 heads" in said(app)
    app.button_group(key="with_positions").set_value([True]).run()
    place = app.session_state["layer"], app.session_state["head"]
    pair = load(DEFAULT_MODEL).record_shuffled("The dog bites the man.", with_positions=True, seed=249)
    dog, man = (read.of("encoder").weights(*place)[3, 2] for read in (pair.written, pair.shuffled))
    assert f"“bites” looks at “dog” ({dog:.0%}), in the other order at “man” ({man:.0%})." in said(app)
    assert min(dog, man) > 0.9
    (about,) = compared(app)
    assert [about["sides"][side]["held"] for side in ("one", "other")] == [[3], [3]]


def test_in_korean_the_object_of_the_verb_turns_with_the_order() -> None:
    app = opened("why", lang="ko", with_positions="yes")
    written, shuffled = orders(app)
    assert written[:5] == ["고양이", "##가", "쥐", "##를", "잡"]
    assert shuffled[:5] == ["쥐", "##가", "고양이", "##를", "잡"]
    (about,) = compared(app)
    assert re.search(r"“잡”.*“쥐”\(4\d%\).*“고양이”\(6\d%\)", about["finding"])


def test_another_shuffle() -> None:
    app = opened("why", text=DOG, seed=3)
    before = orders(app)
    assert sorted(before[1]) == sorted(DOG.split())
    next(button for button in app.button if "Shuffle anew" in button.label).click().run()
    assert app.query_params["seed"] in ("4", ["4"])
    assert orders(app)[0] == before[0]
    assert orders(app)[1] != before[1]


def test_a_text_that_is_too_long_for_two_sentences_says_so() -> None:
    app = opened("why", text="word " * 300)
    assert "up to 256 can be set side by side" in messages(app)


def test_the_difference_is_that_of_the_model() -> None:
    app = opened("why", text=DOG, with_positions="yes", layer=1, head=4, seed=2)
    pair = load(DEFAULT_MODEL).record_shuffled(DOG, with_positions=True, seed=2)
    written, shuffled = (one.of("encoder").weights(1, 4) for one in (pair.written, pair.shuffled))
    largest = np.abs(shuffled - written[np.ix_(pair.order, pair.order)]).max()
    assert f"by up to {largest:.0%} in this head" in said(app)


@pytest.mark.parametrize("family", ["t5", "gpt2"])
def test_a_model_whose_order_cannot_be_taken_away_says_why(family: str, tiny: Callable[[str], Path]) -> None:
    app = opened("why", model=tiny(family), text="the animal was tired")
    assert messages(app)
    assert not app.error
    next(button for button in app.button if DEFAULT_MODEL in button.label).click().run()
    assert len(compared(app)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("word", "nothing to shuffle"),
        ("   ", "only spaces"),
        ("long story " * 400, "cut"),
        ("<script>alert(1)</script> $x$ `c` ![i](http://h/p.png)", ""),
        ("שלום עולם مرحبا", ""),
        ("🙂🎉 👩‍👩‍👧‍👦", ""),
    ],
)
def test_odd_text_gets_a_picture_or_a_sentence(text: str, expected: str) -> None:
    app = opened("why")
    app.text_input[0].set_value(text)
    app.button[0].click().run()
    assert not app.exception
    assert "Something went wrong" not in messages(app)
    assert expected in messages(app)
    assert figures(app) or messages(app)


def test_a_pair_the_mean_head_and_layers_that_are_not_there() -> None:
    app = opened("why", text=DOG, text_b="he is sad", head="mean", layer=900)
    info = load(DEFAULT_MODEL).info
    assert f"mean over {info.n_heads} heads" in figures(app)[-1]
    assert f"Layer {info.n_layers - 1}" in figures(app)[-1]
    assert_close(largest_difference(app), 0, magnitude=1)


def test_a_model_that_is_not_there_leaves_the_formulas() -> None:
    app = opened("sinusoidal", model="no-such-organisation/no-such-model")
    assert len(app.error) == 1
    assert figures(app)
    for scheme in ("learned", "rotary", "alibi", "buckets", "why"):
        assert len(opened(scheme, model="no-such-organisation/no-such-model").error) == 1
