"""The files that a reader takes away hold the numbers of the record, also when they are written piece by piece."""

from __future__ import annotations

import csv
import io
import itertools
import tracemalloc
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from models.values.errors import SelectionError
from models.values.record import AttentionRecord, Recording, Token
from tests.closeness import assert_close
from viz.attention.matrix import Quantity
from viz.attention.transform import Special, matrix_csv, prepare
from viz.kit.demos.records import PAIR, random_record, random_recording, recording_of, tokens_of
from viz.kit.errors import PictureError
from viz.viewer import files as viewer_files
from viz.viewer.files import all_heads_npz, file_name, head_csv, head_csv_parts
from viz.viewer.html import viewer_html

EVERY_CHOICE = [
    {"head": head, "quantity": quantity, "words": words, "special": special}
    for head, quantity, words, special in itertools.product(
        (None, 2), get_args(Quantity), (False, True), get_args(Special)
    )
    if not (words and quantity == "scores")
]
HOSTILE = ("=1+1", "</script>", 'a,"b"', "x\ny", "\ud800", "مرحبا", "한국어", "😀", "\x00")


def opened(recording: Recording, kind: Any) -> dict[str, Any]:
    content = io.BytesIO(b"".join(all_heads_npz(recording, kind=kind)))
    with np.load(content, allow_pickle=False) as arrays:
        return dict(arrays)


def weights_from_parts(arrays: dict[str, Any], layer: int, head: int) -> Any:
    """The formulas in the file's README."""
    scores = arrays["queries"][layer, head] @ arrays["keys"][layer, head].T * arrays["scale"][layer]
    if "soft_cap" in arrays:
        scores = arrays["soft_cap"] * np.tanh(scores / arrays["soft_cap"])
    n_query, n_key = scores.shape
    number = arrays["bias_of_layer"][layer]
    if f"bias_{number}" in arrays:
        bias = np.broadcast_to(arrays[f"bias_{number}"], (arrays["queries"].shape[1], n_query, n_key))[head]
    else:
        offsets = arrays[f"bias_by_offset_{number}"]
        place = np.arange(n_key)[None] - np.arange(n_query)[:, None] + n_query - 1
        bias = offsets[head if len(offsets) > 1 else 0][place]
    raised = np.exp(scores + bias)
    of_sink = np.exp(arrays["sinks"][layer, head])[:, None] if "sinks" in arrays else 0
    return raised / (raised.sum(axis=-1, keepdims=True) + of_sink)


@pytest.mark.parametrize("chunk", [viewer_files.CHUNK, 40])
@pytest.mark.parametrize("choice", EVERY_CHOICE, ids=str)
def test_a_table_written_piece_by_piece_is_the_table_of_the_matrix(
    choice: dict[str, Any], chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewer_files, "CHUNK", chunk)
    record = random_record(tokens=tokens_of(PAIR), causal=True)
    parts = list(head_csv_parts(recording_of(record), kind="decoder", layer=1, **choice))
    assert len(parts) > 1 or chunk > 40
    ours, expected = (
        list(csv.reader(io.StringIO(table.decode("utf-8-sig"), newline="")))
        for table in (b"".join(parts), matrix_csv(prepare(record, layer=1, **choice)))
    )
    assert [row[0] for row in ours] == [row[0] for row in expected]
    assert ours[0] == expected[0]
    for row, wanted in zip(ours[1:], expected[1:], strict=True):
        assert [cell == "masked" for cell in row] == [cell == "masked" for cell in wanted]
        numbers = [[float(cell) for cell in cells[1:] if cell != "masked"] for cells in (row, wanted)]
        assert_close(*numbers)


def test_a_table_in_one_piece_is_the_same_to_the_byte_also_with_odd_tokens() -> None:
    record = random_record(tokens=[Token(text=text, word=index) for index, text in enumerate(HOSTILE)])
    table = head_csv(recording_of(record), kind="encoder", layer=0, head=1)
    assert table == matrix_csv(prepare(record, layer=0, head=1))


def test_a_question_that_cannot_be_answered_is_refused_before_the_first_piece() -> None:
    recording = random_recording()
    with pytest.raises(SelectionError):
        head_csv_parts(recording, kind="encoder", layer=99, head=0)
    with pytest.raises(PictureError):
        head_csv_parts(recording, kind="encoder", layer=0, head=0, quantity="scores", words=True)
    with pytest.raises(SelectionError):
        all_heads_npz(recording, kind="cross")


