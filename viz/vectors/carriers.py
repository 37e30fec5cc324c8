"""Which dimensions carry the score of a key, and which are shared with other keys and other queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.vectors.contributions import whole_head
from viz.vectors.query_key_value import Lookup

HALF, MOST, FEW = 0.5, 0.75, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Carriers:
    """The `dimensions` that carry a score, the largest first. `total` is the sum over all dimensions; those of its sign
    make `towards`, `n_towards` of them, the others `against`; the carriers alone make `carried`."""

    dimensions: tuple[int, ...]
    total: float
    towards: float
    against: float
    n_towards: int
    n_against: int
    carried: float


def carriers(values: Array) -> Carriers | None:
    """Return the carriers of a score that is the sum of `values` [d_head]; None if all are 0."""
    total = float(values.sum(dtype=np.float64))
    signed = values.astype(np.float64) * (-1 if total < 0 else 1)
    order = np.argsort(-signed, kind="stable")
    towards, against = signed[signed > 0].sum(), signed[signed < 0].sum()
    if not towards > 0:
        return None
    n = int(np.searchsorted(np.cumsum(signed[order]), HALF * towards)) + 1
    sign = -1 if total < 0 else 1
    return Carriers(
        dimensions=tuple(int(dimension) for dimension in order[:n]),
        total=total,
        towards=sign * float(towards),
        against=sign * float(against),
        n_towards=int((signed > 0).sum()),
        n_against=int((signed < 0).sum()),
        carried=sign * float(signed[order[:n]].sum()),
    )


def shared_dimensions(look: Lookup, key: int) -> tuple[int, ...]:
    """Return the dimensions that are large for this key and most keys in view, the largest first, without the
    carriers."""
    products = look.products * np.float32(look.scale)
    left = products[key] - products[look.visible].mean(axis=0)
    carried = carriers(left)
    if carried is None:
        return ()
    is_large = np.abs(products[key]) >= abs(left[carried.dimensions[0]])
    as_much = get_as_much(look)
    is_shared = is_large & as_much[key] & (as_much.sum(axis=0) >= MOST * look.visible.sum())
    order = np.argsort(-np.abs(products[key]), kind="stable")
    return tuple(int(dimension) for dimension in order if is_shared[dimension] and dimension not in carried.dimensions)


def get_as_much(look: Lookup) -> NDArray[np.bool_]:
    """Return a mask of the keys in view that get about as much from a dimension as the average key [n_key, d_head]."""
    means = look.products[look.visible].mean(axis=0)
    near: NDArray[np.bool_] = np.abs(look.products - means) <= HALF * np.abs(means)
    return near & look.visible[:, None]


@check_arguments
def alike_for_others(record: AttentionRecord, *, layer: int, head: int, position: int, key: int) -> NDArray[np.int64]:
    """Count, for each dimension, the other queries that see the key and to which it gives at least half as much, with
    the same sign, as to the query at `position` [d_head + 1]; the last number is how many such queries there are."""
    query, keys, _, means = whole_head(record, layer=layer, head=head, centred=True)
    to_key = query * (keys[key] - means)  # [n_query, d_head]
    sees = ~np.isneginf(record.scores(layer, head)[:, key])
    sees[position] = False
    own = to_key[position]
    enough = to_key[sees] * np.sign(own) >= HALF * np.abs(own)
    counts: NDArray[np.int64] = np.append(enough.sum(axis=0), sees.sum())
    return counts
