"""The positional encodings of a model, from its own weights and configuration. The pictures draw these values.

Sinusoidal: Vaswani et al. 2017, section 3.5; learned: Gehring et al. 2017, Devlin et al. 2018; rotary: Su et al. 2021;
ALiBi: Press et al. 2021; relative buckets: Raffel et al. 2020 (T5), section 2.1 and its code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.values.arguments.shapes import fix_arrays
from models.values.record import Array, ModelInfo, Recording

PositionScheme = Literal["learned", "sinusoidal", "rotary", "alibi", "relative_buckets", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelPositions:
    """The positional encoding of one model; exactly the field of its scheme is filled.

    `table` [n_positions, d_model] are the vectors added to the tokens ("learned", or "sinusoidal" of a model).
    `frequencies` [d_rotary / 2] are the angles, in radians, by which a rotary model turns each pair of dimensions per
    position. `slopes` [n_heads] are those of ALiBi. `bias_by_distance` [n_heads, n_distances] is what T5 adds to the
    scores of a query that looks `distances` positions ahead (negative: back), for its first layer, whose bias all
    layers share. `why` says in a sentence what could not be found, if the scheme is "unknown".
    """

    info: ModelInfo
    scheme: PositionScheme
    table: Array | None = None
    frequencies: Array | None = None
    slopes: Array | None = None
    distances: tuple[int, ...] = ()
    bias_by_distance: Array | None = None
    why: str = ""

    def __post_init__(self) -> None:
        fix_arrays(self, table=("n_positions", "d_model"), frequencies=("n_pairs",), slopes=("n_heads",))
        fix_arrays(self, bias_by_distance=("n_heads", len(self.distances)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffledPair:
    """A text and the same tokens in another order, read by the same model, either with its positions or without.

    `order` [n_tokens] says which token of `written` stands at each place of `shuffled`; special tokens stay where they
    are. Without positions every token is told the same one, so that nothing in the input tells the order.
    """

    written: Recording
    shuffled: Recording
    order: tuple[int, ...]
    with_positions: bool
