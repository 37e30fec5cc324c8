"""Tokenizers of translators whose sources and targets have a vocabulary each: FSMT, and Marian's `separate_vocabs`.

Those of transformers read by one vocabulary and spell by the other: the labels of a source would come from its target.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from transformers import PreTrainedTokenizerBase


def split_vocabularies(
    tokenizer: PreTrainedTokenizerBase,
) -> tuple[PreTrainedTokenizerBase, PreTrainedTokenizerBase]:
    """Return the tokenizer of sources and that of targets, each with one vocabulary; the same one where both share
    theirs."""
    own: Any = tokenizer
    if not hasattr(own, "get_tgt_vocab") or own.decoder == {token_id: piece for piece, token_id in own.encoder.items()}:
        return tokenizer, tokenizer
    return _with_vocabulary(own, own.encoder, "source"), _with_vocabulary(
        own, {piece: token_id for token_id, piece in own.decoder.items()}, "target"
    )


def _with_vocabulary(tokenizer: Any, numbers: Mapping[str, int], side: str) -> PreTrainedTokenizerBase:
    """Return a tokenizer that reads and spells by one vocabulary, and parts words as one `side` does."""
    special = {numbers.get(str(token), number): token for number, token in tokenizer.added_tokens_decoder.items()}
    one: PreTrainedTokenizerBase = copy(tokenizer)
    state = vars(one)
    state |= {
        "encoder": numbers,
        "current_encoder": numbers,
        "decoder": {token_id: piece for piece, token_id in numbers.items()},
        "separate_vocabs": False,
        "_added_tokens_decoder": special,
        "_added_tokens_encoder": {str(token): number for number, token in special.items()},
    }
    for name in ("spm_source", "spm_target", "current_spm"):
        if name in state:
            state[name] = getattr(tokenizer, f"spm_{side}")
    for name in ("src_lang", "tgt_lang"):
        if name in state:
            state[name] = getattr(tokenizer, {"source": "src_lang", "target": "tgt_lang"}[side])
    return one
