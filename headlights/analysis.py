"""The analyses of `models.analysis` under the name of the package: `from headlights.analysis import ablate`."""

from __future__ import annotations

from typing import Any

from models import analysis

__all__ = list(analysis.__all__)


def __getattr__(name: str) -> Any:
    if name not in analysis.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(analysis, name)
