"""The sentiment sentences: what a careful reader says of them, seeds, balance, and the part that is held out."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

import pytest

from recipes.evaluation.bag_of_words import BagOfWords
from recipes.sentences.sentiment.by_hand import COMPLAINTS, PRAISE
from recipes.sentences.sentiment.patterns import FAMILIES, SHAPES
from recipes.sentences.sentiment.reviews import (
    LABELS,
    LabelledText,
    SentimentContent,
    SentimentGrammar,
    is_held_out,
    labelled,
)
from recipes.sentences.sentiment.words import ADJECTIVES, KINDS, NEUTRAL, TOPICS

MANY = 6000
BY_HAND = {
    "{s} {was} {good}": "positive",
    "{s} {was} {bad}": "negative",
    "{s} {was} not {weak}": "positive",
    "{s} {was} not {fair}": "negative",
    "{s} {was} not {fair} at all": "negative",
    "{s} {was} never {weak}": "positive",
    "{s} {was} anything but {weak}": "positive",
    "{s} {was} far from {fair}": "negative",
    "{s} {was} neither {weak} nor {weak2}": "positive",
    "there was nothing {fair} about {s}": "negative",
    "there was nothing {weak} about {s}": "positive",
    "{s} {was} not {weak}, but {good}": "positive",
    "{s} {was} not only {weak} but also {bad}": "negative",
    "I do not think that {s} {was} {weak}": "positive",
    "it is not true that {s} {was} {fair}": "negative",
    "{s} {was} too {much}": "negative",
    "{s} {was} not too {much}": "positive",
    "{s} {was} not {fit} enough": "negative",
    "{s} would have been {weak} without {saver}": "positive",
    "{s} would have been {fair} without {spoiler}": "negative",
    "{s} could not have been better": "positive",
    "{s} could have been better": "negative",
    "{s} could not have been worse": "negative",
    "{s} {was} not as {weak} as {feared}": "positive",
    "{s} {was} less {fair} than {hoped}": "negative",
    "I have never {done} {a_better}": "positive",
    "I have {done} {better}": "negative",
    "nobody complained about {s}": "positive",
    "nobody liked {s}": "negative",
    "there was nothing to complain about": "positive",
    "{who} did not regret {doing} {s}": "positive",
    "{who} would never {do} {s} again": "negative",
    "{s} did not lack {quality}": "positive",
    "{they} said that {s} {was} {weak}, but {it} {was} not": "positive",
    "{they} said that {s} {was} {fair}, but they were wrong": "negative",
    "there was no reason to be {sad}": "positive",
}
"""What each way to say something says, in the eyes of a reader."""
SIGNS = {word.word: word.sign for word in ADJECTIVES}


@pytest.fixture(scope="module")
def drawn() -> list[LabelledText]:
    return list(islice(labelled(seed=3), MANY))


@pytest.fixture(scope="module")
def contents() -> list[SentimentContent]:
    writer = SentimentGrammar(11)
    return [writer.content() for _ in range(15_000)]


@pytest.fixture(scope="module")
def unseen() -> list[LabelledText]:
    return list(islice(labelled(seed=3, held_out=True), MANY // 4))


def of_shape(drawn: list[LabelledText], name: str) -> list[LabelledText]:
    return [made for made in drawn if made.content.shape.name == name]


@pytest.mark.parametrize(("pattern", "label"), BY_HAND.items(), ids=list(BY_HAND))
def test_a_pattern_means_what_a_reader_takes_it_for(contents: list[SentimentContent], pattern: str, label: str) -> None:
    assert {content.label for content in contents if content.deciding.pattern == pattern} == {label}


@pytest.mark.parametrize("name", ["but", "although", "at first", "despite"])
def test_the_last_word_or_the_main_clause_decides(drawn: list[LabelledText], name: str) -> None:
    for made in of_shape(drawn, name):
        other = made.content.other
        assert other is not None
        assert BY_HAND.get(made.content.deciding.pattern, made.label) == made.label
        assert BY_HAND.get(other.pattern, "") != made.label
    assert Counter(made.label for made in of_shape(drawn, name)).keys() == set(LABELS)


def test_contrast_is_read_off_the_sentence_itself(contents: list[SentimentContent]) -> None:
    """Where both halves only judge, the adjective after "but" has the sign of the label, and the one before has not."""
    plain, writer = {"{s} {was} {good}", "{s} {was} {bad}"}, SentimentGrammar(0)
    checked = 0
    for content in contents:
        other = content.other
        if content.shape.name == "but" and other is not None and {content.deciding.pattern, other.pattern} <= plain:
            said = [SIGNS[word] for word in re.findall(r"\w+", writer.text(content)) if word in SIGNS]
            checked += 1
            assert said == [-content.sign, content.sign]
    assert checked > 5


def test_the_labels_are_balanced_everywhere(drawn: list[LabelledText], unseen: list[LabelledText]) -> None:
    for part in (drawn, unseen, *(of_shape(drawn, shape.name) for shape in SHAPES)):
        share = sum(made.label == "positive" for made in part) / len(part)
        assert abs(share - 0.5) <= 2.5 / len(part) ** 0.5


def test_a_seed_gives_the_same_sentences_and_another_seed_others() -> None:
    first, again, other = ([made.text for made in islice(labelled(seed), 300)] for seed in (1, 1, 2))
    assert first == again
    assert len(set(first) & set(other)) < 30


def test_no_deciding_clause_that_is_held_out_is_learned(drawn: list[LabelledText], unseen: list[LabelledText]) -> None:
    learned = {made.content.deciding.key for made in drawn}
    assert not learned & {made.content.deciding.key for made in unseen}
    assert not {made.text for made in drawn} & {made.text for made in unseen}
    assert all(is_held_out(made.content) for made in unseen)
    writer = SentimentGrammar(0)
    share = sum(is_held_out(writer.content()) for _ in range(4000)) / 4000
    assert 0.07 < share < 0.13


def test_one_text_never_has_two_labels(drawn: list[LabelledText], unseen: list[LabelledText]) -> None:
    labels: dict[str, str] = {}
    for made in (*drawn, *unseen):
        assert labels.setdefault(made.text, made.label) == made.label, made.text


def test_there_are_many_sentences_and_several_hundred_words(drawn: list[LabelledText]) -> None:
    assert len({made.text for made in drawn}) > 0.97 * MANY
    assert len({word for made in drawn for word in re.findall(r"\w+", made.text.lower())}) > 750


def test_sentences_look_like_sentences(drawn: list[LabelledText]) -> None:
    for made in drawn:
        text = made.text
        assert text[0].isupper()
        assert text[-1] in ".!"
        assert not re.search(r"[{}|_]|  | [.,!]|\bI is\b|\bwe was\b|\ba [aeio]\w", text), text
        assert not re.search(r"\ban [bcdfgjklmnpqrstvwxyz]", text), text
        assert not re.search(
            r"\b(films|shoes|actors|noodles) (was|is)\b|\b(film|soup|weather|hotel) (were|are)\b", text
        )
        assert len(text.split()) < 40


def test_every_slot_of_every_pattern_has_words(contents: list[SentimentContent]) -> None:
    said = {content.deciding.pattern for content in contents}
    assert not {pattern for family in FAMILIES for sign in (1, -1) for pattern in family.patterns(sign)} - said


def test_the_tables_fit_together() -> None:
    assert {kind for word in ADJECTIVES for kind in word.kinds} <= set(KINDS)
    assert {noun.kind for nouns in TOPICS.values() for noun in nouns} <= set(KINDS)
    words = [word.word for word in ADJECTIVES]
    assert len(words) == len(set(words))
    judging = set(words) | {"liked", "hated", "worst", "best", "never", "not", "nothing"}
    assert not [text for text in NEUTRAL if judging & set(text.split())]


def test_counting_words_is_not_enough(drawn: list[LabelledText], unseen: list[LabelledText]) -> None:
    judge = BagOfWords()
    judge.fit([made.text for made in drawn], [made.label == "positive" for made in drawn])

    def right(part: list[LabelledText]) -> float:
        return judge.accuracy([made.text for made in part], [made.label == "positive" for made in part])

    assert 0.55 < right(unseen) < 0.78
    assert right(of_shape(unseen, "but")) < 0.65


def test_counting_words_learns_what_can_be_counted() -> None:
    texts = ["a good day", "a bad day", "a bad film", "a good film"] * 50
    judge = BagOfWords(2)
    judge.fit(texts, ["good" in text for text in texts])
    assert judge.accuracy(["a good soup", "a bad soup"], [True, False]) == 1
    assert judge.features("Not good.") == ["not", "good", ".", "not good", "good ."]
    with pytest.raises(ValueError, match="fit first"):
        BagOfWords().accuracy(["a"], [True])


def test_the_sentences_by_hand_are_not_of_the_grammar(drawn: list[LabelledText]) -> None:
    assert len(PRAISE) == len(COMPLAINTS) == 30
    assert not {*PRAISE, *COMPLAINTS} & {made.text for made in drawn}


def test_a_content_says_its_label(drawn: list[LabelledText]) -> None:
    content: SentimentContent = drawn[0].content
    assert content.label == drawn[0].label == LABELS[content.sign > 0]
