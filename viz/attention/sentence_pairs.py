"""For a pair of sentences: how much of its attention each sentence gives to itself, to the other, to special tokens.

Every kind of special token has a column of its own, because [SEP] often takes most of the attention (Clark et al. 2019,
"What Does BERT Look At?", section 3.2). [CLS] is also a row: the NSP head reads nothing else (Devlin et al. 2018,
section 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord, Token
from models.values.wording import to_say
from viz.attention.transform import select
from viz.kit.errors import PictureError
from viz.kit.language import tr
from viz.kit.tokens import token_texts

NO_PAIR = to_say("This text has no sentence B. To see attention between sentences, add a second one.")
CROSSING = "crossing"
"""The column of `block_shares` that holds the mean of A to B and B to A."""

Members = dict[str, NDArray[np.bool_]]


@check_arguments
def is_pair(record: AttentionRecord) -> bool:
    """Return whether both axes hold words of a sentence A and of a sentence B."""
    return all(_of(tokens, 0).any() and _of(tokens, 1).any() for tokens in (record.query_tokens, record.key_tokens))


@check_arguments
def pair_blocks(record: AttentionRecord, *, layer: int, head: int | None = None) -> pd.DataFrame:
    """Return the shares of attention from "A", "B" and "[CLS]" (rows) to "A", "B", "[CLS]" and "[SEP]" (columns).

    Special tokens bear the names that the model gives them; the row is that of the first token, if it is special. A
    cell is the attention that a token of the row gives to all tokens of the column, on average; every row sums to 1.
    Raises PictureError for a single text, SelectionError for a layer or head out of range.
    """
    rows, targets = _groups(record)
    return _shares(select(record, layer=layer, head=head).values, rows, targets)


@check_arguments
def block_shares(record: AttentionRecord) -> pd.DataFrame:
    """Return `pair_blocks` of every head in one row: layer, head, "A to A", "A to B", ... and `crossing`.

    `crossing` is the mean of "A to B" and "B to A". One head at a time is computed. Raises PictureError for a single
    text.
    """
    rows, targets = _groups(record)
    names = [f"{row} to {column}" for row in rows for column in targets]
    table_rows = []
    for layer in range(record.n_layers):
        for head in range(record.n_heads):
            shares = _shares(record.weights(layer, head), rows, targets).to_numpy(np.float64).ravel()
            flat = {name: float(share) for name, share in zip(names, shares, strict=True)}
            crossing = (flat["A to B"] + flat["B to A"]) / 2
            table_rows.append({"layer": layer, "head": head, **flat, CROSSING: crossing})
    return pd.DataFrame(table_rows)


def directions(shares: pd.DataFrame) -> tuple[str, ...]:
    """Return the shares that a `crossing_map` can show, `crossing` first."""
    named = [str(name) for name in shares.columns if name not in {"layer", "head", CROSSING}]
    return (CROSSING, *named)


def direction_name(direction: str) -> str:
    """Return the name of a direction in plain text: "A to B", "[CLS] to [SEP]", "crossing"."""
    if direction == CROSSING:
        return tr("crossing")
    row, _, column = direction.partition(" to ")
    return tr("{row} to {column}", row=row, column=column)


def most_crossing(shares: pd.DataFrame) -> tuple[int, int]:
    """Return the (layer, head) in which the two sentences look at each other most."""
    best = int(shares[CROSSING].to_numpy().argmax())
    return int(shares["layer"].to_numpy()[best]), int(shares["head"].to_numpy()[best])


def _groups(record: AttentionRecord) -> tuple[Members, Members]:
    """Return the queries of every row of blocks and the keys of every column. Raises PictureError without a pair."""
    if not is_pair(record):
        raise PictureError(NO_PAIR)
    rows = {"A": _of(record.query_tokens, 0), "B": _of(record.query_tokens, 1)}
    if record.query_tokens[0].is_special:
        first = np.arange(len(record.query_tokens)) == 0
        rows[token_texts(record.query_tokens)[0]] = first
    targets = {"A": _of(record.key_tokens, 0), "B": _of(record.key_tokens, 1)}
    for place, (token, text) in enumerate(zip(record.key_tokens, token_texts(record.key_tokens), strict=True)):
        if token.is_special:
            targets.setdefault(text, np.zeros(len(record.key_tokens), np.bool_))[place] = True
    return rows, targets


def _shares(weights: Array, rows: Members, targets: Members) -> pd.DataFrame:
    shares = [
        [float(weights[row][:, target].sum(axis=1).mean()) for target in targets.values()] for row in rows.values()
    ]
    return pd.DataFrame(shares, index=pd.Index(rows, name="from"), columns=pd.Index(targets, name="to"))


def _of(tokens: Sequence[Token], segment: int) -> NDArray[np.bool_]:
    """Return a mask of the tokens that are words of a segment; special tokens belong to none."""
    return np.array([token.segment == segment and not token.is_special for token in tokens], dtype=np.bool_)
