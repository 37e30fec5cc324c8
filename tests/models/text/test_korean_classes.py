"""Parts of speech by the form of a Korean word: nouns by particles, predicates by endings, negations."""

from __future__ import annotations

import pytest

from models.values.record import word_ranges
from models.values.text.korean import is_korean_negation, korean_classes
from tests.loaded import load
from viz.kit.tokens import texts_of_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("강아지가 고양이를 어제 쫓았다.", {"강아지가": "NOUN", "고양이를": "NOUN", "어제": "", "쫓았다": "VERB"}),
        ("할머니께서는 안 오셨다.", {"할머니께서는": "NOUN", "안": "ADV", "오셨다": "VERB"}),
        ("나는 밥을 먹지 않았다.", {"나는": "NOUN", "밥을": "NOUN", "먹지": "", "않았다": "VERB"}),
        ("배가 고팠지만 참았다.", {"배가": "NOUN", "고팠지만": "VERB", "참았다": "VERB"}),
        ("어디 가니? 집에 가요.", {"어디": "", "가니": "VERB", "집에": "NOUN", "가요": "VERB"}),
        ("The cat is here.", {"the": "", "cat": "", "is": "", "here": ""}),
    ],
)
def test_the_form_of_a_word_tells_its_part_of_speech_or_nothing(text: str, expected: dict[str, str]) -> None:
    tokens = load("headlight-ko", device="cpu").record(text).tokens
    words = texts_of_words(tokens, word_ranges(tokens))
    found = dict(zip(words, korean_classes(tokens), strict=True))
    assert {word: found[word] for word in expected} == expected


def test_negations_are_told_from_words_that_begin_alike() -> None:
    assert all(map(is_korean_negation, ("안", "못", "않았다", "못했다")))
    assert not any(map(is_korean_negation, ("안경을", "못을", "안에서")))
