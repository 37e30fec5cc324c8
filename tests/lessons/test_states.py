"""Questions about vectors, parts of an answer and the choice of a word: their numbers are those of the model."""

from __future__ import annotations

import numpy as np
import pytest

from models.values.errors import SelectionError
from tests.closeness import CloseTo, assert_close
from tests.lessons.asking import CAT, KEY, of, value
from tests.loaded import load


def test_a_rotary_model_sees_the_distance_alone() -> None:
    outcome = of("turned-likeness", "mini-llama", turn="10")
    frequencies = load("mini-llama").positions().frequencies
    assert frequencies is not None
    assert_close(value(outcome, "likeness"), float(np.cos(10 * frequencies.astype(np.float64)).mean()))
    assert_close(value(outcome, "later"), value(outcome, "likeness"))
    with pytest.raises(SelectionError, match="mini-bert does not turn"):
        of("turned-likeness", turn="10")


def test_the_root_divides_the_scores() -> None:
    record = load("mini-bert").record(CAT).of("encoder")
    products = record.query[2, 3, 2] @ record.key[2, 3].T  # [n_key]
    shares = np.exp(products - products.max())
    outcome = of("without-root", text=CAT, query="cat", head="2.3")
    assert_close(value(outcome, "undivided"), float(shares.max() / shares.sum()), tolerance=1e-4)
    assert_close(value(outcome, "root"), np.sqrt(32))


def test_a_head_of_a_translator_is_named_by_its_attention() -> None:
    text = "My brother has a black dog."
    row = load("translator-es").record(text).of("cross").weights(2, 7)[4]
    outcome = of("strongest-key", "translator-es", text=text, query="un", head="cross 2.7")
    assert (outcome.kind, outcome.position) == ("cross", 4)
    assert_close(value(outcome, "share"), float(row.max()))
    assert (
        value(of("may-see", "translator-es", text=text, query="un", key="perro", attention="decoder"), "answer") == "no"
    )


def test_vectors_are_compared_by_their_cosine() -> None:
    texts = CAT, "The cat was on the mat."
    one, other = (load("mini-bert").record(text).hidden_states[-1, 2].astype(np.float64) for text in texts)
    outcome = of("same-word", text=texts[0], text_2=texts[1], token="cat")
    assert_close(outcome.number, float(one @ other / np.linalg.norm(one) / np.linalg.norm(other)))
    assert_close(value(outcome, "first"), 1)
    states = load("mini-bert").record(CAT).hidden_states[0].astype(np.float64)
    likeness = states @ states[2] / np.linalg.norm(states, axis=1) / np.linalg.norm(states[2])
    alike = of("most-alike", text=CAT, token="cat", among=("sat", "mat", "on"), where="first")
    assert [fact.value for _, fact in alike.bars] == [CloseTo(float(likeness[place])) for place in (3, 6, 4)]


def test_parts_of_an_answer_add_up_and_the_strongest_head_is_the_largest_of_them() -> None:
    outcome = of("answer-sum", text=KEY)
    parts = [value(outcome, name) for name in ("heads", "networks", "embeddings", "biases")]
    assert_close(sum(parts), value(outcome, "difference"), tolerance=1e-4)
    writer = of("strongest-writer", text=KEY)
    assert (writer.layer, writer.head) == (3, 7)
    assert value(writer, "adds") == max(fact.value for _, fact in writer.bars)


def test_the_layer_after_which_an_answer_stays_is_that_of_the_logit_lens() -> None:
    by_layer = load("mini-bert").predict_by_layer(KEY)
    best = by_layer.log_probabilities.argmax(axis=1).tolist()
    settled = int(of("settled-after", text=KEY).number)
    assert set(best[settled:]) == {best[-1]} != {best[settled - 1]}


def test_temperature_top_k_and_top_p_are_those_of_the_logits() -> None:
    logits = load("mini-bert").answer_logits(KEY).logits.astype(np.float64)
    colder = np.exp(2 * (logits - logits.max()))
    assert_close(of("with-temperature", text=KEY, tenths="5").number, float(colder.max() / colder.sum()))
    shares = np.sort(np.exp(logits - logits.max()))[::-1] / np.exp(logits - logits.max()).sum()
    assert_close(of("share-of-best", text=KEY, k="10").number, float(shares[:10].sum()))
    kept = int(of("words-kept", text=CAT.replace("mat", "[MASK]"), percent="90").number)
    probabilities = np.sort(load("mini-bert").answer_logits(CAT.replace("mat", "[MASK]")).probabilities)[::-1]
    assert probabilities[: kept - 1].sum() < 0.9 <= probabilities[:kept].sum()
