"""Tables as files: UTF-8 that spreadsheets open, and no cell that they would run as a formula."""

from __future__ import annotations

import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table_csv(table: pd.DataFrame) -> bytes:
    """Return a table without its index as a CSV file; text that looks like a formula gets an apostrophe in front
    (OWASP)."""
    return table.map(_harmless).rename(columns=_harmless).to_csv(index=False).encode("utf-8-sig", errors="replace")


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
