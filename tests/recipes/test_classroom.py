"""The classroom sentences: many, distinct, decided where they are marked, and split by combination."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

import pytest

from recipes.sentences.classroom.families import FAMILIES, Family
from recipes.sentences.classroom.lexicon import TABLES
from recipes.sentences.classroom.passages import Classroom, fill, is_held_out, slots, table_of
from recipes.sentences.classroom.retold import RETOLD, times


def test_there_are_several_dozen_families_of_thousands_of_sentences() -> None:
    assert len(FAMILIES) >= 36
    found = Counter(passage.family for passage in Classroom(0).passages(1000, held_out=False))
    assert found == {family.name: 1000 for family in FAMILIES}


def test_the_same_seed_gives_the_same_passages_and_another_does_not() -> None:
    first, again, other = (list(islice(Classroom(seed).passages(20, held_out=False), 60)) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_nothing_that_is_held_out_is_ever_drawn_to_learn_from() -> None:
    generator = Classroom(1)
    learned = {passage.sentences for passage in generator.passages(300, held_out=False)}
    held_out = {passage.sentences for passage in generator.passages(40, held_out=True)}
    assert held_out
    assert not learned & held_out
    assert {family.name for family in FAMILIES} == {
        passage.family for passage in Classroom(2).passages(5, held_out=True)
    }


def test_what_is_retold_is_learned_from_alone() -> None:
    asked = [list(Classroom(1, retold=retold).passages(100, held_out=True)) for retold in (False, True)]
    assert asked[0] == asked[1]
    learned = list(Classroom(1, retold=True).passages(200, held_out=False))
    assert not {passage.sentences for passage in learned} & {passage.sentences for passage in asked[0]}
    found = Counter(passage.family for passage in learned)
    assert found == {family.name: 200 * times(family.name) for family in FAMILIES}


def test_every_pattern_of_a_family_that_is_retold_comes_about_as_often() -> None:
    family = next(family for family in FAMILIES if family.name == "days and months")
    generator = Classroom(1, retold=True)
    drawn = [generator.draw(family, held_out=False) for _ in range(6000)]
    days = [passage.sentences[0] for passage in drawn if passage is not None]
    for words in ("In the night from", "come one day before", "At the end of"):
        assert sum(words in sentence for sentence in days) == pytest.approx(len(days) / 35, rel=0.5)


def test_a_combination_is_held_out_whatever_the_name() -> None:
    pattern = "{name} knows that the capital of {country} is <{country.capital}>."
    sides = [
        {is_held_out(pattern, {"name": name, "country": country}) for name in TABLES["name"]}
        for country in TABLES["country"]
    ]
    assert all(len(side) == 1 for side in sides)
    assert {True, False} == set().union(*sides)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_pattern_can_be_filled_and_every_answer_follows_from_its_table(family: Family) -> None:
    for pattern in (*family.patterns, *RETOLD.get(family.name, ())):
        assert slots(pattern) == () or all(table_of(slot) in TABLES for slot in slots(pattern))
        seen: dict[str, int] = {}
        rows = {}
        for slot in slots(pattern):
            seen[table_of(slot)] = at = seen.get(table_of(slot), -1) + 1
            rows[slot] = TABLES[table_of(slot)][at]
        passage = fill(family.name, pattern, rows)
        text = " ".join(passage.sentences)
        assert not re.search(r"[<>{}|]|  | a [aeio](?!ne|u)", text)
        assert all(sentence[0] == sentence[0].upper() for sentence in passage.sentences)
        expected = [match.format_map(rows) for match in re.findall("<([^>]*)>", pattern)]
        given = [passage.sentences[sentence][start:end] for sentence, start, end in passage.answers]
        assert [word.lower() for word in given] == [word.lower() for word in expected]


def test_men_and_women_are_given_the_same_jobs() -> None:
    family = next(family for family in FAMILIES if family.name == "occupations")
    generator = Classroom(5)
    drawn = [generator.draw(family, held_out=False) for _ in range(12_000)]
    counts: Counter[tuple[str, str]] = Counter()
    for passage in drawn:
        match = re.search(r"The (man|woman) worked as an? (\w+)", passage.sentences[0]) if passage else None
        if match:
            counts[match.group(1), match.group(2)] += 1
    total = {who: sum(count for (person, _), count in counts.items() if person == who) for who in ("man", "woman")}
    assert total["man"] / total["woman"] == pytest.approx(1, abs=0.15)
