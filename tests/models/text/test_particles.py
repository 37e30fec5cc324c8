"""Whole words of Korean are 어절, and a piece says what it marks only where its form is certain."""

from __future__ import annotations

import unicodedata

import pytest

from models.values.record import word_ranges
from models.values.text.particles import particle_markings
from tests.loaded import load


def marked(text: str) -> dict[str, str]:
    """Return what each particle of a text marks, by its letters."""
    tokens = load("headlight-ko", device="cpu").record(text).tokens
    found = zip(tokens, particle_markings(tokens), strict=True)
    return {token.text.removeprefix("##"): marking for token, marking in found if marking}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_whole_words_are_spaced_words_beside_marks(form: str) -> None:
    text = unicodedata.normalize(form, "“학교에서는” 아이들이, (밥을) 먹었다!")
    tokens = load("headlight-ko", device="cpu").record(text).tokens
    words = [tokens[word.start : word.stop] for word in word_ranges(tokens) if tokens[word.start].word is not None]
    spelled = ["".join(token.text.removeprefix("##") for token in word) for word in words]
    letters = [word for word in spelled if word[0].isalpha()]
    assert letters == ["학교에서는", "아이들이", "밥을", "먹었다"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('나는 "학교"에서 배웠다.', ["나는", '"', '학교"에서', "배웠다", "."]),
        ("‘영화’를 (어제) 봤다", ["‘", "영화’를", "(", "어제", ")", "봤다"]),
        ("친구(동생)는 10%를 먹었다!", ["친구(동생)는", "10%를", "먹었다", "!"]),
        ("먹었다(어제). 그는 “책”도 읽었다", ["먹었다", "(", "어제", ")", ".", "그는", "“", "책”도", "읽었다"]),
    ],
)
def test_a_mark_before_a_particle_belongs_to_its_word(text: str, expected: list[str], form: str) -> None:
    text = unicodedata.normalize(form, text)
    tokens = load("headlight-ko", device="cpu").record(text).tokens
    spans = [
        (tokens[word.start].start, tokens[word.stop - 1].end)
        for word in word_ranges(tokens)
        if tokens[word.start].word is not None
    ]
    assert [unicodedata.normalize("NFC", text[start:end]) for start, end in spans] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("학교에서는 밥을 먹었다.", {"에서": "adverbial", "는": "topic", "을": "object"}),
        ("고양이가 쥐를 잡았다.", {"가": "subject", "를": "object"}),
        ("동생이 책을 읽는다.", {"이": "subject", "을": "object"}),
        ("친구의 집은 서울에 있다.", {"의": "owner", "은": "topic", "에": "adverbial"}),
        ("영화와 음악을 좋아한다.", {"와": "companion", "을": "object"}),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_particle_says_what_it_marks(text: str, expected: dict[str, str], form: str) -> None:
    assert marked(unicodedata.normalize(form, text)) == expected


@pytest.mark.parametrize(
    "text", ["가는 길", "먹을 것", "작은 방", "좋은 날", "돌아와 보니", "들어도 몰라", "결과", "The cat sat."]
)
def test_a_form_that_may_be_an_ending_or_a_part_of_a_noun_says_nothing(text: str) -> None:
    assert marked(text) == {}


@pytest.mark.parametrize("text", ["고양이가 쥐를 잡았다.", "값을 읽었다, 꽃이 피었다!", "café에서 왔다."])
def test_a_span_holds_all_signs_of_a_decomposed_text(text: str) -> None:
    given = unicodedata.normalize("NFD", text)
    model = load("headlight-ko")
    spans = [[(token.start, token.end) for token in model.record(form).tokens] for form in (text, given)]
    composed = [None if None in span else text[slice(*span)] for span in spans[0]]
    assert [
        None if None in span else unicodedata.normalize("NFC", given[slice(*span)]) for span in spans[1]
    ] == composed
