"""The viewer as a widget of a notebook: its choices are traits, which hold what the recording has and nothing else."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from typing import Any

import pytest

from models.values.errors import ArgumentError, SelectionError
from models.values.results.finding import Finding
from tests.viz.viewer.test_html import contents
from viz import show, viewer_html, viewer_widget
from viz.heads.words import finding_in_words
from viz.kit.demos.records import random_recording
from viz.viewer.choices import CHOICES, SHARED


def test_it_holds_what_the_file_holds() -> None:
    recording = random_recording(n_layers=3, n_heads=2)
    widget, file = viewer_widget(recording, layer=2, head=1), contents(viewer_html(recording, layer=2, head=1))
    assert json.loads(json.dumps(widget.contents["about"])) == file["about"]
    for part in ("overviews", "heads"):
        assert widget.contents[part] == {name: base64.b64decode(content) for name, content in file[part].items()}


def test_every_shared_choice_is_a_trait_that_is_sent() -> None:
    widget = viewer_widget(random_recording(n_heads=4), head=3)
    assert set(SHARED) < set(widget.keys)
    assert widget.head == 3
    assert widget.quantity == CHOICES["quantity"].default


def test_who_observes_is_told_of_a_click() -> None:
    widget, told = viewer_widget(random_recording()), []
    widget.observe(lambda change: told.append(change.new), ["locked"])
    widget.set_state({"locked": [2]})  # as the browser does
    assert told == [[2]]


@pytest.mark.parametrize(
    ("name", "value", "error", "says"),
    [
        ("head", 9, SelectionError, "heads 0 to 3 only"),
        ("layer", "two", ArgumentError, "expected a whole number"),
        ("kind", "cross", SelectionError, "encoder"),
        ("locked", [99], SelectionError, "there are tokens 0 to"),
    ],
)
def test_what_the_recording_does_not_have_is_refused(name: str, value: object, error: type, says: str) -> None:
    widget = viewer_widget(random_recording(n_heads=4))
    before = getattr(widget, name)
    with pytest.raises(error, match=re.escape(says)):
        setattr(widget, name, value)
    assert getattr(widget, name) == before


def found(**changes: Any) -> Finding:
    told: dict[str, Any] = {"kind": "encoder", "layer": 2, "head": 1, "query": 5, "key": 3, "weight": 0.75}
    return Finding(**(told | {"expected": 0.1, "against": "distance", "bits": 2.2} | changes))


def test_a_finding_turns_the_viewer_and_is_said_above_it() -> None:
    recording = random_recording(n_layers=3, n_heads=4)
    widget = viewer_widget(recording)
    assert widget.finding is None
    widget.finding = found()
    assert (widget.layer, widget.head, widget.locked) == (2, 1, [5])
    assert widget.finding == found()
    assert widget.get_state(["finding"])["finding"] == list(finding_in_words(found(), recording.of("encoder")))


def test_a_finding_goes_when_another_head_is_on_show_and_who_observes_hears_of_it() -> None:
    widget, told = viewer_widget(random_recording(n_layers=3, n_heads=4)), []
    widget.finding = found()
    widget.observe(lambda change: told.append(change.new), ["finding"])
    widget.set_state({"locked": [1]})
    assert widget.finding is not None
    widget.set_state({"head": 3})
    assert told == [None]
    assert widget.get_state(["finding"])["finding"] == []


@pytest.mark.parametrize("changes", [{"layer": 3}, {"head": 9}, {"kind": "cross"}, {"query": 99}, {"key": 99}])
def test_a_finding_of_another_recording_is_refused(changes: dict[str, Any]) -> None:
    widget = viewer_widget(random_recording(n_layers=3, n_heads=4))
    with pytest.raises(SelectionError):
        widget.finding = found(**changes)
    assert (widget.finding, widget.layer) == (None, 0)


def test_two_widgets_do_not_share_what_is_chosen() -> None:
    first, second = viewer_widget(random_recording()), viewer_widget(random_recording())
    first.layer = 1
    assert second.layer == 0


def test_without_the_extra_viz_is_imported_all_the_same() -> None:
    question = "import sys; sys.modules['anywidget'] = None; import viz; viz.viewer_html"
    subprocess.run([sys.executable, "-c", question], check=True)


def test_without_its_extra_the_widget_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "viz.viewer.widget", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"pip install \"headlights\[widget\]\""):
        show(random_recording()).widget()
