"""For a pair of sentences: how much of its attention each sentence gives to itself, to the other, to special tokens.

The special tokens have a column of their own, because [SEP] often takes most of the attention (Clark et al. 2019,
"What Does BERT Look At?", section 3.2).
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.record import AttentionRecord, Token
from viz import theme as style
from viz.heatmap import attention_title
from viz.theme import Palette, Sizes, Theme
from viz.transform import PictureError, select

COLUMNS = ("A", "B", "special")
READABLE_UNTIL = 0.5
"""The share from which on the colour of a cell is nearer to the ink than to the page."""


def is_pair(record: AttentionRecord) -> bool:
    """Whether both axes hold words of a sentence A and of a sentence B."""
    return all(_of(tokens, 0).any() and _of(tokens, 1).any() for tokens in (record.query_tokens, record.key_tokens))


def pair_blocks(record: AttentionRecord, *, layer: int, head: int | None = None) -> pd.DataFrame:
    """Rows "A" and "B" (from), columns "A", "B" and "special" (to): shares of attention; every row sums to 1.

    A cell is the attention that a word piece of the row's sentence gives to all tokens of the column, on average.
    Raises PictureError for a single text, SelectionError for a layer or head that is not there.
    """
    if not is_pair(record):
        raise PictureError("This text has no sentence B; blocks from sentence to sentence need a pair.")
    weights = select(record, layer=layer, head=head).values
    special = np.array([token.is_special for token in record.key_tokens], dtype=np.bool_)
    rows = [_of(record.query_tokens, 0), _of(record.query_tokens, 1)]
    columns = [_of(record.key_tokens, 0), _of(record.key_tokens, 1), special]
    shares = [[float(weights[row][:, column].sum(axis=1).mean()) for column in columns] for row in rows]
    return pd.DataFrame(shares, index=pd.Index(["A", "B"], name="from"), columns=pd.Index(COLUMNS, name="to"))


def pair_blocks_figure(
    record: AttentionRecord, *, layer: int, head: int | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """The table of `pair_blocks` as six coloured cells with their percentages. Raises what `pair_blocks` raises."""
    shares = pair_blocks(record, layer=layer, head=head)
    size, palette = style.sizes(width), style.PALETTES[theme]
    figure = go.Figure(
        go.Heatmap(
            z=shares.to_numpy(np.float32),
            x=["to A", "to B", "to special"],
            y=["from A", "from B"],
            zmin=0,
            zmax=1,
            xgap=4,
            ygap=4,
            colorscale=style.colour_scale(palette.sequential),
            showscale=False,
            hovertemplate=f"%{{y}} %{{x}}: %{{z:{style.WEIGHT_FORMAT}}}<extra></extra>",
        )
    )
    wide, left = (min(480, size.page - 6 * size.label)), 5 * size.label
    text = (
        "The share of its attention that a word piece of A or B gives away, on average; every row sums to 1. "
        "A longer sentence gets more by its length alone."
    )
    lines = textwrap.wrap(text, int((left + wide) / (size.caption * 0.52)))
    top, bottom = 2.6 * size.title + 2 * size.label, size.gap + 1.5 * size.caption * len(lines)
    note = style.caption("<br>".join(lines), theme, size, below=size.gap // 2) | {"xshift": size.gap // 2 - left}
    axis: dict[str, Any] = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    title = attention_title(record, layer, head)
    figure.update_layout(
        style.base_layout(theme, size, title=title)
        | {
            "width": left + wide + size.gap,
            "height": top + wide * 0.36 + bottom,
            "margin": {"l": left, "r": size.gap, "t": top, "b": bottom, "pad": 4},
            "annotations": [note, *_percentages(shares, palette, size)],
            "xaxis": axis | {"side": "top"},
            "yaxis": axis | {"autorange": "reversed"},
        }
    )
    return figure


def _percentages(shares: pd.DataFrame, palette: Palette, size: Sizes) -> list[dict[str, Any]]:
    """What stands in the cells, in the one of the page's two colours that can be read there: plotly takes a grey."""
    on_weak, on_strong = palette.ink, palette.ground
    return [
        {
            "x": column,
            "y": row,
            "text": format(share, style.SHARE_FORMAT),
            "showarrow": False,
            "font": {"size": size.title, "color": on_strong if share > READABLE_UNTIL else on_weak},
        }
        for row, values in enumerate(shares.to_numpy(np.float64))
        for column, share in enumerate(values)
    ]


def _of(tokens: Sequence[Token], segment: int) -> NDArray[np.bool_]:
    """Which tokens are words of a segment; special tokens are of none."""
    return np.array([token.segment == segment and not token.is_special for token in tokens], dtype=np.bool_)


if __name__ == "__main__":
    from viz.demo import PAIR, plausible_record

    pair_blocks_figure(plausible_record(PAIR), layer=0, head=3).show()
