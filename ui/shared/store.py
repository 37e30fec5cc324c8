"""The SQLite file that all processes of a server share: many may read while one writes."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from models.opening.restriction import WRITTEN

SETTING = "HEADLIGHT_SHARED"
"""The environment variable with the path of the file; by default shared.sqlite where the app writes."""
PATIENCE = 5.0
"""Seconds for which a process waits for another one's write."""


def place(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the file."""
    return Path(environment.get(SETTING, "") or WRITTEN / "shared.sqlite").expanduser().resolve()


class SharedFile:
    """Connections to one file, one per thread. `schema` creates missing tables; sqlite3.Error is raised unchanged, and
    OSError if the folder cannot be created."""

    def __init__(self, path: Path, schema: str) -> None:
        self.path, self._schema = path, schema
        self._own = threading.local()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction, with the file locked for other writers."""
        connection = self._connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def version(self) -> int:
        """Return a number that changes with each write of another connection, for repeated calls from one thread."""
        (number,) = self._connection().execute("PRAGMA data_version").fetchone()
        return int(number)

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self._connection().execute(query, values).fetchall()

    def _connection(self) -> sqlite3.Connection:
        known: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if known is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            known = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            known.executescript(
                f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; {self._schema}"
            )
            self._own.connection = known
        return known
