"""What the viewer shows of weights that somebody gave, whose rows do not all sum to 1."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.reader import OpenFile, three_digits
from tests.browser.test_viewer_map import HeadMap
from tests.viz.given.weights import softmaxed
from viz import show
from viz.kit.demos.records import SENTENCE
from viz.viewer import payload

N = len(SENTENCE.split())
SHARES = np.linspace(0.3, 1, N, dtype=np.float32)[:, None]
"""The sum of each row."""


@pytest.mark.parametrize(
    ("head", "is_long"),
    [
        pytest.param(1, False, id="every number"),
        pytest.param("mean", False, id="the mean"),
        pytest.param(1, True, id="computed by rows"),
    ],
)
def test_rows_are_shown_as_they_were_given(
    open_file: OpenFile, monkeypatch: pytest.MonkeyPatch, head: int | str, is_long: bool
) -> None:
    if is_long:
        monkeypatch.setattr(payload, "DENSE", 100)
    given = softmaxed(2, 3, N, N) * SHARES
    shown = show(given, SENTENCE.split())
    page = HeadMap(open_file(shown.recording, height=1000, layer=0, head=head), shown.recording.attention[0])
    weights = given[0].mean(axis=0) if head == "mean" else given[0, 1]
    for query, key in ((2, 0), (9, 3)):
        page.hover(query, key)
        said = f"{page.queries[query]} → {page.keys[key]} · weight {three_digits(weights[query, key])}"
        expect(page.reading).to_contain_text(said)
        expect(page.reading).not_to_contain_text("sink")
    expect(page.page.locator(".viewer .map-note")).to_contain_text("Not every row sums to 1")
