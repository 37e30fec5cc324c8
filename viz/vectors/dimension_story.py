"""Which dimensions make the score of a key, and what they have in common: in words, from the numbers.

The score of a key is a sum over dimensions (`viz.vectors.neurons`), centred over the keys in view or as it is:

- The *carriers* are the fewest dimensions, the largest first, that make at least half of what moves the score its way:
  upwards where the sum is positive, downwards where it is negative.
- A carrier *marks the key* if it gives it at least half as much for three quarters of the other queries that see it;
  it *belongs to this pair* if it does so for a quarter of them at most. Both are asked of centred numbers.
- A dimension is *shared* if its product with this key is at least as large as what the first carrier gives, and three
  quarters of the keys, this one among them, get about as much: within half of the mean over the keys, above or below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.record import Array, AttentionRecord
from viz.kit.sentences import capitalised, dimensions_named
from viz.kit.theme import number
from viz.kit.tokens import SHORT, shorten, token_texts
from viz.vectors.neurons import Contributions, contributions, whole_head
from viz.vectors.query_key_value import Lookup, look_up

HALF, MOST, FEW = 0.5, 0.75, 0.25
LEAST_QUERIES = 3
"""Of fewer other queries nothing is said: a quarter of them is nobody."""


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
    """The carriers of a score that is the sum of `values` [d_head]; None where nothing moves it."""
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
    """The dimensions that are large for most keys in view, the largest first. A carrier is none."""
    products = look.products * np.float32(look.scale)
    left = products[key] - products[look.visible].mean(axis=0)
    carried = carriers(left)
    if carried is None:
        return ()
    is_large = np.abs(products[key]) >= abs(left[carried.dimensions[0]])
    as_much = _get_as_much(look)
    is_shared = is_large & as_much[key] & (as_much.sum(axis=0) >= MOST * look.visible.sum())
    order = np.argsort(-np.abs(products[key]), kind="stable")
    return tuple(int(each) for each in order if is_shared[each] and each not in carried.dimensions)


def _get_as_much(look: Lookup) -> NDArray[np.bool_]:
    """Which keys in view get about as much from a dimension as the keys do on average [n_key, d_head]."""
    means = look.products[look.visible].mean(axis=0)
    near: NDArray[np.bool_] = np.abs(look.products - means) <= HALF * np.abs(means)
    return near & look.visible[:, None]


def alike_for_others(record: AttentionRecord, *, layer: int, head: int, position: int, key: int) -> NDArray[np.int64]:
    """For how many other queries that see the key each dimension gives it at least half as much, with the same sign,
    as for the query at `position` [d_head]; the last number more is how many such queries there are [d_head + 1]."""
    query, keys, _, means = whole_head(record, layer=layer, head=head, centred=True)
    to_key = query * (keys[key] - means)  # [n_query, d_head]
    sees = ~np.isneginf(record.scores(layer, head)[:, key])
    sees[position] = False
    own = to_key[position]
    enough = to_key[sees] * np.sign(own) >= HALF * np.abs(own)
    counts: NDArray[np.int64] = np.append(enough.sum(axis=0), sees.sum())
    return counts


def dimension_story(
    record: AttentionRecord, *, layer: int, head: int, position: int, key: int | None = None, centred: bool = True
) -> tuple[str, ...]:
    """What makes the score of a key for one query, in sentences; without `key`, of the one that it looks at most.

    Raises SelectionError for what is not there.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    found = contributions(record, layer=layer, head=head, position=position, centred=centred)
    key = int(look.weights.argmax()) if key is None else key
    if look.visible.sum() < 2 or not look.visible[key]:
        return (f"“{shorten(look.text, SHORT)}” sees only one key, so there is nothing to tell apart.",)
    carried = carriers(found.by_key[key])
    if carried is None:
        return (f"Nothing sets {_named(look, key)} apart from the other keys.",)
    alike = alike_for_others(record, layer=layer, head=head, position=position, key=key)
    return tuple(_sentences(look, found, key, carried, alike))


def _sentences(
    look: Lookup, found: Contributions, key: int, carried: Carriers, alike: NDArray[np.int64]
) -> Iterator[str]:
    yield _sum(look, found, key, carried)
    yield _signs(look, found, carried)
    if alike[-1] >= LEAST_QUERIES:
        yield " ".join(_for_whom(carried.dimensions, alike))
    shared = shared_dimensions(look, key)
    if shared:
        yield _shared(look, key, shared)


