"""The pieces of a vocabulary, as the tokenizer spells them."""

from __future__ import annotations

from transformers import PreTrainedTokenizerBase

NAMELESS = "[unused]"
"""Some vocabularies are padded with numbers that have no piece."""


def vocabulary_of(tokenizer: PreTrainedTokenizerBase, d_vocab: int) -> tuple[str, ...]:
    """The tokenizer's own spelling of every piece [d_vocab], NAMELESS where it has none."""
    pieces = [NAMELESS] * d_vocab
    for piece, token_id in tokenizer.get_vocab().items():
        if token_id < d_vocab:
            pieces[token_id] = piece
    return tuple(pieces)
