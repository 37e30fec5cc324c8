"""Messages of a job, passed through files: a sentence keeps its template, so that it can be translated when shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.values.wording import Message


def as_json(text: str) -> object:
    """Return a text for a JSON file; a `Message` as what it was made from."""
    if not isinstance(text, Message):
        return text
    values = {name: as_json(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return {"template": text.template, "plural": text.plural, "values": values}


def from_json(kept: Any) -> str:
    """Parse the output of `as_json`. Raises LookupError, TypeError, ValueError or AttributeError for anything else."""
    if not isinstance(kept, Mapping):
        return str(kept)
    values = {
        name: value if isinstance(value, int | float) else from_json(value) for name, value in kept["values"].items()
    }
    return Message(str(kept["template"]), str(kept["plural"]), values)
