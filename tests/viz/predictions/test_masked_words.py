"""Bars and tables say what the distribution says, and the reader's sentence is filled as a person would write it."""

from __future__ import annotations

import numpy as np
import pytest

from models.values.answers import MaskedText
from models.values.errors import SelectionError
from models.values.record import Token
from models.values.text.spelling import BYTE_LEVEL, PRINTABLE_BYTES, SpelledPiece
from tests.closeness import assert_close
from viz.kit.demos.answers import masked_text
from viz.kit.demos.records import VOCABULARY, demo_info
from viz.kit.tables import table_csv
from viz.kit.tokens import spelled, spelled_apart
from viz.predictions.masked_words import all_masks_table, filled_sentence, word_bars, word_table

TO_LETTER = {byte: letter for letter, byte in PRINTABLE_BYTES.items()}
MASK = "[MASK]"


def in_bytes(text: str | bytes) -> str:
    raw = text.encode() if isinstance(text, str) else text
    return "".join(TO_LETTER[byte] for byte in raw)


def written(text: str, text_b: str = "", *, vocabulary: tuple[str, ...] = ("the", "##s")) -> MaskedText:
    """A MaskedText whose tokens are the masks of two texts, with their places; nothing else is needed to fill them."""
    tokens = [
        Token(text=MASK, start=start, end=start + len(MASK), word=start, segment=segment)
        for segment, one in enumerate((text, text_b))
        for start in range(len(one))
        if one.startswith(MASK, start)
    ]
    chances = np.zeros((len(tokens), len(vocabulary)), np.float32)
    return MaskedText(
        info=demo_info(),
        tokens=tuple(tokens),
        positions=tuple(range(len(tokens))),
        log_probabilities=chances,
        vocabulary=vocabulary,
    )


def fill(text: str, *pieces: str, vocabulary: tuple[str, ...] = ("the", "##s")) -> str:
    masked = written(text, vocabulary=vocabulary)
    return filled_sentence(text, None, masked, dict(enumerate(pieces))).plain


def test_bars_are_the_probabilities_the_likeliest_first() -> None:
    masked = masked_text()
    (bars,) = word_bars(masked, mask=0, top_k=6).data
    best = np.sort(np.exp(masked.log_probabilities[0]))[::-1][:6]
    assert_close(bars.x, best)
    assert list(bars.y) == sorted(bars.y)


def test_the_axis_starts_at_zero_and_holds_every_bar() -> None:
    for seed in range(6):
        figure = word_bars(masked_text(seed=seed), mask=0, top_k=4)
        low, high = figure.layout.xaxis.range
        assert low == 0
        assert max(figure.data[0].x) <= high <= 1


def test_an_asked_word_that_is_not_among_the_best_follows_with_its_rank() -> None:
    masked = masked_text()
    asked = int(masked.log_probabilities[0].argmin())
    figure = word_bars(masked, mask=0, top_k=3, asked=[asked])
    (bars,) = figure.data
    assert_close(bars.x[-1], np.exp(masked.log_probabilities[0].min()))
    assert f"rank {len(VOCABULARY)}" in bars.text[-1]
    assert bars.marker.color[-1] not in bars.marker.color[:-1]
    assert len(figure.layout.shapes) == 1
    assert list(word_table(masked, mask=0, top_k=3, asked=[asked])["rank"]) == [1, 2, 3, len(VOCABULARY)]


def test_an_asked_word_among_the_best_stands_out_and_is_not_repeated() -> None:
    masked = masked_text()
    asked = int(np.argsort(-masked.log_probabilities[0])[1])
    figure = word_bars(masked, mask=0, top_k=3, asked=[asked, asked])
    (bars,) = figure.data
    first, second, third = bars.marker.color
    assert first == third != second
    assert not figure.layout.shapes


def test_the_table_of_all_masks_names_mask_and_position() -> None:
    masked = masked_text("[CLS] [MASK] a [MASK] [SEP]")
    table = all_masks_table(masked, top_k=2)
    assert list(table["mask"]) == [0, 0, 1, 1]
    assert list(table["position"]) == [1, 1, 3, 3]
    assert list(table["word"][2:]) == [spelled(choice.text) for choice in masked.best(1, 2)]


def test_a_mask_that_is_not_there_is_named() -> None:
    with pytest.raises(SelectionError, match="mask 1"):
        word_bars(masked_text(), mask=1, top_k=3)


