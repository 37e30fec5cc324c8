"""What the viewer is sent, decoded as its browser side does it, against the record."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models.values.offset_bias import offsets_of, spread_out
from models.values.record import AttentionRecord
from tests.closeness import assert_close
from viz.attention.transform import NO_OUTPUT_NORMS, pool, prepare, select
from viz.kit.demos.records import PAIR, random_record, random_recording, recording_of, tokens_of
from viz.kit.errors import PictureError
from viz.viewer import packing, payload
from viz.viewer.about import describe_recording


def unpacked(content: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    length = int(np.frombuffer(content, "<u4", 1)[0])
    header = json.loads(content[4 : 4 + length])
    start = -(-(4 + length) // 8) * 8
    arrays = {
        array["name"]: np.frombuffer(
            content, array["type"], int(np.prod(array["shape"])), start + array["offset"]
        ).reshape(array["shape"])
        for array in header["arrays"]
    }
    return header["meta"], arrays


def decoded(record: AttentionRecord) -> list[NDArray[Any]]:
    """The codes of every layer [n_heads + 1, rows, columns], of weights or of small maps; last the mean over all."""
    side = 1 if payload.is_whole(record) else payload.small_step(record)
    shape = tuple(-(-len(tokens) // side) for tokens in (record.query_tokens, record.key_tokens))
    kind = "<u2" if payload.is_whole(record) else np.uint8
    blocks = [np.frombuffer(block, kind).reshape(-1, *shape) for block in payload.overview_and_weights(record)]
    assert [len(block) for block in blocks] == [record.n_heads + 1] * record.n_layers + [1]
    return blocks


def rows_from_parts(meta: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """Weights from what a long text is sent, as matrix.js computes them."""
    query, key = arrays["query"].astype(np.float64), arrays["key"].astype(np.float64)
    scores = query @ key.T * meta["scale"]
    if meta["soft_cap"] is not None:
        scores = np.tanh(scores / meta["soft_cap"]) * meta["soft_cap"]
    n_query, n_key = scores.shape
    if "bias_by_offset" in arrays:
        scores = scores + arrays["bias_by_offset"][np.arange(n_key) - np.arange(n_query)[:, None] + n_query - 1]
    elif "bias_by_key" in arrays:
        scores = scores + arrays["bias_by_key"]
    else:
        scores = scores + arrays["bias"]
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: NDArray[Any] = raised / raised.sum(axis=-1, keepdims=True)
    return weights * (1 - arrays["sink_shares"][:, None]) if "sink_shares" in arrays else weights


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n_tokens", [1, 8, 90])
def test_sixteen_bits_hold_every_weight(n_tokens: int, causal: bool) -> None:
    record = random_record(tokens=tokens_of("word " * n_tokens), causal=causal)
    layers = decoded(record)
    for layer in range(record.n_layers):
        expected = np.stack([*record.layer_weights(layer), record.mean_weights(layer)])
        codes = layers[layer]
        masked = codes == packing.CODES_16 + 1
        roots = np.where(masked, 0, codes / packing.CODES_16)
        np.testing.assert_array_equal(masked[0], np.isneginf(record.scores(layer, 0)))
        assert_close(roots, np.sqrt(expected), step=1 / packing.CODES_16)
        assert_close((roots**2).sum(axis=-1), 1, step=2 * n_tokens**0.5 / packing.CODES_16)
    everything = np.mean([record.mean_weights(layer) for layer in range(record.n_layers)], axis=0)
    codes = layers[-1]
    roots = np.where(codes[0] > packing.CODES_16, 0, codes[0] / packing.CODES_16)
    assert_close(roots, np.sqrt(everything), step=1 / packing.CODES_16)


@pytest.mark.parametrize("causal", [False, True])
def test_a_cell_of_a_small_map_is_the_largest_weight_of_its_block(
    monkeypatch: pytest.MonkeyPatch, causal: bool
) -> None:
    monkeypatch.setattr(payload, "WHOLE", 0)
    record = random_record(tokens=tokens_of("word " * 301), causal=causal)
    side = payload.small_step(record)
    maps = decoded(record)[1]
    expected = pool(record.weights(1, 2), step=side)
    hidden = ~pool(~np.isneginf(record.scores(1, 2)), step=side)
    np.testing.assert_array_equal(maps[2] == packing.CODES_8 + 1, hidden)
    roots = np.where(hidden, 0, maps[2].astype(np.float64) / packing.CODES_8)
    assert_close(roots, np.sqrt(np.where(hidden, 0, expected)), step=1 / packing.CODES_8)
    assert bool(hidden.any()) == causal


def test_the_small_maps_of_a_long_text_look_at_some_rows_of_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    record = random_recording(n_tokens=700, n_layers=1, n_heads=2).attention[0]
    monkeypatch.setattr(payload, "SAMPLED", 300_000)
    monkeypatch.setattr(payload, "WHOLE", 0)
    assert payload.row_step(record) == 4
    side = payload.small_step(record)
    maps = decoded(record)[0]
    expected = pool(record.weights(0, 1)[::4], step=side, row_step=side // 4)
    assert maps[1].shape == expected.shape
    assert_close(maps[1] / packing.CODES_8, np.sqrt(expected), step=1 / packing.CODES_8)


@pytest.mark.parametrize("head", [1, None])
@pytest.mark.parametrize("quantity", ["weights", "scores", "value_weighted", "output_weighted"])
def test_a_short_head_is_sent_as_it_is(head: int | None, quantity: Any) -> None:
    record = random_record(causal=True)
    _, arrays = unpacked(payload.head(record, layer=1, head=head, quantity=quantity))
    matrix = select(record, layer=1, head=head, quantity=quantity)
    np.testing.assert_array_equal(arrays["values"], np.where(matrix.masked, np.nan, matrix.values))


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("special", ["shown", "hidden", "hidden_renormalised"])
def test_the_picture_of_a_long_head_is_the_prepared_matrix_in_blocks(
    monkeypatch: pytest.MonkeyPatch, words: bool, special: Any
) -> None:
    monkeypatch.setattr(payload, "DENSE", 100)
    monkeypatch.setattr(payload, "CHUNK", 60)  # rows come in many pieces, and no word may be cut
    monkeypatch.setattr(payload, "COARSE_SIDE", 8)
    record = random_record(tokens=tokens_of(PAIR), causal=True)
    meta, arrays = unpacked(payload.head(record, layer=0, head=2, words=words, special=special))
    matrix = prepare(record, layer=0, head=2, words=words, special=special)
    lowest = np.where(matrix.masked, np.float32(-np.inf), matrix.values)
    expected = pool(lowest, step=meta["step"])
    assert_close(arrays["coarse"], np.where(np.isneginf(expected), np.nan, expected))


@pytest.mark.parametrize("soft_cap", [None, 3.0])
@pytest.mark.parametrize("causal", [False, True])
def test_the_parts_of_a_long_head_give_its_weights(
    monkeypatch: pytest.MonkeyPatch, causal: bool, soft_cap: float | None
) -> None:
    monkeypatch.setattr(payload, "DENSE", 100)
    record = dataclasses.replace(random_record(causal=causal), soft_cap=soft_cap)
    meta, arrays = unpacked(payload.head(record, layer=1, head=0))
    assert_close(rows_from_parts(meta, arrays), record.weights(1, 0))
    assert_close(arrays["value_norms"], np.linalg.norm(record.value[1, 0], axis=-1))
    assert record.output_norms is not None
    np.testing.assert_array_equal(arrays["output_norms"], record.output_norms[1, 0])


@pytest.mark.parametrize("dense", [10**6, 100])
def test_what_goes_to_a_sink_is_sent_beside_a_head(monkeypatch: pytest.MonkeyPatch, dense: int) -> None:
    monkeypatch.setattr(payload, "DENSE", dense)
    monkeypatch.setattr(payload, "CHUNK", 60)
    sinks = np.array([[[-1], [0], [2]], [[-np.inf]] * 3], np.float32)  # the second layer has none
    record = dataclasses.replace(random_record(causal=True), sinks=sinks)
    (kind,) = describe_recording(recording_of(record), name="x")["kinds"]
    assert kind["sink_layers"] == [0]
    meta, arrays = unpacked(payload.head(record, layer=0, head=2, quantity="value_weighted"))
    assert_close(arrays["sink_shares"], record.sink_shares(0, 2))
    assert arrays["sink_shares"].dtype == np.float32
    if dense == 100:
        assert_close(rows_from_parts(meta, arrays), record.weights(0, 2))
    else:
        _, mean = unpacked(payload.head(record, layer=0, head=None))
        assert_close(np.nansum(mean["values"], axis=-1) + mean["sink_shares"], 1)
    assert "sink_shares" not in unpacked(payload.head(record, layer=1, head=2))[1]


def test_a_model_without_one_w_o_says_so_and_sends_the_rest() -> None:
    record = dataclasses.replace(random_record(), output_norms=None)
    (kind,) = describe_recording(recording_of(record), name="x")["kinds"]
    assert kind["refused"] == {"output_weighted": NO_OUTPUT_NORMS}
    assert "output_norms" not in payload.parts(record, layer=0, head=0)[1]
    with pytest.raises(PictureError, match="not known for this model"):
        payload.head(record, layer=0, head=0, quantity="output_weighted")


def test_the_mean_of_a_long_text_is_its_picture_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload, "DENSE", 100)
    record = random_record()
    _, arrays = unpacked(payload.head(record, layer=1, head=None))
    assert set(arrays) == {"coarse"}
    assert_close(arrays["coarse"], record.mean_weights(1))


def test_a_masked_bias_is_sent_in_numbers_as_few_as_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload, "DENSE", 100)
    record = random_record(causal=True)
    offsets = offsets_of(record.bias[0][None])
    assert offsets is not None
    record = dataclasses.replace(record, bias=(spread_out(offsets, len(record.query_tokens)),) * record.n_layers)
    meta, arrays = unpacked(payload.head(record, layer=0, head=0))
    assert_close(rows_from_parts(meta, arrays), record.weights(0, 0))
    assert sum(array.size for name, array in arrays.items() if name.startswith("bias")) < 3 * len(record.query_tokens)


def test_what_the_viewer_knows_first() -> None:
    recording = random_recording(n_tokens=12)
    about = json.loads(json.dumps(describe_recording(recording, name="x"), allow_nan=False))
    (kind,) = about["kinds"]
    assert kind["queries"]["texts"][0] == "[CLS]"
    assert kind["queries"]["special"][0] is True
    assert kind["keys"] is None
    assert len(about["palettes"]["dark"]["sequential"]) > 5
