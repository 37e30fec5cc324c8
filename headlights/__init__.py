"""Headlight as one package: what `models` and `viz` make public, under one name.

In a clone these are folders at the top; in an installed wheel they are inside this package. A name is loaded when it is
asked for: `import headlights` brings neither torch nor Streamlit.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _version_of
from typing import Any

import models
import viz

_HOMES = {name: home for home in (models, viz) for name in home.__all__}
"""The public names, and the package that has each."""
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        try:
            return _version_of(__name__)
        except PackageNotFoundError:  # a clone, which is not installed
            raise AttributeError(f"{__name__} is not installed, and has no version") from None
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_HOMES[name], name)


def __dir__() -> list[str]:
    return sorted(__all__)
