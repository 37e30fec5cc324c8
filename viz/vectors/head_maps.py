"""The queries, keys and values of a whole head as three maps: a row for each token, a column for each dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import AttentionRecord
from viz.attention.heatmap import attention_title
from viz.kit.errors import expect_in_range, expect_vectors
from viz.kit.figures.panel_layout import Band, Column, Rows
from viz.kit.figures.panels import WIDEST, panel_figure
from viz.kit.language import said, to_say, tr
from viz.kit.theme import SCORE_FORMAT, Theme

MOST_ROWS = 512
"""Of a longer text the first tokens are drawn."""
MOST_QUERIES = 4
"""The most heads of a group whose queries are side by side."""
_LETTERS = {"query": to_say("queries Q"), "key": to_say("keys K"), "value": to_say("values V")}
_VECTORS = {"query": to_say("query"), "key": to_say("key"), "value": to_say("value")}
APART = to_say("In cross attention, keys and queries belong to different texts, so draw them separately.")


@check_arguments
def head_maps(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    parts: tuple[str, ...] = ("query", "key", "value"),
    group: Sequence[int] = (),
    position: int | None = None,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Draw queries, keys and values side by side, or those that `parts` names; the token at `position` is highlighted.
    Of a `group` of heads that share keys and values, the queries of all are drawn, as far as there is room.

    Raises SelectionError for a layer or head out of range, and for cross attention, whose keys belong to another text
    than its queries, so that they cannot share their rows; PictureError for a record of weights alone.
    """
    expect_vectors(record)
    expect_in_range(layer=(layer, record.n_layers), head=(head, record.n_heads))
    of_queries = parts[0] == "query"
    if of_queries and len(parts) > 1 and record.kind == "cross":
        raise SelectionError(APART)
    vectors = {"query": record.query, "key": record.key, "value": record.value}
    tokens = record.query_tokens if of_queries else record.key_tokens
    n_rows = min(len(tokens), MOST_ROWS)
    columns = [
        Column(panel=Band(name=name, values=vectors[part][layer, band_head, :n_rows], hover=_hover(part)))
        for part, band_head, name in _bands(parts, head, group)
    ]
    note = tr(
        "A vertical stripe is a dimension that all tokens share. A row that looks different is a token that stands out."
    )
    if n_rows < len(tokens):
        first = tr("Shown: the first {n} of {all} tokens; the file has all of them.", n=n_rows, all=len(tokens))
        note = f"{note} {first}"
    called = position if of_queries or record.kind != "cross" else None
    rows = Rows(tokens=tokens, positions=tuple(range(n_rows)), called=called)
    title = f"{attention_title(record, layer, head)} · {', '.join(said(_LETTERS[part]) for part in parts)}"
    return panel_figure(columns, rows, title=title, note=note, theme=theme, width=width)


def _hover(part: str) -> str:
    number = f"%{{z:{SCORE_FORMAT}}}"
    return tr("{vector}, dimension {dimension}: {number}", vector=_VECTORS[part], dimension="%{x}", number=number)


def _bands(parts: Sequence[str], head: int, group: Sequence[int]) -> Iterator[tuple[str, int, str]]:
    """Yield the bands side by side: queries, keys or values, the head, and the name."""
    beside = sorted([head, *[other for other in group if other != head][: MOST_QUERIES - 1]])
    for part in parts:
        if part == "query" and len(beside) > 1:
            yield from ((part, other_head, tr("queries Q, head {head}", head=other_head)) for other_head in beside)
        else:
            yield part, head, said(_LETTERS[part])


if __name__ == "__main__":
    from viz.kit.demos.records import random_record

    head_maps(random_record(), layer=0, head=0, position=2).show()
