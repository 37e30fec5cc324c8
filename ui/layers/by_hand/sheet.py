"""One row of attention to work out on paper: the vectors, the matrices, blanks for every step, and the key.

python -m ui.layers.by_hand.sheet --out row.html                     # print it from the browser, or save it as a PDF
python -m ui.layers.by_hand.sheet --language ko --out row-ko.html
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import streamlit as st

from models.inspection.by_hand.goals import previous_head
from models.inspection.by_hand.heads import D_HEAD, HandHead, HandRun, letters_of, run_heads
from models.values.record import Array
from ui.widgets.paper import printed_page
from viz.kit.language import ENGLISH, LANGUAGES, read_in, tr
from viz.kit.theme import number
from viz.kit.tokens import escape, positioned_texts

WORD, STRENGTH = "ABC", 2
"""The word and the head of the sheet of the command line: its exponentials have two digits before the point."""

WHOLE = 1e-4
"""By how much less a number may differ from a whole one: float32 has seven digits, and e to a score several before the
point."""


def row_sheet(head: HandHead, run: HandRun, layer: int) -> str:
    """Return a page to print, in the current language: the row of the last token of a word, one step after another."""
    tokens = run.record.query_tokens
    names = positioned_texts(tokens, range(len(tokens)))
    parts = _question_parts(names, head, run, layer)
    key = [_query_table(names[-1], run, layer, filled=True), _row_table(names, run, layer, filled=True)]
    key.append(_output_table(run, layer, filled=True))
    return printed_page(
        tr("One row by hand"),
        tr("The row of the last token: where does it look, and what does it hand on? Round to two decimals."),
        questions="".join(parts),
        key="".join(key),
        about_key=tr("Computed with full precision, then rounded: the last decimal may differ from yours."),
    )


def _question_parts(names: Sequence[str], head: HandHead, run: HandRun, layer: int) -> list[str]:
    """Return what is given, and the blanks of each step."""
    last = names[-1]
    labels = _row_labels(run, layer)
    matrices = "".join(
        _table(name, [str(n) for n in range(D_HEAD)], labels, matrix)
        for name, matrix in (("W_Q", head.query), ("W_K", head.key), ("W_V", head.value))
    )
    return [
        _step(1, tr("The vectors and the matrices"), _table("x", labels, names, run.read[layer])),
        f'<div class="side">{matrices}</div>',
        _step(2, tr("The query of {token}: its vector times W_Q", token=last), _query_table(last, run, layer)),
        _step(
            3,
            tr("The keys: x W_K. Their scores: query times key, divided by √4. Then e to that power, and its share"),
            _row_table(names, run, layer),
        ),
        _step(
            4,
            tr("The output of {token}: the values x W_V, each times its share, added up", token=last),
            _output_table(run, layer),
        ),
    ]


def _query_table(name: str, run: HandRun, layer: int, *, filled: bool = False) -> str:
    values = run.record.query[layer, 0, -1:]
    return _table("q", [str(n) for n in range(D_HEAD)], [name], values, filled=filled)


def _row_table(names: Sequence[str], run: HandRun, layer: int, *, filled: bool = False) -> str:
    """Return key, product, score, exponential and share of every key, a row each."""
    scores = run.record.scores(layer, 0)[-1]  # [n_key]
    columns = [scores * np.sqrt(D_HEAD), scores, np.exp(scores), run.weights[layer, -1]]
    values = np.concatenate((run.record.key[layer, 0], np.stack(columns, axis=1)), axis=1)
    heads = [*(f"k{n}" for n in range(D_HEAD)), "q · k", "q · k / √4", "e^", tr("share")]
    return _table(tr("Keys"), heads, names, values, filled=filled)


def _output_table(run: HandRun, layer: int, *, filled: bool = False) -> str:
    columns = [str(n) for n in range(D_HEAD)]
    return _table(tr("Output"), columns, [""], run.output[layer, -1:], filled=filled)


def _row_labels(run: HandRun, layer: int) -> list[str]:
    before = [tr("{letter}, output of layer 0", letter=name) for name in run.names] if layer else []
    return [*run.names, "cos", "sin", *before]


def _step(number_of: int, text: str, table: str) -> str:
    return f"<section><h2>{number_of}</h2><p>{escape(text)}</p>{table}</section>\n"


def _table(caption: str, columns: Sequence[str], rows: Sequence[str], values: Array, *, filled: bool = True) -> str:
    """Return a table of numbers, or of blanks."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr><th>{escape(name)}</th>{_cells(row if filled else [None] * len(row))}</tr>"
        for name, row in zip(rows, values, strict=True)
    )
    return f"<table><caption>{escape(caption)}</caption><tr><th></th>{head}</tr>{body}</table>"


def _cells(row: Iterable[float | None]) -> str:
    return "".join(f"<td>{'' if value is None else _as_text(value)}</td>" for value in row)


def _as_text(value: float) -> str:
    """Return a number without decimals if it is whole up to rounding errors, any other with two."""
    return number(round(value) + 0.0, digits=0) if abs(value - round(value)) < WHOLE else number(value, digits=2)


def sheet_button(head: HandHead, run: HandRun, layer: int) -> None:
    """Draw the download of the sheet of the reader's own head and words."""
    st.download_button(
        tr("Sheet to print: one row by hand"),
        lambda: row_sheet(head, run, layer).encode(),
        file_name="one-row-by-hand.html",
        mime="text/html",
        icon=":material/print:",
        on_click="ignore",
        key="hand-sheet",
    )


def main() -> None:
    """Read the command line and write the sheet of a head that looks at the token before."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=LANGUAGES, default=ENGLISH)
    parser.add_argument("--out", type=Path, required=True, help="the HTML file to write")
    asked = parser.parse_args()
    head = previous_head(STRENGTH)
    with read_in(asked.language):
        asked.out.write_text(row_sheet(head, run_heads((head,), letters_of(WORD)), 0), encoding="utf-8")


if __name__ == "__main__":
    main()
