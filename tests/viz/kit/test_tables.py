"""No spreadsheet runs a cell of a table that is taken away as a formula."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest

from viz.kit.tables import table_csv


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\n"])
def test_a_cell_that_begins_like_a_formula_is_text(sign: str) -> None:
    formula = f'{sign}HYPERLINK("http://x","a")'
    written = table_csv(pd.DataFrame({formula: [formula, "a = b"]})).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(written))) == [[f"'{formula}"], [f"'{formula}"], ["a = b"]]
