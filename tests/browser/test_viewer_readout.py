"""What the viewer says of the cell that is pointed at."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.reader import OpenFile
from tests.browser.test_viewer_map import HeadMap
from tests.browser.waiting import box_of
from viz.kit.demos.records import SENTENCE, random_record, recording_of, tokens_of
from viz.viewer.choices import Shows


@pytest.mark.parametrize("shows", ["all", "map"])
def test_a_key_among_the_strongest_stays_in_its_line_of_the_list(open_file: OpenFile, shows: Shows) -> None:
    record = random_record(tokens=tokens_of(SENTENCE))
    shown = HeadMap(open_file(recording_of(record), height=1000, shows=shows), record)
    lines = shown.page.locator(".viewer .row-list li")
    shown.hover(3, int(np.argsort(record.weights(0, 0)[3])[0]))  # the weakest: no line is marked
    expect(lines.first).to_contain_text(shown.keys[int(record.weights(0, 0)[3].argmax())])
    expect(shown.page.locator(".viewer .row-list .chosen")).to_have_count(0)
    places = [box_of(lines.nth(index)) for index in range(10)]
    for rank in (0, 4, 9):
        shown.hover(3, int(np.argsort(-record.weights(0, 0)[3], kind="stable")[rank]))
        expect(lines.nth(rank)).to_have_class("chosen")
        assert [box_of(lines.nth(index)) for index in range(10)] == places
