"""What of a text a model does not know, found on the embedded models, and what their cards say of them."""

from __future__ import annotations

import pytest

from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import REGISTRY
from models.text.source_words import known_words
from models.text.unknown import LONGEST_WORD, MULTILINGUAL, SCRIPTS, find_unknown, may_read
from models.values.record import Token
from tests.loaded import load

LONG = "x" * (LONGEST_WORD + 1)


def found(name: str, text: str, text_b: str = ""):
    tokens = load(name, device="cpu").record(text, text_b or None).tokens
    return find_unknown(tokens, (text, text_b), REGISTRY[name].languages)


@pytest.mark.parametrize(
    ("name", "text", "sort", "words", "counted"),
    [
        ("mini-bert", "나는 학교에 간다 now.", "script", ("나는", "학교에", "간다"), (3, 4)),
        ("mini-bert", "The cat 🙂🎉 sat → hi🙂", "sign", ("🙂🎉", "→", "hi🙂"), (0, 4)),
        ("mini-bert", f"A {LONG} b", "long", (LONG,), (1, 3)),
        ("mini-bert", "Łódź is a town. Łódź!", "word", ("Łódź",), (2, 5)),
    ],
)
def test_what_is_unknown_is_named_by_its_sort_and_counted(
    name: str, text: str, sort: str, words: tuple[str, ...], counted: tuple[int, int]
) -> None:
    unknown = found(name, text)
    assert unknown.of(sort) == words
    assert {word.sort for word in unknown.words} == {sort}
    assert (unknown.n_unknown, unknown.n_words) == counted
    assert unknown.read_as == "[UNK]"


@pytest.mark.parametrize("text", ["[UNK] typed by hand", "a known [MASK] and [SEP]", "nothing odd here"])
def test_what_the_reader_typed_so_is_no_finding(text: str) -> None:
    assert not found("mini-bert", text).words


def test_words_of_the_second_sentence_are_named_too() -> None:
    assert found("mini-bert", "A dog.", "오늘 rain").of("script") == ("오늘",)


def test_a_script_of_which_a_model_knows_a_word_is_not_another_one() -> None:
    tokens = [Token(text="[UNK]", start=0, end=2, word=0), Token(text="오늘", start=3, end=5, word=1)]
    assert find_unknown(tokens, ("나는 오늘",)).of("word") == ("나는",)
    assert find_unknown(tokens[:1], ("나는 오늘",)).of("script") == ("나는",)


def test_a_tokenizer_that_does_not_say_where_a_piece_stands_is_counted() -> None:
    unknown = find_unknown([Token(text="<unk>"), Token(text="a", start=0, end=1, word=0)], ("a 🙂",))
    assert (unknown.words, unknown.n_unplaced, unknown.read_as) == ((), 1, "<unk>")


def test_every_listed_model_says_its_languages_and_every_embedded_one_what_it_was_made_for() -> None:
    for entry in REGISTRY.values():
        assert set(entry.languages) <= {*SCRIPTS, MULTILINGUAL}
        assert entry.languages
        assert entry.made_for or not entry.is_embedded
    assert not may_read("나는", REGISTRY["mini-bert"].languages)
    assert may_read("나는", REGISTRY["klue/bert-base"].languages)
    assert may_read("나는", ())


@pytest.mark.parametrize("name", ["translator-es", "translator-ko"])
def test_a_translator_s_card_counts_the_words_that_it_knows(name: str) -> None:
    """Each once, in whatever case it was typed."""
    known = known_words(ROOT / PRETRAINED / name)
    assert known
    assert f" {len({word.casefold() for word in known}):,} English words" in REGISTRY[name].made_for


def test_words_of_another_script_that_are_only_spelled_are_found() -> None:
    """A vocabulary may have the letters of a language that the model never learned."""
    unknown = found("headlight-bert", "나는 학교에 go, Łódź.")
    assert not unknown.of("script")
    assert [word.text for word in unknown.spelled] == ["나는", "학교에"]
    assert unknown.scripts == ("HANGUL",)
    assert not unknown.is_mostly_unknown  # two of four words
    assert not found("headlight-bert", "The animal didn't cross.").spelled
    assert not found("mini-bert", "나는 학교에 go.").spelled
