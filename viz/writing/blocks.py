"""FlashAttention on one row, block by block: the weights so far, and the numbers that are corrected.

Dao et al. 2022, "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness", Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import AttentionRecord
from models.values.results.blocks import KeyBlock
from models.values.wording import worded
from viz.kit import theme as style
from viz.kit.errors import expect_vectors
from viz.kit.figures.bars import Bar, Scale, lying_bars, may_stand, standing_bars
from viz.kit.language import tr
from viz.kit.theme import Theme, nice_maximum, number, percentage
from viz.kit.tokens import token_texts
from viz.writing.memory import byte_text

FLOAT = 4
"""The bytes of a weight in float32."""


@check_arguments
def block_bars(
    record: AttentionRecord,
    blocks: Sequence[KeyBlock],
    *,
    query: Index,
    number: Index,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the weights of a query's row as they are after a block of keys: that block in the accent colour.

    Raises SelectionError for a block or a query that is not there, PictureError for a record of weights alone.
    """
    expect_vectors(record)
    block = _block(blocks, number)
    if query >= record.n_query:
        raise SelectionError(worded("query {query} was asked for, expected one of {n}.", query=query, n=record.n_query))
    bars = _bars(record, blocks, block, theme)
    draw = standing_bars if may_stand(len(bars), width) else lying_bars
    highest = max(float(one.weights.max()) for one in blocks)
    return draw(
        bars,
        scale=Scale(high=nice_maximum(highest), title=tr("weight so far")),
        title=tr(
            "The row of “{token}” after block {n} of {all}",
            token=token_texts(record.query_tokens)[query],
            n=number + 1,
            all=len(blocks),
        ),
        note=tr("Orange: the keys of this block. Those without a number have not come yet."),
        theme=theme,
        width=width,
    )


def _bars(record: AttentionRecord, blocks: Sequence[KeyBlock], block: KeyBlock, theme: Theme) -> list[Bar]:
    palette, last = style.PALETTES[theme], blocks[-1].weights
    return [
        Bar(
            place=place,
            label=text,
            value=float(weight),
            text=percentage(float(weight)) if place < block.stop else "",
            hover=(
                text,
                tr("so far: {share}", share=percentage(float(weight))),
                tr("in the end: {share}", share=percentage(float(last[place]))),
            ),
            colour=palette.accent if block.start <= place < block.stop else palette.bar,
            is_called=block.start <= place < block.stop,
        )
        for place, (text, weight) in enumerate(zip(token_texts(record.key_tokens), block.weights, strict=True))
    ]


def block_story(blocks: Sequence[KeyBlock], *, number: int) -> str:
    """Return in Markdown what a block changes, made from its numbers."""
    block = _block(blocks, number)
    if block.is_masked:
        return tr("The query may look at none of these keys, so the block is **skipped**: nothing changes.")
    so_far = {"m": running_number(block.maximum), "l": running_number(block.total)}
    if number == 0 or blocks[number - 1].total == 0:
        return tr("The largest score so far is **m = {m}**; the sum of e^(score − m) is **l = {l}**.", **so_far)
    before = blocks[number - 1]
    if block.correction == 1:
        return tr(
            "The largest score so far stays **m = {m}**, so nothing has to be corrected. The sum grows from {old} to "
            "**l = {l}**.",
            old=running_number(before.total),
            **so_far,
        )
    return tr(
        "A larger score has come: **m = {m}**, where it was {old_m}. All that was summed is multiplied by "
        "e^({old_m} − {m}) = **{correction}**, and with the new keys **l = {l}**.",
        old_m=running_number(before.maximum),
        correction=running_number(block.correction),
        **so_far,
    )


def end_story(record: AttentionRecord, blocks: Sequence[KeyBlock], *, layer: int, head: int, query: int) -> str:
    """Return in Markdown how far the last block is from the row of the map and the recorded output, and how many bytes
    were never written."""
    expect_vectors(record)
    weights = np.abs(blocks[-1].weights - record.weights(layer, head)[query]).max()
    output = np.abs(blocks[-1].output - record.head_output(layer, head)[query]).max()
    return tr(
        "This is the row of the map: no weight differs by more than {weights}, no number of the head's output by more "
        "than {output}. {n} × {keys} weights of this head, **{size}**, were never written to memory.",
        weights=f"{weights:.0e}",
        output=f"{output:.0e}",
        n=record.n_query,
        keys=record.n_key,
        size=byte_text(FLOAT * record.n_query * record.n_key),
    )


def block_table(blocks: Sequence[KeyBlock]) -> pd.DataFrame:
    """Return for every block its keys and the running numbers after it."""
    return pd.DataFrame(
        {
            "first_key": [block.start for block in blocks],
            "last_key": [block.stop - 1 for block in blocks],
            "m": [block.maximum for block in blocks],
            "correction": [block.correction for block in blocks],
            "l": [block.total for block in blocks],
        }
    )


def running_number(value: float) -> str:
    """Return a number with two decimals, more where it would be 0."""
    return number(value, digits=2 if abs(value) >= 0.01 or value == 0 else 5)


def _block(blocks: Sequence[KeyBlock], number: int) -> KeyBlock:
    if number >= len(blocks):
        raise SelectionError(worded("block {number} was asked for, expected one of {n}.", number=number, n=len(blocks)))
    return blocks[number]
