"""The description of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.values.history import Measure
from models.values.record import Array, AttentionRecord, Token
from models.values.wording import to_say

Need = Literal["texts", "a corpus", "pairs", "a history", "parsed sentences", "a model"]
"""The input: recordings of texts, of a whole corpus of them (one text has too few cases), of pairs of texts, a
history, attention with a treebank, or a model to ask (`models.analysis.asked`)."""
Compute = Callable[[Array, Sequence[Token]], Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """An analysis: its `name` in addresses, files and tables, its `title` for people, and the `paper` it follows.

    `compute` is a function of what it `needs` and of nothing else; `returns` says what comes back, with its axes, and
    `cost` how time and memory grow. `formula` says in one line what is computed, where that is one line.
    """

    name: str
    title: str
    paper: str
    needs: Need
    returns: str
    cost: str
    compute: Callable[..., object]
    formula: str = ""


def is_piece(tokens: Sequence[Token]) -> NDArray[np.bool_]:
    """Which tokens are word pieces of a text, and not special ones [n_tokens]."""
    return np.array([not token.is_special for token in tokens], dtype=np.bool_)


def count_pieces(tokens: Sequence[Token]) -> int:
    """How many tokens are word pieces of a text."""
    return int(is_piece(tokens).sum())


def _always(record: AttentionRecord) -> bool:
    del record
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMeasure(Analysis):
    """The mean share of attention, 0 to 1, that the tokens of a text give away in one way, for every head.

    `compute` takes the weights of one layer [n_heads, n_tokens, n_tokens] with the tokens, and returns the share of
    each counted token, summed [n_heads]; `counted` says how many there are, and `counted_as` what they are; where no
    token sees a later one, `counted_causal` says it, if that makes a difference. `applies` says of which records it can
    be asked. Measures stand in lists by their `order`. `card_title` is the title on the
    card of a BERT, where it differs.
    """

    compute: Compute
    order: int
    needs: Need = "texts"
    returns: str = "HeadShares, values [n_measures, n_layers, n_heads]"
    cost: str = to_say("the weights of every layer once: time n_layers · n_heads · n_tokens², memory of one layer")
    formula: str = to_say("mean over the counted tokens of what they give to it: sum of A[i, j] / n")
    counted: Callable[[Sequence[Token]], int] = count_pieces
    counted_causal: Callable[[Sequence[Token]], int] | None = None
    counted_as: str = to_say("word pieces")
    applies: Callable[[AttentionRecord], bool] = _always
    card_title: str = ""

    @property
    def measure(self) -> Measure:
        """Its name and title, as they travel with the numbers."""
        return Measure(name=self.name, title=self.title)
