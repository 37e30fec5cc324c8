"""Turn a record into the one matrix that a picture shows, with a note on how it was made.

Word pieces are merged as in Clark et al. 2019, "What Does BERT Look At? An Analysis of BERT's Attention", section 4.1:
attention TO a split word is the sum over its pieces, attention FROM it their mean. Rows keep their sums.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord
from models.values.wording import to_say
from viz.attention.matrix import Matrix, Quantity
from viz.attention.words import to_words
from viz.kit.errors import NO_VECTORS, PictureError
from viz.kit.language import said, tr
from viz.kit.row_sums import all_row_sums, rows_sum
from viz.kit.tokens import positioned_texts

Number = TypeVar("Number", np.float32, np.bool_)
NO_OUTPUT_NORMS = to_say(
    "The norms after W_O are not known for this model: a norm or a gate stands between its heads and W_O, so what a "
    "key adds is no product with one matrix. Choose weights × value norm."
)
SUMS: dict[Quantity, str] = {
    "scores": to_say("Scores before the softmax: a row has no fixed sum."),
    "value_weighted": to_say("Weights times the norms of the values: a row has no fixed sum."),
    "output_weighted": to_say("Weights times the norms of the values after W_O: a row has no fixed sum."),
}
Special = Literal["shown", "margin", "hidden", "hidden_renormalised"]


@check_arguments
def select(
    record: AttentionRecord,
    *,
    layer: int,
    head: int | None,
    quantity: Quantity = "weights",
    rows: slice = slice(None),
) -> Matrix:
    """Return a quantity of a head [n_query, n_key], or some of its rows; `head=None` is the mean over the layer's
    heads.

    Raises SelectionError if the record has no such layer or head, PictureError for a quantity that it lacks.
    """
    heads = range(record.n_heads) if head is None else (head,)
    positions = range(len(record.query_tokens))[rows]
    values, masked = _quantity(record, layer, heads[0], quantity, rows)
    for other_head in heads[1:]:  # one head at a time: a long text then takes the memory of one head only
        more, hidden = _quantity(record, layer, other_head, quantity, rows)
        values += more
        masked &= hidden
    if head is None:
        values /= np.float32(len(heads))
    mean = tr("Mean over the heads.")
    sums = rows_sum(record, layer) if quantity == "weights" else said(SUMS[quantity])
    return Matrix(
        values=values,
        masked=masked,
        query_tokens=record.query_tokens[rows],
        key_tokens=record.key_tokens,
        query_positions=tuple(positions),
        key_positions=tuple(range(len(record.key_tokens))),
        quantity=quantity,
        note=f"{mean} {sums}" if head is None else sums,
    )


@check_arguments
def rows_of_weights(record: AttentionRecord, positions: Sequence[int], *, layer: int | None, head: int | None) -> Array:
    """Return some rows of the weights [n_positions, n_key] of a head; without `head` their mean over the heads of the
    layer, without `layer` over all layers and heads.

    Raises SelectionError for a position, layer or head out of range.
    """
    wrong = next((position for position in positions if not 0 <= position < record.n_query), None)
    if wrong is not None:
        raise SelectionError(f"position {wrong} was asked for, but this text has positions 0 to {record.n_query - 1}.")
    layers = range(record.n_layers) if layer is None else (layer,)
    heads = range(record.n_heads) if head is None or layer is None else (head,)
    total = np.zeros((len(positions), record.n_key), np.float64)
    for each_layer in layers:
        for each_head in heads:  # one head at a time, as above
            total += record.weights(each_layer, each_head)[list(positions)]
    mean: Array = (total / (len(layers) * len(heads))).astype(np.float32)
    return mean


def _quantity(
    record: AttentionRecord, layer: int, head: int, quantity: Quantity, rows: slice
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the values of some rows of a head, and a mask of the masked cells."""
    if quantity in (refused := refused_quantities(record)):
        raise PictureError(refused[quantity])
    norms = key_norms(record, layer, head, quantity)
    values = record.scores(layer, head, rows=rows)
    masked: NDArray[np.bool_] = np.isneginf(values)
    if quantity != "scores":
        values = record.normalise(values, layer, head, rows)
    if norms is not None:
        values *= norms
    return values, masked


@check_arguments
def key_norms(record: AttentionRecord, layer: int, head: int, quantity: Quantity) -> Array | None:
    """Return the factor by which a quantity multiplies the weights of every key [n_key]; None if it does not.

    Raises SelectionError for a layer or head out of range, PictureError if the lengths are not known.
    """
    if quantity not in ("value_weighted", "output_weighted"):
        return None
    record.bias_of(layer, head)  # raises for what is not there
    if quantity in (refused := refused_quantities(record)):
        raise PictureError(refused[quantity])
    if quantity == "value_weighted" or record.output_norms is None:
        norms: Array = np.linalg.norm(record.value[layer, head], axis=-1)
        return norms
    of_head: Array = record.output_norms[layer, head]
    return of_head


@check_arguments
def refused_quantities(record: AttentionRecord) -> dict[Quantity, str]:
    """Return the quantities that a record does not have, each with the reason."""
    if not record.has_vectors:
        return {quantity: NO_VECTORS for quantity in get_args(Quantity) if quantity != "weights"}
    return {"output_weighted": NO_OUTPUT_NORMS} if record.output_norms is None else {}


