"""Find the scale that some models put into their queries: OPT and ESM compute softmax(q @ k.T) of a scaled q.

If the length of every query is that of a projection's output times one and the same number, that number is the scale.
Lengths are compared, and not the queries: ESM rotates them by their position afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isclose
from typing import Any

from torch import Tensor, nn

from models.recording.attention_call import AttentionCall
from models.recording.recorder import recording, suspend_observer
from models.recording.watched_copy import Hook, is_projection, with_hooks
from models.values.record import Kind

TOLERANCE = 1e-4
"""How far ratios may differ, as a part of them: float32 multiplies in any order."""


def scales_in_queries(body: nn.Module, run: Callable[[nn.Module], object]) -> dict[Kind, tuple[float, ...]]:
    """Return what each layer multiplies its queries by before the attention, layer by layer for every kind.

    1.0 for a layer that leaves its queries as they are, or whose attention scales the scores itself. `run` takes a copy
    of the body through a text of several different tokens.
    """
    scales: dict[Kind, tuple[float, ...]] = {}
    outputs: list[tuple[int, Tensor]] = []
    with suspend_observer(), recording() as calls:
        hook = _projection_hook(outputs, calls)
        run(with_hooks(body, {name: hook for name, module in body.named_modules() if is_projection(module)}))
    for number, call in enumerate(calls):
        projections = (output for n_calls, output in outputs if n_calls == number)
        factors = (_factor(call.query[0], output) for output in projections) if call.scale == 1 else ()
        scale = next((factor for factor in factors if factor is not None), 1.0)
        scales[call.kind] = (*scales.get(call.kind, ()), scale)
    return scales


def _projection_hook(outputs: list[tuple[int, Tensor]], calls: list[AttentionCall]) -> Hook:
    """Return a hook that keeps a module's output beside the number of attention calls before it."""

    def hook(_module: nn.Module, _args: tuple[Any, ...], output: Any) -> None:
        if isinstance(output, Tensor):
            outputs.append((len(calls), output))

    return hook


def _factor(query: Tensor, projected: Tensor) -> float | None:
    """Return the factor from `projected` to `query` [n_heads, n_query, d_head]; None if there is no one factor.

    The projection may have given keys and values beside the queries, so each head looks for its own columns.
    """
    _, n_query, d_head = query.shape
    if projected.numel() % (n_query * d_head) or projected.numel() < query.numel():
        return None
    slices = projected.reshape(n_query, -1, d_head).transpose(0, 1)  # [n_slices, n_query, d_head]
    ratios = _lengths(query)[:, None] / _lengths(slices)  # [n_heads, n_slices, n_query]
    means = ratios.mean(dim=-1)  # [n_heads, n_slices]
    is_steady = (ratios / means[..., None] - 1).abs().amax(dim=-1) < TOLERANCE  # [n_heads, n_slices]
    for factor in means[0][is_steady[0]].tolist():
        is_same = is_steady & ((means / factor - 1).abs() < TOLERANCE)  # [n_heads, n_slices]
        if bool(is_same.any(dim=1).all()):
            exact = (value for value in (1.0, d_head**-0.5) if isclose(value, factor, rel_tol=TOLERANCE))
            return next(exact, factor)
    return None


def _lengths(vectors: Tensor) -> Tensor:
    lengths: Tensor = vectors.cpu().double().norm(dim=-1)  # MPS has no float64
    return lengths
