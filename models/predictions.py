"""From the logits of an MLM head to words with probabilities (Devlin et al. 2018, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from transformers import PreTrainedTokenizerBase

from models.record import MaskPrediction, WordChoice


def predict_masks(
    logits: Tensor, input_ids: Sequence[int], tokenizer: PreTrainedTokenizerBase, top_k: int
) -> tuple[MaskPrediction, ...]:
    """The `top_k` likeliest word pieces at every [MASK] of one text; `logits` [n_tokens, d_vocab]."""
    return tuple(
        MaskPrediction(position=position, choices=_best(logits[position], tokenizer, top_k))
        for position, token_id in enumerate(input_ids)
        if token_id == tokenizer.mask_token_id
    )


def _best(logits: Tensor, tokenizer: PreTrainedTokenizerBase, top_k: int) -> tuple[WordChoice, ...]:
    best = logits.float().softmax(dim=-1).topk(min(top_k, logits.shape[-1]))  # [top_k]
    pieces = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    return tuple(
        WordChoice(text=piece or "[unused]", probability=probability)  # some vocabularies are padded with nameless ids
        for piece, probability in zip(pieces, best.values.tolist(), strict=True)
    )
