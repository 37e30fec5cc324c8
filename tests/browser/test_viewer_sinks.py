"""What the viewer says and hands out of a head that gives a part of its attention to a sink."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from models.values.record import AttentionRecord
from tests.browser.reader import OpenFile, press_file, three_digits
from tests.browser.test_viewer_map import HeadMap
from tests.closeness import assert_close
from viz.attention.transform import prepare
from viz.kit.demos.records import SENTENCE, random_record, recording_of, tokens_of
from viz.viewer import payload

SINKS = np.array([[[-1], [0.5], [3]], [[-np.inf]] * 3], np.float32)
"""The second layer has none."""


def beside_sinks() -> AttentionRecord:
    return replace(random_record(tokens=tokens_of(SENTENCE), causal=True), sinks=SINKS)


@pytest.mark.parametrize("is_long", [False, True], ids=["every number", "computed by rows"])
def test_a_reader_is_told_what_a_sink_takes(
    open_file: OpenFile, monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    if is_long:
        monkeypatch.setattr(payload, "DENSE", 100)
    record = beside_sinks()
    shown = HeadMap(open_file(recording_of(record), height=1000, layer=0, head=2), record)
    for query, key in ((9, 3), (2, 0)):
        shown.hover(query, key)
        shown.expect_weight(query, key, head=2)
        expect(shown.reading).to_contain_text(f"the sink takes {three_digits(record.sink_shares(0, 2)[query])}")
    expect(shown.page.locator(".viewer .map-note")).to_contain_text("Every row sums to 1 less the share of the sink.")


def test_the_mean_over_heads_and_whole_words_have_their_share(open_file: OpenFile) -> None:
    record = beside_sinks()
    words = prepare(record, layer=0, words=True)
    shown = HeadMap(open_file(recording_of(record), height=1000, layer=0, head="mean", words=True), record)
    query = len(words.query_tokens) - 1
    pieces = slice(words.query_positions[query], None)
    shown.hover(query, 1)
    share = record.sink_shares(0, None)[pieces].mean()
    expect(shown.reading).to_contain_text(
        f"weight {three_digits(words.values[query, 1])} · the sink takes {three_digits(share)}"
    )


def test_a_layer_without_sinks_says_nothing_of_them(open_file: OpenFile) -> None:
    record = beside_sinks()
    shown = HeadMap(open_file(recording_of(record), height=1000, layer=1, head=2), record)
    shown.hover(9, 3)
    weight = record.weights(1, 2)[9, 3]
    expect(shown.reading).to_contain_text(f"weight {three_digits(weight)} · score")
    expect(shown.reading).not_to_contain_text("sink")
    expect(shown.page.locator(".viewer .map-note")).to_contain_text("Every row sums to 1.")


def test_the_archive_of_a_file_has_what_goes_to_the_sinks(open_file: OpenFile) -> None:
    record = beside_sinks()
    page = open_file(recording_of(record))
    with page.expect_download() as download:
        press_file(page, "NPZ")
    content = Path(download.value.path()).read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        for layer, head in np.ndindex(2, 3):
            assert_close(arrays["weights"][layer, head], record.weights(layer, head))
            assert_close(arrays["sink_shares"][layer, head], record.sink_shares(layer, head))
