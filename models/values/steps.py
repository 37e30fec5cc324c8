"""A layer of attention as a walk: the inputs and outputs of every step.

The order of "Attention Is All You Need", figure 1, left, and section 3.2: from the embeddings to the output of a layer,
seen from one head. pre-LN models (Xiong et al. 2020) put their norms before the attention and the feed-forward network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError, SelectionError
from models.values.record import Array, Kind, ModelInfo, Token
from models.values.wording import to_say, worded

StepName = Literal[
    "embeddings",
    "embedding_norm",
    "attention_norm",
    "projections",
    "rotation",
    "grouping",
    "scores",
    "scaling",
    "mask",
    "softmax",
    "weighted_sum",
    "concatenation",
    "output_projection",
    "attention_residual",
    "feed_forward_norm",
    "gate",
    "feed_forward",
    "feed_forward_residual",
]
STEP_NAMES: tuple[StepName, ...] = get_args(StepName)
"""In the order in which a layer takes them. "attention_norm" and "feed_forward_norm" are steps of pre-LN models;
post-LN models have their norms in the residual steps. "rotation" is a step of models with rotary positions (Su et al.
2021), "grouping" of those whose heads share keys and values (Ainslie et al. 2023), "gate" of those with a gated
feed-forward network (Shazeer 2020)."""

RowTokens = Literal["query", "key"]
"""Whose tokens label the rows: those that ask, or those that are asked."""
Columns = Literal["key", "d_model", "d_embedding", "d_head", "d_heads", "d_groups", "pairs", "d_ff"]
"""What the columns are: key tokens, or dimensions: of the residual stream, of embeddings that are smaller than it, of a
head, of all heads side by side (n_heads * d_head), of all heads of keys (n_kv_heads * d_head), pairs of dimensions that
are turned together, dimensions of the feed-forward network's inner layer."""

_LEFT_OUT = to_say("this model leaves it out.")
WhatIfName = Literal["no_scaling", "temperature", "causal", "head_off", "shuffled_positions"]
WHAT_IF_NAMES: tuple[WhatIfName, ...] = get_args(WhatIfName)
STEP_OF_WHAT_IF: dict[WhatIfName, StepName] = {
    "shuffled_positions": "embeddings",
    "no_scaling": "scaling",
    "temperature": "softmax",
    "causal": "mask",
    "head_off": "concatenation",
}
"""The step at which each change is made; every later step shows what comes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """A change to one pass through the model.

    "no_scaling", "temperature" and "causal" change all heads of the chosen layer, "head_off" the chosen head (its
    output becomes zeros), "shuffled_positions" the whole input: the words stay, the positions between the special
    tokens are shuffled. Raises ValueError for a temperature that is not above 0.
    """

    name: WhatIfName
    temperature: float = 1.0
    """The divisor of the scores before the softmax, if `name` is "temperature"."""
    seed: int = 0
    """How the positions are shuffled, if `name` is "shuffled_positions"."""

    def __post_init__(self) -> None:
        if self.name not in WHAT_IF_NAMES:
            raise RecordError(f"what-if {self.name!r} is unknown, expected one of {', '.join(WHAT_IF_NAMES)}.")
        if not self.temperature > 0:
            raise RecordError(f"the temperature is {self.temperature}, expected a number above 0.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepArray:
    """An array of a step: `values` [n_rows, n_columns], read-only float32, with what labels its axes.

    `name` says what it is in a few words ("token embeddings"), `symbol` is its letter in the equation ("Q"). Scores may
    be minus infinity, where a query may not look.
    """

    name: str
    symbol: str
    rows: RowTokens
    columns: Columns
    values: Array

    def __post_init__(self) -> None:
        fix_arrays(self, values=("n_rows", "n_columns"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The inputs and outputs of a step."""

    name: StepName
    inputs: tuple[StepArray, ...]
    outputs: tuple[StepArray, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingStep:
    """A step that this model does not take, or whose numbers could not be found in it; `why` is a sentence."""

    name: StepName
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerWalk:
    """The steps of one layer for one head, in order, with the model's own numbers.

    `what_if` is the change under which they were computed, None for the model as it is. Raises RecordError if an array
    does not fit the tokens.
    """

    info: ModelInfo
    kind: Kind
    layer: int
    head: int
    query_tokens: tuple[Token, ...]
    key_tokens: tuple[Token, ...]
    steps: tuple[Step, ...]
    missing: tuple[MissingStep, ...] = ()
    scale: float
    """The factor of the scores: 1 / sqrt(d_head), except where a model says otherwise."""
    sinks: Array | None = None
    """The logits of the head's attention sink, one a query [n_query]; None if it has none."""
    norm: Literal["post", "pre", "other"] = "other"
    norm_kind: Literal["layer", "rms"] = "layer"
    """Whether its norms divide by the spread around the mean or by the root mean square."""
    what_if: WhatIf | None = None
    note: str = ""

    def __post_init__(self) -> None:
        rows = {"query": len(self.query_tokens), "key": len(self.key_tokens)}
        for step in self.steps:
            for array in (*step.inputs, *step.outputs):
                n_rows, n_columns = array.values.shape
                if n_rows != rows[array.rows] or (array.columns == "key" and n_columns != rows["key"]):
                    raise RecordError(
                        f"{array.name} of the step {step.name} has shape {array.values.shape}, which does not fit "
                        f"{rows['query']} query and {rows['key']} key tokens."
                    )

    @property
    def names(self) -> tuple[StepName, ...]:
        """The steps that there are."""
        return tuple(step.name for step in self.steps)

    @check_arguments
    def step(self, name: StepName) -> Step:
        """Return a step by its name. Raises SelectionError, with the reason, if this walk does not have it."""
        for step in self.steps:
            if step.name == name:
                return step
        why = next((missing.why for missing in self.missing if missing.name == name), _LEFT_OUT)
        raise SelectionError(worded("The step {name} cannot be shown: {why}", name=repr(name), why=why))
