"""One query step by step: every number is the record's, whatever the model adds between q · k and the weight."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from models.values.errors import SelectionError
from models.values.record import AttentionRecord, Token
from tests.closeness import assert_close, is_close
from tests.models.huggingface.families import FAMILIES, save
from tests.viz.kit.calculator import Equation
from viz.kit.calculation import as_decimal, product, total
from viz.kit.demos.records import random_record, tokens_of
from viz.vectors.head_maps import head_maps
from viz.vectors.query_bands import MOST_KEYS, query_bands
from viz.vectors.query_key_value import (
    arithmetic,
    first_word,
    head_table,
    look_up,
    ordered_keys,
    score_table,
    vector_table,
)
from viz.vectors.two_queries import compared_bands

AT = {"layer": 1, "head": 2}
CAUSAL = random_record(causal=True)


def with_everything() -> AttentionRecord:
    """A soft cap, a scale a layer, a bias that differs from head to head, and a mask."""
    generator = np.random.default_rng(4)
    bias = generator.normal(size=(3, 16, 16)).astype(np.float32) + CAUSAL.bias[0]
    return replace(CAUSAL, bias=(CAUSAL.bias[0], bias), scale=(1.0, 0.7), soft_cap=2.5)


RECORDS = {
    "encoder": random_record(),
    "causal": CAUSAL,
    "cross": random_record(key_tokens=tokens_of("el animal no cruzó")),
    "soft cap, bias, scale, mask": with_everything(),
    "sinks": replace(CAUSAL, sinks=np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3, 1)),
    "query without keys": replace(random_record(), bias=(np.full((1, 1, 1), -np.inf, np.float32),) * 2),
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS.keys())
def test_every_step_is_the_record_s(record: AttentionRecord) -> None:
    for position in range(len(record.query_tokens)):
        look = look_up(record, **AT, position=position)
        assert_close(look.products.sum(axis=1), look.dots)
        assert_close(look.scores, record.scores(1, 2)[position])
        assert_close(look.weights, record.weights(1, 2)[position])
        assert look.has_sink == record.has_sinks(1)
        if look.visible.any():
            assert_close(look.weights.sum() + look.sink_share, 1)
        assert_close(look.weighted_values.sum(axis=0), look.output)
        assert_close(look.output, record.head_output(1, 2)[position])
        np.testing.assert_array_equal(look.visible, np.isfinite(record.scores(1, 2)[position]))


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "gemma2", "t5"])
def test_models_of_every_kind_are_followed_to_the_head_output(family: str, tmp_path) -> None:
    from tests.loaded import load

    recording = load(str(save(FAMILIES[family], tmp_path))).record("the animal was tired", text_b=None)
    for record in recording.attention:
        last = {"layer": record.n_layers - 1, "head": record.n_heads - 1}
        for position in range(len(record.query_tokens)):
            look = look_up(record, **last, position=position)
            assert_close(look.weights, record.weights(**last)[position])
            assert_close(look.output, record.head_output(**last)[position])


def traces(figure, name: str):
    """The heatmap of the panel with that heading."""
    headings = [note for note in figure.layout.annotations if note.text.startswith(f"<b>{name}</b>")]
    assert len(headings) == 1
    for trace in figure.data:
        axis = figure.layout[trace.yaxis.replace("y", "yaxis")]
        across = figure.layout[trace.xaxis.replace("x", "xaxis")]
        same_place = is_close([axis.domain[1], across.domain[0]], [headings[0].y, headings[0].x])
        is_grey = trace.type == "heatmap" and trace.colorscale[0][1] == trace.colorscale[-1][1]
        if same_place and trace.type != "scatter" and not is_grey:
            return trace
    raise AssertionError(name)


@pytest.mark.parametrize("width", [1260, 360])
def test_the_bands_are_the_vectors(width: int) -> None:
    record = RECORDS["encoder"]
    figure = query_bands(record, **AT, position=4, width=width)
    np.testing.assert_array_equal(traces(figure, "query q").z[0], record.query[1, 2, 4])
    np.testing.assert_array_equal(traces(figure, "key k").z, record.key[1, 2])
    np.testing.assert_array_equal(traces(figure, "q × k").z, record.query[1, 2, 4] * record.key[1, 2])
    np.testing.assert_array_equal(traces(figure, "value v").z, record.value[1, 2])
    assert_close(traces(figure, "weight").x, record.weights(1, 2)[4])
    assert_close(traces(figure, "Σ = output").z[0], record.head_output(1, 2)[4])
    numbers = traces(figure, "q · k → score").z
    assert_close(numbers[:, -1], record.scores(1, 2)[4])
    assert figure.layout.width <= width


def test_what_the_model_adds_has_a_column_and_what_it_may_not_see_is_grey() -> None:
    record = RECORDS["soft cap, bias, scale, mask"]
    figure = query_bands(record, **AT, position=4, width=1260)
    numbers = traces(figure, "q · k → score")
    headings = figure.layout[numbers.xaxis.replace("x", "xaxis")].ticktext
    assert list(headings) == ["q · k", "× 0.7", "cap ±2.5", "bias", "score"]
    steps = numbers.z[:5]
    assert_close(2.5 * np.tanh(0.7 * steps[:, 0] / 2.5) + steps[:, 3], steps[:, 4])
    assert np.isnan(numbers.z[5:]).all()
    assert np.isnan(traces(figure, "q × k").z[5:]).all()
    assert any("cannot look" in (trace.hovertemplate or "") for trace in figure.data)
    assert "masked" in str(figure.layout.annotations[-1].text)
    assert "cannot look" in arithmetic(look_up(record, **AT, position=4), 9)


def test_a_scale_of_one_is_no_step() -> None:
    record = RECORDS["soft cap, bias, scale, mask"]
    numbers = traces(query_bands(record, layer=0, head=2, position=4, width=1260), "q · k → score")
    assert numbers.z.shape[1] == 2  # the dot product and, under the soft cap, the score
    assert "×" not in arithmetic(look_up(record, layer=0, head=2, position=4), 3)


def test_sorted_by_weight_the_rows_keep_their_numbers_and_names() -> None:
    record = random_record(tokens=tokens_of("[CLS] un ##able to run [SEP]"))
    figure = query_bands(record, **AT, position=1, order="weight")
    bars = traces(figure, "weight")
    assert list(bars.x) == sorted(bars.x, reverse=True)
    assert_close(bars.x, record.weights(1, 2)[1][list(bars.y)])
    assert "##able" in figure.layout.yaxis.labelalias["2"]
    assert look_up(record, **AT, position=2).text == "##able"


def test_a_long_text_shows_the_keys_that_count_and_says_so() -> None:
    record = random_record(tokens=tokens_of("word " * 200))
    look = look_up(record, **AT, position=7)
    shown = ordered_keys(look, "sentence", most=MOST_KEYS)
    assert list(shown) == sorted(shown)
    assert look.weights[shown].min() >= np.delete(look.weights, shown).max()
    figure = query_bands(record, **AT, position=7)
    assert traces(figure, "key k").z.shape == (MOST_KEYS, 8)
    assert f"{MOST_KEYS} of 200 tokens" in str(figure.layout.annotations[-1].text).replace("<br>", " ")
    assert_close(traces(figure, "Σ = output").z[0], record.head_output(1, 2)[7])


def test_two_queries_differ_by_the_difference_of_their_products() -> None:
    record = RECORDS["encoder"]
    figure = compared_bands(record, **AT, position=2, frozen=8, order="weight")
    one, other = (traces(figure, name) for name in ("animal (2) × k", "street (8) × k"))
    keys = list(one.y)
    expected = (record.query[1, 2, 2] - record.query[1, 2, 8]) * record.key[1, 2][keys]
    assert_close(traces(figure, "difference × k").z, expected)
    assert_close(one.z - other.z, expected)
    assert one.zmax == other.zmax == traces(figure, "difference × k").zmax
    weights = [trace.x for trace in figure.data if trace.type == "bar"]
    assert_close(weights, record.weights(1, 2)[[2, 8]][:, keys])


def test_the_maps_of_a_head_are_its_vectors_and_cross_attention_draws_them_apart() -> None:
    record = RECORDS["cross"]
    keys = head_maps(record, **AT, parts=("key", "value"), position=3)
    np.testing.assert_array_equal(traces(keys, "values V").z, record.value[1, 2])
    queries = head_maps(record, **AT, parts=("query",), position=3)
    np.testing.assert_array_equal(traces(queries, "queries Q").z, record.query[1, 2])
    with pytest.raises(SelectionError, match="draw them separately"):
        head_maps(record, **AT)
    long = head_maps(random_record(tokens=tokens_of("word " * 600)), layer=0, head=0)
    assert "first 512 of 600" in str(long.layout.annotations[-1].text)
    assert long.layout.height < 2000


def test_the_tables_hold_every_step_and_every_dimension() -> None:
    record = RECORDS["soft cap, bias, scale, mask"]
    look = look_up(record, **AT, position=4)
    scores = score_table(look)
    np.testing.assert_array_equal(scores["score"], look.scores)
    assert list(scores["may_look"]) == [True] * 5 + [False] * 11
    vectors = vector_table(look).set_index("vector")
    dimensions = [str(dimension) for dimension in range(8)]
    np.testing.assert_array_equal(vectors.loc["query x key", dimensions], look.products)
    np.testing.assert_array_equal(vectors.loc["output", dimensions], look.output)
    whole = head_table(record, **AT).set_index("vector")
    np.testing.assert_array_equal(whole.loc["value", dimensions], record.value[1, 2])


def test_the_first_word_is_chosen_and_a_text_of_special_tokens_has_a_query_too() -> None:
    assert first_word(random_record(tokens=tokens_of("[CLS] the dog [SEP]"))) == 1
    assert first_word(random_record(tokens=tokens_of("[CLS] [SEP]"))) == 0


@pytest.mark.parametrize("wrong", [{"position": 16}, {"position": -1}, {"layer": 2}, {"head": 3}])
def test_what_is_not_there_is_named(wrong: dict[str, int]) -> None:
    with pytest.raises(SelectionError, match=next(iter(wrong))):
        query_bands(random_record(), **(AT | {"position": 0} | wrong))


def test_tokens_stay_text() -> None:
    tokens = [Token(text=text) for text in ("<b>bold</b>", "</script>", "$x$")]
    for figure in (
        query_bands(random_record(tokens=tokens), **AT, position=0),
        compared_bands(random_record(tokens=tokens), **AT, position=0, frozen=1),
    ):
        assert "<b>bold" not in str(figure.to_dict())
        assert "</script>" not in str(figure.to_dict())


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS.keys())
def test_a_pocket_calculator_confirms_the_way_to_the_score(record: AttentionRecord) -> None:
    """Each step of the chain is worked out from the digits that are printed before it."""
    for position in range(len(record.query_tokens)):
        look = look_up(record, **AT, position=position)
        for key in np.flatnonzero(look.visible):
            reached = None
            chain, _, _ = arithmetic(look, int(key)).partition(", after the softmax")
            for link in chain.split(", "):
                does, sign, result = re.fullmatch(r"(.*) ([=≈]) (.*)", link).groups()
                if does.startswith("×"):
                    assert Equation(product((reached, as_decimal(does[2:]))), sign, as_decimal(result)).holds, chain
                elif does.startswith("bias"):
                    assert Equation(total((reached, as_decimal(does[5:]))), sign, as_decimal(result)).holds, chain
                reached = as_decimal(result)
            assert_close(float(reached), look.scores[key], step=1e-4)
