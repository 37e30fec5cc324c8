"""A recording of attention that somebody has: checked, without padding, with the tokens of its axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.values.errors import ArgumentError, RecordError
from models.values.places import Image
from models.values.record import Array, AttentionRecord, Kind, ModelInfo, Recording, Token, record_of_weights
from models.values.record.attention import OFF
from models.values.wording import Message, to_say, worded, worded_n
from viz.given.arrays import to_array
from viz.given.files import AttentionFile
from viz.given.labels import expect_number, numbered_tokens, patch_tokens, text_tokens
from viz.given.layers import Layers, batch_item
from viz.given.outputs import kinds_of

ROUNDED = 1e-3
"""By how much a weight of half precision may be over 1."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labels:
    """Names along the axes: texts of the tokens, where a second sentence begins, patches of a picture, and which
    keys are no padding."""

    tokens: Sequence[str] | None = None
    query_tokens: Sequence[str] | None = None
    key_tokens: Sequence[str] | None = None
    sentence_b_start: int | None = None
    grid: tuple[int, int] | None = None
    image: Image | None = None
    mask: NDArray[np.bool_] | None = None

    def texts(self, kind: Kind, axis: str) -> tuple[str, Sequence[str] | None]:
        """Return the name of an argument and the texts in it: of the source for an encoder and for the keys of cross
        attention, of the target for a decoder and for the queries."""
        is_source = kind == "encoder" or (kind == "cross" and axis == "key")
        name, own = ("key_tokens", self.key_tokens) if is_source else ("query_tokens", self.query_tokens)
        other_name, other = ("query_tokens", self.query_tokens) if is_source else ("key_tokens", self.key_tokens)
        if own is not None:
            return name, own
        if self.tokens is None and kind != "cross":
            return other_name, other
        return "tokens", self.tokens


def recording_of_file(
    file: AttentionFile,
    *,
    item: int | None = None,
    sentence_b_start: int | None = None,
    grid: tuple[int, int] | None = None,
    image: Image | None = None,
    mask: NDArray[np.bool_] | None = None,
) -> Recording:
    """Return the recording of attention that was given. Weights between two texts are cross attention.

    Raises ArgumentError for what is no attention, RecordError for shapes, tokens or numbers that do not fit.
    """
    kinds = kinds_of(file.attention, item=item)
    queries, keys = file.tokens.get("query_tokens"), file.tokens.get("key_tokens")
    if "cross" not in kinds and "tokens" in file.tokens and (queries is not None or keys is not None):
        raise ArgumentError(
            worded(
                "tokens= names the rows and the columns, so query_tokens= and key_tokens= have nothing to name. Give "
                "tokens= for attention within one text, the other two for attention between two."
            )
        )
    if "cross" in kinds and len(kinds) == 1 and sentence_b_start is not None:
        raise ArgumentError(
            worded(
                "sentence_b_start is {start}, but this is attention between two texts, which are told apart by "
                "query_tokens= and key_tokens=. Leave it out.",
                start=sentence_b_start,
            )
        )
    are_two = queries is not None and keys is not None and list(queries) != list(keys)
    if len(kinds) == 1 and (file.kind or are_two):
        kinds = {file.kind or "cross": next(iter(kinds.values()))}
    labels = Labels(**file.tokens, sentence_b_start=sentence_b_start, grid=grid, image=image, mask=mask)
    return _recording(kinds, labels, name=file.model)


def _recording(kinds: Mapping[Kind, Layers], labels: Labels, *, name: str) -> Recording:
    records = tuple(_record(kind, layers, labels, is_beside_cross="cross" in kinds) for kind, layers in kinds.items())
    first = records[0]
    tokens = first.key_tokens if first.kind == "cross" else first.query_tokens
    nothing = np.zeros((first.n_layers + 1, len(tokens), 0), np.float32)
    starts = [place for place, token in enumerate(tokens) if token.segment == 1]
    return Recording(
        info=_info(records, next(iter(kinds.values())), name),
        tokens=tokens,
        attention=records,
        hidden_states=nothing,
        final_state=nothing[-1].copy(),
        segment_b_start=starts[0] if starts and first.kind != "cross" else None,
        source=labels.image if any(token.place for record in records for token in record.key_tokens) else None,
    )


def _record(kind: Kind, layers: Layers, labels: Labels, *, is_beside_cross: bool) -> AttentionRecord:
    mask = None if kind == "decoder" and is_beside_cross else labels.mask  # it is that of the source
    keys = _kept_places(mask, layers.n_key)
    queries = _kept_places(None if kind == "cross" else mask, layers.n_query)
    weights = [layer[:, queries][:, :, keys] for layer in layers.weights]
    for number, layer in enumerate(weights):
        _expect_weights(layer, number)
    return record_of_weights(
        kind=kind,
        query_tokens=tuple(np.array(_axis(kind, "query", layers, labels), dtype=object)[queries]),
        key_tokens=tuple(np.array(_axis(kind, "key", layers, labels), dtype=object)[keys]),
        weights=weights,
        keeps_sums=True,
    )


