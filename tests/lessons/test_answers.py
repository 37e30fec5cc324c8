"""The answers of lessons are the numbers of the records, and claims compare what was computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lessons import KINDS, Fact, answer_ask, facts_of, fill_template, holds, in_words
from lessons.answers.effects import A_CHANGE
from lessons.claims import FACT, read_condition
from lessons.values import share
from models.inspection.by_hand.goals import MOST, check_heads, previous_head
from models.values.errors import HeadlightError, SelectionError, TextError
from models.values.probing.changes import Changes, HeadEdit
from tests.closeness import assert_close
from tests.lessons.asking import CAT, KEY, ask, of, value
from tests.loaded import load


def test_the_strongest_key_is_that_of_the_row() -> None:
    outcome = of("strongest-key", text=CAT, query="sat", head="1.5")
    row = load("mini-bert").record(CAT).of("encoder").weights(1, 5)[3]
    assert outcome.right == {int(row.argmax())} == {2}
    assert value(outcome, "answer") == "cat"
    assert_close(value(outcome, "share"), float(row.max()))
    assert (outcome.layer, outcome.head, outcome.position) == (1, 5, 3)


def test_a_head_is_found_by_what_was_measured_of_it() -> None:
    roles = [role for role in load("mini-bert").info.head_roles if role.name == "previous"]
    best = max(roles, key=lambda role: role.share)
    outcome = of("strongest-key", text=CAT, query="sat", head="previous")
    assert (outcome.layer, outcome.head) == (best.layer, best.head)
    with pytest.raises(SelectionError, match="det from the governor"):
        of("strongest-key", text=CAT, query="sat", head="det from the governor")


def test_among_some_tokens_only_these_count() -> None:
    outcome = of("strongest-key", text=CAT, query="sat", head="previous", among=("mat", "on"))
    row = load("mini-bert").record(CAT).of("encoder").weights(outcome.layer or 0, outcome.head or 0)[3]
    assert outcome.options == ("mat", "on")
    assert outcome.right == {int(row[4] > row[6])}


def test_the_second_of_two_equal_tokens_has_its_number() -> None:
    assert of("strongest-key", text=CAT, query="the (2)", head="1.5").position == 5
    assert of("strongest-key", text=CAT, query="#6", head="1.5").position == 6
    with pytest.raises(SelectionError, match="the \\(2\\)"):
        of("strongest-key", text=CAT, query="dog", head="1.5")


def test_rows_sum_to_1_and_the_ratio_is_e_to_the_gap() -> None:
    assert_close(of("row-sum", text=CAT, query="sat", head="2.3").number, 1)
    outcome = of("score-ratio", text=CAT, query="sat", head="2.3")
    assert_close(value(outcome, "ratio"), value(outcome, "measured"), tolerance=1e-3)


@pytest.mark.parametrize(("model", "answer", "cells"), [("mini-bert", "yes", 81), ("mini-gpt", "no", 36)])
def test_what_may_be_seen_is_the_mask(model: str, answer: str, cells: int) -> None:
    assert value(of("may-see", model, text=CAT, query="cat", key="mat"), "answer") == answer
    assert of("visible-cells", model, text=CAT).number == cells


def test_the_strongest_head_is_that_of_the_measure() -> None:
    outcome = of("strongest-head", text=CAT, measure="previous")
    weights = load("mini-bert").record(CAT).of("encoder").layer_weights(outcome.layer or 0)
    given = weights[:, range(2, 8), range(1, 7)].mean(axis=1)  # six of seven pieces have a piece before them
    assert outcome.right == {int(given.argmax())}
    assert_close(value(outcome, "share"), float(given.max()) * 6 / 7)


def test_words_are_those_of_the_page_masked_words() -> None:
    masked = load("mini-bert").masked_words(KEY)
    (best,) = masked.best(0, 1)
    outcome = of("likeliest-word", text=KEY, options=("he", "she"))
    assert (value(outcome, "answer"), value(outcome, "best")) == ("she", best.text)
    assert_close(value(outcome, "probability"), best.probability)
    assert_close(of("word-probability", text=KEY, word="she").number, best.probability)
    assert value(of("word-probability", text=KEY, word="she"), "rank") == 1
    assert len(of("likeliest-word", text=KEY).options) == 4


def test_a_causal_model_is_asked_for_the_next_word() -> None:
    outcome = of(
        "likeliest-word", "mini-gpt", text="The man went to the shop and bought some", options=("the", "bread")
    )
    assert value(outcome, "answer") == "bread"


def test_a_head_that_is_off_gives_nothing() -> None:
    outcome = of("head-off", text=KEY, head="3.7")
    before, after = value(outcome, "before"), value(outcome, "after")
    assert value(outcome, "answer") == ("falls" if after < before - 0.05 else "hardly changes")
    assert value(outcome, "word") == "she"
    assert_close(before, of("word-probability", text=KEY, word="she").number)


def test_what_was_measured_of_a_head_is_what_its_model_says() -> None:
    roles = [role for role in load("headlight-ko").info.head_roles if role.name == "obj from the dependent"]
    best = max(roles, key=lambda role: role.share)
    outcome = of("measured-head", "headlight-ko", text="나는 편지를 썼다.", head="obj from the dependent")
    assert (outcome.layer, outcome.head) == (best.layer, best.head)
    assert (outcome.number, value(outcome, "baseline"), value(outcome, "n")) == (best.share, best.baseline, best.n)
    assert_close(value(outcome, "gain"), best.share - best.baseline)
    with pytest.raises(SelectionError, match=r"“0.1” was not measured over many texts of mini-bert"):
        of("measured-head", text=CAT, head="0.1")


def test_several_words_are_left_out_at_once() -> None:
    model, recording = load("mini-bert"), load("mini-bert").record(KEY)
    places = [place for place, token in enumerate(recording.tokens) if token.text in ("anna", "her")]
    without = model.answer_logits(KEY, changes=Changes(hidden=tuple(("encoder", place) for place in places)))
    outcome = of("left-out", text=KEY, leave_out="Anna, her", word="she")
    assert len(places) == 2
    assert value(outcome, "left_out") == "Anna, her"
    assert_close(value(outcome, "after"), float(without.probabilities[list(without.choices).index("she")]))


def test_each_head_is_counted_by_the_probability_without_it() -> None:
    outcome, model = of("heads-that-matter", text=KEY), load("mini-bert")
    whole = model.answer_logits(KEY)
    best = whole.best(1)[0]
    places = [("encoder", layer, head) for layer in range(model.info.n_layers) for head in range(model.info.n_heads)]
    changes = [
        model.answer_logits(KEY, changes=Changes(heads=(HeadEdit(kind=kind, layer=layer, head=head, by="zero"),)))
        for kind, layer, head in places
    ]
    moved = np.array([answer.probabilities[best] - whole.probabilities[best] for answer in changes])
    assert outcome.number == (abs(moved) >= A_CHANGE).sum()
    assert_close(value(outcome, "lowest"), float(whole.probabilities[best] + moved.min()), magnitude=1)


def test_without_positions_order_is_not_seen() -> None:
    assert value(of("other-order", text="The dog bites the man.", positions="no"), "answer") == "in the same way"
    assert value(of("other-order", text="The dog bites the man.", positions="yes"), "answer") == "differently"


def test_the_nearest_position_is_by_its_cosine() -> None:
    table = load("mini-bert").positions().table
    assert table is not None
    at = int(of("nearest-position", position="20").number)
    cosines = table @ table[20] / np.linalg.norm(table, axis=1) / np.linalg.norm(table[20])
    assert at == int(np.argsort(-cosines)[1])


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_finding_speaks_of_facts_that_are_declared(kind) -> None:
    assert {match[1] for match in FACT.finditer(f"{kind.says} {kind.asks}")} <= set(kind.facts)


GIVEN: dict[str, dict[str, Any]] = {
    "strongest-key": {"text": CAT, "query": "cat", "head": "previous"},
    "weight": {"text": CAT, "query": "cat", "key": "sat", "head": "previous"},
    "row-sum": {"text": CAT, "query": "cat", "head": "previous"},
    "strongest-head": {"text": CAT, "measure": "special"},
    "measured-head": {"text": CAT, "head": "previous"},
    "may-see": {"text": CAT, "query": "cat", "key": "sat"},
    "visible-cells": {"text": CAT},
    "score-ratio": {"text": CAT, "query": "cat", "head": "0.1"},
    "best-score": {"text": CAT, "query": "cat", "head": "0.1"},
    "shortest-value": {"text": CAT, "query": "cat", "head": "0.1"},
    "how-many": {"text": CAT, "of": "tokens"},
    "likeliest-word": {"text": KEY},
    "word-probability": {"text": KEY, "word": "she"},
    "how-sure": {"text": KEY},
    "likeliest-sentence": {"text": CAT, "options": ("It slept.", "Two and two are four.")},
    "follows": {"text": CAT, "text_b": "It slept."},
    "head-off": {"text": KEY, "head": "previous"},
    "heads-that-matter": {"text": KEY},
    "left-out": {"text": KEY, "leave_out": "her"},
    "important-word": {"text": KEY, "method": "leave_out"},
    "agreement": {"text": KEY, "method": "raw", "other": "leave_out"},
    "other-order": {"text": CAT, "positions": "yes"},
    "nearest-position": {"position": "7"},
    "turned-likeness": {"turn": "10", "of_model": "mini-llama"},
    "loss-at": {"iteration": "604", "of_model": "models/pretrained/tiny-bert/step-001708"},
    "begins-at": {
        "text": CAT,
        "head": "1.1",
        "measure": "previous",
        "of_model": "models/pretrained/tiny-bert/step-001708",
    },
    "written-right": {"text": "a b c", "of_model": "models/pretrained/copier/step-000100"},
    "made-by-hand": {"goal": "same", "made": "letters"},
    "without-root": {"text": CAT, "query": "cat", "head": "0.1"},
    "most-alike": {"text": CAT, "token": "cat", "where": "last"},
    "same-word": {"text": CAT, "text_2": "The cat was on the mat.", "token": "cat"},
    "answer-sum": {"text": KEY},
    "strongest-writer": {"text": KEY},
    "settled-after": {"text": KEY},
    "with-temperature": {"text": KEY, "tenths": "5"},
    "share-of-best": {"text": KEY, "k": "10"},
    "words-kept": {"text": KEY, "percent": "90"},
    "tokens-read": {"text": CAT, "new": "5"},
    "cache-a-token": {"of_model": "mini-llama", "text": CAT},
    "cache-of": {"shape": "Llama-3-8B", "length": "32"},
    "row-in-blocks": {"text": CAT, "query": "sat", "head": "1.5"},
    "min-p-kept": {"text": KEY, "least": "10"},
    "written": {"options": ("a cat", "a dog"), "right": ("a cat",)},
    "nothing": {"text": CAT, "query": "cat", "head": "previous"},
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_gives_the_facts_that_it_declares(name: str) -> None:
    given = dict(GIVEN[name])
    outcome = of(name, given.pop("of_model", "mini-bert"), **given)
    assert {fact for fact, _ in outcome.facts} == set(KINDS[name].facts)
    assert "{" not in fill_template(KINDS[name].says, facts_of({"": outcome}))
    if KINDS[name].tap == "number":
        assert outcome.low <= outcome.number <= outcome.high
    else:
        assert all(0 <= right < len(outcome.options) for right in outcome.right)
        assert len(set(outcome.options)) == len(outcome.options)


ODD = (
    "[MASK]",
    "[MASK] [MASK] [MASK]",
    "[MASK] .",
    "[CLS] [SEP]",
    "[CLS] [MASK] [SEP]",
    "[PAD]",
    "[UNK]",
    "…",
    "?!",
    "   ",
    "a",
    "🙂",
    "👩‍👩‍👧",
    "\u200b",
    "a [MASK]",
)
"""Texts of special tokens alone, of marks, of nothing, of one token, of an emoji."""
SMALL = "models/pretrained/tiny-bert/step-001708"


@pytest.mark.parametrize("name", [name for name in KINDS if "text" in GIVEN[name]])
def test_an_odd_text_has_an_answer_or_a_sentence(name: str) -> None:
    """Whatever a reader types as a sentence of their own, and with whatever token they tap then."""
    model = load(SMALL, device="cpu")
    for text in ODD:
        for at in ("#0", "#1"):
            typed = {"text": text, "query": at, "token": at, "key": at, "leave_out": at, "head": "1.1"}
            given = GIVEN[name] | {part: value for part, value in typed.items() if part in GIVEN[name]}
            try:
                outcome = answer_ask(model, ask(name, **given))
            except HeadlightError as error:
                assert str(error).rstrip().endswith((".", "!", "…"))  # noqa: PT017 - a sentence, as all of ours
                continue
            assert KINDS[name].tap != "number" or outcome.low <= outcome.number <= outcome.high
            values = [fact.value for _, fact in outcome.facts]
            assert np.isfinite([value for value in values if isinstance(value, int | float)]).all()


@pytest.mark.parametrize("name", ["important-word", "agreement"])
def test_a_mask_alone_has_no_word_that_could_have_mattered(name: str) -> None:
    with pytest.raises(TextError, match=r"no word in this text|single word beside"):
        of(name, model=SMALL, **GIVEN[name] | {"text": "[MASK]"})


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("share is at least 40 %", True),
        ("share is at least 0.5", False),
        ("share is less than other.share", True),
        ("share is 0.4", True),
        ("answer is Cat", True),
        ('answer is not "cat"', False),
        ("answer is more than 3", False),
        ("change is less than 0", True),
        ("change is -2", True),
    ],
)
def test_a_claim_compares(condition: str, expected: bool) -> None:
    facts = {
        "share": share(0.4),
        "other.share": share(0.6),
        "answer": Fact(value="cat", written="cat"),
        "change": Fact(value=-2.0, written="−2"),
    }
    read = read_condition(condition, 3)
    assert holds(read, facts) is expected
    assert facts[read.left].written in in_words(read, facts)


def test_a_head_made_by_hand_is_asked_of_no_model() -> None:
    outcome = of("made-by-hand", goal="previous", strength="4")
    verdict = check_heads("previous", (previous_head(4),))
    assert outcome.number == verdict.n_right == verdict.n_words
    assert dict(outcome.facts)["share"].value > MOST
    zeros, fitted, solved, asked = (fact.value for _, fact in outcome.bars)
    assert zeros < fitted < solved == asked
    assert len(of("made-by-hand", goal="same", made="letters").bars) == len(of("made-by-hand", goal="same").bars) + 1
