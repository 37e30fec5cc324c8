"""Work over a corpus: what its parts come to together is what the whole comes to."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from models.analysis.attribution.faithfulness import faithfulness
from models.analysis.over_texts.atlas import atlas, atlases_of
from models.analysis.over_texts.corpus import sample_texts
from models.analysis.over_texts.faithful import FaithfulnessSums, faithfulness_sums
from models.engine import __main__ as command
from models.engine.corpus import ATLAS, CONTENT, over_parts, parts_of
from models.model import Model
from models.values.errors import MissingCapabilityError, TextError
from tests.closeness import assert_close
from tests.loaded import load

TEXTS = sample_texts()[:23]
METHODS = ("raw", "leave_out")


@pytest.fixture(scope="module")
def sentiment() -> Model:
    return load("sentiment", device="cpu")


def test_parts_are_all_texts_in_their_order() -> None:
    parts = list(parts_of(iter(TEXTS), 7))
    assert [len(part) for part in parts] == [7, 7, 7, 2]
    assert sum(parts, ()) == TEXTS


def test_content_words_are_counted_alike_in_parts() -> None:
    told: list[int] = []
    in_parts = over_parts(CONTENT, "mini-bert", TEXTS, n_texts=7, progress=told.append)
    assert in_parts == over_parts(CONTENT, "mini-bert", TEXTS)
    assert in_parts.n > in_parts.top_5 > in_parts.top_1 > 0
    assert told == [7, 14, 21, 23]
    with pytest.raises(MissingCapabilityError, match="is no embedded BERT with an LM head"):
        over_parts(CONTENT, "mini-gpt", TEXTS)


def test_the_atlas_of_parts_is_that_of_the_corpus() -> None:
    model = load("mini-bert", device="cpu")
    (whole,), (in_parts,) = atlas(model, TEXTS), atlases_of(model, over_parts(ATLAS, "mini-bert", TEXTS, n_texts=7))
    assert (whole.n_texts, whole.n_pieces, whole.examples) == (in_parts.n_texts, in_parts.n_pieces, in_parts.examples)
    for one, other in zip(whole.measures, in_parts.measures, strict=True):
        assert one.measure == other.measure
        assert_close(one.values, other.values)
    with pytest.raises(TextError, match="No text of the corpus"):
        atlases_of(model, over_parts(ATLAS, "mini-bert", ()))


def test_faithfulness_over_texts_is_the_mean_of_that_of_each(sentiment: Model) -> None:
    texts = ("A really good film.", " ", "I did not like the slow ending at all.")
    one, other = (faithfulness_sums(sentiment, part, METHODS, n_random=3) for part in (texts[:1], texts[1:]))
    means = (FaithfulnessSums() + one + other).means()
    alone = [faithfulness(sentiment, text, METHODS, n_random=3) for text in (texts[0], texts[2])]
    assert one.n_texts + other.n_texts == 2
    assert tuple(means) == (*METHODS, "random")
    for row, name in enumerate(METHODS):
        expected = [np.mean([getattr(each.curves[row], what) for each in alone]) for what in MEASURED]
        assert_close(means[name], expected)
    drawn = [np.mean([getattr(curve, what) for each in alone for curve in each.random]) for what in MEASURED]
    assert_close(means["random"], drawn)


MEASURED = ("comprehensiveness", "sufficiency")


def test_sums_of_different_methods_are_not_added(sentiment: Model) -> None:
    one, other = (faithfulness_sums(sentiment, ["A good film."], [name], n_random=1) for name in METHODS)
    with pytest.raises(ValueError, match="different methods"):
        one + other
    with pytest.raises(TextError, match="No text of the corpus"):
        faithfulness_sums(sentiment, ["", "  "]).means()


def test_the_command_writes_what_a_corpus_comes_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "content.json"
    given = ["content", "--model", "mini-bert", "--texts", "5", "--part", "2", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["models.engine", *given])
    command.main()
    assert json.loads(out.read_text(encoding="utf-8")) == over_parts(CONTENT, "mini-bert", TEXTS[:5]).shares()


def test_the_command_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["atlas", "--model", "mini-bert", "--text", str(tmp_path), "--out", str(tmp_path / "atlas.json")]
    monkeypatch.setattr(sys, "argv", ["models.engine", *given])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 1
    assert "has no file that ends in" in capsys.readouterr().err