def _axis(kind: Kind, axis: str, layers: Layers, labels: Labels) -> tuple[Token, ...]:
    """Return the tokens of an axis as they were given, padding included."""
    n = layers.n_key if axis == "key" else layers.n_query
    name, texts = labels.texts(kind, axis)
    if texts is not None and layers.is_written and len(texts) == n + 1 and not (kind == "cross" and axis == "key"):
        texts = texts[:-1]  # the token that was written last was never read
    if texts is not None:
        texts = _with_padding(texts, n, labels.mask)
        if name == "tokens" and kind == "cross" and not layers.is_square:
            raise RecordError(
                worded(
                    "The attention has {queries} queries and {keys} keys, two texts. Give query_tokens= for the rows "
                    "and key_tokens= for the columns.",
                    queries=layers.n_query,
                    keys=layers.n_key,
                )
            )
        expect_number(texts, n, axis=to_say("keys") if axis == "key" else to_say("queries"), name=name)
    is_of_picture = labels.grid is not None and (kind != "cross" or axis == "key" or texts is None)
    if is_of_picture and labels.grid is not None:
        return patch_tokens(n, labels.grid, labels.image, texts)
    start = labels.sentence_b_start if kind != "cross" else None
    return numbered_tokens(n, sentence_b_start=start) if texts is None else text_tokens(texts, sentence_b_start=start)


def _with_padding(texts: Sequence[str], n: int, mask: NDArray[np.bool_] | None) -> Sequence[str]:
    """Return tokens for padding, too, where they were given without it."""
    if mask is None or len(mask) != n or len(texts) != mask.sum() or len(texts) == n:
        return texts
    given = iter(texts)
    return [next(given) if kept else "[PAD]" for kept in mask]


def _kept_places(mask: NDArray[np.bool_] | None, n: int) -> NDArray[np.bool_]:
    """Return which tokens of an axis are kept. Raises RecordError for a mask of another length."""
    if mask is None:
        return np.ones(n, np.bool_)
    if mask.shape != (n,) or not mask.any():
        raise RecordError(
            worded(
                "mask has the shape {shape} and {kept} ones, expected a number for each of the {n} keys: 1 for a "
                "token, 0 for padding.",
                shape=list(mask.shape),
                kept=int(mask.sum()),
                n=n,
            )
        )
    return mask


def _expect_weights(layer: Array, number: int) -> None:
    """Raise RecordError for a layer of numbers that are no weights, with the first of them and what to do."""
    for wrong, advice in (
        (
            ~np.isfinite(layer),
            worded(
                "Of padding, tell which tokens it is by mask=; for a query that may look nowhere, give zeros "
                "(numpy.nan_to_num)."
            ),
        ),
        (layer < 0, worded("If these are scores, give the weights after the softmax over the keys.")),
        (
            layer > 1 + ROUNDED,
            worded("If these are scores, give the weights after the softmax; if it is dropout, call model.eval()."),
        ),
    ):
        if wrong.any():
            head, row, column = map(int, np.argwhere(wrong)[0])
            raise RecordError(
                worded(
                    "Layer {layer}, head {head} has {value} in row {row}, column {column}, expected weights from 0 to "
                    "1. {advice}",
                    layer=number,
                    head=head,
                    value=f"{layer[head, row, column]:.4g}",
                    row=row,
                    column=column,
                    advice=advice,
                )
            )


def _sums_note(records: Sequence[AttentionRecord]) -> Message | None:
    """Return a note on the sums of rows, if they are not 1."""
    given = [record.row_sums for record in records if record.row_sums is not None]
    others = [sums for sums in given if (np.abs(sums - 1) > OFF).any()]
    if not others:
        return None
    sums = np.concatenate([sums.ravel() for sums in others])
    least, most = f"{sums.min():.3g}", f"{sums.max():.3g}"
    if least == most:
        return worded(
            "Every row of these weights sums to {sum}, not to 1. They are shown as they were given.", sum=most
        )
    return worded(
        "The rows of these weights sum to {least} to {most}, not to 1. They are shown as they were given.",
        least=least,
        most=most,
    )


def _layers_note(numbers: Sequence[int]) -> Message | None:
    """Return a note on which of the model's own layers are shown, if some are left out."""
    if not numbers:
        return None
    return worded_n(
        "Layer 0 here is layer {numbers} of the model: the weights of the others were not given.",
        "Layers 0 to {last} here are the layers {numbers} of the model: the weights of the others were not given.",
        len(numbers),
        last=len(numbers) - 1,
        numbers=", ".join(map(str, numbers)),
    )


def _info(records: Sequence[AttentionRecord], first: Layers, name: str) -> ModelInfo:
    notes = [_sums_note(records), _layers_note(first.numbers)]
    return ModelInfo(
        name=name,
        family="",
        implementation="given",
        kinds=tuple(record.kind for record in records),
        n_layers=records[0].n_layers,
        n_heads=records[0].n_heads,
        n_kv_heads=records[0].n_heads,
        d_model=0,
        d_head=0,
        d_ff=0,
        d_vocab=0,
        max_tokens=max(record.n_key for record in records),
        n_parameters=0,
        device="",
        can_fill_mask=False,
        can_judge_next_sentence=False,
        has_vectors=False,
        notes=tuple(note for note in notes if note is not None),
    )


def read_mask(mask: Any, item: int | None) -> NDArray[np.bool_] | None:
    """Return a mask as one truth value a key; of a batch, that of the item."""
    if mask is None:
        return None
    values = to_array(mask, "mask")
    if values.ndim == 2:
        values = batch_item(values, item, "mask")
    return np.asarray(values > 0)
