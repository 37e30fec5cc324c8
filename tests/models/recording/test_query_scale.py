"""A scale that is in the queries already is found by the lengths of the queries, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from models.recording.attention_call import AttentionCall
from models.recording.query_scale import scales_in_queries
from models.recording.recorder import attend
from tests.closeness import CloseTo

D_MODEL, D_HEAD = 32, 8


class Layers(nn.Module):
    """Two layers of attention around one matrix each for queries, keys and values."""

    def __init__(self, change: Callable[[Tensor], Tensor], scale: float) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.projections = nn.ModuleList(nn.Linear(D_MODEL, 3 * D_MODEL) for _ in range(2))
        self.change, self.scale = change, scale

    def forward(self, x: Tensor) -> Tensor:
        for projection in self.projections:
            heads = projection(x).unflatten(-1, (3, -1, D_HEAD)).permute(2, 0, 3, 1, 4)  # [3, b, n_heads, n, d_head]
            query, key, value = heads
            call = AttentionCall(
                kind="decoder", query=self.change(query), key=key, value=value, bias=None, scale=self.scale
            )
            x = x + attend(call).transpose(1, 2).flatten(2)
        return x


def turned(query: Tensor) -> Tensor:
    """Scaled, and turned by the position, as ESM does it."""
    angles = torch.arange(query.shape[2])[:, None] * torch.tensor([1.0, 0.1, 0.01, 0.001])
    one, other = (query / 4).chunk(2, dim=-1)
    return torch.cat((one * angles.cos() - other * angles.sin(), one * angles.sin() + other * angles.cos()), dim=-1)


@pytest.mark.parametrize(
    ("change", "scale", "expected"),
    [
        (lambda query: query * 0.3, 1.0, 0.3),
        (lambda query: query / D_HEAD**0.5, 1.0, D_HEAD**-0.5),
        (turned, 1.0, 0.25),
        (lambda query: query, 1.0, 1.0),
        (lambda query: query * 0.3, 0.5, 1.0),  # here the scores are scaled, too: what is in the queries is theirs
        (nn.functional.normalize, 1.0, 1.0),
        (lambda query: query * torch.linspace(1, 2, query.shape[2])[:, None], 1.0, 1.0),
    ],
    ids=["scaled", "by √d_head", "and turned", "as they are", "scaled twice", "normed", "by the position"],
)
def test_only_one_number_for_all_queries_is_a_scale(
    change: Callable[[Tensor], Tensor], scale: float, expected: float
) -> None:
    layers = Layers(change, scale)
    with torch.inference_mode():
        found = scales_in_queries(layers, lambda copy: copy(torch.randn(1, 6, D_MODEL)))
    assert found == {"decoder": CloseTo((expected, expected))}
    assert not any(module._forward_hooks for module in layers.modules())
