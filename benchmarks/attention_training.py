"""How long attention takes forward and backward: PyTorch's fused kernel beside equation 1 line by line, on one thread.

    python -m benchmarks.attention_training --rounds 7
    python -m benchmarks.attention_training --rounds 2 --causal --heads 8 --lengths 256 1024 4096 --tokens 4096

The heads are those of headlight-bert, 12 of 32 numbers each, or as many as are asked for; every batch has about as many
tokens. The two run in turn on the same tensors; the medians of their times, and the ratio. With --causal no token sees
a later one: the kernel is told so, the lines are given a mask.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from statistics import median

import torch
from torch import Tensor

from models.scratch.attention import Kind, attention, causal_mask, mask_to_bias, scaled_dot_product_attention

N_HEADS, D_HEAD = 12, 32
TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
Attending = Callable[[Tensor, Tensor, Tensor], Tensor]


def main() -> None:
    """Read the command line, measure, write a line a length and type."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=int, nargs="+", default=[32, 64, 128, 256, 512])
    parser.add_argument("--tokens", type=int, default=2560, help="tokens of a batch, about")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--heads", type=int, default=N_HEADS)
    parser.add_argument("--causal", action="store_true", help="no token sees a later one")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for name, dtype in TYPES.items():
        for n_tokens in arguments.lengths:
            rows = max(1, arguments.tokens // n_tokens)
            batch = rows, n_tokens, arguments.heads
            fused, by_lines = measured(batch, dtype, arguments.rounds, causal=arguments.causal)
            sys.stdout.write(
                f"| {name} | {rows} x {n_tokens} | {1000 * fused:.1f} ms | {1000 * by_lines:.1f} ms | "
                f"{fused / by_lines:.2f} |\n"
            )


def measured(batch: tuple[int, int, int], dtype: torch.dtype, rounds: int, *, causal: bool) -> tuple[float, float]:
    """Median seconds of the fused kernel and of the lines, forward and backward, of (rows, tokens, heads)."""
    rows, n_tokens, n_heads = batch
    generator = torch.Generator().manual_seed(0)
    projected = [torch.randn(rows, n_tokens, n_heads, D_HEAD, generator=generator) for _ in range(3)]
    parts = [part.to(dtype).transpose(1, 2).requires_grad_() for part in projected]  # [b, n_heads, n_tokens, d_head]
    scale = D_HEAD**-0.5
    kind: Kind = "decoder" if causal else "encoder"
    bias = mask_to_bias(causal_mask(n_tokens, n_tokens)).to(dtype) if causal else None
    ways: tuple[Attending, Attending] = (
        lambda query, key, value: scaled_dot_product_attention(
            kind=kind, query=query, key=key, value=value, scale=scale
        ),
        lambda query, key, value: attention(
            query=query.contiguous(), key=key.contiguous(), value=value.contiguous(), bias=bias, scale=scale
        )[0],
    )
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds + 1):
        for attend, taken in zip(ways, times, strict=True):
            begun = time.perf_counter()
            torch.autograd.backward(attend(parts[0], parts[1], parts[2]).float().sum())
            taken.append(time.perf_counter() - begun)
    return median(times[0][1:]), median(times[1][1:])


if __name__ == "__main__":
    main()
