"""How a model learned, in lessons: the answers beside the snapshots themselves."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from lessons.answers.training import NEVER, read_over_training
from models.opening.entries import PRETRAINED, ROOT
from models.opening.relatives import iteration_of, snapshots_beside
from models.values.errors import SelectionError
from models.values.history import ATTENDS, ends_of
from tests.closeness import assert_close
from tests.lessons.asking import CAT, of, value
from tests.loaded import load

COPIER, ROW = f"{PRETRAINED.as_posix()}/copier/step-000250", "k e y w o r d"
TINY = f"{PRETRAINED.as_posix()}/tiny-bert/step-001708"
LINES = json.loads((ROOT / PRETRAINED / "tiny-bert" / "trajectory.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("line", LINES[::3], ids=lambda line: str(line["step"]))
def test_the_number_of_tokens_is_e_to_the_loss_that_was_measured(line: dict[str, float]) -> None:
    outcome = of("loss-at", TINY, iteration=str(line["step"]))
    assert_close(outcome.number, math.exp(line["loss"]))
    assert_close(value(outcome, "right"), line["top_1"])
    assert value(outcome, "tokens") == line["pieces"]
    assert value(outcome, "vocabulary") == load(TINY).info.d_vocab
    assert len(outcome.bars) == sum(other["step"] <= line["step"] for other in LINES)


def test_a_head_begins_where_its_row_weights_pass_a_half() -> None:
    outcome = of("begins-at", TINY, text=CAT, head="1.1", measure="previous")
    names = {**snapshots_beside(TINY), LINES[-1]["step"]: TINY}
    shares = []
    for iteration in sorted(names):
        record = load(names[iteration]).record(CAT).of("encoder")
        weights = record.weights(1, 1)  # [n_query, n_key]
        words = range(1, record.n_query - 1)  # between [CLS] and [SEP]
        shares.append(sum(weights[word, word - 1] for word in words[1:]) / len(words))
    bars = [float(fact.value) for _, fact in outcome.bars]
    assert_close(bars, shares)
    assert outcome.right == {next(at for at, share in enumerate(bars) if share >= ATTENDS)}
    assert value(outcome, "answer") == f"{sorted(names)[min(outcome.right)]:,}"


def test_a_head_that_never_does_it_is_said_to() -> None:
    outcome = of("begins-at", TINY, text=CAT, head="1.1", measure="next")
    assert value(outcome, "answer") == NEVER == outcome.options[min(outcome.right)]
    assert value(outcome, "last") < ATTENDS


def test_cross_attention_begins_where_its_rows_look_at_the_same_place() -> None:
    outcome = of("begins-at", COPIER, text=ROW, head="cross 0.1", measure="same-place")
    names = {**snapshots_beside(COPIER), iteration_of(COPIER): COPIER}
    last = load(COPIER).translate(ROW).text
    shares = [load(names[each]).record(ROW, last).of("cross").weights(0, 1) for each in sorted(names)]  # [n, n] each
    bars = [float(fact.value) for _, fact in outcome.bars]
    assert_close(bars, [float(np.diagonal(weights).mean()) for weights in shares])
    assert outcome.right == {next(at for at, share in enumerate(bars) if share >= ATTENDS)}


def test_words_are_right_at_their_place() -> None:
    outcome = of("written-right", COPIER, text=ROW, expected="k x y w o r e f")
    assert (outcome.number, outcome.high) == (5, 8)
    assert value(outcome, "written") == load(COPIER).translate(ROW).text
    assert of("written-right", COPIER, text=ROW).number == len(ROW.split())


def test_a_model_without_snapshots_or_with_others_is_told() -> None:
    with pytest.raises(SelectionError, match="no snapshots"):
        of("loss-at", "mini-bert", iteration="0")
    with pytest.raises(SelectionError, match="only of 0, 27"):
        of("loss-at", TINY, iteration="1")


def test_the_ends_of_a_history_are_its_first_and_last_reading() -> None:
    history = read_over_training(load(TINY), CAT)
    ends = ends_of(history)
    assert ends.iterations == (history.iterations[0], history.iterations[-1])
    assert ends.readings == (history.readings[0], history.readings[-1])
    shares = ends.shares("encoder", "previous", unseen=True)  # [2, n_layers, n_heads]
    assert np.array_equal(shares, history.shares("encoder", "previous", unseen=True)[[0, -1]])
