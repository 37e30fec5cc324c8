"""What a person imports from `viz` is there, is what its room has, and loads nothing before it is asked for."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import viz


@pytest.mark.parametrize("name", viz.__all__)
def test_a_public_name_is_that_of_its_room(name: str) -> None:
    room = getattr(viz, name).__module__
    assert room.startswith("viz.")
    assert getattr(import_module(room), name) is getattr(viz, name)
    assert getattr(viz, name).__doc__


def test_a_name_that_there_is_not_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'heatmaps'"):
        _ = viz.heatmaps


def test_importing_viz_loads_no_plotly() -> None:
    question = "import sys, viz; sys.exit('plotly' in sys.modules or 'numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", question], check=True)
