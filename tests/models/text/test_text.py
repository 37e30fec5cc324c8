"""From text to tokens: spans, words, segments, cuts, and the texts that nobody expects."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from tokenizers import Regex, Tokenizer, normalizers
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

from models import load
from models.opening.folders import load_folder
from models.text.prepare import PreparedText, prepare
from models.training.tasks.translation import encode_pairs
from models.values.errors import TextError
from tests.models.huggingface.families import (
    FAMILIES,
    byte_level,
    byte_level_bare,
    marian,
    save,
    unigram,
    wordpiece,
)
from tests.models.tasks.tiny_writers import change, gpt

TOKENIZERS = {"wordpiece": wordpiece, "byte_level": byte_level, "byte_level_bare": byte_level_bare, "unigram": unigram}
WORDS = {
    "The animal didn't cross.": ["The", "animal", "didn't", "cross", "."],
    "a well-known café (10:30)": ["a", "well", "-", "known", "café", "(", "10", ":", "30", ")"],
    "he said 'hello'  twice": ["he", "said", "'", "hello", "'", "twice"],
    "나는 학교에 갑니다.": ["나는", "학교에", "갑니다", "."],
    "שלום עולם": ["שלום", "עולם"],
    "so 🙂 and 👩‍👩‍👧 too": ["so", "🙂", "and", "👩‍👩‍👧", "too"],
}


@pytest.fixture(params=TOKENIZERS)
def tokenizer(request: pytest.FixtureRequest) -> PreTrainedTokenizerBase:
    build: Callable[[], PreTrainedTokenizerBase] = TOKENIZERS[request.param]
    return build()


def words_of(prepared: PreparedText, text: str, segment: int = 0) -> list[str]:
    """The text of every word: from the start of its first piece to the end of its last."""
    spans: dict[int, list[int]] = {}
    for token in prepared.tokens:
        if token.word is not None and token.segment == segment and token.start != token.end:
            spans.setdefault(token.word, []).extend((token.start or 0, token.end or 0))
    return [text[min(span) : max(span)].strip() for span in spans.values()]


@pytest.mark.parametrize("text", WORDS)
def test_words_are_whole_whatever_the_tokenizer(tokenizer: PreTrainedTokenizerBase, text: str) -> None:
    prepared = prepare(tokenizer, text, max_tokens=512)
    assert words_of(prepared, text) == WORDS[text]
    numbers = [token.word for token in prepared.tokens if token.word is not None]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(len(WORDS[text])))


@pytest.mark.parametrize("tokenizer", ["wordpiece", "unigram"], indirect=True)
def test_a_chinese_character_is_a_word(tokenizer: PreTrainedTokenizerBase) -> None:
    assert words_of(prepare(tokenizer, "我喜欢学习", max_tokens=512), "我喜欢学习") == list("我喜欢学习")


@pytest.mark.parametrize("text", ["我喜欢学习", "𓀀", "\U0001f468\u200d\U0001f680"])
def test_the_bytes_of_a_character_are_one_word(text: str) -> None:
    tokens = prepare(byte_level_bare(), text, max_tokens=512).tokens
    for before, after in pairwise(tokens):
        assert before.word == after.word or (before.end or 0) <= (after.start or 0)


def test_a_pair_has_two_texts(tokenizer: PreTrainedTokenizerBase) -> None:
    a, b = "The animal slept.", "It didn't cross."
    prepared = prepare(tokenizer, a, b, max_tokens=512)
    assert words_of(prepared, a, 0) == ["The", "animal", "slept", "."]
    assert words_of(prepared, b, 1) == ["It", "didn't", "cross", "."]
    start = prepared.segment_b_start
    assert start is not None
    assert not prepared.tokens[start].is_special
    assert [t.segment for t in prepared.tokens] == [0] * start + [1] * (len(prepared.tokens) - start)
    assert len(prepared.input_ids) == len(prepared.segment_ids) == len(prepared.tokens)
    words = [token.word for token in prepared.tokens if token.word is not None]
    assert set(words) == set(range(8)), "words are counted over both texts"
    assert prepare(tokenizer, a, "", max_tokens=512).segment_b_start is None


def test_structural_tokens_are_special_and_typed_ones_are_not() -> None:
    text = "The [MASK] [SEP] slept."
    prepared = prepare(wordpiece(), text, "So.", max_tokens=512)
    special = [token.text for token in prepared.tokens if token.is_special]
    typed = [token for token in prepared.tokens if not token.is_special and token.text.startswith("[")]
    assert special == ["[CLS]", "[SEP]", "[SEP]"]
    assert [text[token.start : token.end] for token in typed] == ["[MASK]", "[SEP]"]
    assert len({token.word for token in typed}) == 2
    assert all(token.start is None and token.word is None for token in prepared.tokens if token.is_special)
    assert prepared.segment_ids == tuple(token.segment for token in prepared.tokens)


def test_a_typed_mask_becomes_the_tokenizers_own() -> None:
    for own in ("[MASK]", "<mask>"):
        text = f"The {own} slept, [MASK]."
        prepared = prepare(byte_level(), text, max_tokens=512)
        masks = [token for token in prepared.tokens if token.text == "<mask>"]
        assert [text[token.start : token.end] for token in masks] == [own, "[MASK]"]
        assert not any(token.is_special for token in masks)
        assert words_of(prepared, text) == ["The", own, "slept", ",", "[MASK]", "."]


def test_a_mask_token_of_another_length_keeps_the_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = byte_level_bare()
    monkeypatch.setattr(type(tokenizer), "mask_token", "<|endoftext|>", raising=False)
    text = "a [MASK] b [MASK] c"
    prepared = prepare(tokenizer, text, max_tokens=99)
    assert words_of(prepared, text) == ["a", "[MASK]", "b", "[MASK]", "c"]


@pytest.mark.parametrize("empty", ["", " \n\t ", "\x00\x07", "\ud800", "\u200b\u200d"])
def test_a_text_without_anything_to_read_is_refused(tokenizer: PreTrainedTokenizerBase, empty: str) -> None:
    with pytest.raises(TextError, match="The text"):
        prepare(tokenizer, empty, max_tokens=512)
    with pytest.raises(TextError, match="Sentence A"):
        prepare(tokenizer, empty, "Something.", max_tokens=512)
    if empty:
        with pytest.raises(TextError, match="Sentence B"):
            prepare(tokenizer, "Something.", empty, max_tokens=512)


def test_control_characters_become_spaces_and_spans_stay(tokenizer: PreTrainedTokenizerBase) -> None:
    text = "The\x00animal\x07\ud800 slept\x9b."
    prepared = prepare(tokenizer, text, max_tokens=512)
    assert [word.strip("\x00\x07\x9b\ud800 ") for word in words_of(prepared, text)] == ["The", "animal", "slept", "."]


@pytest.mark.parametrize("unit", ["word ", "a", "我", "🙂 ", "[MASK] ", "didn't\n"])
def test_a_very_long_text_is_cut_at_once(tokenizer: PreTrainedTokenizerBase, unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    prepared = prepare(tokenizer, text, max_tokens=128)
    assert time.process_time() - started < 2
    assert len(prepared.tokens) <= 128
    last = max(token.end for token in prepared.tokens if token.end)
    assert prepared.note == "" if last == len(text) else "was cut after" in prepared.note


def test_the_note_says_what_was_cut_and_where() -> None:
    words = [f"word{index}" for index in range(100)]
    prepared = prepare(wordpiece(), " ".join(words), max_tokens=50)
    (last,) = {words_of(prepared, " ".join(words))[-1]}
    n_kept = sum(not token.is_special for token in prepared.tokens)
    n_all = sum(not token.is_special for token in prepare(wordpiece(), " ".join(words), max_tokens=10_000).tokens)
    assert f"{last}”: {n_kept} of {n_all} tokens are kept." in prepared.note
    assert "at most 50 tokens" in prepared.note
    assert last in words, "the cut is between words"
    assert len(prepared.tokens) > 40


def test_a_pair_is_cut_fairly(tokenizer: PreTrainedTokenizerBase) -> None:
    long, short = "The animal didn't cross the street. " * 50, "It slept."
    first = prepare(tokenizer, long, short, max_tokens=100)
    assert words_of(first, short, 1) == ["It", "slept", "."]
    assert "Sentence A was cut" in first.note
    assert "Sentence B" not in first.note
    second = prepare(tokenizer, short, long, max_tokens=100)
    assert words_of(second, short, 0) == ["It", "slept", "."]
    both = prepare(tokenizer, long, long, max_tokens=100)
    sizes = [sum(token.segment == index for token in both.tokens) for index in (0, 1)]
    assert abs(sizes[0] - sizes[1]) < 15
    assert all(80 < len(prepared.tokens) <= 100 for prepared in (first, second, both))
    assert "Sentence A was cut" in both.note
    assert "Sentence B was cut" in both.note


def test_a_limit_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(TextError, match="limit of 3"):
        prepare(wordpiece(), "One.", "Two.", max_tokens=3)


def test_a_python_tokenizer_without_offsets(tmp_path: Path) -> None:
    tokenizer = marian(tmp_path)
    text = "The animal didn't cross the street."
    prepared = prepare(tokenizer, text, max_tokens=512)
    assert not tokenizer.is_fast
    assert words_of(prepared, text) == ["The", "animal", "didn't", "cross", "the", "street", "."]
    assert [token.is_special for token in prepared.tokens] == [False] * (len(prepared.tokens) - 1) + [True]
    cut = prepare(tokenizer, text * 50, max_tokens=40)
    assert 30 < len(cut.tokens) <= 40
    assert "was cut after" in cut.note


@pytest.mark.parametrize(
    "normalizer",
    [
        normalizers.Sequence([normalizers.Replace("q", "q" * 10) for _ in range(10)]),
        normalizers.Replace(Regex("x*"), "q" * 2_000_000),
        normalizers.Prepend("q" * 2_000_000),
    ],
    ids=["ten chained replacements", "an expression", "a beginning"],
)
def test_a_normalizer_that_explodes_is_not_let_near_a_text(normalizer: normalizers.Normalizer) -> None:
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=word_level(normalizer))
    with pytest.raises(TextError, match="a single character into more than 1,000,000"):
        prepare(tokenizer, "quite a question", max_tokens=16)


def test_a_text_is_cut_by_its_length_after_the_normalizer() -> None:
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=word_level(normalizers.Sequence([normalizers.Replace("q", "q" * 100) for _ in range(2)]))
    )
    prepared = prepare(tokenizer, "qq " * 1000, max_tokens=4096)
    assert len(prepared.tokens) == -(-100 // 3)
    assert "was cut" in prepared.note


def word_level(normalizer: normalizers.Normalizer) -> Tokenizer:
    made = Tokenizer(WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    made.normalizer = normalizer
    made.pre_tokenizer = WhitespaceSplit()
    return made


def test_opening_a_model_that_reads_few_tokens_warns_of_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """transformers says "Token indices sequence length is longer than ..." of any text that nobody has cut yet."""
    ours, theirs = gpt(tmp_path / "ours"), save(FAMILIES["gpt2"], tmp_path / "theirs")
    for folder in (ours, theirs):
        change(folder / "tokenizer_config.json", model_max_length=6)
    warned = logging.getLogger("transformers")
    warned.addHandler(caplog.handler)
    try:
        load_folder(ours, name="ours").record("The man has a red car. " * 9)
        load(str(theirs)).record("The animal was tired. " * 9)
        tokenizer = PreTrainedTokenizerFast.from_pretrained(ours)
        encode_pairs(tokenizer, ["The man has a red car."], ["El hombre tiene un coche rojo."], max_tokens=6)
    finally:
        warned.removeHandler(caplog.handler)
    assert [entry.getMessage() for entry in caplog.records if "longer" in entry.getMessage()] == []
