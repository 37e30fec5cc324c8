"""Attention that a model writes out in its own forward, found while it is computed.

A family that does not pass by transformers' interface computes softmax(scale * q @ k.T + bias) @ v ("Attention Is All
You Need", section 3.2.1) by functions of torch. While `handing_over()` is open, these functions are followed: from a
product of two matrices, by factors, masks and changes of shape, to a softmax, and on to the product with the values,
which the choke point of all attention then computes. What cannot be followed (scores of two products, a softmax over
something else) is left as it is, and so makes no call.
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
"""A score so low, or lower, is that of a key which a query may not look at."""
PRODUCTS = frozenset({"matmul", "__matmul__", "bmm"})
SAME_NUMBERS = frozenset({"to", "float", "type", "type_as", "contiguous", "clone", "dropout"})
SHAPES = frozenset({"view", "reshape", "transpose", "swapaxes", "permute", "unsqueeze", "squeeze", "expand"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Product:
    """What a tensor of scores is made of: scale * query @ key.T + bias, where `bias` can be added to the scores."""

    query: Tensor
    key: Tensor
    scale: float = 1.0
    bias: Tensor | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Weights:
    """The softmax of scores."""

    of: _Product


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Called:
    """A function of torch with what it was given and what it gave; `others` are those of the first two arguments of
    which nothing is known."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    others: tuple[Any, ...]
    result: Tensor
    n_rows: int


@contextmanager
def handing_over(kind: Kind, n_rows: int) -> Iterator[None]:
    """Hand every attention that is written out inside the block, of a batch of `n_rows`, to the choke point."""
    with _Following(kind, n_rows):
        yield


