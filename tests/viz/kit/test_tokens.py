"""Whatever a tokenizer or a person spells, a label shows it literally and visibly."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence

import pytest

from models.text.prepare import prepare
from models.values.record import Token
from models.values.text.spelling import PRINTABLE_BYTES
from tests.models.huggingface.families import byte_level, byte_level_bare, unigram, wordpiece
from viz.attention.transform import prepare as prepare_matrix
from viz.kit.demos.records import random_record
from viz.kit.tokens import positioned_texts, token_labels, token_texts, width

TOKENIZERS = {"wordpiece": wordpiece, "byte_level": byte_level, "byte_level_bare": byte_level_bare, "unigram": unigram}
TO_LETTER = {byte: letter for letter, byte in PRINTABLE_BYTES.items()}


def spelled_in_bytes(*pieces: bytes) -> list[Token]:
    return [Token(text="".join(TO_LETTER[byte] for byte in piece), word=n) for n, piece in enumerate(pieces)]


def test_byte_level_pieces_are_shown_as_text() -> None:
    tokens = [Token(text="<s>", is_special=True), *spelled_in_bytes("안녕".encode(), " café".encode(), b" the", b"\n")]
    assert token_texts(tokens) == ("<s>", "안녕", "café", "the", "␊")


def test_a_part_of_a_character_is_shown_as_its_bytes() -> None:
    encoded = "안녕 a".encode()
    texts = token_texts(spelled_in_bytes(encoded[:1], encoded[1:4], encoded[4:]))
    assert texts == ("0xEC …", "0x95 0x88 0xEB …", "0x85 0x95 … a")


def test_a_text_cut_inside_a_character_is_still_text_before_the_cut() -> None:
    texts = token_texts(spelled_in_bytes(b"Hello", " 안".encode()[:3]))
    assert texts[0] == "Hello"
    assert texts[1]


@pytest.mark.parametrize("text", ["così", "für", "ā", "łódź", "Ünï"])
def test_letters_that_are_also_byte_names_stay_letters(text: str) -> None:
    assert token_texts([Token(text=text, word=0), Token(text="e", word=1)]) == (text, "e")


def whole_words(tokens: Sequence[Token]) -> list[str]:
    matrix = prepare_matrix(random_record(tokens=tuple(tokens)), layer=0, head=0, words=True, special="hidden")
    return list(token_texts(matrix.key_tokens))


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize(
    "text", ["The animal didn't cross.", "unbelievably ##x a##b # ###", "나는 학교에 갑니다", "2026:café"]
)
def test_what_is_shown_is_the_token_of_the_model(tokenizer: str, text: str) -> None:
    tokens = prepare(TOKENIZERS[tokenizer](), text, max_tokens=64).tokens
    for token, shown in zip(tokens, token_texts(tokens), strict=True):
        assert shown.startswith("##") == token.text.removeprefix("Ġ").removeprefix("▁").startswith("##")
        if token.text.isascii():
            assert shown == token.text


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_the_pieces_of_a_word_are_the_word(tokenizer: str) -> None:
    tokens = prepare(TOKENIZERS[tokenizer](), "didn't cross the street", max_tokens=64).tokens
    assert whole_words(tokens) == ["didn't", "cross", "the", "street"]


def test_number_signs_that_a_reader_typed_stay_in_their_word() -> None:
    assert whole_words([Token(text=text, word=0) for text in ("Ġa", "##", "b")]) == ["a##b"]


@pytest.mark.parametrize(
    "text", ["<b>", "<a href='javascript:alert(1)'>x</a>", "</script>", "&lt;", '"><img src=x onerror=y>', "$x^2$"]
)
def test_no_markup_survives_in_a_label(text: str) -> None:
    (label,) = token_labels([Token(text=text)], limit=None)
    assert not set("<>\"'$") & set(label)
    assert html.unescape(label).strip("\u2068\u2069") == text


@pytest.mark.parametrize(
    "text", ["\u202eevil", "a\u200b", "\x00", "\x1b[31m", "\u2028", "\ud800", " ", "", "\ufe0f", "\u3164", "\u200d"]
)
def test_what_cannot_be_seen_is_made_visible(text: str) -> None:
    (shown,) = token_texts([Token(text=text)])
    assert not any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for character in shown)
    assert shown.strip()
    shown.encode()


def test_joined_emoji_stay_whole() -> None:
    family = "👩\u200d👧"
    assert token_texts([Token(text=family)]) == (family,)


@pytest.mark.parametrize("text", ["supercalifragilistic", "안녕하세요여러분반갑습니다", "a" * 100_000])
def test_a_long_token_ends_in_an_ellipsis_within_its_width(text: str) -> None:
    (shown,) = token_texts([Token(text=text)], limit=14)
    assert shown.endswith("…")
    assert 12 <= width(shown) <= 14


def test_positions_tell_repeated_tokens_apart_and_begin_no_formula() -> None:
    texts = positioned_texts([Token(text="=1+1"), Token(text="it"), Token(text="it")], (4, 5, 9))
    assert texts == ("4 · =1+1", "5 · it", "9 · it")