def hide_special(matrix: Matrix, *, renormalise: bool) -> Matrix:
    """Remove the rows and columns of special tokens; the note says whether rows were renormalised.

    A row that gave everything to special tokens stays 0. If every token is special, the matrix is empty.
    """
    queries = np.array([not token.is_special for token in matrix.query_tokens], dtype=np.bool_)
    keys = np.array([not token.is_special for token in matrix.key_tokens], dtype=np.bool_)
    values = matrix.values[queries][:, keys]
    note = _with_sums(matrix.note, tr("Special tokens hidden: a row sums to less than 1."))
    if matrix.quantity != "weights":
        hidden = tr("Special tokens hidden.")
        note = f"{matrix.note} {hidden}"
    elif renormalise:
        values = _normalise_rows(values)
        note = _with_sums(matrix.note, tr("Special tokens hidden; every row is renormalised to sum to 1."))
    if not values.size:
        note = tr("Every token here is special, so with special tokens hidden there is nothing to show.")
    elif renormalise and matrix.quantity == "weights" and not values.any(axis=1).all():
        zeros = tr("A row of zeros looked only at special tokens.")
        note = f"{note} {zeros}"
    return replace(
        matrix,
        values=values,
        masked=matrix.masked[queries][:, keys],
        query_tokens=tuple(token for token in matrix.query_tokens if not token.is_special),
        key_tokens=tuple(token for token in matrix.key_tokens if not token.is_special),
        query_positions=_keep_positions(matrix.query_positions, queries),
        key_positions=_keep_positions(matrix.key_positions, keys),
        note=note,
    )


def _with_sums(note: str, sums: str) -> str:
    """Replace the sentence in a note about the sums of its rows by another."""
    return reduce(lambda told, known: told.replace(known, sums), all_row_sums(), note)


@check_arguments
def prepare(
    record: AttentionRecord,
    *,
    layer: int,
    head: int | None = None,
    quantity: Quantity = "weights",
    words: bool = False,
    special: Special = "shown",
    rows: slice = slice(None),
) -> Matrix:
    """Return a matrix as requested: select the quantity, merge word pieces, then hide special tokens.

    `rows` are those of some queries; they must not cut a word in two (see `row_chunks`). Raises SelectionError for a
    layer or head out of range, PictureError for whole words of scores.
    """
    matrix = select(record, layer=layer, head=head, quantity=quantity, rows=rows)
    return merge_and_hide(matrix, words=words, special=special)


def merge_and_hide(matrix: Matrix, *, words: bool, special: Special) -> Matrix:
    """Apply the last two steps of `prepare` to a selected matrix. Raises PictureError for whole words of scores."""
    merged = to_words(matrix) if words else matrix
    return merged if special == "shown" else hide_special(merged, renormalise=special == "hidden_renormalised")


@check_arguments
def row_chunks(record: AttentionRecord, n_rows: int, *, whole_words: bool) -> Iterator[slice]:
    """Yield slices of `n_rows` queries that cover all; with `whole_words` longer ones, so that no word is cut in
    two."""
    words = [token.word for token in record.query_tokens]
    start = 0
    while start < len(words):
        stop = min(start + n_rows, len(words))
        while whole_words and stop < len(words) and words[stop] is not None and words[stop] == words[stop - 1]:
            stop += 1
        yield slice(start, stop)
        start = stop


def pool(values: NDArray[Number], *, step: int, row_step: int | None = None) -> NDArray[Number]:
    """Return the largest value of every block of `step` x `step` cells [ceil(n_query / step), ceil(n_key / step)].

    `row_step` is the height of a block where it differs. Blocks are compared cell by cell: NumPy's reduceat takes ten
    times as long.
    """
    return _largest_of(_largest_of(values, step if row_step is None else row_step).T, step).T


def _largest_of(values: NDArray[Number], n_rows: int) -> NDArray[Number]:
    """Return the largest of every `n_rows` rows; the last ones may be fewer."""
    if n_rows == 1:
        return values
    largest = values[::n_rows].copy()
    for first in range(1, n_rows):
        rows = values[first::n_rows]
        np.maximum(largest[: len(rows)], rows, out=largest[: len(rows)])
    return largest


@check_arguments
def matrix_csv(matrix: Matrix) -> bytes:
    """Return the matrix as a UTF-8 CSV file for spreadsheets: a row for each query token, a column for each key token.

    Labels begin with the position, "5 · the", so none can be read as a formula or a date. Masked cells say "masked".
    """
    file = io.StringIO()
    writer = csv.writer(file)
    queries = positioned_texts(matrix.query_tokens, matrix.query_positions)
    writer.writerow(["query \\ key", *positioned_texts(matrix.key_tokens, matrix.key_positions)])
    for label, row, masked in zip(queries, matrix.values, matrix.masked, strict=True):
        cells = ("masked" if hidden else f"{value:.9g}" for value, hidden in zip(row, masked, strict=True))
        writer.writerow([label, *cells])
    return file.getvalue().encode("utf-8-sig")


def _keep_positions(positions: Sequence[int], keep: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(position for position, kept in zip(positions, keep, strict=True) if kept)


def _normalise_rows(values: Array) -> Array:
    """Divide rows by their sum; a row of zeros stays."""
    total = values.sum(axis=1, keepdims=True)
    divided: Array = np.divide(values, total, out=np.zeros_like(values), where=total > 0)
    return divided
