"""Beam search as a tree: texts that begin alike share their beginning, and end where the search dropped them.

Wu et al. 2016, "Google's Neural Machine Translation System", section 7: after every token the best few texts are kept,
ranked by log-probability / ((5 + length) / 6)^penalty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.writing import Branch, Writing
from viz.kit import theme as style
from viz.kit.figures.chips import Chip, Placed, canvas, chip_width, draw, sideways
from viz.kit.language import said, to_say, tr
from viz.kit.layout import message
from viz.kit.theme import Palette, Theme, number, percentage, whole_percent
from viz.kit.tokens import SHORT, shorten, spelled, visible

TITLE = to_say("Beam search")
MOST_POSITIONS = 48
"""Positions that are drawn; the table holds all."""
EDGE = 30
"""Pixels between two columns, for the branches."""
NO_SEARCH = to_say("Greedy writing follows only one text, so there is no tree. Choose two beams or more.")
FADED = 0.55
"""The opacity of a branch that was dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A beginning that was kept: its last token, the node before it (-1 for the root), and how the search went on.

    `branch` is the text as it stood when it was that long; `last_position` the last one at which it, or a longer text
    that begins with it, was still kept; `row` its line in the picture, 0 for the winner.
    """

    token: str
    depth: int
    parent: int
    branch: Branch | None
    last_position: int
    is_alive: bool
    """Whether a text that begins like this was kept to the end."""
    is_winner: bool
    row: int = 0


@check_arguments
def beam_tree(writing: Writing, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw positions from left to right, a box for each token, and below it the score of the text so far.

    The winner is filled, texts that were kept to the end have a solid frame, dropped ones fade. The figure is as wide
    as the search is long: the page lets it be scrolled. Without a search the figure says so.
    """
    if not writing.branches:
        return message(said(TITLE), said(NO_SEARCH), theme=theme, width=width)
    size, palette = style.sizes(width), style.PALETTES[theme]
    nodes = tree(writing)
    shown = [node for node in nodes if node.depth <= MOST_POSITIONS]
    n_columns = max(node.depth for node in shown)
    chips = [_chip(node, palette) for node in shown]
    font, wides = size.word, _widths(shown, chips, n_columns, size.word)
    if sum(wides) + (EDGE + size.gap) * n_columns > width:
        font, wides = size.label, _widths(shown, chips, n_columns, size.label)
    tall, top = 1.9 * font, 2.8 * size.title
    pitch = tall + 2.2 * size.caption
    lefts = [size.gap + sum(wides[:depth]) + (EDGE + size.gap) * depth for depth in range(n_columns)]
    middles = [left + wide / 2 for left, wide in zip(lefts, wides, strict=True)]
    placed = [
        Placed(
            chip=chip,
            x=middles[node.depth - 1],
            y=top + tall / 2 + pitch * node.row,
            wide=chip_width(chip.text, font),
            tall=tall,
        )
        for node, chip in zip(shown, chips, strict=True)
    ]
    figure = canvas(
        title=tr("Beam search · width {n}", n=max(map(len, writing.branches))),
        note=_note(writing, n_columns),
        wide=max(lefts[-1] + wides[-1] + size.gap, min(size.page, 520)),
        tall=top + pitch * (1 + max(node.row for node in shown)),
        size=size,
        theme=theme,
    )
    figure.layout.shapes = _edges(shown, placed, palette)
    return draw(figure, placed, font=font, size=size, theme=theme)


def tree(writing: Writing) -> tuple[Node, ...]:
    """Return the beginnings of all kept texts, each once, by length, those of the winner first among equals.

    A row is used again when the text in it has ended; the winner has row 0.
    """
    nodes: dict[tuple[int, ...], dict[str, Any]] = {}
    for position, kept in enumerate(writing.branches):
        for branch in kept:
            for depth in range(1, len(branch.token_ids) + 1):
                prefix = branch.token_ids[:depth]
                node = nodes.setdefault(
                    prefix, {"token": branch.tokens[depth - 1], "branch": None, "last_position": position}
                )
                node["last_position"] = position
            nodes[branch.token_ids]["branch"] = branch
    last = writing.branches[-1]
    alive = {branch.token_ids[:depth] for branch in last for depth in range(1, len(branch.token_ids) + 1)}
    winner = last[0].token_ids
    order = sorted(nodes, key=lambda ids: (len(ids), ids != winner[: len(ids)], ids not in alive))
    rows = _rows(order)
    place = {ids: index for index, ids in enumerate(order)}
    return tuple(
        Node(
            **nodes[ids],
            depth=len(ids),
            parent=place.get(ids[:-1], -1),
            is_alive=ids in alive,
            is_winner=ids == winner[: len(ids)],
            row=rows[ids],
        )
        for ids in order
    )


def share_of_winner(shares: NDArray[np.float64]) -> str:
    """Return a sentence on how close a search ended: the winner's share of the probability of the kept texts; empty
    without a search."""
    if not len(shares):
        return ""
    return tr(
        "The winner has {share} of the probability of these {n} texts.",
        share=whole_percent(float(shares[0])),
        n=len(shares),
    )


