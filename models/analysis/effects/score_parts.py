"""The score of one query and one key as an exact sum over what wrote them.

A score is scale · (W_Q x) · (W_K y), bilinear in the residual streams x and y, and both are sums: of the embeddings, of
every head's output and every feed-forward network's below. So the score is a sum over pairs of terms, one of the query
and one of the key (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", on QK circuits), exact once
every norm on the way is held at the deviation that it had in the pass (Kobayashi et al. 2021, section 3). What a part
does through later heads and networks is theirs here, not its own.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.effects.stream_parts import split_stream
from models.model import Model
from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.probing.changes import HeadPlace
from models.values.probing.stream import ReadVector, ScoreStreams
from models.values.record import AttentionRecord, Kind, no_vectors
from models.values.results.scores import ScoreParts, StreamPart
from models.values.wording import to_say, worded
from models.values.writing import Numbers


@check_arguments
def score_parts(
    model: Model,
    text: str,
    *,
    query: Index,
    key: Index,
    layer: Index,
    head: Index,
    kind: Kind | None = None,
    text_b: str | None = None,
) -> ScoreParts:
    """Return the score of a query and a key, before the softmax, as a sum over pairs of what wrote them.

    `query` and `key` are positions among the query tokens and the key tokens of the attention, `layer` and `head` count
    from 0; the `kind` is by default that of the last stack to itself. In cross attention the encoder wrote the keys.

    The numbers are in the units of the score, with its scale; `largest(12)` gives the largest pairs. Raises
    SelectionError for a layer, head or position that is not there and for a key that the query may not see,
    MissingCapabilityError for a model recorded by its weights alone, and UnsupportedModelError for one whose layers do
    not add up to a sum.
    """
    recording = model.record(text, text_b)
    if not recording.info.has_vectors:
        raise no_vectors(recording.info)
    record = recording.of(kind or ("decoder" if "decoder" in recording.kinds else "encoder"))
    _expect_visible(record, layer, head, query, key)
    place = (record.kind, layer, head)
    streams = model.score_streams(text, text_b, place=place, query=query, key=key)
    return parts_of_score(streams, {each.kind: each for each in recording.attention}, place)


def parts_of_score(streams: ScoreStreams, records: Mapping[Kind, AttentionRecord], place: HeadPlace) -> ScoreParts:
    """Return the sum, from the streams of both sides and the attention of the same pass."""
    query_parts, queries = _terms_of(streams.query, records)
    key_parts, keys = _terms_of(streams.key, records)
    record, (_, layer, head) = records[place[0]], place
    query, key = streams.query.position, streams.key.position
    return ScoreParts(
        place=place,
        query=query,
        key=key,
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        query_parts=query_parts,
        key_parts=key_parts,
        matrix=streams.scale * (queries @ keys.T),
        bias=streams.bias,
        score=float(record.scores(layer, head, slice(query, query + 1))[0, key]),
    )


def _terms_of(vector: ReadVector, records: Mapping[Kind, AttentionRecord]) -> tuple[tuple[StreamPart, ...], Numbers]:
    """Return the parts of a query or a key in the order of the pass, biases last, and their terms [n_parts, d_head]."""
    directions = vector.read.astype(np.float64)  # [d_head, d_model]
    terms = split_stream(vector.stream, records, directions, vector.position)
    parts, rows = [], []
    rest = vector.stream.embeddings[vector.position].astype(np.float64)  # [d_model]
    for name, embedded in vector.embeddings.items():
        parts.append(StreamPart(of=name))
        rows.append(terms.directions @ embedded)
        rest = rest - embedded
    for sub_layer in vector.stream.sub_layers:
        if sub_layer.part == "feed_forward":
            parts.append(StreamPart(of="feed_forward", layer=sub_layer.layer))
            rows.append(terms.feed_forward[sub_layer.layer])
            continue
        of_heads = terms.heads[sub_layer.part, sub_layer.layer]  # [n_heads, d_head]
        parts += [
            StreamPart(of="head", kind=sub_layer.part, layer=sub_layer.layer, head=head)
            for head in range(len(of_heads))
        ]
        rows += list(of_heads)
    biases = vector.constant + terms.biases + terms.directions @ rest  # [d_head]
    return (*parts, StreamPart(of="biases")), np.stack([*rows, biases])


def _expect_visible(record: AttentionRecord, layer: int, head: int, query: int, key: int) -> None:
    if query >= record.n_query or key >= record.n_key:
        raise SelectionError(
            worded(
                "query {query} and key {key} were asked for, but there are {n_query} queries and {n_key} keys, counted "
                "from 0.",
                query=query,
                key=key,
                n_query=record.n_query,
                n_key=record.n_key,
            )
        )
    if np.isneginf(record.bias_of(layer, head, slice(query, query + 1))[0, key]):
        raise SelectionError(
            worded(
                "Query {query} may not look at key {key}, so their score is minus infinity and no sum. Choose a key "
                "that it sees.",
                query=query,
                key=key,
            )
        )


ANALYSIS = Analysis(
    name="score_parts",
    title="why a head looks at a token: a score as a sum over what wrote its query and its key",
    paper=to_say(
        'Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", QK circuits; Kobayashi et al. 2021, '
        "section 3"
    ),
    needs="a model",
    formula=to_say("score = sum over pairs of scale · (W_Q part) · (W_K part) + bias, norms held at their statistics"),
    returns="ScoreParts, matrix [n_query_parts, n_key_parts]; its sum and the bias are the score",
    cost=to_say("six forward passes with everything kept that passes between modules, and 2 · d_head derivatives"),
    compute=score_parts,
)
