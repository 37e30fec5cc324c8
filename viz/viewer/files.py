"""Downloads of the viewer's numbers: one head as a table, all heads as arrays for NumPy.

Both are made piece by piece, so that those of a long text take the memory of some rows, or of one layer.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord, Kind, Recording, Token
from viz.attention.matrix import Matrix, Quantity
from viz.attention.transform import Special, merge_and_hide, prepare, row_chunks
from viz.kit.tokens import positioned_texts, token_texts
from viz.viewer.archive import ArrayPieces, text_array, whole_array, write_archive

Ending = Literal["csv", "npz", "html"]
MOST = 200_000_000
"""Bytes of weights in a file; above, it holds the queries and keys that they follow from."""
CHUNK = 4_000_000
"""Numbers that are in memory at a time."""
_BOM = "\ufeff"
_NORMS = (
    "output_norms[layer, head, key], if it is there, are their lengths after W_O; times the weights they are the norms",
    "of Kobayashi et al. 2020, equation 5.",
)
_WEIGHTS = (
    "weights[layer, head, query, key], float32; each row sums to 1, or as given; 0 where a query cannot look.",
    "sink_shares[layer, head, query], if they are there, go to the sinks of the heads: a row sums to 1 less that.",
    "query_tokens and key_tokens name the rows and columns;",
    "value_norms[layer, head, key], if they are there, are the lengths of values.",
    *_NORMS,
)
_PARTS = (
    "The weights of all heads would be too large, but they follow from the queries and keys:",
    "    scores = queries[layer, head] @ keys[layer, head].T * scale[layer]",
    "    if there is a soft_cap: scores = soft_cap * tanh(scores / soft_cap)",
    "    scores += the bias of the layer, of which k = bias_of_layer[layer] is the number:",
    "        bias_k broadcasts to [head, query, key];",
    "        bias_by_offset_k [1 or n_heads, n_query + n_key - 1] has it at index key - query + n_query - 1",
    "    total = exp(scores).sum(axis=-1, keepdims=True)",
    "    if there are sinks [layer, head, query or 1]: total += exp(sinks[layer, head])[:, None]",
    "    weights = exp(scores) / total",
    "query_tokens and key_tokens name the rows and columns;",
    "value_norms[layer, head, key], if they are there, are the lengths of values.",
    *_NORMS,
)
_PRECISION = "The model computed in {dtype}; the arrays are float32."
_LAYER_NUMBERS = "layer_numbers[layer] is the model's own number of a layer: those that it lacks have no attention."


@check_arguments
def head_csv(
    recording: Recording,
    *,
    kind: Kind,
    layer: int,
    head: int | None,
    quantity: Quantity = "weights",
    words: bool = False,
    special: Special = "shown",
) -> bytes:
    """Return a head as `viz.attention.transform.matrix_csv` writes it; `head=None` is the mean over the heads of the
    layer.

    Raises SelectionError if the recording has no such head, and PictureError for whole words of scores.
    """
    parts = head_csv_parts(
        recording, kind=kind, layer=layer, head=head, quantity=quantity, words=words, special=special
    )
    return b"".join(parts)


@check_arguments
def head_csv_parts(
    recording: Recording,
    *,
    kind: Kind,
    layer: int,
    head: int | None,
    quantity: Quantity = "weights",
    words: bool = False,
    special: Special = "shown",
) -> Iterator[bytes]:
    """Return an iterator over the pieces of `head_csv`. Wrong arguments raise before the first piece is made."""
    record = recording.of(kind)

    def prepare_rows(rows: slice) -> Matrix:
        return prepare(record, layer=layer, head=head, quantity=quantity, words=words, special=special, rows=rows)

    prepare_rows(slice(0, 1))
    queries, keys = (
        _labels(tokens, words=words, special=special) for tokens in (record.query_tokens, record.key_tokens)
    )
    chunks = row_chunks(record, max(1, CHUNK // record.n_key), whole_words=True)
    return _lines(queries, keys, map(prepare_rows, chunks))


@check_arguments
def all_heads_npz(recording: Recording, *, kind: Kind) -> Iterator[bytes]:
    """Yield all heads of a kind as a .npz file, piece by piece: `np.load(file)["weights"][layer, head]`.

    The file names model and tokens, and its README says what the arrays are. Weights that are larger than 200 MB are
    not included: the file then has the queries, keys, scale and bias that they follow from. Raises SelectionError if
    there is no such kind.
    """
    record, info = recording.of(kind), recording.info
    is_small = not record.has_vectors or 4 * record.n_layers * record.n_heads * record.n_query * record.n_key <= MOST
    precision = _PRECISION.format(dtype=info.dtype)
    about = ["Attention of one text, from Headlight.", precision, *(_WEIGHTS if is_small else _PARTS)]
    arrays: dict[str, ArrayPieces] = {
        "README": text_array([*about, _LAYER_NUMBERS] if info.layer_numbers else about),
        "model": text_array(info.public_name),
        "dtype": text_array(info.dtype),
        "kind": text_array(kind),
        "query_tokens": text_array(token_texts(record.query_tokens)),
        "key_tokens": text_array(token_texts(record.key_tokens)),
        **(_weights(record) if is_small else _parts(record)),
        **(_value_norms(record) if record.has_vectors else {}),
        **({} if record.output_norms is None else {"output_norms": whole_array(record.output_norms)}),
        **({"layer_numbers": whole_array(np.array(info.layer_numbers))} if info.layer_numbers else {}),
    }
    return write_archive(arrays)


@check_arguments
def file_name(
    recording: Recording,
    ending: Ending,
    *,
    kind: Kind,
    layer: int | None = None,
    head: int | None = None,
    quantity: Quantity = "weights",
) -> str:
    """Return a file name, as in `viz/viewer/frontend/take_away.js`: "attention-layer-1-head-4.csv"; without a layer
    "attention-all-heads.npz"."""
    which = ["all-heads"] if layer is None else ["layer", str(layer), "head", "mean" if head is None else str(head)]
    several = [kind] if len(recording.kinds) > 1 else []
    unusual = [quantity] if quantity != "weights" else []
    return re.sub(r"[^a-zA-Z0-9-]+", "-", "-".join(["attention", *several, *which, *unusual])) + f".{ending}"


def _labels(tokens: Sequence[Token], *, words: bool, special: Special) -> tuple[str, ...]:
    """Return the labels of a whole axis, since the spelling of a part of it could differ."""
    line = Matrix(
        values=np.zeros((1, len(tokens)), np.float32),
        masked=np.zeros((1, len(tokens)), np.bool_),
        query_tokens=tuple(tokens[:1]),
        key_tokens=tuple(tokens),
        query_positions=(0,),
        key_positions=tuple(range(len(tokens))),
        quantity="weights",
        note="",
    )
    axis = merge_and_hide(line, words=words, special=special)
    return positioned_texts(axis.key_tokens, axis.key_positions)


def _lines(queries: Sequence[str], keys: Sequence[str], matrices: Iterable[Matrix]) -> Iterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text)
    text.write(_BOM)
    writer.writerow(["query \\ key", *keys])
    labels = iter(queries)
    for matrix in matrices:
        for row, masked in zip(matrix.values, matrix.masked, strict=True):
            cells = ("masked" if hidden else f"{value:.9g}" for value, hidden in zip(row, masked, strict=True))
            writer.writerow([next(labels), *cells])
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()


def _layers(record: AttentionRecord, shape: tuple[int, ...], of_layer: Callable[[int], NDArray[Any]]) -> ArrayPieces:
    """Return an array [n_layers, *shape] whose layers are made one at a time."""
    pieces = (of_layer(layer) for layer in range(record.n_layers))
    return ArrayPieces(kind=np.dtype(np.float32), shape=(record.n_layers, *shape), pieces=pieces)


def _value_norms(record: AttentionRecord) -> dict[str, ArrayPieces]:
    norms = _layers(record, record.value.shape[1:3], lambda layer: np.linalg.norm(record.value[layer], axis=-1))
    return {"value_norms": norms}


def _weights(record: AttentionRecord) -> dict[str, ArrayPieces]:
    weights = _layers(record, (record.n_heads, record.n_query, record.n_key), record.layer_weights)
    if not record.has_sinks():
        return {"weights": weights}
    return {
        "weights": weights,
        "sink_shares": _layers(record, (record.n_heads, record.n_query), partial(_shares, record)),
    }


def _shares(record: AttentionRecord, layer: int) -> NDArray[np.float32]:
    """Return the weights that go to the sinks of a layer [n_heads, n_query]."""
    return np.stack([record.sink_shares(layer, head) for head in range(record.n_heads)])


def _parts(record: AttentionRecord) -> dict[str, ArrayPieces]:
    """Return the arrays from which the weights follow."""
    numbers, biases = _biases(record)
    sinks = {} if record.sinks is None else {"sinks": whole_array(record.sinks)}
    cap = {} if record.soft_cap is None else {"soft_cap": whole_array(np.array(record.soft_cap))}
    return {
        "queries": _layers(record, record.query.shape[1:], lambda layer: record.query[layer]),
        "keys": _layers(record, record.key.shape[1:], lambda layer: record.key[layer]),
        "scale": whole_array(np.array(record.scale)),
        **cap,
        **sinks,
        "bias_of_layer": whole_array(np.array(numbers)),
        **biases,
    }


def _biases(record: AttentionRecord) -> tuple[list[int], dict[str, ArrayPieces]]:
    """Return the index of the bias of every layer, and each bias once, in the smaller of its two forms."""
    known: dict[int, int] = {}
    biases: dict[str, ArrayPieces] = {}
    for layer, bias in enumerate(record.bias):
        if id(bias) in known:
            continue
        number = known[id(bias)] = len(known)
        offsets = record.bias_by_offset(layer)
        if offsets is not None:
            biases[f"bias_by_offset_{number}"] = whole_array(offsets)
        else:
            biases[f"bias_{number}"] = ArrayPieces(kind=bias.dtype, shape=bias.shape, pieces=_rows(bias))
    return [known[id(bias)] for bias in record.bias], biases


def _rows(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield an array row by row: a view of few numbers may look like many."""
    return (array[index] for index in np.ndindex(array.shape[:-1]))


if __name__ == "__main__":
    import tempfile
    import webbrowser
    from pathlib import Path

    from viz.kit.demos.records import random_recording

    made = random_recording()
    folder = Path(tempfile.mkdtemp())
    table = folder / file_name(made, "csv", kind="encoder", layer=0, head=3)
    table.write_bytes(head_csv(made, kind="encoder", layer=0, head=3))
    with (folder / file_name(made, "npz", kind="encoder")).open("wb") as archive_file:
        archive_file.writelines(all_heads_npz(made, kind="encoder"))
    webbrowser.open(folder.as_uri())
