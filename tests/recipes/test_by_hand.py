"""The sentences written by hand, by which names of heads and guesses are judged."""

from __future__ import annotations

import re

import pytest

from models.analysis.grammar.dependencies import ROOT
from models.analysis.grammar.relations import relation_title
from models.values.answers import MASK
from recipes.sentences.grammar_by_hand import KOREAN_SENTENCES, grammar_by_hand, parse_marked
from recipes.sentences.which_noun.by_hand import (
    pairs_by_hand,
    pairs_to_choose_by,
    pairs_to_report,
    parse_pair,
)
from recipes.sentences.which_noun.schemas import SCHEMAS


def test_half_of_the_pairs_choose_and_half_report() -> None:
    assert len(pairs_to_choose_by()) == len(pairs_to_report()) == 60
    assert not {pair.sentences for pair in pairs_to_choose_by()} & {pair.sentences for pair in pairs_to_report()}
    assert len({sentence for pair in pairs_by_hand() for sentence in pair.sentences}) == 240


def test_a_pair_is_two_sentences_with_one_it_and_two_nouns() -> None:
    for pair in pairs_by_hand():
        assert pair.nouns[0] != pair.nouns[1]
        for sentence, masked in zip(pair.sentences, pair.masked, strict=True):
            assert sentence.split().count("it") + len(re.findall(r"\bit\b[.,]|\bIt\b", sentence)) >= 1
            assert masked.count(MASK) == 1
            assert all(re.search(rf"\b{noun}\b", sentence) for noun in pair.nouns)


def test_no_pair_is_of_a_pattern_of_the_generator() -> None:
    patterns = [re.escape(schema.sentence.partition("{clause}")[0]) for schema in SCHEMAS]
    made = [re.compile(re.sub(r"\\{[ab]\\}", "[a-z]+", pattern)) for pattern in patterns]
    assert made[0].match("The dog didn't cross the road because it was old.")
    close = [pair for pair in pairs_by_hand() if any(each.match(pair.sentences[0]) for each in made)]
    assert close == []


@pytest.mark.parametrize("line", ["The [dog] ran because it {a/b}.", "The [a] and the [b] ran.", "The [a] [b] {x/y}."])
def test_a_line_that_is_no_pair_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="expected two"):
        parse_pair(line)


def test_a_marked_sentence_has_its_words_and_governors() -> None:
    sentence = parse_marked("The/dog:det dog/ran:nsubj ran ./ran:punct")
    assert sentence.words == ("The", "dog", "ran", ".")
    assert (sentence.heads, sentence.relations) == ((1, 2, ROOT, 2), ("det", "nsubj", "", "punct"))
    with pytest.raises(ValueError, match="stands 2 times"):
        parse_marked("the dog/dog:nsubj dog")


def test_the_relations_marked_by_hand_are_those_of_universal_dependencies() -> None:
    marked = {name for sentence in grammar_by_hand() for name in sentence.relations if name}
    assert {"case", "cop", "nsubj", "obj", "det", "aux", "xcomp", "ccomp", "cc", "list", "discourse", "punct"} == marked
    assert all(name in relation_title(name, "from the dependent") for name in marked)


def test_the_korean_relations_marked_by_hand_are_those_that_heads_are_named_for() -> None:
    sentences = grammar_by_hand(KOREAN_SENTENCES)
    assert {name for sentence in sentences for name in sentence.relations if name} == {"obj", "case", "advcl"}
    assert len({sentence.text for sentence in sentences}) == len(sentences) >= 20
