"""A plugin of pytest that multiplies matrices with their sums taken from the other end: `-p tests.other_sums`.

It stands for a processor that is not here, such as one with AVX-512: float32 sums in another order, and so with other
last digits. PyTorch's products of matrices on the CPU are replaced for the whole process, in every thread.
"""

from __future__ import annotations

import warnings

import torch
from torch import Tensor

PRODUCTS = torch.library.Library("aten", "IMPL")
"""Kept, as PyTorch takes its own kernels back when the library is let go."""


def mm(one: Tensor, other: Tensor) -> Tensor:
    """Return one [n, k] times other [k, m], added from the last of the k terms to the first."""
    return bmm(one[None], other[None])[0]


def bmm(one: Tensor, other: Tensor) -> Tensor:
    """Return the products of a batch of pairs, added from the last term to the first."""
    start = one.new_zeros(one.shape[0], one.shape[1], other.shape[2])
    return torch.baddbmm(start, one.flip(2), other.flip(1), beta=0)


def addmm(start: Tensor, one: Tensor, other: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """Return start plus a product of matrices."""
    return beta * start + alpha * mm(one, other)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that a kernel is replaced, which is what this is for
    for product in (mm, bmm, addmm):
        PRODUCTS.impl(product.__name__, product, "CPU")
