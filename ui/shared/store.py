"""The file that all processes of a server share, as SQLite keeps it: many may read while one writes."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SETTING = "HEADLIGHT_SHARED"
"""The environment variable with the path of the file; usually runs/shared.sqlite beside the app."""
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 5.0
"""Seconds for which a process waits until another one has written."""


def place(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the file."""
    return Path(environment.get(SETTING, "") or ROOT / "runs" / "shared.sqlite").expanduser().resolve()


class SharedFile:
    """Connections to one file, one a thread. `schema` creates what is missing; SQLite's errors are raised as they are
    (sqlite3.Error), OSError where the folder cannot be made."""

    def __init__(self, path: Path, schema: str) -> None:
        self.path, self._schema = path, schema
        self._own = threading.local()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Everything inside happens, or nothing: what is read there is true until it is written."""
        connection = self._connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def version(self) -> int:
        """Return a number that changes whenever another connection has written; asked of one thread again and again."""
        (number,) = self._connection().execute("PRAGMA data_version").fetchone()
        return int(number)

    def rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that a query finds."""
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