@pytest.mark.parametrize("causal", [False, True])
def test_numpy_opens_all_heads(causal: bool) -> None:
    record = random_record(tokens=[Token(text=text, word=index) for index, text in enumerate(HOSTILE)], causal=causal)
    arrays = opened(recording_of(record), record.kind)
    assert arrays["weights"].dtype == np.float32
    for layer, head in np.ndindex(record.n_layers, record.n_heads):
        assert_close(arrays["weights"][layer, head], record.weights(layer, head))
        norms = np.linalg.norm(record.value[layer, head], axis=-1)
        assert_close(arrays["value_norms"][layer, head], norms)
    np.testing.assert_array_equal(arrays["output_norms"], record.output_norms)
    assert "output_norms" not in opened(recording_of(replace(record, output_norms=None)), record.kind)
    assert str(arrays["model"]) == "demo"
    assert arrays["query_tokens"][5] == "مرحبا"
    assert arrays["query_tokens"].shape == (record.n_query,)


def biases(record: AttentionRecord) -> dict[str, tuple[Any, ...]]:
    """Biases of every form: by key, by cell of a head, one for all layers, one each."""
    generator = np.random.default_rng(2)
    by_key = generator.normal(size=(1, 1, record.n_key)).astype(np.float32)
    by_cell = generator.normal(size=(record.n_heads, record.n_query, record.n_key)).astype(np.float32)
    nothing = np.zeros((1, 1, 1), np.float32)
    return {"shared": (by_key, by_key), "of each layer": (by_cell, by_key), "none": (nothing, nothing)}


@pytest.mark.parametrize("form", ["shared", "of each layer", "none"])
@pytest.mark.parametrize("soft_cap", [None, 2.0])
def test_weights_that_are_too_large_follow_from_the_parts_as_the_readme_says(
    form: str, soft_cap: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewer_files, "MOST", 0)
    plain = random_record(key_tokens=tokens_of(PAIR))
    record = replace(plain, bias=biases(plain)[form], scale=(0.5, 0.25), soft_cap=soft_cap)
    arrays = opened(recording_of(record), "cross")
    assert "weights" not in arrays
    assert "soft_cap" in " ".join(arrays["README"])
    assert sum(name.startswith("bias_") for name in arrays) == 1 + len({id(bias) for bias in record.bias})
    for layer, head in np.ndindex(record.n_layers, record.n_heads):
        assert_close(weights_from_parts(arrays, layer, head), record.weights(layer, head))


@pytest.mark.parametrize("most", [viewer_files.MOST, 0])
def test_an_archive_has_the_sinks_that_its_readme_names(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewer_files, "MOST", most)
    sinks = np.array([[[-1], [0], [2]], [[-np.inf]] * 3], np.float32)
    record = replace(random_record(causal=True), sinks=sinks)
    arrays = opened(recording_of(record), "decoder")
    for layer, head in np.ndindex(record.n_layers, record.n_heads):
        if most:
            assert "sink_shares[layer, head, query]" in " ".join(arrays["README"])
            whole = arrays["weights"][layer, head].sum(axis=-1) + arrays["sink_shares"][layer, head]
            assert_close(whole, 1)
            assert_close(arrays["weights"][layer, head], record.weights(layer, head))
        else:
            assert "sinks [layer, head, query or 1]" in " ".join(arrays["README"])
            assert_close(weights_from_parts(arrays, layer, head), record.weights(layer, head))


def test_the_archive_of_many_heads_takes_the_memory_of_a_layer() -> None:
    recording = random_recording(n_tokens=300, n_layers=12, n_heads=4)
    next(all_heads_npz(recording, kind="encoder"))
    tracemalloc.start()
    length = sum(map(len, all_heads_npz(recording, kind="encoder")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert length > 12 * 4 * 300 * 300 * 4
    assert peak < length / 2


def test_names_of_files_say_what_is_in_them() -> None:
    record = random_record()
    single, several = recording_of(record), recording_of(record, random_record(key_tokens=tokens_of(PAIR)))
    assert file_name(single, "csv", kind="encoder", layer=1, head=4) == "attention-layer-1-head-4.csv"
    assert file_name(several, "npz", kind="cross") == "attention-cross-all-heads.npz"
    table = file_name(several, "csv", kind="cross", layer=0, quantity="value_weighted")
    assert table == "attention-cross-layer-0-head-mean-value-weighted.csv"


def test_files_say_in_which_precision_the_model_computed() -> None:
    recording = random_recording()
    half = replace(recording, info=replace(recording.info, dtype="bfloat16", notes=("Went back to the processor.",)))
    for made, dtype in ((recording, "float32"), (half, "bfloat16")):
        arrays = opened(made, "encoder")
        assert str(arrays["dtype"]) == dtype
        assert dtype in str(arrays["README"])
        assert all(array.dtype != np.float16 for array in arrays.values())
    shown, usual = viewer_html(half), viewer_html(recording)
    assert "Computed in bfloat16." in shown
    assert "Went back to the processor." in shown
    assert "Computed in" not in usual
    assert '"dtype": "bfloat16"' in shown
