"""How well cross attention shows which word stands behind which: the alignment error rate (Och & Ney 2003).

A target word is linked to the source word that it looks at most; pieces are merged to words. The layer and the head, or
a mean, are chosen on one half of the pairs that were aligned by hand, and reported on the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from models.opening.registry import Model
from models.values.record import Array, Token

FILE = Path(__file__).parent / "aligned" / "english-spanish.tsv"
Links = frozenset[tuple[int, int]]
"""(number of a source word, number of a target word)."""
RowOf = Literal["written", "read"]
"""Of which row of the decoder a target word has its link: the one that it was chosen from, or the one in which it has
just been read (Chen et al. 2020, "Accurate Word Alignment Induction from Neural Machine Translation", section 3)."""
_WORD = re.compile(r"[^\W_]+")
_LINK = re.compile(r"(\d+)([-?])(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedPair:
    """A pair that was aligned by hand; what is `sure` is `possible`, too. `part` is "chosen" or "reported"."""

    part: str
    source: str
    target: str
    sure: Links
    possible: Links


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """Where an alignment is read: a layer and a head, None for the mean over all of them, and a row."""

    layer: int | None
    head: int | None
    row: RowOf

    @property
    def name(self) -> str:
        """As a card says it."""
        where = "mean of all layers and heads" if self.layer is None else f"Layer {self.layer} · "
        if self.layer is not None:
            where += "mean of its heads" if self.head is None else f"Head {self.head}"
        return f"{where}, at the row that {'writes' if self.row == 'written' else 'has read'} the word"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentScores:
    """Alignment error rates, 0 to 1, less is better, on the reported half: at the `best` pointer, which was chosen on
    the other half, where it had the rate `when_chosen`; of the mean that the page opens with; and of the diagonal."""

    best: Pointer
    when_chosen: float
    reported: float
    mean: float
    diagonal: float
    n_pairs: int


def read_aligned(path: Path = FILE) -> list[AlignedPair]:
    """The pairs of a file; its form: aligned/README.md."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [_pair(*line.split("\t")) for line in lines]


def _pair(part: str, source: str, target: str, links: str) -> AlignedPair:
    found = [((int(one), int(other)), kind) for one, kind, other in _LINK.findall(links)]
    return AlignedPair(
        part=part,
        source=source,
        target=target,
        sure=frozenset(link for link, kind in found if kind == "-"),
        possible=frozenset(link for link, _ in found),
    )


def alignment_scores(model: Model, pairs: Sequence[AlignedPair]) -> AlignmentScores:
    """Choose on one half, report on the other. For a model with cross attention."""
    info = model.info
    layers = [(layer, head) for layer in range(info.n_layers) for head in (None, *range(info.n_heads))]
    pointers = [Pointer(layer=layer, head=head, row=row) for layer, head in [(None, None), *layers] for row in _ROWS]
    attended = [_attended(model, pair) for pair in pairs]
    chosen, reported = ([at for at, pair in enumerate(pairs) if pair.part == part] for part in ("chosen", "reported"))

    def rate(of: Sequence[int], pointer: Pointer) -> float:
        return error_rate((pairs[at], attended[at].links(pointer)) for at in of)

    best = min(pointers, key=lambda pointer: rate(chosen, pointer))
    return AlignmentScores(
        best=best,
        when_chosen=rate(chosen, best),
        reported=rate(reported, best),
        mean=rate(reported, pointers[_ROWS.index("written")]),
        diagonal=error_rate((pairs[at], diagonal(pairs[at])) for at in reported),
        n_pairs=len(reported),
    )


_ROWS: tuple[RowOf, ...] = ("written", "read")


def error_rate(found: Iterable[tuple[AlignedPair, Links]]) -> float:
    """AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), over all pairs together."""
    right = total = 0
    for pair, links in found:
        right += len(links & pair.sure) + len(links & pair.possible)
        total += len(links) + len(pair.sure)
    return 1 - right / total


def diagonal(pair: AlignedPair) -> Links:
    """Every target word linked to the source word at the same part of the way: what needs no attention."""
    n_source, n_target = (len(_WORD.findall(text)) for text in (pair.source, pair.target))
    return frozenset((int((at + 0.5) / n_target * n_source), at) for at in range(n_target))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Attended:
    """The cross attention of a pair: `weights`(layer, head) [n_query, n_key], and the words that pieces belong to."""

    weights: Callable[[int | None, int | None], Array]
    source: Sequence[int | None]
    target: Sequence[int | None]

    def links(self, pointer: Pointer) -> Links:
        """The source word that each target word looks at most: the sum over its pieces, the mean over those written."""
        rows = self.weights(pointer.layer, pointer.head)  # [n_query, n_key]
        shift = 1 if pointer.row == "written" else 0
        words = sorted({word for word in self.target if word is not None})
        by_word = _columns(rows, self.source)  # [n_query, n_source_words]
        return frozenset(
            (
                int(by_word[[at - shift for at, own in enumerate(self.target) if own == word]].mean(axis=0).argmax()),
                word,
            )
            for word in words
        )


def _columns(rows: Array, words: Sequence[int | None]) -> Array:
    """The weights of words, those of their pieces together [n_query, n_words]; what is no word is left out."""
    n_words = 1 + max(word for word in words if word is not None)
    summed = np.zeros((len(rows), n_words), np.float32)
    for column, word in enumerate(words):
        if word is not None:
            summed[:, word] += rows[:, column]
    return summed


def _attended(model: Model, pair: AlignedPair) -> _Attended:
    record = model.record(pair.source, pair.target).of("cross")

    def weights(layer: int | None, head: int | None) -> Array:
        if layer is None:
            mean: Array = np.mean(
                [record.mean_weights(each) for each in range(record.n_layers)], axis=0, dtype=np.float32
            )
            return mean
        return record.mean_weights(layer) if head is None else record.weights(layer, head)

    return _Attended(
        weights=weights,
        source=list(_words(record.key_tokens, pair.source)),
        target=list(_words(record.query_tokens, pair.target)),
    )


def _words(tokens: Sequence[Token], text: str) -> Iterator[int | None]:
    """The number of the word that each token is a piece of; None for a mark and for a special token."""
    spans = [match.span() for match in _WORD.finditer(text)]
    for token in tokens:
        at = None if token.is_special else token.start
        yield next((word for word, (start, end) in enumerate(spans) if at is not None and start <= at < end), None)
