"""The arrays of a figure of plotly, which it packs as base64 when it tells what it is made of."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import plotly.graph_objects as go


def parts_of(figure: go.Figure) -> dict[str, Any]:
    """Return the traces and the layout of a figure as plain values and arrays."""
    told: dict[str, Any] = unpack(figure.to_plotly_json())
    return told


def unpack(value: Any) -> Any:
    """Return a value of plotly's JSON with arrays in the place of packed ones."""
    if isinstance(value, dict):
        if "bdata" in value:
            return _array(value)
        return {name: unpack(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [unpack(part) for part in value]
    return value


def _array(packed: dict[str, Any]) -> Any:
    flat = np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"])
    shape = packed.get("shape")
    return flat.reshape([int(side) for side in str(shape).split(",")]) if shape else flat.tolist()
