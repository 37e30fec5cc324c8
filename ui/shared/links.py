"""Short links: values too long for an address, kept by the server under a short name."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ui.shared.store import SharedFile, place

MOST_CHARACTERS = 60_000
"""The most characters of one link's values."""
MOST_LINKS = 2_000
"""The most links; the least recently used are deleted."""
FRESH, FEW = 600.0, 100
"""Seconds for which a stored name is not written again, and the number of names for which that is remembered."""
_SCHEMA = "CREATE TABLE IF NOT EXISTS links (name TEXT PRIMARY KEY, held TEXT NOT NULL, used REAL NOT NULL)"
_FIND = "SELECT held FROM links WHERE name = ?"


class ShortLinks:
    """The links of a server."""

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _SCHEMA)
        self._kept: dict[str, float] = {}

    def keep(self, held: Mapping[str, str]) -> str | None:
        """Store some values and return their short name, equal for equal values; None if they are too long, or the file
        cannot be written."""
        text = json.dumps(dict(sorted(held.items())), ensure_ascii=False)
        if len(text) > MOST_CHARACTERS:
            return None
        name, now = hashlib.sha256(text.encode()).hexdigest()[:16], time.time()
        if now - self._kept.get(name, 0.0) < FRESH:
            return name
        try:
            with self._file.transaction() as file:
                file.execute("INSERT OR REPLACE INTO links VALUES (?, ?, ?)", (name, text, now))
                file.execute(
                    "DELETE FROM links WHERE name IN (SELECT name FROM links ORDER BY used DESC LIMIT -1 OFFSET ?)",
                    (MOST_LINKS,),
                )
        except (sqlite3.Error, OSError):
            return None
        self._kept = {**dict(list(self._kept.items())[-FEW:]), name: now}
        return name

    def find(self, name: str) -> dict[str, str] | None:
        """Return the values of a short name; None if it is unknown or deleted."""
        try:
            rows = self._file.rows(_FIND, (name,))
        except (sqlite3.Error, OSError):
            return None
        return {str(key): str(value) for key, value in json.loads(str(rows[0][0])).items()} if rows else None


@cache
def links() -> ShortLinks:
    """Return the short links of this server."""
    return ShortLinks(place())
