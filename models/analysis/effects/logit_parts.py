"""A logit difference as the sum of what every part of the model adds to it directly (direct logit attribution).

The residual stream is a sum, and the answer is read from its end by a linear function once the norms are held at the
statistics that they had in this pass: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", and
Wang et al. 2022, section 3.1. What a part does through later heads and feed-forward networks is theirs here, not its
own. In post-LN models (BERT) each norm on the way is held so; the activations on top of the model (the GELU of an MLM
head, the tanh of a pooler) are z · (f(z) / z) with the factor held. So the parts sum to the difference exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.contrasts import contrast_of
from models.analysis.effects.null import kind_drawn, with_null
from models.analysis.effects.stream_parts import split_stream
from models.model import Model
from models.values.arguments.check import check_arguments
from models.values.probing.contrast import Contrast
from models.values.probing.stream import AnswerStreams
from models.values.record import AttentionRecord, Kind
from models.values.results.effects import HeadMap, LogitParts
from models.values.results.null import NullRange, null_range
from models.values.wording import to_say
from models.values.writing import Numbers


@check_arguments
def logit_parts(model: Model, text: str, *, text_b: str | None = None, contrast: Contrast | None = None) -> LogitParts:
    """The parts of a logit difference; without a contrast the model's best answer is held against its second."""
    contrast = contrast or contrast_of(model, text, text_b)
    recording = model.record(text, text_b)
    records = {record.kind: record for record in recording.attention}
    streams = model.answer_streams(text, text_b, contrast=with_null(model, text, text_b, contrast))
    return replace(parts_of(streams, records), contrast=contrast)


def parts_of(streams: AnswerStreams, records: Mapping[Kind, AttentionRecord]) -> LogitParts:
    """The parts, from the residual stream that the answer is read from and the attention of the same pass."""
    stream = streams.answering
    kinds = tuple(dict.fromkeys(sub_layer.part for sub_layer in stream.sub_layers if sub_layer.part != "feed_forward"))
    heads = {kind: np.zeros((records[kind].n_layers, records[kind].n_heads)) for kind in kinds}
    n_layers = 1 + max(sub_layer.layer for sub_layer in stream.sub_layers)
    feed_forward, embeddings, biases = np.zeros(n_layers), 0.0, streams.constant
    for position in np.flatnonzero(streams.direction.any(axis=1)).tolist():
        direction = streams.direction[position].astype(np.float64)  # [d_model]
        terms = split_stream(stream, records, direction, position)
        for (kind, layer), of_heads in terms.heads.items():
            heads[kind][layer] += of_heads
        for layer, added in terms.feed_forward.items():
            feed_forward[layer] += added
        embeddings += float(terms.directions @ stream.embeddings[position])
        biases += float(terms.biases)
    null, feed_forward_null = _null_of(streams, records)
    return LogitParts(
        contrast=streams.contrast,
        stack=stream.stack,
        difference=streams.difference,
        embeddings=embeddings,
        heads=tuple(HeadMap(kind=kind, values=values.astype(np.float32)) for kind, values in heads.items()),
        feed_forward=feed_forward.astype(np.float32),
        biases=biases,
        null=tuple(null[kind] for kind in kinds if kind in null),
        feed_forward_null=feed_forward_null,
    )


def _null_of(
    streams: AnswerStreams, records: Mapping[Kind, AttentionRecord]
) -> tuple[dict[Kind, NullRange], NullRange | None]:
    """Return what heads and networks add to random answers, by kind of attention and for the networks."""
    if streams.null_directions is None:
        return {}, None
    directions = streams.null_directions.astype(np.float64)  # [n_null, n_read, d_model]
    n_null, drawn = len(directions), kind_drawn(streams.contrast)
    heads: dict[Kind, Numbers] = {}
    networks = np.zeros((1 + max(sub_layer.layer for sub_layer in streams.answering.sub_layers), n_null))
    for place, position in enumerate(np.flatnonzero(streams.direction.any(axis=1)).tolist()):
        terms = split_stream(streams.answering, records, directions[:, place], position)
        for (kind, layer), added in terms.heads.items():
            of_kind = heads.setdefault(kind, np.zeros((*_shape_of(records[kind]), n_null)))
            of_kind[layer] += added  # [n_heads, n_null]
        for layer, of_network in terms.feed_forward.items():
            networks[layer] += of_network
    found = {kind: null_range(values.astype(np.float32), drawn=drawn) for kind, values in heads.items()}
    by_kind = {kind: null for kind, null in found.items() if null is not None}
    return by_kind, null_range(networks.astype(np.float32), drawn=drawn)


def _shape_of(record: AttentionRecord) -> tuple[int, int]:
    return record.n_layers, record.n_heads


ANALYSIS = Analysis(
    name="logit_parts",
    title="what every head and feed-forward network adds to an answer directly",
    paper=to_say(
        'Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Wang et al. 2022, section 3.1'
    ),
    needs="a model",
    formula=to_say("m = sum over parts of direction · part + biases, norms held at their statistics"),
    returns="LogitParts, heads [n_layers, n_heads], feed_forward [n_layers]; their sum is m",
    cost=to_say(
        "five forward passes with everything kept that passes between modules, and a backward pass of the LM head for "
        "the answer and for each of 200 random ones"
    ),
    compute=logit_parts,
)
