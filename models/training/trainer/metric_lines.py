"""metrics.jsonl, the numbers of a run as it goes: a table of numbers a line, read as far as it can be."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def read_metrics(path: Path) -> Iterator[dict[str, float]]:
    """The lines of a file that are whole; none where there is no file."""
    try:
        yield from metrics_in(path.read_bytes())
    except OSError:
        return


def metrics_in(content: bytes) -> Iterator[dict[str, float]]:
    """The lines that are whole: numbers by their names, a whole `step` among them.

    Whatever else is there is passed over: a line that is half written, bytes that are no text, what a full disk left.
    """
    for line in content.split(b"\n"):
        try:
            read = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            continue
        if isinstance(read, dict) and isinstance(read.get("step"), int) and all(map(_is_number, read.values())):
            yield read


def _is_number(value: Any) -> bool:
    """Whether a value can be drawn as a number, NaN among them."""
    try:
        return not isinstance(value, bool) and isinstance(value, int | float) and not math.isinf(float(value))
    except OverflowError:
        return False


def forget_after(path: Path, iteration: int) -> None:
    """Drop the lines of iterations that a killed run had not saved, which come again, and what is no line."""
    kept = "".join(json.dumps(line) + "\n" for line in read_metrics(path) if line["step"] <= iteration).encode()
    if path.exists() and path.read_bytes() != kept:
        rewritten = path.with_name(f".{path.name}")
        rewritten.write_bytes(kept)
        rewritten.replace(path)
