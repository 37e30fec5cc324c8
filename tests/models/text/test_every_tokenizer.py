"""Words, spans and readable pieces, for every way in which tokenizers spell them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from io import BytesIO
from unicodedata import normalize

import numpy as np
import pytest

from models.opening.guest_answers import read_frame, write_frame
from models.text.alignment import align
from models.text.prepare import PreparedText, prepare
from models.text.tokenizer.spelling import spelled_pieces, spelling_of_tokenizer
from models.text.tokenizer.vocabulary import vocabulary_of
from models.values.record import Token, word_ranges
from models.values.text.spelling import LITERAL, SpelledPiece, Spelling, attach_spelling, readable, text_of
from models.values.text.words import Piece, tokens_of_written, with_words
from tests.closeness import assert_close
from tests.models.text.zoo import ZOO
from viz.attention.transform import prepare as prepared_matrix
from viz.kit.demos.records import random_record
from viz.kit.tokens import token_texts, unmarked_words_note

LONGEST = 512
WORDS = {
    "The animal didn't cross the street.": ["The", "animal", "didn't", "cross", "the", "street", "."],
    "he said 'hello'  twice": ["he", "said", "'", "hello", "'", "twice"],
    "the naïve café is open.": ["the", "naïve", "café", "is", "open", "."],
    "“so” 🙂 and 👩‍👩‍👧 too": ["“", "so", "”", "🙂", "and", "👩‍👩‍👧", "too"],
    "나는 학교에 갑니다.": ["나는", "학교에", "갑니다", "."],
}
IN_BYTES = [name for name in ZOO if name.startswith(("byte_level", "deepseek", "clip", "llama", "gemma", "byt5"))]
MARKS = ("Ġ", "Ã", "▁", "</w>", "<0x", "ð")


def read(name: str, text: str) -> PreparedText:
    return prepare(ZOO[name](), text, max_tokens=LONGEST)


def spans_of_words(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """From where to where each word reaches, without its spaces."""
    spans: dict[int, list[int]] = {}
    for token in tokens:
        if token.word is not None and token.start is not None and token.end is not None and token.start < token.end:
            spans.setdefault(token.word, []).extend((token.start, token.end))
    return [(min(span), max(span)) for span in spans.values()]


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("name", ZOO)
def test_words_are_those_of_the_text(name: str, text: str) -> None:
    tokens = read(name, text).tokens
    assert [text[start:end].strip() for start, end in spans_of_words(tokens)] == WORDS[text]
    numbers = [token.word for token in tokens if token.word is not None]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("name", ZOO)
def test_attention_to_a_word_is_the_sum_over_the_pieces_that_stand_in_it(name: str) -> None:
    text = "The animal didn't cross the street."
    tokens = read(name, text).tokens
    record = random_record(tokens=tokens)
    weights = record.weights(layer=0, head=0)
    words = prepared_matrix(record, layer=0, head=0, words=True)
    column = next(at for at, token in enumerate(words.key_tokens) if token.start == 4 or token.end == 10)
    pieces = [
        at
        for at, token in enumerate(tokens)
        if token.word is not None
        and token.start is not None
        and (3 if token.start < (token.end or 0) else 4) <= token.start
        and (token.end or 0) <= 10
    ]
    rows = [range(word.start, word.stop) for word in word_ranges(tokens)]
    expected = [weights[np.ix_(row, pieces)].sum(axis=1).mean() for row in rows]
    assert_close(words.values[:, column], expected)


@pytest.mark.parametrize("name", ZOO)
def test_what_a_decoder_writes_has_the_words_of_the_text_that_it_spells(name: str) -> None:
    prepared = read(name, "the street is open.")
    pieces = [token.text for token in prepared.tokens]
    written = tokens_of_written(pieces, [token.is_special for token in prepared.tokens])
    assert [token.word for token in written] == [token.word for token in prepared.tokens]
    assert all(token.start is None for token in written)


@pytest.mark.parametrize("name", ZOO)
def test_no_label_shows_how_bytes_spaces_and_ends_are_spelled(name: str) -> None:
    texts = token_texts(read(name, "the café is 🙂 open").tokens)
    assert not [text for text in texts if any(mark in text for mark in MARKS)]


@pytest.mark.parametrize("name", IN_BYTES)
def test_the_bytes_of_a_character_are_numbers_alone_and_the_character_in_its_word(name: str) -> None:
    text = "so ꙮ open"
    tokens = read(name, text).tokens
    parts = [each for each in token_texts(tokens) if "0x" in each]
    assert parts == ["0xEA …", "0x99 …", "0xAE …"]
    words = prepared_matrix(random_record(tokens=tokens), layer=0, head=0, words=True, special="hidden")
    assert token_texts(words.key_tokens) == ("so", "ꙮ", "open")


def test_added_tokens_are_text_as_they_stand_whatever_alphabet_they_are_of() -> None:
    text = "<｜User｜>he went to the café<|im_start|> né 🤖東京[two words] 漢"
    tokens = read("deepseek", text).tokens
    texts = token_texts(tokens)
    assert {"<｜User｜>", "<|im_start|>", "né", "🤖", "東京", "[two words]", "café", "the"} <= set(texts)
    assert texts[-2:] == ("0xBC …", "0xA2 …")
    vocabulary = vocabulary_of(ZOO["deepseek"](), len(ZOO["deepseek"]()))
    assert text_of(vocabulary[vocabulary.pieces.index("<｜begin▁of▁sentence｜>")]) == "<｜begin▁of▁sentence｜>"


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("wordpiece", "##"),
        ("byte_level", "Ġ"),
        ("byte_level", "▁"),
        ("byte_level", "##"),
        ("llama", "▁"),
        ("gemma", "▁"),
        ("llama", "Ġ"),
        ("llama", "##"),
        ("byt5", "▁"),
        ("clip", "##"),
        ("byte_level", "</w>"),
    ],
)
def test_marks_that_a_person_typed_stay(name: str, typed: str) -> None:
    text = f"a{typed}b c" if name != "wordpiece" else f"a {typed} c"
    tokens = [token for token in read(name, text).tokens if not token.is_special]
    merged = prepared_matrix(random_record(tokens=tuple(tokens)), layer=0, head=0, words=True).key_tokens
    shown = "".join(token_texts(merged))
    assert shown == text.replace(" ", "") or "[UNK]" in shown


@pytest.mark.parametrize("name", [name for name in ZOO if name not in {"wordpiece", "prophetnet", "unigram", "marian"}])
def test_a_sentence_without_spaces_is_no_word(name: str) -> None:
    whole = "the สวัสดีชาวโลก is"
    tokens = read(name, whole).tokens
    words = spans_of_words(tokens)
    assert all(end - start <= 4 for start, end in words[1:-1])
    assert [whole[start:end].strip() for start, end in (words[0], words[-1])] == ["the", "is"]
    merged = prepared_matrix(random_record(tokens=tokens), layer=0, head=0, words=True)
    assert unmarked_words_note(token_texts(merged.key_tokens)) in merged.note != ""


MIXED = ("I love 東京タワー and 한국", "ສະບາຍດີ", "ជំរាបសួរ", "မင်္ဂလာပါ", "བཀྲ་ཤིས", "ひらがなとカタカナ")


@pytest.mark.parametrize("text", MIXED)
def test_mixed_scripts_are_told_apart_run_by_run(text: str) -> None:
    tokens = read("byt5", text).tokens
    words = [text[start:end].strip() for start, end in spans_of_words(tokens)]
    assert "".join(words) == text.replace(" ", "")
    spaced = [word for word in text.split() if word.isascii() or word == "한국"]
    assert [word for word in words if word in text.split()] == spaced


@pytest.mark.parametrize("name", ["gemma", "byt5", "phobert"])
def test_a_flag_is_one_word_and_so_is_what_has_a_piece_for_every_mark(name: str) -> None:
    text = "🇰🇷🇯🇵 हिन्दी भाषा"
    assert [text[start:end].strip() for start, end in spans_of_words(read(name, text).tokens)] == [
        "🇰🇷",
        "🇯🇵",
        "हिन्दी",
        "भाषा",
    ]


def test_pieces_that_cross_words_are_not_parted() -> None:
    text = "out of there, ok"
    spans = [(0, 10), (10, 12), (12, 13), (14, 16)]  # "out of the", "re", ",", "ok"
    pieces = [
        Piece(text=text[start:end], token_id=0, segment_id=0, segment=0, span=(start, end), is_structural=False)
        for start, end in spans
    ]
    assert [token.word for token in with_words(pieces, [text])] == [0, 0, 1, 2]


# -- alignment --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "text", "expected"),
    [
        (["na", "i", "ve"], "NAÏVE", ["NA", "Ï", "VE"]),
        (["<unk>", "a"], "banana a", ["banana", "a"]),
        (["<unk>", "afé"], "Café", ["C", "afé"]),
        (["<unk>", "<unk>", "c"], "漢 字 c", ["漢", "字", "c"]),
        (["<unk>", "b"], "x y b", ["x y", "b"]),
        (["...", '"'], "…”", ["…", "”"]),
        (["a", "<unk>"], "a", ["a", None]),
        (["fi", "ne"], "ﬁne", ["ﬁ", "ne"]),
    ],
)
def test_pieces_without_offsets_are_found_in_the_text(pieces: list[str], text: str, expected: list[str | None]) -> None:
    spans = align(pieces, text, unknown="<unk>")
    assert [None if span is None else text[slice(*span)] for span in spans] == expected


def test_a_long_text_is_aligned_to_its_end() -> None:
    text = "the quick brown fox jumps over the lazy dog. " * 400
    pieces = [SpelledPiece(piece, Spelling(apart=True)) for piece in text.split()]
    spans = align(pieces, text, unknown=None)
    assert [text[slice(*span)] for span in spans if span] == text.split()


# -- what pieces know -------------------------------------------------------------------------------------------------


def test_plain_pieces_are_judged_together_and_read_one_by_one() -> None:
    plain = ["<｜User｜>", "Ġwent", "cafÃ©", "ðŁ", "🤖"]
    assert [text_of(piece) for piece in attach_spelling(plain)] == ["<｜User｜>", "went", "café", "0xF0 0x9F …", "🤖"]
    assert [text_of(piece) for piece in attach_spelling(["Ġunju", "żmien"])] == ["Ġunju", "żmien"]
    assert [text_of(piece) for piece in attach_spelling(["▁so", "<0xF0>"])] == ["so", "0xF0 …"]


@pytest.mark.parametrize(
    ("content", "text"),
    [(b"caf\xc3\xa9", "café"), (b"\xc3", "0xC3 …"), (b"a\xf0\x9f", "a 0xF0 0x9F …"), (b"\x80 b", "0x80 … b")],
)
def test_bytes_are_read_as_far_as_they_are_text(content: bytes, text: str) -> None:
    assert readable(content) == text


@pytest.mark.parametrize("name", ["deepseek", "llama", "wordpiece"])
def test_pieces_and_vocabularies_go_between_processes(name: str) -> None:
    tokenizer = ZOO[name]()
    vocabulary = vocabulary_of(tokenizer, len(tokenizer))
    piece = vocabulary[len(vocabulary) - 1]
    frame = BytesIO()
    write_frame(frame, {"piece": piece, "vocabulary": vocabulary})
    frame.seek(0)
    for sent in (pickle.loads(pickle.dumps({"piece": piece, "vocabulary": vocabulary})), read_frame(frame)):
        assert sent["vocabulary"] == vocabulary
        for one, other in ((sent["piece"], piece), (sent["vocabulary"][-1], vocabulary[-1])):
            assert isinstance(one, SpelledPiece)
            assert isinstance(other, SpelledPiece)
            assert (one, one.spelling) == (other, other.spelling)


def test_every_tokenizer_says_how_it_spells() -> None:
    found = {name: spelling_of_tokenizer(build()) for name, build in ZOO.items()}
    assert {name for name, each in found.items() if each.ends} == {
        "openai_gpt",
        "clip",
        "herbert",
        "xlm",
        "flaubert",
        "fsmt",
        "biogpt",
    }
    assert {name for name, each in found.items() if each.goes_on} == {"phobert", "bertweet", "ctrl", "blenderbot_small"}
    assert {name for name, each in found.items() if each.inside} == {"wordpiece", "prophetnet"}
    assert {name for name, each in found.items() if each.falls_back} == {"llama", "gemma", "gpt_sw3"}
    assert LITERAL not in found.values()


def test_a_run_of_spaces_that_was_added_is_still_spaces() -> None:
    tokenizer = ZOO["llama"]()
    assert text_of(spelled_pieces(["▁▁▁"], tokenizer)[0]).isspace()


TYPED = ("</s>", "<s>", "<pad>", "[SEP]", "[CLS]", "[PAD]", "<|endoftext|>", "<unk>", "▁", "<0x41>", "<|im_start|>")


@pytest.mark.parametrize("name", ZOO)
def test_a_typed_special_token_is_text_or_is_named(name: str) -> None:
    tokenizer = ZOO[name]()
    for typed in TYPED:
        for text in (f"the {typed} street", f"the street {typed}", f"{typed} the street"):
            prepared = read(name, text)
            covered = {place for token in prepared.tokens for place in range(token.start or 0, token.end or 0)}
            visible = {place for place, character in enumerate(text) if not character.isspace()}
            assert visible <= covered or typed in prepared.note
            ids = zip(prepared.input_ids, prepared.tokens, strict=True)
            inside = [
                token.text for token_id, token in ids if token_id in tokenizer.all_special_ids and not token.is_special
            ]
            assert {str(piece) for piece in inside} - {tokenizer.unk_token, tokenizer.mask_token} <= {typed}
            assert not inside or typed in prepared.note or tokenizer.unk_token in inside


@pytest.mark.parametrize("name", ZOO)
def test_a_token_behind_an_unknown_letter_stands_where_it_was_typed(name: str) -> None:
    text = "Ġthe the street"
    tokens = [token for token in read(name, text).tokens if not token.is_special and token.start is not None]
    for token in tokens:
        spelled = text_of(token.text).strip().removesuffix("@@")
        if spelled.isascii() and spelled.isalpha():
            assert spelled in normalize("NFKD", text[token.start : token.end]).casefold()
    assert [token.start for token in tokens] == sorted(token.start or 0 for token in tokens)
