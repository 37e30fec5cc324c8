"""The figure that every function of this library returns: plotly's own, with a picture beside it in a notebook."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import plotly.graph_objects as go

PLOTS, OUTPUT = "viz.painter.plots.figure", "viz.painter.output"
"""By their names: loaded when a notebook shows a figure."""


class Figure(go.Figure):
    """A figure of plotly that is seen where no script runs, too: after nbconvert, on GitHub, in a notebook that is not
    trusted."""

    def _repr_mimebundle_(self, *given: Any, **named: Any) -> dict[str, Any]:
        """Return what plotly shows in a notebook, and a picture; nothing where plotly opens a window instead."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(*given, **named)
        if bundle:
            bundle |= import_module(OUTPUT).mime_bundle(import_module(PLOTS).draw_figure(self))
        return bundle

    def _ipython_display_(self) -> None:
        """Show the figure as the value of a cell."""
        if bundle := self._repr_mimebundle_():
            import_module("IPython.display").display(bundle, raw=True)
        else:
            super()._ipython_display_()

    def show(self, *given: Any, **named: Any) -> None:
        """Show the figure: in a notebook with its picture, otherwise, or with a renderer that is named, as plotly."""
        if not given and not named and self._repr_mimebundle_():
            self._ipython_display_()
        else:
            super().show(*given, **named)
