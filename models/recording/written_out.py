"""Find attention that a model writes out in its own forward, while it is computed.

A family that does not use transformers' attention interface computes softmax(scale * q @ k.T + bias) @ v ("Attention Is
All You Need", section 3.2.1) by functions of torch. While `handing_over()` is open, these functions are followed: from
a product of two matrices, by factors, masks and changes of shape, to a softmax, and on to the product with the values,
which the recorder then computes in their place. Anything else (scores of two products, a softmax over another axis) is
left to the model, and so makes no call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from models.recording.attention_call import AttentionCall, cast_bias
from models.recording.recorder import attend
from models.values.record import Kind

NEVER = -1e4
"""A score of this or less hides a key from a query."""
PRODUCTS = frozenset({"matmul", "__matmul__", "bmm"})
SAME_NUMBERS = frozenset({"to", "float", "type", "type_as", "contiguous", "clone", "dropout"})
SHAPES = frozenset({"view", "reshape", "transpose", "swapaxes", "permute", "unsqueeze", "squeeze", "expand"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ScoresOrigin:
    """The origin of a tensor of scores: scale * query @ key.T + bias."""

    query: Tensor
    key: Tensor
    scale: float = 1.0
    bias: Tensor | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _WeightsOrigin:
    """The origin of a tensor of weights: the softmax of scores."""

    scores: _ScoresOrigin


_Origin = _ScoresOrigin | _WeightsOrigin | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _TorchCall:
    """A call of a function of torch; `others` are the first two arguments without scores and weights."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    others: tuple[Any, ...]
    result: Tensor
    n_rows: int


@contextmanager
def handing_over(kind: Kind, n_rows: int) -> Iterator[None]:
    """Hand every attention that is written out inside the block, of a batch of `n_rows`, to the recorder."""
    with _FollowScores(kind, n_rows):
        yield