@pytest.mark.parametrize(
    ("text", "pieces", "expected"),
    [
        ("[MASK] sat on a [MASK]", ("she", "mat"), "she sat on a mat"),
        ("a [MASK] [MASK].", ("play", "##ing"), "a playing."),
        ("a[MASK][MASK]!", ("b", "c"), "abc!"),
        ("play [MASK] now", ("##ing",), "playing now"),
        ("[MASK] now", ("##ing",), "ing now"),
        ("나는 [MASK]을 마셨다", ("커피",), "나는 커피을 마셨다"),
        ("<b>$x$ &amp; [MASK]</b>", ("<i>",), "<b>$x$ &amp; <i></b>"),
        ("  [MASK]\n[MASK]  ", ("a", "b"), "  a\nb  "),
        ("[MASK] and [MASK]", ("one",), "one and [MASK]"),
        ("no mask", (), "no mask"),
    ],
)
def test_masks_are_filled_as_a_person_would_write(text: str, pieces: tuple[str, ...], expected: str) -> None:
    assert fill(text, *pieces) == expected


@pytest.mark.parametrize(
    ("text", "pieces", "expected"),
    [
        ("a [MASK] sat", (in_bytes(" cat"),), "a cat sat"),
        ("[MASK] sat", (in_bytes("Cats"),), "Cats sat"),
        ("[MASK] sat", (in_bytes(" Cats"),), "Cats sat"),
        ("a [MASK] [MASK] sat", (in_bytes(" play"), in_bytes("er")), "a player sat"),
        ("[MASK][MASK]", (in_bytes(" ice"), in_bytes(" cream")), "ice cream"),
        ("나는 [MASK]", (in_bytes(" 커피"),), "나는 커피"),
        ("나는 [MASK][MASK].", (in_bytes(" 커".encode()[:2]), in_bytes(" 커".encode()[2:])), "나는 커."),
    ],
)
def test_pieces_that_spell_bytes_become_text(text: str, pieces: tuple[str, ...], expected: str) -> None:
    assert fill(text, *pieces, vocabulary=("Ġthe", "Ġa", "s")) == expected


def test_sentencepiece_says_where_a_space_belongs() -> None:
    vocabulary = ("▁the", "▁a", "s")
    assert fill("x [MASK] [MASK] y", "▁play", "ing", vocabulary=vocabulary) == "x playing y"
    assert fill("“[MASK]”", "▁so", vocabulary=vocabulary) == "“ so”"


def test_a_mask_that_swallowed_the_space_before_it_gives_it_back() -> None:
    text = "a <mask> b"
    token = Token(text="<mask>", start=1, end=8, word=1)  # RoBERTa's mask strips to its left
    masked = MaskedText(
        info=demo_info(),
        tokens=(token,),
        positions=(0,),
        log_probabilities=np.zeros((1, 1), np.float32),
        vocabulary=("Ġthe",),
    )
    assert filled_sentence(text, None, masked, {0: "Ġcat"}).plain == "a cat b"


def test_each_sentence_of_a_pair_gets_its_own_words_and_the_filled_ones_are_marked() -> None:
    first, second = "a [MASK]", "[MASK] b"
    filled = filled_sentence(first, second, written(first, second), {0: "x", 1: "y"})
    assert (filled.plain, filled.plain_b) == ("a x", "y b")
    assert [part.text for part in (*filled.parts, *filled.parts_b) if part.is_filled] == ["x", "y"]


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ("Ġcat", "cat"),
        ("▁cat", "cat"),
        ("##ing", "##ing"),
        (in_bytes("안녕"), "안녕"),
        (in_bytes(" é"), "é"),
        ("così", "così"),
        ("ā", "ā"),
        ("Ġ", "␣"),
        ("[MASK]", "[MASK]"),
        ("\u202e", "⟨U+202E⟩"),
    ],
)
def test_a_piece_is_spelled_as_a_person_reads_it(piece: str, expected: str) -> None:
    assert spelled(piece) == expected


def test_part_of_a_character_is_shown_in_numbers_where_the_vocabulary_spells_bytes() -> None:
    assert spelled(SpelledPiece(in_bytes("안".encode()[:2]), BYTE_LEVEL)) == "0xEC 0x95 …"


def test_words_that_differ_only_in_the_space_before_them_are_told_apart() -> None:
    assert spelled_apart(["Ġcat", "cat", "Ġdog"]) == ("␣cat", "cat", "dog")


def test_no_cell_of_a_file_is_a_formula() -> None:
    masked = masked_text(vocabulary=["=1+1", "@x", "-", "word"])
    lines = table_csv(word_table(masked, mask=0, top_k=4)).decode("utf-8-sig").splitlines()[1:]
    assert not [cell for line in lines for cell in line.split(",") if cell.startswith(("=", "@", "-"))]
