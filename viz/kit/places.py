"""The names of places in a picture or in a sound, in the current language."""

from __future__ import annotations

from models.values.places import Patch, SourcePlace
from viz.kit.language import tr


def place_name(place: SourcePlace) -> str:
    """Return the name of a place: "patch row 3, column 5", both counted from 0, or "0.42 to 0.44 s"."""
    if isinstance(place, Patch):
        return tr("patch row {row}, column {column}", row=place.row, column=place.column)
    return tr("{start} to {end} s", start=f"{place.start:.2f}", end=f"{place.end:.2f}")
