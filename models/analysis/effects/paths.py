"""Direct paths: what a head reads of the heads below it through the residual stream alone, and what that does.

The input of a head is a sum, to which every head below has added its part. Its queries, keys or values are made once
more without one of those parts, and the head gives what follows from them. The norms between the two heads are held at
their statistics (frozen), or computed anew without the part; after the receiver nothing is held: the model answers with
that head changed, norms and all. Path patching of one edge (Goldowsky-Dill et al. 2023, "Localizing Model Behavior with
Path Patching", section 3; Wang et al. 2022, section 3), with Q-, K- and V-composition apart (Elhage et al. 2021).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.contrasts import contrast_of
from models.analysis.effects.null import null_of, with_null
from models.model import Model, TellProgress
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit, HeadPlace
from models.values.probing.circuits import HeadCircuits
from models.values.probing.contrast import Contrast
from models.values.probing.stream import FixedNorm, ResidualStream, SubLayer
from models.values.record import Array, AttentionRecord, Kind
from models.values.results.effects import INTO, HeadPaths, Norms
from models.values.wording import Message, to_say, worded

NOT_FOUND: dict[Kind, Message] = {
    "encoder": to_say("the matrices of the encoder attention of this model were not found."),
    "decoder": to_say("the matrices of the decoder attention of this model were not found."),
    "cross": to_say("the matrices of the cross attention of this model were not found."),
}


@check_arguments
def head_paths(
    model: Model,
    text: str,
    receiver: HeadPlace,
    *,
    text_b: str | None = None,
    contrast: Contrast | None = None,
    senders: Sequence[HeadPlace] | None = None,
    norms: Norms = "held",
    progress: TellProgress | None = None,
) -> HeadPaths:
    """The effect of every direct path into a head, from all heads of its stack below it or from some `senders`.

    The norms that the sender's part passes are frozen with `norms` "held", so that parts add up; with "exact" each is
    computed on the stream with and without the part. What follows the receiver is computed. Raises SelectionError for
    a receiver without heads below it, for cross attention, and for a model whose matrices were not found.
    """
    kind, layer, head = receiver
    contrast = contrast or contrast_of(model, text, text_b)
    record = model.record(text, text_b).of(kind)
    record.bias_of(layer, head)  # raises SelectionError for a layer or head that is not there
    circuits = _circuits_of(model, text, text_b, kind)
    stream = model.answer_streams(text, text_b, contrast=contrast).of(kind)
    chosen = _below(receiver, record.n_heads, senders)
    parts = [part_at(stream, record, sender, layer, norms=norms) for sender in chosen]
    outputs = (_output_without(record, circuits, receiver, part, into) for part in parts for into in INTO)
    edits = (HeadEdit(kind=kind, layer=layer, head=head, output=output) for output in outputs)
    changes = [NO_CHANGES, *(Changes(heads=(edit,)) for edit in edits)]
    asked = with_null(model, text, text_b, contrast)
    under = model.answers_under(text, text_b, contrast=asked, changes=changes, progress=progress)
    shape = (len(chosen), len(INTO))
    return HeadPaths(
        contrast=contrast,
        receiver=receiver,
        senders=chosen,
        whole=float(under.differences[0]),
        effects=(under.differences[1:] - under.differences[0]).reshape(shape),
        norms=norms,
        null=null_of(under, shape),
    )


def _below(receiver: HeadPlace, n_heads: int, senders: Sequence[HeadPlace] | None) -> tuple[HeadPlace, ...]:
    """Return the senders, by default all heads below the receiver. Raises SelectionError for others."""
    kind, layer, _ = receiver
    below: list[HeadPlace] = [(kind, under, number) for under in range(layer) for number in range(n_heads)]
    chosen = tuple((of, sender_layer, number) for of, sender_layer, number in (below if senders is None else senders))
    if not below:
        raise SelectionError(
            to_say("The receiver is a head of layer 0, and no head stands below it. Choose one of a later layer.")
        )
    if not chosen or not set(chosen) <= set(below):
        raise SelectionError(
            worded("the senders are {chosen}, expected heads of the layers below {layer}.", chosen=chosen, layer=layer)
        )
    return chosen


def part_at(
    stream: ResidualStream, record: AttentionRecord, sender: HeadPlace, layer: int, *, norms: Norms = "held"
) -> Array:
    """Return a head's part of the input of a later layer's attention [n_tokens, d_model]: its output through W_O and
    through every norm on the way."""
    kind, sender_layer, head = sender
    first = stream.attention(kind, sender_layer)
    if first.projection is None:
        raise SelectionError(f"the sub-layer {first.part} has no heads.")
    part = record.head_output(sender_layer, head) @ first.projection.weight[head]  # [n_tokens, d_model]
    if first.projection.norm is not None:
        outputs = np.stack([record.head_output(sender_layer, number) for number in range(record.n_heads)])
        whole = (outputs @ first.projection.weight).sum(axis=0) + first.projection.bias  # [n_tokens, d_model]
        part = _through(first.projection.norm, part, whole, norms)
    last = stream.attention(kind, layer)
    for sub_layer in stream.sub_layers[_place(stream, first) : _place(stream, last)]:
        if sub_layer.norm is not None:
            part = _through(sub_layer.norm, part, sub_layer.carried + sub_layer.added, norms)
    return part if last.read_norm is None else _through(last.read_norm, part, last.carried, norms)


def _output_without(
    record: AttentionRecord, circuits: HeadCircuits, receiver: HeadPlace, less: Array, into: str
) -> Array:
    """Return the output of the receiver if its queries, keys or values are made without some part of its input
    [n_query, d_head]."""
    _, layer, head = receiver
    made = {name: np.array(getattr(record, name)) for name in INTO}  # each [n_layers, n_heads, n_tokens, d_head]
    made[into][layer, head] -= less @ getattr(circuits, into)[layer, head]
    other = replace(record, query=made["query"], key=made["key"], value=made["value"])
    return other.head_output(layer, head)


def _circuits_of(model: Model, text: str, text_b: str | None, kind: Kind) -> HeadCircuits:
    circuits = next((of_kind for of_kind in model.head_circuits(text, text_b) if of_kind.kind == kind), None)
    if circuits is None or circuits.query is None or circuits.key is None:
        raise SelectionError(NOT_FOUND[kind])
    return circuits


def _through(norm: FixedNorm, part: Array, whole: Array, norms: Norms) -> Array:
    """Return a part of a `whole` [n_tokens, d_model] after a norm; with exact norms what it lacks without the part."""
    if norms == "exact":
        lacks: Array = norm.exact(whole) - norm.exact(whole - part)
        return lacks
    return np.stack([norm.linear(row, position) for position, row in enumerate(part)])


def _place(stream: ResidualStream, sub_layer: SubLayer) -> int:
    return next(place for place, other in enumerate(stream.sub_layers) if other is sub_layer)


ANALYSIS = Analysis(
    name="paths",
    title="what a head reads of the heads below it, and what that does",
    paper=to_say('Goldowsky-Dill et al. 2023, "Localizing Model Behavior with Path Patching", section 3'),
    needs="a model",
    formula=to_say(
        "m with the receiver's query, key or value made without the sender's part - m; norms between the two heads are "
        "held at their statistics or exact, later ones are computed anew"
    ),
    returns="HeadPaths, effects [n_senders, 3]",
    cost=to_say("nine forward passes, and half of one for every sender and each of query, key and value, in batches"),
    compute=head_paths,
)
