"""How a vocabulary spells a word that a person asks about: as one piece, as several, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from models.text.prepare import PreparedText
from models.values.answers import AskedWord
from models.values.errors import TextError
from models.values.text.spelling import content_of, spelling_of
from models.values.wording import worded

_BYTE_SPACE = "Ġ"
"""A space, as byte-level BPE spells it."""


@dataclass(frozen=True, slots=True)
class _Piece:
    token_id: int
    text: str


def asked_word(word: str, read: Callable[[str], PreparedText], tokenizer: PreTrainedTokenizerBase) -> AskedWord:
    """The spellings of a word with and without a space in front; `read` is how the model reads a text.

    Raises TextError if there is no word.
    """
    bare = word.strip()
    if not bare:
        raise TextError(worded("No word was given. Type one word, such as: house"))
    spellings = [_pieces(read(text)) for text in (f" {bare}", bare)]
    single = [piece for spelling in spellings for piece in _single(spelling, tokenizer)]
    single = list(dict.fromkeys(single))
    shown = single or min(spellings, key=len)
    return AskedWord(
        word=bare,
        token_ids=tuple(piece.token_id for piece in single),
        pieces=tuple(piece.text for piece in shown),
    )


def _pieces(prepared: PreparedText) -> list[_Piece]:
    """Return the token ids without those that the tokenizer adds."""
    return [
        _Piece(token_id, token.text)
        for token_id, token in zip(prepared.input_ids, prepared.tokens, strict=True)
        if not token.is_special
    ]


def _single(spelling: Sequence[_Piece], tokenizer: PreTrainedTokenizerBase) -> list[_Piece]:
    """The one piece of a spelling, and the same piece without the mark of a word's start; none if it takes several."""
    spoken = [piece for piece in spelling if content_of(piece.text).strip()]  # a lone mark says nothing
    if len(spoken) != 1 or spoken[0].token_id == tokenizer.unk_token_id:
        return []
    unmarked = spoken[0].text.removeprefix(spelling_of(spoken[0].text).space or _BYTE_SPACE)
    token_id = tokenizer.convert_tokens_to_ids(unmarked)
    if not isinstance(token_id, int) or token_id == tokenizer.unk_token_id:
        return spoken
    return [*spoken, _Piece(token_id, unmarked)]
