"""Sentences on the dimensions that make up the score of a key, and on what they have in common.

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

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord
from viz.kit.language import tr, trn
from viz.kit.sentences import capitalise, join_clauses, list_dimensions
from viz.kit.theme import number
from viz.kit.tokens import SHORT, shorten, token_texts
from viz.vectors.carriers import FEW, MOST, Carriers, alike_for_others, carriers, get_as_much, shared_dimensions
from viz.vectors.contributions import Contributions, contributions
from viz.vectors.query_key_value import Lookup, look_up

LEAST_QUERIES = 3
"""The fewest other queries for a statement about them."""


@check_arguments
def dimension_story(
    record: AttentionRecord, *, layer: int, head: int, position: int, key: int | None = None, centred: bool = True
) -> tuple[str, ...]:
    """Return sentences on what makes the score of a key for one query; without `key`, of the one with the largest
    weight.

    Raises SelectionError for a layer, head, position or key out of range.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    score_parts = contributions(record, layer=layer, head=head, position=position, centred=centred)
    key = int(look.weights.argmax()) if key is None else key
    if look.visible.sum() < 2 or not look.visible[key]:
        alone = tr("“{token}” sees only one key, so there is nothing to tell apart.", token=shorten(look.text, SHORT))
        return (alone,)
    carried = carriers(score_parts.by_key[key])
    if carried is None:
        return (tr("Nothing sets “{key}” ({position}) apart from the other keys.", key=_key(look, key), position=key),)
    alike = alike_for_others(record, layer=layer, head=head, position=position, key=key)
    return tuple(_sentences(look, score_parts, key, carried, alike))


def _sentences(
    look: Lookup, found: Contributions, key: int, carried: Carriers, alike: NDArray[np.int64]
) -> Iterator[str]:
    yield _lead(look, key, carried)
    yield _sum(look, found, key, carried)
    yield _signs(look, found, carried)
    if alike[-1] >= LEAST_QUERIES:
        yield " ".join(_for_whom(carried.dimensions, alike))
    shared = shared_dimensions(look, key)
    if shared:
        yield _describe_shared(look, key, shared)


def _lead(look: Lookup, key: int, carried: Carriers) -> str:
    """Return a sentence on how few dimensions decide."""
    few = {
        "token": shorten(look.text, SHORT),
        "key": _key(look, key),
        "share": f"{carried.carried / carried.towards:.0%}",
        "dimensions": list_dimensions(carried.dimensions),
        "all": len(look.query),
    }
    if carried.total < 0:
        return tr("{share} of what keeps “{token}” from “{key}” comes from {dimensions} alone, out of {all}.", **few)
    return tr("{share} of what draws “{token}” to “{key}” comes from {dimensions} alone, out of {all}.", **few)


def _sum(look: Lookup, found: Contributions, key: int, carried: Carriers) -> str:
    """Return a sentence with the score as a sum, and the dimensions that carry it."""
    which = tr("“{token}” → “{key}” ({position})", token=shorten(look.text, SHORT), key=_key(look, key), position=key)
    told = _score(look, _level(found, carried.total))
    pushed = _pushed_down(look, carried) if carried.total < 0 else _pushed_up(look, carried)
    return f"{which}: {told} {pushed}"


def _level(found: Contributions, total: float) -> str:
    """Return the size of a score, or its distance from the mean of the keys in view, in words."""
    if not found.is_centred:
        return number(total, digits=2, plus=True)
    if total < 0:
        return tr("{size} below the mean of the keys in view", size=_size(total))
    return tr("{size} above the mean of the keys in view", size=_size(total))


def _score(look: Lookup, level: str) -> str:
    """Return a clause with the score, before the soft cap and bias of this model, which are not part of the sum."""
    if look.soft_cap is not None and look.has_bias:
        return tr("before soft cap and bias the score is {level}.", level=level)
    if look.soft_cap is not None:
        return tr("before soft cap the score is {level}.", level=level)
    if look.has_bias:
        return tr("before bias the score is {level}.", level=level)
    return tr("the score is {level}.", level=level)


def _pushed_up(look: Lookup, carried: Carriers) -> str:
    """Return a sentence on the dimensions that push a positive score up, those against, and the carriers."""
    pushes = {"n": carried.n_towards, "all": len(look.query), "by": _size(carried.towards)}
    against = {"others": carried.n_against, "down": _size(carried.against)}
    all_up = tr("{n} of {all} dimensions push it up by {by} in all.", **pushes)
    both = tr(
        "{n} of {all} dimensions push it up by {by} in all, {others} push it down by {down}.", **pushes, **against
    )
    own = trn(
        "{dimensions} alone pushes it up by {by}, {share} of that.",
        "{dimensions} alone push it up by {by}, {share} of that.",
        len(carried.dimensions),
        **_carrying(carried),
    )
    return f"{both if carried.n_against else all_up} {own}"


