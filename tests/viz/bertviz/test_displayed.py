"""A view of bertviz shows itself in the cell of a notebook, and is its document everywhere else."""

from __future__ import annotations

from html import unescape

import pytest

from viz import head_view, model_view, neuron_view
from viz.bertviz.limits import view_height
from viz.kit.demos.records import random_record


@pytest.mark.parametrize("view", ["head", "model", "neuron"])
def test_a_view_is_a_document_and_displays_as_a_frame(view: str) -> None:
    record = random_record()
    made = {"head": head_view, "model": model_view, "neuron": neuron_view}[view](
        record, **({"layer": 0, "head": 1} if view == "neuron" else {})
    )
    assert made.startswith("<!DOCTYPE html>")
    cell = made._repr_html_()
    document = unescape(cell.split('srcdoc="')[1].split('"')[0])
    assert document == made
    assert 'sandbox="allow-scripts"' in cell
    assert f"height: {view_height(record, view)}px" in cell
