"""Several texts in one forward pass: padded to one length, and cut apart again.

Padded keys have a weight of exactly 0, and padded queries are cut away, so that a text gets what it gets alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from models.recording.assemble import StackStates
from models.recording.attention_call import AttentionCall


def pad_rows(rows: Sequence[Sequence[int]], padding: int, device: torch.device) -> Tensor:
    """Make one tensor [b, n_tokens] of rows of numbers; those shorter than the longest end in `padding`."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[padding] * (longest - len(row))] for row in rows], device=device)  # [b, n_tokens]


def mask_padding(lengths: Sequence[int], device: torch.device) -> Tensor | None:
    """Return True for tokens and False for padding [b, n_tokens]; None if nothing is padded."""
    if min(lengths) == max(lengths):
        return None
    positions = torch.arange(max(lengths), device=device)  # [n_tokens]
    return positions < torch.tensor(lengths, device=device)[:, None]  # [b, n_tokens]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOfPass:
    """One row of a batch. Its methods cut tensors of the batch to what they are for this text read alone."""

    row: int
    n_tokens: int

    def calls(self, calls: Sequence[AttentionCall]) -> list[AttentionCall]:
        """Cut the calls of a stack that attends to itself."""
        return [
            replace(
                call,
                query=self.of_heads(call.query),
                key=self.of_heads(call.key),
                value=self.of_heads(call.value),
                bias=None if call.bias is None else self.of_bias(call.bias),
                sinks=None if call.sinks is None else self.of_bias(call.sinks),
            )
            for call in calls
        ]

    def of_states(self, states: Tensor) -> Tensor:
        """[b, n, d_model] -> [1, n_tokens, d_model]"""
        return states[self.row : self.row + 1, : self.n_tokens]

    def of_heads(self, heads: Tensor) -> Tensor:
        """[b, n_heads, n, d_head] -> [1, n_heads, n_tokens, d_head]"""
        return heads[self.row : self.row + 1, :, : self.n_tokens]

    def of_bias(self, bias: Tensor) -> Tensor:
        """[b or 1, n_heads or 1, n or 1, n or 1] -> [1, n_heads or 1, n_tokens or 1, n_tokens or 1]"""
        row = self.row if bias.shape[0] > 1 else 0
        return bias[row : row + 1, :, : self.n_tokens, : self.n_tokens]  # an axis of one stays one

    def of_stack(self, states: StackStates) -> StackStates:
        """Cut the states of a stack."""
        hidden_states = [self.of_states(state) for state in states.hidden_states]
        return StackStates(hidden_states=hidden_states, final=self.of_states(states.final))


def split_rows(lengths: Sequence[int]) -> tuple[RowOfPass, ...]:
    """Return the rows of a pass over texts of so many tokens."""
    return tuple(RowOfPass(row=row, n_tokens=n_tokens) for row, n_tokens in enumerate(lengths))