def _pushed_down(look: Lookup, carried: Carriers) -> str:
    """Return a sentence on the dimensions that push a negative score down, those against, and the carriers."""
    pushes = {"n": carried.n_towards, "all": len(look.query), "by": _size(carried.towards)}
    against = {"others": carried.n_against, "up": _size(carried.against)}
    all_down = tr("{n} of {all} dimensions push it down by {by} in all.", **pushes)
    both = tr("{n} of {all} dimensions push it down by {by} in all, {others} push it up by {up}.", **pushes, **against)
    own = trn(
        "{dimensions} alone pushes it down by {by}, {share} of that.",
        "{dimensions} alone push it down by {by}, {share} of that.",
        len(carried.dimensions),
        **_carrying(carried),
    )
    return f"{both if carried.n_against else all_down} {own}"


def _carrying(carried: Carriers) -> dict[str, str]:
    return {
        "dimensions": capitalise(list_dimensions(carried.dimensions)),
        "by": _size(carried.carried),
        "share": f"{carried.carried / carried.towards:.0%}",
    }


def _signs(look: Lookup, found: Contributions, carried: Carriers) -> str:
    """Return a sentence on the signs of the query in the carriers, and of the key relative to them."""
    groups = [
        (is_positive, [dimension for dimension in carried.dimensions if (look.query[dimension] >= 0) == is_positive])
        for is_positive in (True, False)
    ]
    parts = [
        _sign(list_dimensions(dimensions), query=is_positive, key=is_positive == (carried.total >= 0), found=found)
        for is_positive, dimensions in groups
        if dimensions
    ]
    return f"{capitalise(join_clauses(parts))}."


def _sign(dimensions: str, *, query: bool, key: bool, found: Contributions) -> str:
    """Return a clause on whether, in some dimensions, query and key are positive, or the key is above the mean key."""
    if found.is_centred:
        if query:
            return (
                tr("in {dimensions} the query is positive and the key above the mean key", dimensions=dimensions)
                if key
                else tr("in {dimensions} the query is positive and the key below the mean key", dimensions=dimensions)
            )
        return (
            tr("in {dimensions} the query is negative and the key above the mean key", dimensions=dimensions)
            if key
            else tr("in {dimensions} the query is negative and the key below the mean key", dimensions=dimensions)
        )
    if query:
        return (
            tr("in {dimensions} the query is positive and the key positive", dimensions=dimensions)
            if key
            else tr("in {dimensions} the query is positive and the key negative", dimensions=dimensions)
        )
    return (
        tr("in {dimensions} the query is negative and the key positive", dimensions=dimensions)
        if key
        else tr("in {dimensions} the query is negative and the key negative", dimensions=dimensions)
    )


def _for_whom(dimensions: Sequence[int], alike: NDArray[np.int64]) -> Iterator[str]:
    """Return a sentence on whether the carriers mark the key for most queries, or belong to this pair."""
    others = int(alike[-1])
    of_key = [dimension for dimension in dimensions if alike[dimension] >= MOST * others]
    of_pair = [dimension for dimension in dimensions if alike[dimension] <= FEW * others]
    between = [dimension for dimension in dimensions if dimension not in {*of_key, *of_pair}]
    if of_key:
        yield trn(
            "{dimensions} gives this key at least half as much for {span} of {others} other queries: it marks the key.",
            "{dimensions} give this key at least half as much for {span} of {others} other queries: they mark the key.",
            len(of_key),
            dimensions=capitalise(list_dimensions(of_key)),
            span=_span(alike[of_key]),
            others=others,
        )
    if of_pair:
        yield trn(
            "{dimensions} gives this key at least half as much for {span} of {others} other queries: it belongs to "
            "this pair.",
            "{dimensions} give this key at least half as much for {span} of {others} other queries: they belong to "
            "this pair.",
            len(of_pair),
            dimensions=capitalise(list_dimensions(of_pair)),
            span=_span(alike[of_pair]),
            others=others,
        )
    if between:
        yield trn(
            "{dimensions} gives this key at least half as much for {span} of {others} other queries.",
            "{dimensions} give this key at least half as much for {span} of {others} other queries.",
            len(between),
            dimensions=capitalise(list_dimensions(between)),
            span=_span(alike[between]),
            others=others,
        )


def _span(counts: NDArray[np.int64]) -> str:
    """Return a range as text: "3", or "3 to 5"."""
    least, most = int(counts.min()), int(counts.max())
    return str(least) if least == most else tr("{least} to {most}", least=least, most=most)


def _describe_shared(look: Lookup, key: int, shared: Sequence[int]) -> str:
    """Return a sentence on the largest dimensions that are alike for every key."""
    products = look.products[:, shared[0]] * np.float32(look.scale)
    n, mean = int(get_as_much(look)[:, shared[0]].sum()), products[look.visible].mean()
    largest = tr(
        "Dimension {dimension} has a large product, {product}, but {n} of {keys} keys get about as much ({mean} on "
        "average), so it says little about this pair.",
        dimension=shared[0],
        product=number(products[key], digits=2, plus=True),
        n=n,
        keys=int(look.visible.sum()),
        mean=number(mean, digits=2, plus=True),
    )
    more = trn("{n} more is like it.", "{n} more are like it.", len(shared) - 1)
    return f"{largest} {more}" if len(shared) > 1 else largest


def _key(look: Lookup, key: int) -> str:
    return token_texts(look.key_tokens, limit=SHORT)[key]


def _size(value: float) -> str:
    return number(abs(value), digits=2)
