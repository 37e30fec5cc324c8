"""How new tokens are drawn, and what they look at: the arithmetic beside torch's, the pictures beside the record."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from models.values.errors import RecordError, SelectionError
from models.values.record import Token
from models.values.writing import apply_temperature, entropy_bits
from tests.closeness import assert_close
from viz.kit.theme import LIGHT, percentage
from viz.kit.tokens import token_texts
from viz.writing.candidates import (
    CUT,
    TAKEN,
    candidate_chances,
    candidate_table,
    first_tokens,
    rule_sentence,
)
from viz.writing.demo import writing as translation
from viz.writing.demo_continuation import PROMPT, continuation, drawn_token
from viz.writing.new_token import (
    MOST,
    STRONGEST,
    attention_table,
    new_token,
    new_token_attention,
    strongest_bars,
)

D_VOCAB = 400


def distribution(seed: int, n: int = D_VOCAB) -> np.ndarray:
    logits = np.random.default_rng(seed).normal(scale=2.5, size=n)
    raised = np.exp(logits - logits.max())
    return np.sort(raised / raised.sum())[::-1]


def note_of(figure) -> str:
    return " ".join(text.text for text in figure.layout.annotations).replace("<br>", " ")


def writing_with(p: np.ndarray, n_candidates: int, *, taken: int = 0, **rule: float):
    """A writing by a model that gives its tokens these probabilities at position 2."""
    writing = continuation()
    tokens = list(writing.written)
    tokens[2] = drawn_token(tokens[2], p, [f"w{place}" for place in range(n_candidates)], taken=taken, **rule)
    return replace(writing, written=tuple(tokens), info=replace(writing.info, d_vocab=len(p)))


def test_the_bars_are_both_probabilities_and_what_is_cut_off_is_grey_and_says_so() -> None:
    p = distribution(4)
    rule = {"temperature": 0.6, "top_k": 4}
    figure = candidate_chances(writing_with(p, 20, taken=2, **rule), number=2, **rule)
    (bars,) = figure.data
    expected = apply_temperature(np.log(p), **rule)
    assert_close(bars.x[::2], p[:10])
    assert_close(bars.x[1::2], expected[:10], tolerance=1e-12)
    assert list(bars.text[1::2]) == [*(percentage(float(one)) for one in expected[:4]), *[CUT] * 6]
    assert list(bars.marker.color[::2]) == [LIGHT.bar] * 4 + [LIGHT.still] * 6
    marked = [text for text in figure.layout.yaxis.ticktext if TAKEN.strip() in text]
    assert len(marked) == 1
    assert "w2" in marked[0]
    assert f"an entropy of {entropy_bits(np.log(p)):.2f} bits" in note_of(figure)


def test_a_hot_draw_of_all_tokens_is_drawn_as_it_was() -> None:
    p = distribution(6)
    rule = {"temperature": 1.8, "top_k": 0}
    figure = candidate_chances(writing_with(p, 10, **rule), number=2, **rule)
    drawn = apply_temperature(np.log(p), **rule)[:10]
    assert_close(figure.data[0].x[1::2], drawn, tolerance=1e-12)
    assert list(figure.data[0].text[1::2]) == [percentage(float(one)) for one in drawn]


def test_without_a_draw_the_likeliest_is_sure_and_nothing_is_cut_off() -> None:
    rule = {"temperature": 0, "top_k": 4}
    (bars,) = candidate_chances(writing_with(distribution(6), 10, **rule), number=2, **rule).data
    assert list(bars.x[1::2]) == [1] + [0] * 9
    assert CUT not in bars.text


def test_what_a_checkpoint_forbids_is_cut_off_without_top_k_too() -> None:
    writing = writing_with(distribution(6), 10, temperature=1, top_k=0)
    token = replace(writing.token(2), drawn=(*writing.token(2).drawn[:9], 0.0))
    (bars,) = candidate_chances(
        replace(writing, written=(*writing.written[:2], token, *writing.written[3:])), number=2, temperature=1, top_k=0
    ).data
    assert [text == CUT for text in bars.text[1::2]] == [False] * 9 + [True]


def test_a_taken_token_far_down_is_drawn_below_the_others() -> None:
    p = distribution(5)
    writing = writing_with(p, 20, taken=17, temperature=1, top_k=0)
    figure = candidate_chances(writing, number=2, temperature=1, top_k=0)
    assert "w17" in figure.layout.yaxis.ticktext[-1]
    assert len(figure.data[0].x) == 11  # one bar each: nothing is changed
    figure = candidate_chances(writing_with(p, 20, taken=37, temperature=2, top_k=0), number=2, temperature=2, top_k=0)
    chance = percentage(float(apply_temperature(np.log(p), temperature=2)[37]))
    assert f"not among these candidates, drawn with {chance} (the model: {percentage(float(p[37]))})" in note_of(figure)


def test_the_rule_is_said_in_words() -> None:
    assert "always the likeliest token" in rule_sentence(0, 5)
    assert "5 likeliest" in rule_sentence(0.5, 5)
    assert "sharper" in rule_sentence(0.5, 0)
    assert "flatter" in rule_sentence(1.5, 0)


def test_the_table_holds_every_candidate_at_every_position_with_its_chance() -> None:
    rule = {"temperature": 0.5, "top_k": 3}
    writing = continuation(**rule)
    table = candidate_table(writing, **rule)
    n_candidates = len(writing.written[0].candidates)
    assert len(table) == len(writing.written) * n_candidates
    first = table[table["step"] == 0]
    p = [choice.probability for choice in writing.written[0].candidates]
    assert_close(first["drawn"], apply_temperature(np.log(p), **rule))
    assert list(first["is_cut"]) == [False] * 3 + [True] * (n_candidates - 3)
    for number, token in enumerate(writing.written):
        here = table[table["step"] == number]
        assert set(here["taken_drawn"]) == set(here["drawn"][here["is_taken"]]) == {token.chosen_drawn}
        assert set(here["entropy_bits"]) == {token.entropy}


def test_the_first_tokens_are_a_writing_that_has_not_ended() -> None:
    writing = continuation()
    early = first_tokens(writing, 3)
    assert early.text == writing.written[2].text_so_far
    assert not early.is_finished
    assert first_tokens(writing, 99) is writing


# -- what it looks at -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", [3, None])
def test_a_new_token_looks_at_the_row_of_the_token_before_it(head: int | None) -> None:
    writing = continuation()
    record = writing.recording.of("decoder")
    for number in (0, 4, len(writing.written) - 1):
        row = writing.token(number).position
        found = new_token(writing, number=number, layer=1, head=head)
        weights = record.mean_weights(1) if head is None else record.weights(1, head)
        assert_close(found.weights, weights[row, : row + 1])
        assert_close(found.weights.sum(), 1)
        assert found.written == writing.token(number).chosen.text
        assert found.n_prompt == len(PROMPT.split())


def test_the_words_are_shaded_by_their_weights_and_the_new_one_is_framed() -> None:
    writing = continuation()
    figure = new_token_attention(writing, number=4, layer=0, head=3)
    found = new_token(writing, number=4, layer=0, head=3)
    (words, feet) = (trace for trace in figure.data if trace.mode == "text")
    assert len(words.text) == len(found.tokens) + 1
    assert "<b>" in words.text[-1]
    assert list(feet.text) == [f"{weight:.0%}" for weight in found.weights if weight >= 0.02]
    assert percentage(float(found.weights[3])) in words.customdata[3]
    narrow = new_token_attention(writing, number=4, layer=0, head=3, width=350)
    assert not [shape for shape in narrow.layout.shapes if shape.type == "path"]
    assert len([shape for shape in figure.layout.shapes if shape.type == "path"]) == len(feet.text)


def test_the_strongest_and_all_others_together_are_everything() -> None:
    writing = continuation()
    (bars,) = strongest_bars(writing, number=6, layer=2, head=1).data
    weights = new_token(writing, number=6, layer=2, head=1).weights
    assert len(bars.x) == STRONGEST + 1
    assert_close(bars.x[:-1], np.sort(weights)[::-1][:STRONGEST])
    assert_close(sum(bars.x), 1)


def test_a_long_text_is_drawn_from_its_end() -> None:
    prompt = " ".join(["[CLS]", *(f"w{number}" for number in range(200))])
    writing = continuation(prompt)
    figure = new_token_attention(writing, number=2, layer=0, head=0, width=390)
    words = next(trace for trace in figure.data if trace.mode == "text")
    assert len(words.text) == MOST + 1
    assert "the last 160 tokens" in note_of(figure)


def test_the_table_of_the_attention_has_a_row_for_every_pair() -> None:
    writing = continuation()
    table = attention_table(writing, layer=0, head=3)
    assert len(table) == sum(each.position + 1 for each in writing.written)
    assert_close(table.groupby("step")["weight"].sum(), 1)


def test_what_is_not_there_is_named() -> None:
    writing = continuation()
    with pytest.raises(SelectionError, match="token 99"):
        candidate_chances(writing, number=99, temperature=1, top_k=0)
    with pytest.raises(RecordError, match="not sampled"):
        candidate_chances(translation(), number=0, temperature=1, top_k=0)
    with pytest.raises(SelectionError, match="head 77"):
        new_token_attention(writing, number=0, layer=0, head=77)


def test_half_a_character_does_not_spoil_the_other_words() -> None:
    cut = [Token(text="The"), Token(text="Ġcat"), Token(text="ì"), Token(text="Ġmat")]
    assert token_texts(cut) == ("The", "cat", "0xEC …", "mat")
    assert token_texts([Token(text="play"), Token(text="##ing")]) == ("play", "##ing")


def test_hostile_words_stay_words() -> None:
    writing = continuation("[CLS] <script>alert(1)</script> $x$", "<img/src=x> & <b>b</b>")
    for figure in (
        candidate_chances(writing, number=0, temperature=0.5, top_k=5),
        new_token_attention(writing, number=1, layer=0, head=0),
        strongest_bars(writing, number=1, layer=0, head=0),
    ):
        drawn = json.dumps(json.loads(figure.to_json()))
        assert "<script" not in drawn
        assert "<img" not in drawn
        assert "<b>b</b>" not in drawn


def test_the_last_token_that_was_never_read_is_the_chosen_one() -> None:
    writing = continuation(written="=1+1 ##ing")
    assert new_token(writing, number=1, layer=0, head=0).written == "##ing"
    assert isinstance(new_token(writing, number=0, layer=0, head=0).tokens[0], Token)