class _Following(TorchFunctionMode):
    """Sees every function of torch that is called, and knows which tensors are scores or weights by now."""

    def __init__(self, kind: Kind, n_rows: int) -> None:
        super().__init__()
        self.kind, self.n_rows = kind, n_rows
        self.known: dict[int, tuple[Tensor, _Product | _Weights]] = {}
        """By id(); the tensors are kept beside what is known of them, or another one could get the same id."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        name, options = getattr(func, "__name__", ""), dict(kwargs or {})
        known = [self._known(each) for each in args[:3]]
        given = next((each for each in known if each is not None), None)
        if name in PRODUCTS and isinstance(known[0], _Weights):
            return self._attended(known[0].of, weights=args[0], value=args[1])
        result = func(*args, **options)
        if not isinstance(result, Tensor):
            return result
        found: _Product | _Weights | None = None
        if given is None:
            found = _product_of(name, args, options)
        elif isinstance(given, _Weights):
            found = given if name in SAME_NUMBERS | SHAPES else None
        elif name in FOLLOWED:
            others = tuple(each for each, of in zip(args[:2], known, strict=False) if of is None)
            called = _Called(
                function=func, args=args, options=options, others=others, result=result, n_rows=self.n_rows
            )
            found = FOLLOWED[name](given, called)
        self._note(result, found)
        return result

    def _known(self, given: Any) -> _Product | _Weights | None:
        of = self.known.get(id(given))
        return None if of is None else of[1]

    def _note(self, result: Tensor, found: _Product | _Weights | None) -> None:
        if found is None:
            self.known.pop(id(result), None)
        else:
            self.known[id(result)] = (result, found)

    def _attended(self, scores: _Product, *, weights: Tensor, value: Tensor) -> Tensor:
        """The product of weights and values, by the choke point [the shape of the weights, but d_head at its end]."""
        query, key, value = (_as_heads(each, self.n_rows) for each in (scores.query, scores.key, value))
        n_heads = max(query.shape[1], key.shape[1], value.shape[1])
        call = AttentionCall(
            kind=self.kind,
            query=query.expand(-1, n_heads, -1, -1),
            key=key.expand(-1, n_heads, -1, -1),
            value=value.expand(-1, n_heads, -1, -1),
            bias=None if scores.bias is None else _as_heads(scores.bias, self.n_rows),
            scale=scores.scale,
        )
        self.known.clear()
        return attend(call).to(value.dtype).reshape(*weights.shape[:-1], value.shape[-1])


# -- from tensors to scores -------------------------------------------------------------------------------------------


def _product_of(name: str, args: tuple[Any, ...], options: Mapping[str, Any]) -> _Product | None:
    """What a product of two tensors is, if it may be scores."""
    if name == "baddbmm":  # beta * bias + alpha * q @ k.T
        query, key = args[1:] if len(args) == 3 else (options["batch1"], options["batch2"])
        scale, bias = float(options.get("alpha", 1)), args[0] * options.get("beta", 1)
        return _Product(query=query, key=key.swapaxes(-1, -2), scale=scale, bias=bias)
    if name in PRODUCTS and all(isinstance(each, Tensor) and each.dim() in {3, 4} for each in args[:2]):
        return _Product(query=args[0], key=args[1].swapaxes(-1, -2))
    return None


# -- what becomes of scores; None where they cannot be followed -------------------------------------------------------


def _softmax(scores: _Product, called: _Called) -> _Weights | None:
    axis = called.options.get("dim", called.args[1] if len(called.args) > 1 else None)
    return _Weights(scores) if axis in {-1, called.result.dim() - 1} else None


def _same(scores: _Product, _called: _Called) -> _Product:
    return scores


def _in_shape(scores: _Product, called: _Called) -> _Product:
    if scores.bias is None:
        return scores
    given = called.args[0]
    if given.dim() == 3 and called.result.dim() == 4 and scores.bias.dim() == 3:  # the heads were rows of the batch
        return replace(scores, bias=_as_heads(scores.bias, called.n_rows))
    changed = called.function(scores.bias.expand(given.shape), *called.args[1:], **called.options)
    return replace(scores, bias=changed)


def _multiplied(scores: _Product, called: _Called, *, divides: bool) -> _Product | None:
    factor = called.others[0] if len(called.others) == 1 else None
    if isinstance(factor, Tensor):
        factor = factor.item() if factor.numel() == 1 else None
    if not isinstance(factor, int | float) or factor == 0:
        return None
    by = 1 / factor if divides else float(factor)
    return replace(scores, scale=scores.scale * by, bias=None if scores.bias is None else scores.bias * by)


def _added(scores: _Product, called: _Called) -> _Product | None:
    bias = called.others[0] if len(called.others) == 1 else None
    if not isinstance(bias, Tensor) or called.options:
        return None
    bias = cast_bias(bias, scores.query.dtype)
    return replace(scores, bias=bias if scores.bias is None else scores.bias + bias)


def _where(scores: _Product, called: _Called) -> _Product | None:
    shown, kept, fill = called.args
    return _masked(scores, ~shown, fill) if len(called.others) == 1 and isinstance(kept, Tensor) else None


def _filled(scores: _Product, called: _Called) -> _Product | None:
    return _masked(scores, called.args[1], called.args[2] if len(called.args) > 2 else called.options.get("value"))


def _bounded(scores: _Product, called: _Called) -> _Product | None:
    return scores if len(called.others) == 1 and _is_never(called.others[0]) else None


FOLLOWED: dict[str, Callable[[_Product, _Called], _Product | _Weights | None]] = {
    "softmax": _softmax,
    **dict.fromkeys(SAME_NUMBERS, _same),
    **dict.fromkeys(SHAPES, _in_shape),
    **dict.fromkeys(("mul", "mul_", "__mul__", "__imul__", "__rmul__"), partial(_multiplied, divides=False)),
    **dict.fromkeys(
        ("div", "div_", "true_divide", "__truediv__", "__itruediv__", "__div__", "__idiv__"),
        partial(_multiplied, divides=True),
    ),
    **dict.fromkeys(("add", "add_", "__add__", "__iadd__", "__radd__"), _added),
    "where": _where,
    **dict.fromkeys(("masked_fill", "masked_fill_"), _filled),
    **dict.fromkeys(("max", "maximum"), _bounded),
}
"""By the name of a function of torch, or of a method of a tensor."""


def _masked(scores: _Product, hidden: Any, fill: Any) -> _Product | None:
    """Scores that are very low where `hidden` is True."""
    if not isinstance(hidden, Tensor) or not _is_never(fill):
        return None
    bias = scores.query.new_zeros(()) if scores.bias is None else scores.bias
    return replace(scores, bias=torch.where(hidden, -torch.inf, bias))


def _is_never(fill: Any) -> bool:
    return bool((fill <= NEVER).all()) if isinstance(fill, Tensor) else isinstance(fill, int | float) and fill <= NEVER


def _as_heads(array: Tensor, n_rows: int) -> Tensor:
    """[b, n_heads, n, d], also of [b * n_heads, n, d] and of what is the same for all rows, or for all heads."""
    if array.dim() != 3:
        return array if array.dim() == 4 else array[(None,) * (4 - array.dim())]
    return array.reshape(n_rows, -1, *array.shape[1:]) if len(array) % n_rows == 0 else array[None]
