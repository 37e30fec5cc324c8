"""The viewer in the cell of a notebook: `models.values.record.Recording` asks for it when a notebook shows one."""

from __future__ import annotations

from html import escape

from models.values.record import Recording
from viz.viewer.html import viewer_html

HEIGHT = 720
"""Pixels: the map, the small maps beside it and what is read out below."""


def as_cell(recording: Recording) -> str:
    """A frame with the whole document of `viewer_html` in it: no script of the viewer reaches the notebook's page."""
    document = escape(viewer_html(recording), quote=True)
    return (
        f'<iframe srcdoc="{document}" sandbox="allow-scripts allow-downloads" title="The viewer of Headlight" '
        f'style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
    )
