"""The pieces of a vocabulary, as the tokenizer spells them."""

from __future__ import annotations

from transformers import PreTrainedTokenizerBase

from models.text.languages.ids import tokens_of_languages
from models.text.tokenizer.spelling import literal_pieces, spelling_of_tokenizer
from models.values.text.spelling import Vocabulary

NAMELESS = "[unused]"
"""Some vocabularies are padded with numbers that have no piece."""


def vocabulary_of(tokenizer: PreTrainedTokenizerBase, d_vocab: int) -> Vocabulary:
    """Return every piece [d_vocab] as the tokenizer spells it, NAMELESS where it has none."""
    pieces = [NAMELESS] * d_vocab
    for piece, token_id in tokenizer.get_vocab().items():
        if token_id < d_vocab:
            pieces[token_id] = piece
    for token_id, piece in tokens_of_languages(tokenizer).items():
        if token_id < d_vocab:
            pieces[token_id] = piece
    literal = sorted(literal_pieces(tokenizer) | {NAMELESS})
    return Vocabulary(pieces=tuple(pieces), spelling=spelling_of_tokenizer(tokenizer), literal=tuple(literal))
