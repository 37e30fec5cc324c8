"""Special tokens that a person typed: those that the tokenizer adds itself are read once, the others are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from models.text.pieces import pieces_of, spell_mask
from models.values.text.words import Piece
from models.values.wording import join_sentences, worded

_LETTER = "a"
"""A text by which it is found what a tokenizer adds before and after one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedText:
    """A text without the special tokens at its ends that its tokenizer adds there; `start` is where the rest begins."""

    text: str
    start: int = 0
    left_out: tuple[str, ...] = ()


def drop_added_specials(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], *, is_target: bool
) -> list[TypedText]:
    """Leave out of one text, or of a pair, what its tokenizer adds at the same place."""
    special = tuple(token for token in tokenizer.all_special_tokens if token)
    if not any(text.strip().startswith(special) or text.strip().endswith(special) for text in texts):
        return [TypedText(text=text) for text in texts]
    letters = [spell_mask(_LETTER, tokenizer) for _ in texts]
    pieces = pieces_of(tokenizer, letters, is_target=is_target)
    return [
        _without(
            text, before=_added_tokens(pieces, number, before=True), after=_added_tokens(pieces, number, before=False)
        )
        for number, text in enumerate(texts)
    ]


def note_of_specials(typed: Sequence[TypedText], pieces: Sequence[Piece], tokenizer: PreTrainedTokenizerBase) -> str:
    """Say which special tokens were typed; nothing of masks, which are there to be typed."""
    left_out = dict.fromkeys(token for text in typed for token in text.left_out)
    usual = {tokenizer.mask_token, tokenizer.unk_token}
    special = set(tokenizer.all_special_tokens) - usual
    inside = dict.fromkeys(str(piece.text) for piece in pieces if not piece.is_structural and piece.text in special)
    once = worded(
        "The tokenizer adds these tokens itself, so those that were typed at the ends of the text are left out: "
        "{tokens}.",
        tokens=" ".join(left_out),
    )
    read = worded("Read as special tokens of this model, not as text: {tokens}.", tokens=" ".join(inside))
    return join_sentences(once if left_out else "", read if inside else "")


def _added_tokens(pieces: Sequence[Piece], number: int, *, before: bool) -> tuple[str, ...]:
    """Return the tokens that were added just before or just after text `number`."""
    own = [place for place, piece in enumerate(pieces) if not piece.is_structural and piece.segment == number]
    beside = reversed(pieces[: own[0]]) if before else iter(pieces[own[-1] + 1 :])
    added: list[str] = []
    for piece in beside:
        if not piece.is_structural:
            break
        added.append(str(piece.text))
    return tuple(added)


def _without(text: str, *, before: tuple[str, ...], after: tuple[str, ...]) -> TypedText:
    left_out: list[str] = []
    start, end = 0, len(text)
    while special := next((token for token in before if text[start:end].lstrip().startswith(token)), ""):
        start = text.index(special, start) + len(special)
        left_out.append(special)
    while special := next((token for token in after if text[start:end].rstrip().endswith(token)), ""):
        end = text.rindex(special, start, end)
        left_out.append(special)
    if not left_out:
        return TypedText(text=text)
    kept = text[start:end]
    return TypedText(text=kept.strip(), start=start + len(kept) - len(kept.lstrip()), left_out=tuple(left_out))
