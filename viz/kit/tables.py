"""Tables as files: UTF-8 that spreadsheets open, and no cell that they would run as a formula."""

from __future__ import annotations

import pandas as pd

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def table_csv(table: pd.DataFrame) -> bytes:
    """Return a table without its index as a CSV file; text that looks like a formula gets an apostrophe in front
    (OWASP)."""
    return table.map(_harmless).rename(columns=_harmless).to_csv(index=False).encode("utf-8-sig", errors="replace")


def as_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _harmless(cell: object) -> object:
    return as_cell(cell) if isinstance(cell, str) else cell
