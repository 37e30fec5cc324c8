"""Strange settings in the files of a tokenizer, and pieces that share a character or follow an unknown one."""

from __future__ import annotations

from copy import deepcopy

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

from models.huggingface.config import NO_LIMIT
from models.text.alignment import align
from models.text.prepare import prepare
from models.text.tokenizer.files import read_whole_texts
from models.values.text.spelling import text_of
from tests.models.huggingface.families import byte_level
from tests.models.text.test_every_tokenizer import LONGEST, read, spans_of_words
from tests.models.text.zoo import ZOO


def _drawing(kind: str) -> PreTrainedTokenizerBase:
    """Return a tokenizer whose files ask for pieces drawn at random, as trainings use them."""
    tokenizer = deepcopy(
        ZOO["gpt_sw3" if kind == "SentencePiece" else "unigram" if kind == "Unigram" else "byte_level"]()
    )
    if kind == "SentencePiece":
        vars(tokenizer.sp_model)["_enable_sampling"] = True
    elif kind == "Unigram":
        tokenizer.backend_tokenizer.model.alpha, tokenizer.backend_tokenizer.model.nbest_size = 0.1, 8
    else:
        tokenizer.backend_tokenizer.model.dropout = 0.5
    return tokenizer


@pytest.mark.parametrize("kind", ["BPE", "Unigram", "SentencePiece"])
def test_a_text_is_cut_into_the_same_pieces_each_time(kind: str) -> None:
    text = "The animal didn't cross the street because it was too tired."
    tokenizer = _drawing(kind)
    assert len({tuple(tokenizer(text)["input_ids"]) for _ in range(20)}) > 1
    read_whole_texts(tokenizer)
    assert len({tuple(tokenizer(text)["input_ids"]) for _ in range(20)}) == 1


@pytest.mark.parametrize("limit", [-1, 0, "512", None])
def test_a_limit_that_is_no_number_of_tokens_is_none(limit: object) -> None:
    tokenizer = deepcopy(byte_level())
    tokenizer.model_max_length = limit
    read_whole_texts(tokenizer)
    assert tokenizer.model_max_length > NO_LIMIT


def test_marks_of_half_a_width_belong_to_the_letter_before_them() -> None:
    raw = Tokenizer(models.WordLevel({"[UNK]": 0, "パ": 1, "가": 2}, unk_token="[UNK]"))
    raw.normalizer, raw.pre_tokenizer = normalizers.NFKC(), pre_tokenizers.Whitespace()
    prepared = prepare(PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="[UNK]"), "ﾊﾟ ﾡￂ", max_tokens=LONGEST)
    assert [(token.start, token.end) for token in prepared.tokens] == [(0, 2), (3, 5)]
    assert prepared.note == ""


def test_the_end_of_a_line_stands_where_it_was_typed_and_is_apart() -> None:
    text = "the animal\nhe said\n\nso \n is"
    tokens = read("blenderbot_small", text).tokens
    ends = [token for token in tokens if token.start is not None and text[token.start : token.end] == "\n"]
    assert {token.start for token in ends} == {text.index("\n"), text.index("\n\n")}
    words = [text[start:end] for start, end in spans_of_words(tokens)]
    assert words == ["the", "animal", "\n", "he", "said", "\n", "so", "is"]


@pytest.mark.parametrize("name", ["marian", "m2m100", "xlm", "flaubert", "phobert", "ctrl", "blenderbot_small"])
def test_what_follows_an_unknown_letter_stands_behind_it(name: str) -> None:
    """The digits 2, 4 and 5 are unknown to the tiny tokenizers, and 0 and 1 are not."""
    text = "the 2024-01-15 said 20s"
    tokens = [token for token in read(name, text).tokens if not token.is_special]
    known = [token for token in tokens if text_of(token.text).strip("@ ") in {"0", "1", "-", "s"}]
    assert len(known) >= 7
    for token in known:
        assert text_of(token.text).strip("@ ") == text[token.start : token.end]
    assert spans_of_words(tokens)[0] == (0, 3)


@pytest.mark.parametrize(
    ("pieces", "text", "expected"),
    [
        (["f", "i", "ne"], "ﬁne", ["ﬁ", "ﬁ", "ne"]),
        (["so", ".", ".", "."], "so…", ["so", "…", "…", "…"]),
        (["1", "<unk>", "2", "a"], "½a", ["½", "½", "½", "a"]),
        (["f", "i", "f", "l", "i"], "ﬁﬂi", ["ﬁ", "ﬁ", "ﬂ", "ﬂ", "i"]),
        (["straß", "e", "s"], "straßes", ["straß", "e", "s"]),
    ],
)
def test_pieces_that_share_a_character_all_stand_there(pieces: list[str], text: str, expected: list[str]) -> None:
    spans = align(pieces, text, unknown="<unk>")
    assert [None if span is None else text[slice(*span)] for span in spans] == expected
