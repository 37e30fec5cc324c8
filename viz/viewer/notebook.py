"""The viewer in the cell of a notebook: `models.values.record.Recording` asks for it when a notebook shows one."""

from __future__ import annotations

from models.values.arguments.check import check_arguments
from models.values.record import Recording
from viz.viewer.html import notebook_html


@check_arguments
def as_cell(recording: Recording) -> str:
    """Return a frame with the whole document of `viewer_html` in it: no script of the viewer reaches the notebook's
    page."""
    return notebook_html(recording)
