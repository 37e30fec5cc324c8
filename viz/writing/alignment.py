"""The cross-attention of a whole pair of sentences: the source word behind each written word.

Bahdanau et al. 2015, "Neural Machine Translation by Jointly Learning to Align and Translate", figure 3, reads an
alignment off such weights. They say where the decoder looked, not why it chose a word (Jain and Wallace 2019).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.writing import Writing
from viz.attention.heatmap import matrix_figure
from viz.attention.matrix import Matrix
from viz.attention.transform import Special, hide_special, rows_of_weights
from viz.attention.words import to_words
from viz.kit import theme as style
from viz.kit.language import to_say, tr
from viz.kit.row_sums import rows_sum
from viz.kit.theme import Theme
from viz.kit.tokens import token_texts
from viz.writing.written import written_tokens

RULE = to_say(
    "The strongest link of a translated word goes to the source word with the largest weight in its row (the first "
    "one, if there is a tie). The row of a word is the one that it was chosen from."
)
FAINTEST = 0.05
"""A weight below this has no line, unless it is the largest of its row."""
MOST_LINES = 400
"""Lines that are drawn: every row keeps its strongest, then the largest weights of all."""
MOST_WORDS = 128
"""Words of each sentence whose lines are drawn; table and map hold all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A line between row `target` and column `source` of an alignment; the strongest of its row is marked."""

    target: int
    source: int
    weight: float
    is_strongest: bool


def alignment(
    writing: Writing, *, layer: int | None, head: int | None, words: bool = False, special: Special = "shown"
) -> Matrix:
    """Return the cross attention [n_written, n_source] with a row for every token that was written, its label the
    token.

    No `head` is the mean over the heads of the layer, no `layer` the mean over all layers and heads. `words` and
    `special` are as in `viz.attention.transform.prepare`. Raises SelectionError for a layer or head out of range.
    """
    record = writing.recording.of("cross")
    rows = [written_token.position for written_token in writing.written]
    values = rows_of_weights(record, rows, layer=layer, head=head)
    parts = [rows_sum(record, layer)]
    if layer is None:
        parts.insert(0, tr("Mean over all layers and heads."))
    elif head is None:
        parts.insert(0, tr("Layer {layer} · mean over {n} heads.", layer=layer, n=record.n_heads))
    matrix = Matrix(
        values=values,
        masked=np.zeros(values.shape, np.bool_),
        query_tokens=written_tokens(writing),
        key_tokens=record.key_tokens,
        query_positions=tuple(range(len(rows))),
        key_positions=tuple(range(record.n_key)),
        quantity="weights",
        note=" ".join(parts),
    )
    if words:
        matrix = to_words(matrix)
    if special != "shown":
        matrix = hide_special(matrix, renormalise=special == "hidden_renormalised")
    return matrix


@check_arguments
def alignment_map(matrix: Matrix, *, title: str, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the alignment as a map: a row for each written word, a column for each word of the source."""
    rows = tr("A row is the one that its word was chosen from.")
    figure = matrix_figure(replace(matrix, note=f"{matrix.note} {rows}"), title=title, theme=theme, width=width)
    if matrix.values.size:
        figure.update_layout(
            xaxis_title_text=tr("source (… is looked at)"), yaxis_title_text=tr("translation (each word looks …)")
        )
    return figure


def strongest(matrix: Matrix) -> tuple[int, ...]:
    """Return the column with the largest weight for every row, the first of equals; -1 for a row without columns or
    weights."""
    if not matrix.values.shape[1]:
        return (-1,) * len(matrix.query_tokens)
    best = matrix.values.argmax(axis=1)
    return tuple(int(column) if row[column] > 0 else -1 for row, column in zip(matrix.values, best, strict=True))


def links(matrix: Matrix) -> tuple[Link, ...]:
    """Return the lines that `viz.writing.alignment_lines` draws, in its order: the strongest of every row, and other
    weights that are large enough, as many as may be drawn, the strongest ones last."""
    best = strongest(matrix)
    drawn = matrix.values[:MOST_WORDS, :MOST_WORDS]
    drawn_links = [
        Link(target=row, source=column, weight=float(drawn[row, column]), is_strongest=best[row] == column)
        for row, column in np.argwhere(drawn > 0).tolist()
        if drawn[row, column] >= FAINTEST or best[row] == column
    ]
    drawn_links.sort(key=lambda link: (link.is_strongest, link.weight))
    return tuple(drawn_links[-MOST_LINES:])


def crossings(matrix: Matrix) -> tuple[int, int]:
    """Count the pairs of strongest links that cross, and all pairs: 0 crossings where both have the same order.

    Links to or from special tokens do not count, and two links to the same word do not cross.
    """
    pairs = [
        (row, column)
        for row, column in enumerate(strongest(matrix))
        if column >= 0 and not matrix.query_tokens[row].is_special and not matrix.key_tokens[column].is_special
    ]
    crossed = sum(first[1] > second[1] for first, second in combinations(pairs, 2))
    return crossed, len(pairs) * (len(pairs) - 1) // 2


def most_decided_head(writing: Writing) -> tuple[int, int]:
    """Return the head that points most clearly at a word: the largest mean over the words written of the largest weight
    that is not given to a special token. Layer and head; of equals the first."""
    record = writing.recording.of("cross")
    rows = [
        written_token.position
        for written_token, token in zip(writing.written, written_tokens(writing), strict=True)
        if not token.is_special
    ] or [writing.written[0].position]
    ordinary = np.array([not token.is_special for token in record.key_tokens], np.bool_)
    if not ordinary.any():
        return 0, 0
    sharp = [record.layer_weights(layer)[:, rows][:, :, ordinary].max(-1).mean(-1) for layer in range(record.n_layers)]
    layer, head = np.unravel_index(int(np.argmax(sharp)), (record.n_layers, record.n_heads))
    return int(layer), int(head)


def alignment_table(matrix: Matrix) -> pd.DataFrame:
    """Return the strongest link of every row (RULE): step (the number of the word), word, the position and the word of
    the source, weight, whether either of the two is a special token."""
    targets, sources = token_texts(matrix.query_tokens), token_texts(matrix.key_tokens)
    rows = [
        {
            "step": matrix.query_positions[row],
            "word": targets[row],
            "source_position": matrix.key_positions[column],
            "source_word": sources[column],
            "weight": float(matrix.values[row, column]),
            "is_special": matrix.query_tokens[row].is_special or matrix.key_tokens[column].is_special,
        }
        for row, column in enumerate(strongest(matrix))
        if column >= 0
    ]
    names = ["step", "word", "source_position", "source_word", "weight", "is_special"]
    return pd.DataFrame(rows, columns=names)


if __name__ == "__main__":
    from viz.writing.demo import writing

    alignment_map(alignment(writing(), layer=None, head=None), title="Alignment").show()
