"""The queries, keys and values of a whole head as three maps: a row is a token, a column a dimension."""

from __future__ import annotations

import plotly.graph_objects as go

from models.errors import SelectionError
from models.record import AttentionRecord
from viz.heatmap import attention_title
from viz.panels import WIDEST, Band, Column, Rows, panel_figure
from viz.theme import SCORE_FORMAT, Theme

MOST_ROWS = 512
"""Of a longer text the first tokens are drawn."""


def head_map(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    part: str,
    position: int | None = None,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """One of "query", "key" and "value" for every token; the token at `position` of the queries is called out."""
    return _maps(record, layer=layer, head=head, parts=(part,), position=position, theme=theme, width=width)


def head_maps(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int | None = None,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Queries, keys and values beside each other, where all three belong to the same tokens.

    Raises SelectionError for a layer or head that is not there, and for cross attention, whose keys are another text.
    """
    if record.kind == "cross":
        raise SelectionError("The keys of cross attention belong to another text than its queries: draw them apart.")
    parts = ("query", "key", "value")
    return _maps(record, layer=layer, head=head, parts=parts, position=position, theme=theme, width=width)


def _maps(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    parts: tuple[str, ...],
    position: int | None,
    theme: Theme,
    width: int,
) -> go.Figure:
    for name, index, size in (("layer", layer, record.n_layers), ("head", head, record.n_heads)):
        if not 0 <= index < size:
            raise SelectionError(f"{name} {index} was asked for, but there are {name}s 0 to {size - 1} only.")
    vectors = {"query": record.query, "key": record.key, "value": record.value}
    letters = {"query": "queries Q", "key": "keys K", "value": "values V"}
    tokens = record.query_tokens if parts[0] == "query" else record.key_tokens
    n_rows = min(len(tokens), MOST_ROWS)
    columns = [
        Column(
            panel=Band(
                name=letters[part],
                values=vectors[part][layer, head, :n_rows],
                hover=f"{part}, dimension %{{x}}: %{{z:{SCORE_FORMAT}}}",
            )
        )
        for part in parts
    ]
    note = "A vertical stripe is a dimension that all tokens share; a row that differs is a token of its own kind."
    if n_rows < len(tokens):
        note += f" Drawn: the first {n_rows} of {len(tokens)} tokens; the file holds all."
    called = position if parts[0] == "query" or record.kind != "cross" else None
    rows = Rows(tokens=tokens, positions=tuple(range(n_rows)), called=called)
    title = f"{attention_title(record, layer, head)} · {', '.join(letters[part] for part in parts)}"
    return panel_figure(columns, rows, title=title, note=note, theme=theme, width=width)


if __name__ == "__main__":
    from viz.demo import random_record

    head_maps(random_record(), layer=0, head=0, position=2).show()
