"""Figures, tables and HTML of values of `models.values`: this module exports the public names, the subpackages hold the
rest.

A name is loaded when it is asked for, so that `import viz` brings neither plotly nor NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viz.attention.heatmap import attention_heatmap as attention_heatmap
    from viz.attention.overview import overview as overview
    from viz.attention.transform import matrix_csv as matrix_csv
    from viz.attention.transform import prepare as prepare
    from viz.bertviz.views import head_view as head_view
    from viz.bertviz.views import model_view as model_view
    from viz.bertviz.views import neuron_view as neuron_view
    from viz.given.shown import ShownAttention as ShownAttention
    from viz.given.shown import show as show
    from viz.vectors.query_bands import query_bands as query_bands
    from viz.viewer.html import viewer_html as viewer_html
    from viz.viewer.notebook import notebook_html as notebook_html
    from viz.viewer.widget import viewer_widget as viewer_widget

_ROOMS = {
    "attention_heatmap": "viz.attention.heatmap",
    "overview": "viz.attention.overview",
    "matrix_csv": "viz.attention.transform",
    "prepare": "viz.attention.transform",
    "head_view": "viz.bertviz.views",
    "model_view": "viz.bertviz.views",
    "neuron_view": "viz.bertviz.views",
    "ShownAttention": "viz.given.shown",
    "show": "viz.given.shown",
    "query_bands": "viz.vectors.query_bands",
    "notebook_html": "viz.viewer.notebook",
    "viewer_html": "viz.viewer.html",
    "viewer_widget": "viz.viewer.widget",
}
"""The public names, and where each is made."""
__all__ = list(_ROOMS)


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return sorted(_ROOMS)
