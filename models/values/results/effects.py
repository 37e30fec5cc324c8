"""Effects of heads on an answer: without them, by their gradients, by patches, by what they add."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.values.arguments.shapes import fix_arrays
from models.values.errors import SelectionError
from models.values.probing.changes import HeadPlace, Stack
from models.values.probing.contrast import Contrast
from models.values.record import Array, Kind, Token, kind_name
from models.values.results.null import NullRange
from models.values.wording import join_sentences, worded

AblatedBy = Literal["zero", "uniform", "mean", "resample"]
"""What a head gives where it is taken away: nothing; the mean of all values that it may see; its mean output over a
corpus; its output in another text."""
Norms = Literal["held", "exact"]
"""Of the norms that a part passes: each held at its deviation in the pass, or computed anew without the part."""
PatchedWhat = Literal["states", "outputs", "weights"]
"""The patched quantity: a layer's input, a head's output, or a head's weights."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeadMap:
    """A number for every head of one kind of attention: `values` [n_layers, n_heads], NaN where there is none."""

    kind: Kind
    values: Array

    def __post_init__(self) -> None:
        fix_arrays(self, values=("n_layers", "n_heads"))


def map_of(maps: tuple[HeadMap, ...], kind: Kind) -> Array:
    """The numbers of one kind of attention [n_layers, n_heads]. Raises SelectionError if it is not among them."""
    for heads in maps:
        if heads.kind == kind:
            return heads.values
    raise SelectionError(
        worded(
            "there are no numbers for {kind} attention, only for {kinds}.",
            kind=kind_name(kind),
            kinds=join_sentences(*(kind_name(heads.kind) for heads in maps), by=", "),
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ablation:
    """The logit difference of two answers without some heads: `differences` [n_groups], a group of heads at a time.

    `tokens` are what was read; `whole` is the difference with all heads. `log_probabilities` [n_groups] are those of
    the answer, in nats.
    """

    contrast: Contrast
    tokens: tuple[Token, ...]
    by: AblatedBy
    groups: tuple[tuple[HeadPlace, ...], ...]
    shapes: tuple[tuple[Kind, int, int], ...]
    """For each kind of attention how many layers and heads it has."""
    whole: float
    whole_log_probability: float
    differences: Array
    log_probabilities: Array

    def __post_init__(self) -> None:
        fix_arrays(self, differences=(len(self.groups),), log_probabilities=(len(self.groups),))

    @property
    def effects(self) -> Array:
        """The change of the difference without each group [n_groups]: below 0 for a group that helps the answer."""
        effects: Array = self.differences - np.float32(self.whole)
        return effects

    @property
    def probability_changes(self) -> Array:
        """The change of the answer's probability without each group [n_groups]."""
        probabilities = np.exp(self.log_probabilities.astype(np.float64))
        changes: Array = (probabilities - np.exp(self.whole_log_probability)).astype(np.float32)
        return changes

    def maps(self) -> tuple[HeadMap, ...]:
        """The effects of the heads that were taken away one by one; NaN for all others."""
        return self._maps_of(self.effects)

    def probability_maps(self) -> tuple[HeadMap, ...]:
        """The change of the answer's probability without each head that was taken away by itself; NaN for others."""
        return self._maps_of(self.probability_changes)

    def _maps_of(self, values: Array) -> tuple[HeadMap, ...]:
        maps = {kind: np.full((n_layers, n_heads), np.nan, np.float32) for kind, n_layers, n_heads in self.shapes}
        for group, effect in zip(self.groups, values.tolist(), strict=True):
            if len(group) == 1:
                kind, layer, head = group[0]
                maps[kind][layer, head] = effect
        return tuple(HeadMap(kind=kind, values=values) for kind, values in maps.items())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeadImportance:
    """The gradient's estimate of what every head does to a logit difference.

    `signed` is the first-order estimate of the effect of its zero ablation, `estimate` without its sign what Michel et
    al. 2019 rank heads by.
    """

    contrast: Contrast
    difference: float
    signed: tuple[HeadMap, ...]

    @property
    def importance(self) -> tuple[HeadMap, ...]:
        """The effects of the heads without their sign."""
        return tuple(HeadMap(kind=heads.kind, values=np.abs(heads.values)) for heads in self.signed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patching:
    """The part of a clean answer that returns when one thing of the clean text is put into the corrupted one.

    `effects` are (m - m_corrupted) / (m_clean - m_corrupted): 0 where nothing comes back, 1 where all does. Their axes
    are named by `axes`, of "layer", "head" and "position"; positions are those of `clean_tokens` and
    `corrupted_tokens`, and `kind` is the kind of attention, or for states that of the stack's own. `null` is what the
    same patch does to random answers, in the same shares; None where there are no words to draw.
    """

    contrast: Contrast
    what: PatchedWhat
    kind: Kind
    clean_tokens: tuple[Token, ...]
    corrupted_tokens: tuple[Token, ...]
    clean: float
    corrupted: float
    axes: tuple[str, ...]
    effects: Array
    null: NullRange | None = None

    def __post_init__(self) -> None:
        fix_arrays(self, effects=self.axes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogitParts:
    """A logit difference as a sum: what the embeddings, every head and every feed-forward network add to it directly.

    `feed_forward` [n_layers]; `biases` is all that is added whatever is read: biases of projections, shifts of norms.
    `null` is what the heads add to random answers, in the order of `heads`, and `feed_forward_null` the networks.
    """

    contrast: Contrast
    stack: Stack
    difference: float
    embeddings: float
    heads: tuple[HeadMap, ...]
    feed_forward: Array
    biases: float
    null: tuple[NullRange, ...] = ()
    feed_forward_null: NullRange | None = None

    @property
    def total(self) -> float:
        """The sum of all parts, which is the difference."""
        heads = sum(float(heads.values.sum(dtype=np.float64)) for heads in self.heads)
        return self.embeddings + heads + float(self.feed_forward.sum(dtype=np.float64)) + self.biases


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PruningCurve:
    """The results of a small task as heads are removed, one after the other: `accuracy` and the mean logit difference
    of the right answer and its rival after `n_removed` heads [n_points], the first of `order` first."""

    by: AblatedBy
    order: tuple[HeadPlace, ...]
    n_removed: tuple[int, ...]
    n_examples: int
    accuracy: Array
    differences: Array

    def __post_init__(self) -> None:
        fix_arrays(self, accuracy=(len(self.n_removed),), differences=(len(self.n_removed),))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeadPaths:
    """The effects on an answer of what a head receives from others through the residual stream alone.

    `effects` [n_senders, 3] is how the logit difference changes when the receiver's queries, keys or values are made
    without what a sender adds to them; the columns are named by `INTO`. `norms` says how the norms between the two
    heads are taken: through "exact" ones the parts of two senders do not add up. `null` is what the same paths do to
    random answers.
    """

    contrast: Contrast
    receiver: HeadPlace
    senders: tuple[HeadPlace, ...]
    whole: float
    effects: Array
    norms: Norms = "held"
    null: NullRange | None = None

    def __post_init__(self) -> None:
        fix_arrays(self, effects=(len(self.senders), len(INTO)))


INTO = ("query", "key", "value")
"""By what a head reads another one: Elhage et al. 2021 call it Q-, K- and V-composition."""
