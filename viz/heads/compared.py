"""Two heads, layers, texts or models side by side: where the other one looks more, token by token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from models.values.record import Token
from models.values.results.comparison import AttentionComparison, TokenPair
from viz.kit import theme as style
from viz.kit.signed_map import Axis, signed_map
from viz.kit.theme import Theme
from viz.kit.tokens import token_texts


def difference_map(
    comparison: AttentionComparison, *, title: str, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """The weights of the other less those of the one, on the tokens that they share; empty where a token stands alone.
    The `title` is markup."""
    rows = pair_texts(comparison.rows, comparison.one_queries, comparison.other_queries)
    columns = pair_texts(comparison.columns, comparison.one_keys, comparison.other_keys)
    known = comparison.distances[np.isfinite(comparison.distances)]
    mean = f"{known.mean():.2f}" if len(known) else "unknown"
    text = (
        "Above 0 the other looks more. “a | b” are different words in the same place; empty rows and columns stand in "
        f"one text alone. The rows are {mean} apart on average, by the distance of Jensen and Shannon (0 alike, 1 "
        "nothing in common). Clark et al. 2019, section 6."
    )
    return signed_map(
        comparison.difference, x=Axis(title="Key token", places=range(len(columns)), noun="to", words=columns),
        y=Axis(title="Query token", places=range(len(rows)), noun="from", words=rows), number="difference",
        title=title, text=text, is_square=True, theme=theme, width=width,
    )  # fmt: skip


def pair_texts(pairs: Sequence[TokenPair], one: Sequence[Token], other: Sequence[Token]) -> list[str]:
    """The tokens of pairs as plain texts: "the", "she | he", "| home"."""
    first, second = token_texts(one), token_texts(other)
    texts = []
    for pair in pairs:
        left = "" if pair.one is None else first[pair.one]
        right = "" if pair.other is None else second[pair.other]
        texts.append(left if pair.is_equal else f"{left} | {right}".strip())
    return texts


if __name__ == "__main__":
    from viz.heads.demo import demo_comparison

    difference_map(demo_comparison(), title="Layer 0 · Head 0 in two texts").show()