def _sum(look: Lookup, found: Contributions, key: int, carried: Carriers) -> str:
    """The score as a sum, and the dimensions that carry it."""
    up, down = ("down", "up") if carried.total < 0 else ("up", "down")
    size = number(carried.total, digits=2, plus=True)
    if found.is_centred:
        place = "below" if carried.total < 0 else "above"
        size = f"{_size(carried.total)} {place} the mean of the keys in view"
    others = f", {carried.n_against} push it {down} by {_size(carried.against)}" if carried.n_against else ""
    own, push = capitalised(dimensions_named(carried.dimensions)), _verb(carried.dimensions, "pushes", "push")
    return (
        f"“{shorten(look.text, SHORT)}” → {_named(look, key)}: {_before(look)}the score is {size}. "
        f"{carried.n_towards} of {len(look.query)} dimensions push it {up} by {_size(carried.towards)} in all{others}. "
        f"{own} alone {push} it {up} by {_size(carried.carried)}, {carried.carried / carried.towards:.0%} of that."
    )


def _signs(look: Lookup, found: Contributions, carried: Carriers) -> str:
    """Where the query is positive and where negative in the carriers, and how the key stands to that."""
    high, low = ("above the mean key", "below the mean key") if found.is_centred else ("positive", "negative")
    if carried.total < 0:
        high, low = low, high
    groups = (
        ([dimension for dimension in carried.dimensions if look.query[dimension] >= 0], "positive", high),
        ([dimension for dimension in carried.dimensions if look.query[dimension] < 0], "negative", low),
    )
    said = [
        f"in {dimensions_named(dimensions)} the query is {sign} and the key {place}"
        for dimensions, sign, place in groups
        if dimensions
    ]
    return f"{capitalised('; '.join(said))}."


def _for_whom(dimensions: Sequence[int], alike: NDArray[np.int64]) -> Iterator[str]:
    """Whether the carriers mark the key for most queries, or belong to this pair."""
    others = int(alike[-1])
    of_key = [dimension for dimension in dimensions if alike[dimension] >= MOST * others]
    of_pair = [dimension for dimension in dimensions if alike[dimension] <= FEW * others]
    between = [dimension for dimension in dimensions if dimension not in {*of_key, *of_pair}]
    for group, one, several in (
        (of_key, ": it marks the key", ": they mark the key"),
        (of_pair, ": it belongs to this pair", ": they belong to this pair"),
        (between, "", ""),
    ):
        if group:
            counts = alike[group]
            span = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
            give = (
                f"{capitalised(dimensions_named(group))} {_verb(group, 'gives', 'give')} this key at least half as much"
            )
            yield f"{give} for {span} of {others} other queries{_verb(group, one, several)}."


def _shared(look: Lookup, key: int, shared: Sequence[int]) -> str:
    """The largest of the dimensions that every key has alike."""
    products = look.products[:, shared[0]] * np.float32(look.scale)
    n, mean = int(_get_as_much(look)[:, shared[0]].sum()), products[look.visible].mean()
    more = f" {len(shared) - 1} more {_verb(shared[1:], 'is', 'are')} like it." if len(shared) > 1 else ""
    return (
        f"Dimension {shared[0]} has a large product, {number(products[key], digits=2, plus=True)}, but {n} of "
        f"{int(look.visible.sum())} keys get about as much ({number(mean, digits=2, plus=True)} on average), so it "
        f"says little about this pair.{more}"
    )


def _before(look: Lookup) -> str:
    """What is added later in this model, and is no part of the sum."""
    parts = (["soft cap"] if look.soft_cap is not None else []) + (["bias"] if look.has_bias else [])
    return f"before {' and '.join(parts)} " if parts else ""


def _named(look: Lookup, key: int) -> str:
    return f"“{token_texts(look.key_tokens, limit=SHORT)[key]}” ({key})"


def _size(value: float) -> str:
    return number(abs(value), digits=2)


def _verb(things: Sequence[int], one: str, several: str) -> str:
    return one if len(things) == 1 else several
