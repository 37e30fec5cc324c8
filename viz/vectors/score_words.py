"""The score of a query and a key as pairs of what wrote them: the names of the parts, the finding, the table.

The sentences follow these rules. A query hardly looks at a key to which it gives less than an equal share. The part
that is named is the one, biases aside, that adds most in the direction of the score. What comes with biases is the sum
of all pairs in which a side is biases.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import pandas as pd

from models.values.record import Recording
from models.values.results.scores import PartPair, ScoreParts, StreamPart
from models.values.writing import Numbers
from viz.kit import theme as style
from viz.kit.language import said, to_say, tr
from viz.kit.sentences import join_clauses
from viz.kit.theme import SHARE_FORMAT
from viz.kit.tokens import SHORT, shorten, token_texts

N_PAIRS = 12
"""The number of pairs that are drawn; the table has all."""
EMBEDDING_NAMES = {
    "token": to_say("Token embedding"),
    "position": to_say("Position embedding"),
    "segment": to_say("Segment embedding"),
    "biases": to_say("Biases"),
}
WRITERS = {
    "token": to_say("the token embedding"),
    "position": to_say("the position embedding"),
    "segment": to_say("the segment embedding"),
}
LOOKS = to_say("“{query}” looks at “{key}” ({share}). Of its score {score}, {value} comes from {part} in the key.")
HARDLY = to_say(
    "“{query}” hardly looks at “{key}” ({share}). Of its score {score}, {value} comes from {part} in the key."
)
ScoreSide = Literal["query", "key"]
SIDES: tuple[ScoreSide, ScoreSide] = ("query", "key")


def part_name(part: StreamPart) -> str:
    """Return the name of a part, such as "Layer 1 · Head 3", of a cross attention with its kind."""
    if part.of == "head":
        name = tr("Layer {layer} · Head {head}", layer=part.layer, head=part.head)
        return tr("Cross · {head}", head=name) if part.kind == "cross" else name
    if part.of == "feed_forward":
        return tr("Layer {layer} · Feed-forward", layer=part.layer)
    return said(EMBEDDING_NAMES[part.of])


def pair_in_words(pair: PartPair) -> str:
    """Return a pair with what it adds, as plain text."""
    return tr(
        "{query} in the query × {key} in the key: {value}",
        query=part_name(pair.query),
        key=part_name(pair.key),
        value=with_sign(pair.value),
    )


def pairs_in_words(parts: ScoreParts, *, n: int = N_PAIRS) -> str:
    """Return what the picture shows, for who hears a page. NOT escaped."""
    return join_clauses(map(pair_in_words, parts.largest(n)))


def finding_of_score(parts: ScoreParts, recording: Recording) -> tuple[str, str]:
    """Return a sentence on how much a query looks at a key and on what wrote most of their score, and some on the rest
    of it. NOT escaped."""
    kind, layer, head = parts.place
    row = recording.of(kind).weights(layer, head, slice(parts.query, parts.query + 1))[0]
    query, key = tokens_of(parts)
    part, value = _strongest_writer(parts, "key")
    looks = LOOKS if row[parts.key] >= 1 / np.count_nonzero(row) else HARDLY
    said_of_key = tr(
        looks,
        query=query,
        key=key,
        share=f"{row[parts.key]:{SHARE_FORMAT}}",
        score=with_sign(parts.score),
        value=with_sign(value),
        part=_writer(part),
    )
    asking, asked = _strongest_writer(parts, "query")
    in_query = tr("In the query, {value} comes from {part}.", value=with_sign(asked), part=_writer(asking))
    return said_of_key, " ".join([*_source(parts, recording, part), in_query, *_rest(parts)])


def _writer(part: StreamPart) -> str:
    """Return a part within a sentence."""
    if part.of == "feed_forward":
        return tr("the feed-forward network of Layer {layer}", layer=part.layer)
    return said(WRITERS[part.of]) if part.of in WRITERS else part_name(part)


def _source(parts: ScoreParts, recording: Recording, part: StreamPart) -> Iterator[str]:
    """Say which token a head has read most of where it wrote into the key."""
    if part.kind is None or part.layer is None or part.head is None:
        return
    record = recording.of(part.kind)
    weights = record.weights(part.layer, part.head, slice(parts.key, parts.key + 1))[0]
    source = int(weights.argmax())
    yield tr(
        "There, that head reads “{token}” most ({share}).",
        token=shorten(token_texts(record.key_tokens)[source], SHORT),
        share=f"{weights[source]:{SHARE_FORMAT}}",
    )


def _rest(parts: ScoreParts) -> Iterator[str]:
    with_biases = float(parts.matrix[-1].sum() + parts.matrix[:-1, -1].sum())
    if abs(with_biases) >= 0.005:
        yield tr("{value} comes with biases, which are added whatever the text says.", value=with_sign(with_biases))
    if parts.bias:
        yield tr("{value} the model adds for the distance.", value=with_sign(parts.bias))


def _strongest_writer(parts: ScoreParts, side: ScoreSide) -> tuple[StreamPart, float]:
    """Return the part, biases aside, that adds most in the direction of the score."""
    adds = {part: value for part, value in sums_of(parts, side).items() if part.of != "biases"}
    sign = -1 if parts.score < 0 else 1
    return max(adds.items(), key=lambda item: sign * item[1])


def tokens_of(parts: ScoreParts) -> tuple[str, str]:
    """Return the query token and the key token as plain texts."""
    return (
        shorten(token_texts(parts.query_tokens)[parts.query], SHORT),
        shorten(token_texts(parts.key_tokens)[parts.key], SHORT),
    )


def sums_of(parts: ScoreParts, side: ScoreSide) -> dict[StreamPart, float]:
    """Return what every part of a side adds with all parts of the other."""
    names: tuple[StreamPart, ...] = parts.query_parts if side == "query" else parts.key_parts
    sums: Numbers = parts.by_query_part if side == "query" else parts.by_key_part
    return dict(zip(names, sums.tolist(), strict=True))


def with_sign(value: float) -> str:
    """Return a number with its sign."""
    return style.number(value, digits=2, plus=True)


def score_table(parts: ScoreParts) -> pd.DataFrame:
    """Return a row for every pair of parts, the largest first, and one for the bias by distance; `adds` sums to the
    score."""
    largest = parts.largest(parts.matrix.size)
    rows = [_cells("query", pair.query) | _cells("key", pair.key) | {"adds": pair.value} for pair in largest]
    if parts.bias:
        rows.append({"query_part": "distance", "key_part": "distance", "adds": parts.bias})
    return pd.DataFrame(rows)


def _cells(side: str, part: StreamPart) -> dict[str, object]:
    return {
        f"{side}_part": part.of,
        f"{side}_kind": part.kind or "",
        f"{side}_layer": part.layer,
        f"{side}_head": part.head,
    }
