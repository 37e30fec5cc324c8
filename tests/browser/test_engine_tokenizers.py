"""The tokenizers in the browser cut every text into the pieces of the library `tokenizers`."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterator
from itertools import accumulate

import pytest
from playwright.sync_api import Browser, Page
from tokenizers import Tokenizer

from models.opening.registry import embedded_folder
from tests.browser.engine_texts import byte_level, texts
from viz.viewer.engine import engine_script

NAMES = ("mini-bert", "headlight-bert", "headlight-ko", "translator-ko")
DECOMPOSED_LATER = frozenset(
    {0x105C9, 0x105E4, 0x11383, 0x11385, 0x1138E, 0x11391, 0x113C5, 0x113C7, 0x113C8, 0x11938}
    | set(range(0x16121, 0x16129))
    | set(range(0x16D68, 0x16D6B))
)
"""Letters that a browser takes apart, and that are newer than what the library knows."""
NOT_KNOWN = {"Cs", "Cn"}
"""Halves of characters, and what this Python does not know yet: a browser may know it or not."""
PIECES = """(given) => {
  const [settings, texts] = JSON.parse(given);
  window.tokenizer = reader_js.tokenizerOf(settings);
  const places = (text) => tokenizer.encode(text).pieces.map(({ id, start, end }) => [id, start, end]);
  return JSON.stringify(texts.map(places));
}"""
"""The id and the place of every piece; as one text, since Playwright takes minutes for lists."""
WORDS = """([characters, normalizer]) =>
  Array.from(characters, (one) => wordpiece_js.wordsOf(`a${one}b`, normalizer).join("\\t")).join("\\n");"""
"""The words of every character between two letters, in one text: a list would take minutes."""


@pytest.fixture
def engine(browser: Browser) -> Iterator[Page]:
    """A page with the engine."""
    page = browser.new_page()
    page.add_script_tag(content=engine_script("reader.js"))
    yield page
    page.close()


def tokenizer_of(name: str) -> Tokenizer:
    folder = embedded_folder(name)
    assert folder is not None
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


@pytest.mark.parametrize("name", NAMES)
def test_a_text_is_read_in_the_pieces_of_the_library(engine: Page, name: str) -> None:
    expect_same_pieces(engine, tokenizer_of(name))


@pytest.mark.parametrize("has_digits_apart", [False, True])
def test_a_text_is_read_in_the_bytes_of_the_library(engine: Page, has_digits_apart: bool) -> None:
    """The tokenizers of GPT-2 and of SmolLM, trained on the same texts."""
    tokenizer = byte_level(list(texts()), has_digits_apart=has_digits_apart)
    assert tokenizer.get_vocab_size() == 1500
    expect_same_pieces(engine, tokenizer)
    pieces = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    written = engine.evaluate("(pieces) => pieces.map((piece) => tokenizer.written(piece))", pieces)
    for piece, typed in zip(pieces, written, strict=True):
        spelled = tokenizer.decode([tokenizer.token_to_id(piece)])
        assert typed == ("" if "\ufffd" in spelled else spelled)


def expect_same_pieces(engine: Page, tokenizer: Tokenizer) -> None:
    """Hold the ids of all texts to those of the library, and where the pieces stand if nothing is normalised."""
    written = list(texts())
    encodings = tokenizer.encode_batch(written)
    said = json.loads(engine.evaluate(PIECES, json.dumps([json.loads(tokenizer.to_str()), written])))
    for text, encoding, pieces in zip(written, encodings, said, strict=True):
        assert [piece[0] for piece in pieces] == encoding.ids, text
        if tokenizer.normalizer is None:
            places = in_half_characters(text)
            expected = [[places[start], places[end]] for start, end in encoding.offsets]
            assert [piece[1:] for piece in pieces] == expected, text


def in_half_characters(text: str) -> list[int]:
    """Return where JavaScript counts each character of a text, and its end."""
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]


def test_every_character_is_dropped_stripped_and_parted_at_as_the_library_does(engine: Page) -> None:
    tokenizer = tokenizer_of("mini-bert")
    settings = json.loads(tokenizer.to_str())["normalizer"]
    normalizer, parting = tokenizer.normalizer, tokenizer.pre_tokenizer
    assert normalizer is not None
    assert parting is not None
    every = map(chr, range(sys.maxunicode + 1))
    known = [one for one in every if unicodedata.category(one) not in NOT_KNOWN and ord(one) not in DECOMPOSED_LATER]
    said = engine.evaluate(WORDS, ["".join(known), settings]).split("\n")
    for one, mine in zip(known, said, strict=True):
        words = [word for word, _ in parting.pre_tokenize_str(normalizer.normalize_str(f"a{one}b"))]
        assert mine.split("\t") == words, f"U+{ord(one):04X}"