class _FollowScores(TorchFunctionMode):
    """Intercepts every function of torch, and knows which tensors are scores or weights."""

    def __init__(self, kind: Kind, n_rows: int) -> None:
        super().__init__()
        self.kind, self.n_rows = kind, n_rows
        self.origins: dict[int, tuple[Tensor, _ScoresOrigin | _WeightsOrigin]] = {}
        """By id(); the tensor is kept beside its origin, so that no other tensor gets the same id."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        name, options = getattr(func, "__name__", ""), dict(kwargs or {})
        origins = [self._origin_of(argument) for argument in args[:3]]
        if name in PRODUCTS and isinstance(origins[0], _WeightsOrigin):
            return self._attend(origins[0].scores, weights=args[0], value=args[1])
        result = func(*args, **options)
        if not isinstance(result, Tensor):
            return result
        first = next((origin for origin in origins if origin is not None), None)
        origin: _Origin = None
        if first is None:
            origin = _scores_of_product(name, args, options)
        elif isinstance(first, _WeightsOrigin):
            origin = first if name in SAME_NUMBERS | SHAPES else None
        elif name in FOLLOWED:
            others = tuple(argument for argument, known in zip(args[:2], origins, strict=False) if known is None)
            call = _TorchCall(
                function=func, args=args, options=options, others=others, result=result, n_rows=self.n_rows
            )
            origin = FOLLOWED[name](first, call)
        self._set_origin(result, origin)
        return result

    def _origin_of(self, argument: Any) -> _Origin:
        entry = self.origins.get(id(argument))
        return None if entry is None else entry[1]

    def _set_origin(self, result: Tensor, origin: _Origin) -> None:
        if origin is None:
            self.origins.pop(id(result), None)
        else:
            self.origins[id(result)] = (result, origin)

    def _attend(self, scores: _ScoresOrigin, *, weights: Tensor, value: Tensor) -> Tensor:
        """Return the product of weights and values, in the shape that the model expects, by way of the recorder."""
        query, key, value = (_split_heads(tensor, self.n_rows) for tensor in (scores.query, scores.key, value))
        n_heads = max(query.shape[1], key.shape[1], value.shape[1])
        call = AttentionCall(
            kind=self.kind,
            query=query.expand(-1, n_heads, -1, -1),
            key=key.expand(-1, n_heads, -1, -1),
            value=value.expand(-1, n_heads, -1, -1),
            bias=None if scores.bias is None else _split_heads(scores.bias, self.n_rows),
            scale=scores.scale,
        )
        self.origins.clear()
        return attend(call).to(value.dtype).reshape(*weights.shape[:-1], value.shape[-1])


def _scores_of_product(name: str, args: tuple[Any, ...], options: Mapping[str, Any]) -> _ScoresOrigin | None:
    """Return a product of two tensors as scores; None for any other function."""
    if name == "baddbmm":  # beta * bias + alpha * q @ k.T
        query, key = args[1:] if len(args) == 3 else (options["batch1"], options["batch2"])
        scale, bias = float(options.get("alpha", 1)), args[0] * options.get("beta", 1)
        return _ScoresOrigin(query=query, key=key.swapaxes(-1, -2), scale=scale, bias=bias)
    if name in PRODUCTS and all(isinstance(factor, Tensor) and factor.dim() in {3, 4} for factor in args[:2]):
        return _ScoresOrigin(query=args[0], key=args[1].swapaxes(-1, -2))
    return None


# -- functions of scores: what the result is, or None if it cannot be followed ----------------------------------------


def _softmax(scores: _ScoresOrigin, call: _TorchCall) -> _WeightsOrigin | None:
    axis = call.options.get("dim", call.args[1] if len(call.args) > 1 else None)
    return _WeightsOrigin(scores) if axis in {-1, call.result.dim() - 1} else None


def _same(scores: _ScoresOrigin, _call: _TorchCall) -> _ScoresOrigin:
    return scores


def _reshape(scores: _ScoresOrigin, call: _TorchCall) -> _ScoresOrigin:
    if scores.bias is None:
        return scores
    tensor = call.args[0]
    if tensor.dim() == 3 and call.result.dim() == 4 and scores.bias.dim() == 3:  # the heads were rows of the batch
        return replace(scores, bias=_split_heads(scores.bias, call.n_rows))
    return replace(scores, bias=call.function(scores.bias.expand(tensor.shape), *call.args[1:], **call.options))


def _multiply(scores: _ScoresOrigin, call: _TorchCall, *, divides: bool) -> _ScoresOrigin | None:
    factor = call.others[0] if len(call.others) == 1 else None
    if isinstance(factor, Tensor):
        factor = factor.item() if factor.numel() == 1 else None
    if not isinstance(factor, int | float) or factor == 0:
        return None
    factor = 1 / factor if divides else float(factor)
    return replace(scores, scale=scores.scale * factor, bias=None if scores.bias is None else scores.bias * factor)


def _add(scores: _ScoresOrigin, call: _TorchCall) -> _ScoresOrigin | None:
    bias = call.others[0] if len(call.others) == 1 else None
    if not isinstance(bias, Tensor) or call.options:
        return None
    bias = cast_bias(bias, scores.query.dtype)
    return replace(scores, bias=bias if scores.bias is None else scores.bias + bias)


def _where(scores: _ScoresOrigin, call: _TorchCall) -> _ScoresOrigin | None:
    visible, tensor, fill = call.args
    return _hide(scores, ~visible, fill) if len(call.others) == 1 and isinstance(tensor, Tensor) else None


def _masked_fill(scores: _ScoresOrigin, call: _TorchCall) -> _ScoresOrigin | None:
    return _hide(scores, call.args[1], call.args[2] if len(call.args) > 2 else call.options.get("value"))


def _maximum(scores: _ScoresOrigin, call: _TorchCall) -> _ScoresOrigin | None:
    return scores if len(call.others) == 1 and _is_never(call.others[0]) else None


FOLLOWED: dict[str, Callable[[_ScoresOrigin, _TorchCall], _Origin]] = {
    "softmax": _softmax,
    **dict.fromkeys(SAME_NUMBERS, _same),
    **dict.fromkeys(SHAPES, _reshape),
    **dict.fromkeys(("mul", "mul_", "__mul__", "__imul__", "__rmul__"), partial(_multiply, divides=False)),
    **dict.fromkeys(
        ("div", "div_", "true_divide", "__truediv__", "__itruediv__", "__div__", "__idiv__"),
        partial(_multiply, divides=True),
    ),
    **dict.fromkeys(("add", "add_", "__add__", "__iadd__", "__radd__"), _add),
    "where": _where,
    **dict.fromkeys(("masked_fill", "masked_fill_"), _masked_fill),
    **dict.fromkeys(("max", "maximum"), _maximum),
}
"""By the name of a function of torch, or of a method of a tensor."""


def _hide(scores: _ScoresOrigin, hidden: Any, fill: Any) -> _ScoresOrigin | None:
    """Return scores with a bias of minus infinity where `hidden` is True, if `fill` is low enough for that."""
    if not isinstance(hidden, Tensor) or not _is_never(fill):
        return None
    bias = scores.query.new_zeros(()) if scores.bias is None else scores.bias
    return replace(scores, bias=torch.where(hidden, -torch.inf, bias))


def _is_never(fill: Any) -> bool:
    return bool((fill <= NEVER).all()) if isinstance(fill, Tensor) else isinstance(fill, int | float) and fill <= NEVER


def _split_heads(array: Tensor, n_rows: int) -> Tensor:
    """Return [b, n_heads, n, d] of [b * n_heads, n, d], and of arrays that are the same for all rows or all heads."""
    if array.dim() != 3:
        return array if array.dim() == 4 else array[(None,) * (4 - array.dim())]
    return array.reshape(n_rows, -1, *array.shape[1:]) if len(array) % n_rows == 0 else array[None]
