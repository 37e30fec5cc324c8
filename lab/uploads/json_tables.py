"""JSON files of an upload: tables of names and values, neither too large nor too deep."""

from __future__ import annotations

import json
from typing import Any

from lab.limits import MEGABYTE
from models.values.errors import LabError
from models.values.wording import Message, worded

DEEPEST = 40
"""The most brackets within each other in a JSON file; deeper ones are made to break readers."""


def parse_json(content: bytes, name: str, most: int) -> dict[str, Any]:
    """Return a JSON object that is neither too large nor too deep. Raises LabError."""
    if len(content) > most:
        raise LabError(too_large(name, len(content), most))
    try:
        text = content.decode("utf-8")
        if _depth(text) > DEEPEST:
            raise LabError(
                worded(
                    "{file} has brackets inside brackets, more than {most} deep. It was not opened.",
                    file=name,
                    most=DEEPEST,
                )
            )
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, LabError):
            raise
        raise LabError(worded("{file} is damaged: {why}.", file=name, why=str(error)[:120])) from error
    if not isinstance(table, dict):
        raise LabError(
            worded(
                "{file} contains {type}, expected a table of names and values.",
                file=name,
                type=type(table).__name__,
            )
        )
    return table


def too_large(name: str, n_bytes: int, most: int) -> Message:
    """Return the sentence for a file of too many bytes."""
    return worded(
        "{file} is {size} MB, expected at most {most} MB.",
        file=name,
        size=f"{n_bytes / MEGABYTE:,.1f}",
        most=f"{most / MEGABYTE:g}",
    )


def _depth(text: str) -> int:
    """Return the nesting depth of brackets, without those inside strings."""
    deepest = depth = 0
    is_inside = is_escaped = False
    for character in text:
        if is_inside:
            is_inside = is_escaped or character != '"'
            is_escaped = character == "\\" and not is_escaped
        elif character == '"':
            is_inside = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest
