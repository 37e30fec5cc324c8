"""The tokens that each stack of a model reads: the text, and the target that a decoder is given or writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from transformers import PreTrainedTokenizerBase

from models.text.languages.ids import special_ids
from models.text.prepare import PreparedText, prepare
from models.text.tokenizer.vocabulary import NAMELESS
from models.values.record import Kind, Token
from models.values.text.words import tokens_of_written, written_words
from models.values.wording import join_sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as the stacks of a model read it; `decoder_ids` for an encoder-decoder only."""

    prepared: PreparedText
    tokens: Mapping[Kind, tuple[Token, ...]]
    decoder_ids: tuple[int, ...] | None = None
    note: str = ""


def target_given(
    prepared: PreparedText, text_b: str, tokenizer: PreTrainedTokenizerBase, *, start_id: int, max_tokens: int
) -> Reading:
    """A source, and a target that is given: shifted right by the start token, as in training."""
    target = prepare(tokenizer, text_b, max_tokens=max_tokens - 1, is_target=True)
    ids, tokens = list(target.input_ids), list(target.tokens)
    while tokens and tokens[0].is_special and ids[0] == start_id:  # the decoder starts with it all the same
        ids, tokens = ids[1:], tokens[1:]
    while tokens and tokens[-1].is_special:  # the end, and of mBART the language after it
        ids, tokens = ids[:-1], tokens[:-1]
    start = Token(text=str(tokenizer.convert_ids_to_tokens(start_id)), segment=1, is_special=True)
    return Reading(
        prepared=prepared,
        tokens={"encoder": prepared.tokens, "decoder": (start, *(replace(token, segment=1) for token in tokens))},
        decoder_ids=(start_id, *ids),
        note=join_sentences(prepared.note, target.note),
    )


def target_written(
    prepared: PreparedText, ids: Sequence[int], tokenizer: PreTrainedTokenizerBase, vocabulary: Sequence[str]
) -> Reading:
    """A source, and what the decoder wrote for it, its start token first; `vocabulary` [d_vocab] spells the ids."""
    return Reading(
        prepared=prepared,
        tokens={"encoder": prepared.tokens, "decoder": _written_tokens(ids, tokenizer, vocabulary, segment=1)},
        decoder_ids=tuple(ids),
        note=prepared.note,
    )


def shift_source(prepared: PreparedText, ids: Sequence[int], tokenizer: PreTrainedTokenizerBase) -> Reading:
    """A source that the decoder reads, too, shifted by the model itself: `ids` are the source's, one place later."""
    first = Token(text=str(tokenizer.convert_ids_to_tokens(ids[0])), segment=1, is_special=True)
    return Reading(
        prepared=prepared,
        tokens={
            "encoder": prepared.tokens,
            "decoder": (first, *(replace(token, segment=1) for token in prepared.tokens[: len(ids) - 1])),
        },
        decoder_ids=tuple(ids),
        note=prepared.note,
    )


def append_written(
    prepared: PreparedText, ids: Sequence[int], tokenizer: PreTrainedTokenizerBase, vocabulary: Sequence[str]
) -> Reading:
    """A text with what a decoder wrote after it; `vocabulary` [d_vocab] spells the ids."""
    before = prepared.tokens
    tokens = _after(before, _written_tokens(ids, tokenizer, vocabulary, segment=before[-1].segment))
    whole = replace(
        prepared,
        input_ids=(*prepared.input_ids, *ids),
        segment_ids=(*prepared.segment_ids, *[prepared.segment_ids[-1]] * len(ids)),
        tokens=(*before, *tokens),
    )
    return Reading(prepared=whole, tokens={"decoder": whole.tokens}, note=whole.note)


def without_end(prepared: PreparedText) -> PreparedText:
    """The text without the special tokens that its tokenizer put behind it: nothing is written after an end."""
    n_kept = len(prepared.tokens)
    while n_kept > 1 and prepared.tokens[n_kept - 1].is_special:
        n_kept -= 1
    return replace(
        prepared,
        input_ids=prepared.input_ids[:n_kept],
        segment_ids=prepared.segment_ids[:n_kept],
        tokens=prepared.tokens[:n_kept],
    )


def _after(before: Sequence[Token], written: Sequence[Token]) -> list[Token]:
    """Return the tokens that were written after others, their words counted on from the last word of those."""
    last_word = max((token.word for token in before if token.word is not None), default=-1)
    last = [token for token in before if token.word == last_word and before[-1].word == last_word]
    whole = [*last, *written]
    words = written_words([token.text for token in whole], [token.is_special for token in whole])
    first = last_word - (words[len(last) - 1] or 0) if last else last_word + 1
    return [
        replace(token, word=None if word is None else first + word)
        for token, word in zip(written, words[len(last) :], strict=True)
    ]


def _written_tokens(
    ids: Sequence[int], tokenizer: PreTrainedTokenizerBase, vocabulary: Sequence[str], *, segment: int
) -> tuple[Token, ...]:
    pieces = [f"<{token_id}>" if vocabulary[token_id] == NAMELESS else vocabulary[token_id] for token_id in ids]
    special = special_ids(tokenizer)
    return tokens_of_written(pieces, [token_id in special for token_id in ids], segment=segment)
