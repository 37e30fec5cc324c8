"""A recording in a notebook shows the viewer, in a frame that nothing of a text can leave."""

from __future__ import annotations

import re
import sys
from html import unescape

import pytest

from viz.kit.demos.records import random_recording
from viz.viewer.html import viewer_html


def test_a_recording_shows_the_viewer_in_a_frame() -> None:
    recording = random_recording()
    shown = recording._repr_html_()
    assert shown is not None
    frame = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts [^"]*"[^>]*></iframe>', shown)
    assert frame is not None
    assert unescape(frame[1]) == viewer_html(recording)


def test_without_viz_a_notebook_prints_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "viz.viewer.notebook", None)
    assert random_recording()._repr_html_() is None
