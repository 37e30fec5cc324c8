"""What is learned of "which noun", and what is asked."""

from __future__ import annotations

import re

from models.values.answers import MASK
from recipes.sentences.which_noun.pairs import any_nouns, pairs, passages
from recipes.sentences.which_noun.schemas import SCHEMAS

N_LEARNED = 6000
_FREE = any_nouns()


def test_any_noun_is_one_that_no_schema_holds_out() -> None:
    asked = {noun for schema in SCHEMAS for side in (schema.a, schema.b) for noun in side.held_out}
    new = {noun for schema in SCHEMAS if schema.is_held_out for side in (schema.a, schema.b) for noun in side.learned}
    assert not set(_FREE) & (asked | new | {"it"})
    assert len(_FREE) == len(set(_FREE)) > 400


def test_no_schema_is_learned_with_the_nouns_that_it_is_asked_with() -> None:
    learned = [passage.sentences[0] for passage in passages(N_LEARNED, seed=1)]
    for schema in SCHEMAS:
        a, b = (f"(?P<{name}>[a-z]+)" for name in ("a", "b"))
        before_clause = re.compile(schema.sentence.partition("{clause}")[0].format(a=a, b=b))
        found = [match for sentence in learned if (match := before_clause.match(sentence))]
        assert bool(found) != schema.is_held_out
        for match in found:
            assert match["a"] not in schema.a.held_out or match["a"] in schema.a.learned
            assert match["b"] not in schema.b.held_out or match["b"] in schema.b.learned


def test_half_of_the_passages_have_nouns_of_any_list_in_either_place() -> None:
    learned = [passage.sentences[0] for passage in passages(N_LEARNED, seed=1)]
    schema = SCHEMAS[0]
    before_clause = re.compile(schema.sentence.partition("{clause}")[0].format(a="([a-z]+)", b="([a-z]+)"))
    nouns = [match.groups() for sentence in learned if (match := before_clause.match(sentence))]
    usual = sum(a in schema.a.learned and b in schema.b.learned for a, b in nouns)
    assert 0.3 < usual / len(nouns) < 0.7


def test_a_pair_asks_for_either_noun_once() -> None:
    for pair in pairs(100):
        assert pair.nouns[0] != pair.nouns[1]
        assert all(sentence.count(MASK) == 1 for sentence in pair.masked)
        differing = zip(*(sentence.split() for sentence in pair.sentences), strict=True)
        assert sum(one != other for one, other in differing) == 1
