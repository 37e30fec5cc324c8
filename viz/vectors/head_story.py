"""Sentences on what the queries, keys and values of a head have in common.

The *common share* of vectors x_t is |mean x|² / mean |x|², 0 to 1: the part of their squared lengths that is one and
the same vector. In the maps these are the vertical stripes; the dimensions with the largest part are named.

- What the keys have in common, k̄, adds q · k̄ to every score of a query alike, and the softmax does not see it.
- What the queries have in common, q̄, asks every token for the same keys. The *common favourite* is the key with the
  largest q̄ · k of those that at least half of the queries may see; it is counted how many of them look there most.
- What the values have in common is handed on whatever is looked at, as weights sum to 1.
- A vector is *of its own kind* if it is more than twice as far from the mean as the median vector is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord, Token
from viz.kit.errors import expect_vectors
from viz.kit.language import to_say, tr
from viz.kit.sentences import join_list, list_dimensions
from viz.kit.tokens import SHORT, token_texts

STRIPES, NAMED_TOKENS = 3, 4
"""Dimensions that are named for each map, and tokens of their own kind."""
OWN_KIND, HALF = 2.0, 0.5
LEAST_TOKENS = 3


def common_share(vectors: Array) -> float:
    """Return the part of the squared lengths of vectors [n_tokens, d] that is the same vector for all; 0 for zeros."""
    total = float(np.square(vectors, dtype=np.float64).sum(axis=1).mean())
    return float(np.square(vectors.mean(axis=0, dtype=np.float64)).sum()) / total if total else 0.0


def stripes(vectors: Array, n: int = STRIPES) -> tuple[int, ...]:
    """Return the `n` dimensions of the largest common part, the largest first."""
    common = np.square(vectors.mean(axis=0, dtype=np.float64))
    return tuple(int(dimension) for dimension in np.argsort(-common, kind="stable")[:n])


def own_kind(vectors: Array) -> NDArray[np.intp]:
    """Return the positions of the vectors that are far from the mean, the farthest first."""
    distances = np.linalg.norm(vectors - vectors.mean(axis=0), axis=1)
    far = np.flatnonzero(distances > OWN_KIND * np.median(distances))
    return far[np.argsort(-distances[far], kind="stable")]


@check_arguments
def common_favourite(record: AttentionRecord, *, layer: int, head: int) -> int:
    """Return the key with the largest product with the mean query of a head, of those that half of the queries may see.
    Raises PictureError for a record of weights alone."""
    expect_vectors(record)
    scores = record.key[layer, head] @ record.query[layer, head].mean(axis=0) * np.sign(record.scale[layer])
    n_seeing = (~np.isneginf(record.scores(layer, head))).sum(axis=0)  # [n_key]
    return int(np.where(n_seeing >= HALF * record.n_query, scores, -np.inf).argmax())


@check_arguments
def who_looks_there(record: AttentionRecord, *, layer: int, head: int, key: int) -> tuple[int, int]:
    """Return how many tokens give a key their largest weight, and how many may see it."""
    sees = ~np.isneginf(record.scores(layer, head)[:, key])
    largest = record.weights(layer, head).argmax(axis=1) == key
    return int((largest & sees).sum()), int(sees.sum())


@check_arguments
def head_story(record: AttentionRecord, *, layer: int, head: int) -> tuple[str, ...]:
    """Return sentences on what the three maps of a head have in common; none for fewer than three tokens. Raises
    PictureError for a record of weights alone."""
    expect_vectors(record)
    if min(len(record.query_tokens), len(record.key_tokens)) < LEAST_TOKENS:
        return ()
    return tuple(_sentences(record, layer, head))


def _sentences(record: AttentionRecord, layer: int, head: int) -> Iterator[str]:
    query, key, value = record.query[layer, head], record.key[layer, head], record.value[layer, head]
    shares = (
        tr("{share} of the queries (above all {dimensions})", **_share(query)),
        tr("{share} of the keys (above all {dimensions})", **_share(key)),
        tr("{share} of the values (above all {dimensions})", **_share(value)),
    )
    yield tr(
        "Vertical stripes are what all tokens share: {shares}. (Shares are of squared lengths.)",
        shares=join_list(shares),
    )
    yield _describe_favourite(record, layer, head)
    yield tr(
        "What the keys share adds the same to every score, so it changes no weight. What the values share is passed "
        "on wherever a token looks."
    )
    standing_out = [
        sentence
        for sentence in (
            _name_own_kind(to_say("the query of {tokens}"), query, record.query_tokens),
            _name_own_kind(to_say("the key of {tokens}"), key, record.key_tokens),
            _name_own_kind(to_say("the value of {tokens}"), value, record.key_tokens),
        )
        if sentence
    ]
    if standing_out:
        vectors = ", ".join(standing_out)
        yield tr("Standing out, more than twice as far from the mean as usual: {vectors}.", vectors=vectors)


def _describe_favourite(record: AttentionRecord, layer: int, head: int) -> str:
    """Return a sentence on the key that the queries share, and on how many of them look there most."""
    favourite = common_favourite(record, layer=layer, head=head)
    n_there, n_seeing = who_looks_there(record, layer=layer, head=head, key=favourite)
    says = (
        to_say(
            "What the queries share makes every token ask for the same key, “{key}” ({position}), and {n} of the {all} "
            "tokens that see it do look there most."
        )
        if n_there >= HALF * n_seeing
        else to_say(
            "What the queries share makes every token ask for the same key, “{key}” ({position}), but only {n} of the "
            "{all} tokens that see it look there most. The differences between queries decide."
        )
    )
    key = token_texts(record.key_tokens, limit=SHORT)[favourite]
    return tr(says, key=key, position=favourite, n=n_there, all=n_seeing)


def _name_own_kind(says: str, vectors: Array, tokens: tuple[Token, ...]) -> str:
    """Return the tokens whose vectors are far from the mean, in words; empty if there are none."""
    far = own_kind(vectors)
    return tr(says, tokens=join_list(_name_tokens(tokens, far))) if len(far) else ""


def _share(vectors: Array) -> dict[str, str]:
    return {"share": f"{common_share(vectors):.0%}", "dimensions": list_dimensions(stripes(vectors))}


def _name_tokens(tokens: tuple[Token, ...], positions: NDArray[np.intp]) -> list[str]:
    texts = token_texts(tokens, limit=SHORT)
    named = [f"“{texts[position]}” ({position})" for position in positions[:NAMED_TOKENS]]
    more = tr("{n} more", n=len(positions) - NAMED_TOKENS)
    return [*named, more] if len(positions) > NAMED_TOKENS else named
