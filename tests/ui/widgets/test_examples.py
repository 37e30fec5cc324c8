"""The sentences that the app offers show what their labels say, with the model that opens first."""

from __future__ import annotations

import pytest

from models.analysis.effects.ablation import ablate
from models.opening.registry import DEFAULT_MODEL, REGISTRY
from tests.loaded import load
from ui.heads.switchboard.examples import MASKED_PAIRS
from ui.state.first_visit import FIRST_VISITS
from ui.widgets.asking.inputs import LONG_ON_CARDS, ON_CARDS, PAIR_EXAMPLES, TAGGER, TAGGER_EXAMPLES, WORD_EXAMPLES
from ui.widgets.asking.korean import KOREAN_MASKED, KOREAN_OPINIONS, KOREAN_PAIRS, PRAISED
from ui.widgets.notes import MADE_FOR
from viz.predictions.judgements import labelled_words

LIKELIEST = {
    "she or he": "she",
    "weather": "umbrella hat coat jacket",
    "a man's work": "teacher painter doctor lawyer farmer driver cook baker carpenter engineer soldier pilot",
    "a woman's work": "teacher painter doctor nurse waitress cook secretary farmer driver engineer carpenter",
    "a band": "guitar piano drums bass violin trumpet",
    "capital": "paris",
}
"""What the best guess is one of."""
SENSIBLE = {"two masks": ("market shop store bakery supermarket", "bread flowers food milk vegetables fruit apples")}
"""What is among the best ten at every mask."""
FOLLOWS = {
    "follows": True,
    "does not follow": False,
    "question, answer": True,
    "another answer": False,
    "a story": True,
}
PAIRED = {
    "she or he": ("she", "he"),
    "tired or wide": ("animal", "street"),
    "Paris or Rome": ("france", "italy"),
    "her or him": ("her", "him"),
}
"""The best guesses of the two sentences with which the Switchboard opens."""
KOREAN = FIRST_VISITS["ko"]
KOREAN_LIKELIEST = {
    "what a puppy bites": "고기",
    "acting": "연기",
    "marks the object": "##를",
    "marks the place": "##에 ##로",
    "at sea": "보트 배",
    "what one reads": "읽",
    "summer": "비",
    "a walk": "개 강아지 친구 엄마",
}
KOREAN_PAIRED = {
    "doctor or teacher": ("병원", "학교"),
    "to bite or to ride": ("고기", "배"),
    "book or meal": ("읽", "먹"),
    "to or from school": ("##에", "##에서"),
}
LABELS = {
    "watch the play": "PRON VERB DET NOUN PUNCT",
    "play with a watch": "PRON VERB ADP DET NOUN PUNCT",
}


@pytest.mark.parametrize("example", LIKELIEST)
def test_the_best_guess_is_what_one_expects(example: str) -> None:
    masked = load(DEFAULT_MODEL).masked_words(WORD_EXAMPLES[example][0])
    assert masked.best(0, 1)[0].text in LIKELIEST[example].split()


@pytest.mark.parametrize("example", KOREAN_MASKED)
def test_the_best_guess_in_korean_is_what_one_expects(example: str) -> None:
    masked = load(KOREAN.model).masked_words(KOREAN_MASKED[example][0])
    assert masked.best(0, 1)[0].text in KOREAN_LIKELIEST[example].split()


@pytest.mark.parametrize("label", KOREAN_PAIRS)
def test_the_sentences_of_a_korean_pair_are_of_one_length_and_answered_as_its_label_says(label: str) -> None:
    model = load(KOREAN.model)
    assert len({len(model.record(text).tokens) for text in KOREAN_PAIRS[label]}) == 1
    best = tuple(model.fill_mask(text, top_k=1)[0].choices[0].text for text in KOREAN_PAIRS[label])
    assert best == KOREAN_PAIRED[label]


def test_masked_words_opens_in_korean_on_a_guess_that_is_not_decided() -> None:
    (choice,) = load(KOREAN.model).fill_mask(next(iter(KOREAN_MASKED.values()))[0], top_k=1)[0].choices
    assert choice.probability < 0.5


@pytest.mark.parametrize(("model", "pairs"), [(DEFAULT_MODEL, MASKED_PAIRS), (KOREAN.model, KOREAN_PAIRS)])
def test_the_switchboard_opens_on_an_answer_that_changes_without_one_head(
    model: str, pairs: dict[str, tuple[str, str]]
) -> None:
    assert ablate(load(model), next(iter(pairs.values()))[0]).differences.min() < 0


@pytest.mark.parametrize("label", KOREAN_OPINIONS)
def test_korean_opinions_are_judged_as_they_are_meant(label: str) -> None:
    verdict = load(KOREAN.classifier).label_text(KOREAN_OPINIONS[label][0])
    assert verdict.labels[int(verdict.probabilities.argmax())] == ("positive" if label in PRAISED else "negative")


@pytest.mark.parametrize("example", SENSIBLE)
def test_sensible_words_are_among_the_best(example: str) -> None:
    masked = load(DEFAULT_MODEL).masked_words(WORD_EXAMPLES[example][0])
    for mask, words in enumerate(SENSIBLE[example]):
        assert set(words.split()) & {choice.text for choice in masked.best(mask, 10)}


@pytest.mark.parametrize("example", FOLLOWS)
def test_pairs_are_judged_as_their_labels_say(example: str) -> None:
    assert (load(DEFAULT_MODEL).next_sentence(*PAIR_EXAMPLES[example]) > 0.5) == FOLLOWS[example]


@pytest.mark.parametrize("label", PAIRED)
def test_the_sentences_of_a_pair_are_answered_as_its_label_says(label: str) -> None:
    """With the model that the page opens with, the pair answers with one word and with the other."""
    model = load(DEFAULT_MODEL)
    best = tuple(model.fill_mask(text, top_k=1)[0].choices[0].text for text in MASKED_PAIRS[label])
    assert best == PAIRED[label]


def test_every_pair_with_a_mask_is_held_to_its_label() -> None:
    assert set(PAIRED) == set(MASKED_PAIRS)


def test_home_speaks_of_heads_that_are_there() -> None:
    roles = {role.name for role in load(DEFAULT_MODEL).info.head_roles}
    assert {"previous", "next"} <= roles


@pytest.mark.parametrize("example", LABELS)
def test_the_same_word_is_now_this_and_now_that(example: str) -> None:
    answer = load(TAGGER).label_tokens(TAGGER_EXAMPLES[example][0])
    assert " ".join(labelled_words(answer).best) == LABELS[example]


def test_what_the_cards_of_our_models_say_stands_in_the_catalogues() -> None:
    ours = [entry for entry in REGISTRY.values() if entry.is_embedded]
    assert {entry.made_for for entry in ours if entry.made_for} == set(MADE_FOR)
    assert {label for entry in ours for label, _ in entry.examples} == set(ON_CARDS)
    assert {entry.long_example[0] for entry in ours if entry.long_example} == set(LONG_ON_CARDS)