def closeness_in_words(shares: NDArray[np.float64], bits: float) -> str:
    """Return a sentence on the entropy of all shares; empty without a search."""
    if not len(shares):
        return ""
    return tr(
        "The entropy of the shares of these texts is {bits} bits: 0 if one text has everything, {most} if all are "
        "equally likely.",
        bits=f"{bits:.2f}",
        most=f"{np.log2(len(shares)):.2f}",
    )


def final_texts(writing: Writing) -> pd.DataFrame:
    """Return the texts at the end of the search, for a reader: rank from 1, text, probability in per cent, score."""
    last = writing.branches[-1] if writing.branches else ()
    rows = [
        (rank, branch.text, percentage(math.exp(branch.log_probability)), branch.score)
        for rank, branch in enumerate(last, start=1)
    ]
    return pd.DataFrame(rows, columns=["rank", "text", "probability", "score"])


def tree_table(writing: Writing) -> pd.DataFrame:
    """Return the texts that were kept at every position: step (the position), rank (0 is the best), token, text,
    log-probability in nats, score, whether it has ended, whether one that begins so was kept to the end, and whether
    the winner begins so."""
    last = writing.branches[-1] if writing.branches else ()
    rows = [
        {
            "step": position,
            "rank": rank,
            "token": visible(branch.tokens[-1]) if branch.tokens else "",
            "text": branch.text,
            "log_probability": branch.log_probability,
            "score": branch.score,
            "is_finished": branch.is_finished,
            "kept_to_the_end": any(_begins(last_branch, branch) for last_branch in last),
            "is_winner": _begins(last[0], branch),
        }
        for position, kept in enumerate(writing.branches)
        for rank, branch in enumerate(kept)
    ]
    return pd.DataFrame(rows)


def _begins(whole: Branch, beginning: Branch) -> bool:
    return whole.token_ids[: len(beginning.token_ids)] == beginning.token_ids


def _rows(order: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """Return a row for every beginning: a text goes on in its row, another one takes the first that is free from there
    on.

    `order` is by length, and of the continuations of a text the one that goes on straight comes first.
    """
    straight: dict[tuple[int, ...], tuple[int, ...]] = {}
    for ids in order:
        straight.setdefault(ids[:-1], ids)
    taken_to: list[int] = []
    rows: dict[tuple[int, ...], int] = {}
    for first in order:
        if first in rows:
            continue
        chain = [first]
        while chain[-1] in straight:
            chain.append(straight[chain[-1]])
        row = next((free_row for free_row, end in enumerate(taken_to) if end < len(first)), len(taken_to))
        taken_to[row : row + 1] = [len(chain[-1])]
        rows |= dict.fromkeys(chain, row)
    return rows


def _widths(nodes: Sequence[Node], chips: Sequence[Chip], n_columns: int, font: float) -> list[float]:
    """Return the width of every column, that of its longest token, in pixels."""
    widths = [0.0] * n_columns
    for node, chip in zip(nodes, chips, strict=True):
        widths[node.depth - 1] = max(widths[node.depth - 1], chip_width(chip.text, font))
    return widths


def _edges(nodes: Sequence[Node], placed: Sequence[Placed], palette: Palette) -> list[dict[str, Any]]:
    edges = []
    for node, place in zip(nodes, placed, strict=True):
        if node.parent < 0:
            continue
        parent = placed[node.parent]
        edges.append(
            sideways(
                parent.x + parent.wide / 2,
                parent.y,
                place.x - place.wide / 2,
                place.y,
                colour=palette.accent if node.is_winner else palette.bar if node.is_alive else palette.still,
                width=3.5 if node.is_winner else 2.0,
                opacity=1.0 if node.is_alive else FADED,
            )
        )
    return edges


def _chip(node: Node, palette: Palette) -> Chip:
    text = shorten(spelled(node.token), SHORT)
    score = "" if node.branch is None else number(node.branch.score, digits=2)
    if node.is_winner:
        return Chip(text=text, hover=_hover(node), ink=palette.ground, fill=palette.accent, foot=score, is_bold=True)
    if node.is_alive:
        return Chip(text=text, hover=_hover(node), ink=palette.ink, outline=palette.bar, foot=score)
    return Chip(text=text, hover=_hover(node), ink=palette.quiet, outline=palette.masked, foot=score)


def _hover(node: Node) -> tuple[str, ...]:
    if node.is_winner:
        fate = tr("the winner")
    elif node.is_alive:
        fate = tr("kept to the end")
    else:
        fate = tr("dropped after position {place}", place=node.last_position)
    if node.branch is None:
        return (spelled(node.token), fate)
    return (
        node.branch.text or spelled(node.token),
        tr("log-probability {number} nats", number=number(node.branch.log_probability)),
        tr("score {number} (length {length})", number=number(node.branch.score), length=node.depth),
        tr("{fate}, has ended", fate=fate) if node.branch.is_finished else fate,
    )


def _note(writing: Writing, n_columns: int) -> str:
    note = tr(
        "Orange: the text that won. Framed: kept to the end. Grey: dropped. Under each token is the score of the text "
        "so far: log-probability over length penalty; closer to 0 is better."
    )
    n_positions = len(writing.branches)
    if n_columns >= n_positions:
        return note
    cut = tr("The first {n} of {all} positions are shown; the table has all of them.", n=n_columns, all=n_positions)
    return f"{note} {cut}"


if __name__ == "__main__":
    from viz.writing.demo import writing

    beam_tree(writing(width=4)).show()
