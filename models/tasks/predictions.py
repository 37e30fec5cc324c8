"""From the logits of an MLM head to words with probabilities (Devlin et al. 2018, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from models.values.answers import best_choices
from models.values.record import Array, MaskPrediction


def mask_positions(input_ids: Sequence[int], tokenizer: PreTrainedTokenizerBase) -> tuple[int, ...]:
    """Where the masks are among the tokens."""
    return tuple(position for position, token_id in enumerate(input_ids) if token_id == tokenizer.mask_token_id)


def as_array(probabilities: Tensor) -> Array:
    """A tensor as a float32 array on the CPU."""
    array: Array = probabilities.float().cpu().numpy()
    return array


def softmax(logits: Tensor) -> Array:
    """Logits [..., n_choices] as probabilities, which in half precision would not sum to 1, on the CPU."""
    return as_array(torch.softmax(logits.float(), dim=-1))


def log_softmax(logits: Tensor) -> Array:
    """Logits [n, d_vocab] as log-probabilities in nats, on the CPU.

    Computed in float64 there, which not every accelerator has: in float32 the thirty thousand terms of a row can come
    to a sum that is off by 1e-5.
    """
    return as_array(torch.log_softmax(logits.cpu().double(), dim=-1))


def log_probabilities_at(logits: Tensor, positions: Sequence[int]) -> Array:
    """The log-probabilities [n_positions, d_vocab] at some tokens; `logits` [n_tokens, d_vocab]."""
    return log_softmax(logits[torch.tensor(positions, dtype=torch.long, device=logits.device)])


def predict_masks(
    logits: Tensor, positions: Sequence[int], vocabulary: Sequence[str], top_k: int
) -> tuple[MaskPrediction, ...]:
    """The `top_k` likeliest word pieces at every mask of one text; `logits` [n_masks, d_vocab]."""
    rows = log_softmax(logits)  # [n_masks, d_vocab]
    return tuple(
        MaskPrediction(position=position, choices=best_choices(row, vocabulary, top_k))
        for position, row in zip(positions, rows, strict=True)
    )
