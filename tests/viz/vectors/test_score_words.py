"""Why a head looks at a token, drawn and said: every arc is a pair of the sum, every number is one of its numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.analysis import score_parts
from models.values.results.scores import ScoreParts
from tests.closeness import assert_close
from tests.loaded import load
from viz.kit.demos.answers import random_score
from viz.kit.theme import PALETTES
from viz.vectors.score_arcs import score_arcs
from viz.vectors.score_words import finding_of_score, pairs_in_words, score_table, with_sign

TEXT = "The animal didn't cross the street because it was too tired."


@pytest.mark.parametrize("width", [350, 900])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_arc_is_as_thick_as_its_pair_is_large_and_dotted_where_it_takes_away(width: int, theme: str) -> None:
    parts = random_score()
    pairs, shapes = parts.largest(12), score_arcs(parts, theme=theme, width=width).layout.shapes
    assert len(shapes) == len(pairs)
    widths = [shape.line.width for shape in shapes]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 3 * widths[-1]
    for pair, shape in zip(pairs, shapes, strict=True):
        palette = PALETTES[theme]
        assert shape.line.color == (palette.bar if pair.value > 0 else palette.accent)
        assert (shape.line.dash == "dot") == (pair.value < 0)
    assert {pair.value > 0 for pair in pairs} == {True, False}


def test_the_layers_run_down_to_the_embeddings_on_both_sides() -> None:
    parts = random_score()
    figure = score_arcs(parts, n=parts.matrix.size)
    headings = [note.text for note in figure.layout.annotations]
    assert [text for text in headings if text in {"Layer 1", "Layer 0", "Embeddings and biases"}] == [
        "Layer 1",
        "Layer 0",
        "Embeddings and biases",
    ]
    for trace, sums in zip(figure.data, (parts.by_query_part, parts.by_key_part), strict=False):
        assert len(trace.text) == len(sums)
        assert list(trace.y) == sorted(trace.y)
        assert sorted(text.rsplit(maxsplit=1)[1] for text in trace.text) == sorted(map(with_sign, sums))


def test_the_table_has_every_pair_and_the_bias_and_sums_to_the_score() -> None:
    parts = replace(random_score(), bias=0.25)
    table = score_table(parts)
    assert len(table) == parts.matrix.size + 1
    assert_close(table["adds"].sum(), parts.total)
    assert list(table["query_part"])[-1] == "distance"
    assert "the model adds for the distance" in finding(parts)


def finding(parts: ScoreParts) -> str:
    model = load("headlight-bert")
    return " ".join(finding_of_score(parts, model.record(TEXT)))


def test_the_finding_names_the_part_that_adds_most_and_what_it_has_read() -> None:
    model = load("headlight-bert")
    record = model.record(TEXT).of("encoder")
    parts = score_parts(model, TEXT, query=10, key=2, layer=3, head=1)
    said = finding(parts)
    by_key = parts.by_key_part[:-1]
    assert with_sign(by_key.max()) in said
    assert with_sign(parts.by_query_part[:-1].max()) in said
    assert with_sign(parts.score) in said
    with_biases = parts.matrix.sum() - parts.matrix[:-1, :-1].sum()
    assert f"{with_sign(with_biases)} comes with biases" in said
    assert f"({record.weights(3, 1)[10, 2]:.0%})" in said
    for key in range(record.n_key):
        other = score_parts(model, TEXT, query=10, key=key, layer=5, head=3)
        weight = record.weights(5, 3)[10, key]
        said = finding(other)
        assert ("hardly looks" in said) == (weight < 1 / record.n_key)
        best = other.key_parts[int(np.argmax(np.sign(other.score) * other.by_key_part[:-1]))]
        if best.of == "head":
            assert f"Layer {best.layer} · Head {best.head}" in said
            assert f"({record.weights(best.layer, best.head)[key].max():.0%})" in said


def test_who_hears_the_page_hears_the_pairs() -> None:
    parts = random_score()
    heard = pairs_in_words(parts).split("; ")
    assert len(heard) == 12
    assert heard[0].endswith(with_sign(parts.largest(1)[0].value))
