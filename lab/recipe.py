"""A recipe (task, size and duration of a training) and the arithmetic that follows from it before the start.

Operations of training, 6 for each parameter and token: Kaplan et al. 2020, "Scaling Laws for Neural Language Models",
section 2.1. AdamW keeps two more numbers beside every weight and its gradient: Loshchilov & Hutter 2019.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from lab.limits import Limits
from models.scratch.classification import Pooling
from models.values.errors import LabError
from models.values.wording import to_say, worded

TaskName = Literal["masked", "next", "labels", "words", "translate", "copy", "reverse"]
TASKS: tuple[TaskName, ...] = get_args(TaskName)
PAIR_TASKS = frozenset[str]({"translate", "copy", "reverse"})
"""Tasks that need an encoder and a decoder: a source is read, a target is written."""
GENERATED = frozenset[str]({"copy", "reverse"})
"""Tasks that generate their own sequences and take no text."""
Body = Literal["", "headlight-ko"]
BODIES: tuple[Body, ...] = get_args(Body)
"""The embedded models whose encoder and tokenizer a training can start from; an empty name is none."""
POOLINGS: tuple[Pooling, ...] = get_args(Pooling)
"""The ways to pool the states from which the label of a text is predicted."""

RANGES: dict[str, tuple[float, float]] = {
    "n_layers": (1, 24),
    "n_heads": (1, 32),
    "d_model": (8, 2048),
    "d_ff": (8, 8192),
    "n_tokens": (8, 512),
    "d_vocab": (32, 50_000),
    "iterations": (10, 1_000_000),
    "rows": (2, 1024),
    "learning_rate": (1e-6, 0.1),
    "seed": (0, 9999),
    "snapshots": (2, 40),
}
"""The least and the most of every number."""
NAMES = {
    "n_layers": to_say("layers"),
    "n_heads": to_say("heads"),
    "d_model": to_say("width (d_model)"),
    "d_ff": to_say("width of the feed-forward part (d_ff)"),
    "n_tokens": to_say("longest text in tokens"),
    "d_vocab": to_say("vocabulary"),
    "iterations": to_say("iterations"),
    "rows": to_say("rows in a batch"),
    "learning_rate": to_say("learning rate"),
    "seed": to_say("seed"),
    "snapshots": to_say("snapshots"),
}
"""The names of the numbers on the page."""
WARM_UP, MOST_WARM_UP = 0.1, 100
"""The share of the iterations in which the learning rate rises, and the most iterations that takes."""
MOST_TOKENS_AN_ITERATION = 2**17
LONGEST_NAME = 30
_IN_FILE = {"iterations": "steps"}
"""The names of numbers in recipe.json that differ from those in code."""
BYTES_A_WEIGHT, BYTES_A_PARAMETER = 4, 16
"""A weight in float32; with its gradient and AdamW's two running means, where it learns."""
FORWARD, OPERATIONS = 2, 6
"""Per parameter and token: 2 forward, and 4 more backward, where it learns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One training. `n_tokens` is the longest row (of source and of target, where there are both), `d_vocab` the most
    entries of the vocabulary, `rows` the rows of a batch. Raises LabError, naming the number, for what cannot be."""

    task: TaskName
    name: str = "my model"
    n_layers: int = 2
    n_heads: int = 4
    d_model: int = 64
    d_ff: int = 256
    n_tokens: int = 32
    d_vocab: int = 2000
    iterations: int = 300
    rows: int = 32
    learning_rate: float = 1e-3
    seed: int = 0
    snapshots: int = 12
    pooling: Pooling = "cls"
    """The pooling from which the label of a text is predicted; ignored for other tasks."""
    body: Body = ""
    """The embedded model that a classifier of texts starts from, and whose sizes it has; empty for none."""

    def __post_init__(self) -> None:
        self._expect_choices()
        self._expect_numbers()
        self._expect_shape()
        if self.tokens_per_iteration > MOST_TOKENS_AN_ITERATION:
            raise LabError(
                worded(
                    "{rows} rows of {tokens} tokens make {made} tokens in one iteration, expected at most {most}. "
                    "Choose fewer rows, or shorter ones.",
                    rows=self.rows,
                    tokens=self.n_tokens,
                    made=f"{self.tokens_per_iteration:,}",
                    most=f"{MOST_TOKENS_AN_ITERATION:,}",
                )
            )
        object.__setattr__(self, "name", clean_name(self.name))

    def _expect_choices(self) -> None:
        for name, choices in (("task", TASKS), ("pooling", POOLINGS), ("body", BODIES)):
            if (given := getattr(self, name)) not in choices:
                known = ", ".join(choices)
                says = worded(
                    "The {name} is {given}, expected one of {choices}.", name=name, given=repr(given), choices=known
                )
                raise LabError(says)
        if self.body and self.task != "labels":
            raise LabError(worded("Only a classifier of texts can start from {model}.", model=self.body))

    def _expect_numbers(self) -> None:
        for name, (least, most) in RANGES.items():
            number = getattr(self, name)
            whole = name == "learning_rate" or number == int(number)
            if not (math.isfinite(number) and least <= number <= most and whole):
                told = {"what": NAMES[name], "given": f"{number:g}", "least": f"{least:,g}", "most": f"{most:,g}"}
                raise LabError(
                    worded("The {what} is {given}, expected a number from {least} to {most}.", **told)
                    if name == "learning_rate"
                    else worded("The {what} is {given}, expected a whole number from {least} to {most}.", **told)
                )

    def _expect_shape(self) -> None:
        if self.d_model % self.n_heads:
            raise LabError(
                worded(
                    "A width of {width} cannot be shared by {heads} heads. Choose a multiple of {heads}, such as "
                    "{multiple}.",
                    width=self.d_model,
                    heads=self.n_heads,
                    multiple=self.n_heads * max(self.d_model // self.n_heads, 1),
                )
            )
        if self.d_model % 2:
            raise LabError(
                worded(
                    "The width is {width}, expected an even number, because positions come in pairs of a sine and a "
                    "cosine.",
                    width=self.d_model,
                )
            )

    @property
    def tokens_per_iteration(self) -> int:
        """The most tokens that the model reads in one iteration, padding among them."""
        return self.rows * self.n_tokens * (2 if self.task in PAIR_TASKS else 1)

    @property
    def warmup_iterations(self) -> int:
        """In how many iterations the learning rate rises."""
        return max(1, min(MOST_WARM_UP, round(WARM_UP * self.iterations)))

    def to_json(self) -> str:
        """Return the recipe as text, for `read_recipe`."""
        return json.dumps({_IN_FILE.get(name, name): value for name, value in asdict(self).items()}, indent=2) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of a recipe: `parameters`, and those that are `learning`, exact; `tokens` at most; `memory` of weights,
    gradients and optimizer in bytes, without the hidden states of an iteration; `seconds` as estimated on this machine,
    start included."""

    parameters: int
    learning: int
    tokens_per_iteration: int
    tokens: int
    operations: float
    memory: int
    seconds: float


def cost_of(
    recipe: Recipe,
    *,
    parameters: int,
    seconds_per_iteration: float,
    seconds_to_start: float = 0.0,
    learning: int | None = None,
) -> Cost:
    """Return the arithmetic of a recipe whose model has so many parameters, of which `learning` change, or all."""
    tokens, learning = recipe.tokens_per_iteration * recipe.iterations, parameters if learning is None else learning
    return Cost(
        parameters=parameters,
        learning=learning,
        tokens_per_iteration=recipe.tokens_per_iteration,
        tokens=tokens,
        operations=float((FORWARD * parameters + (OPERATIONS - FORWARD) * learning) * tokens),
        memory=BYTES_A_WEIGHT * parameters + (BYTES_A_PARAMETER - BYTES_A_WEIGHT) * learning,
        seconds=seconds_to_start + seconds_per_iteration * recipe.iterations,
    )


def check_allowed_here(parameters: int, limits: Limits) -> None:
    """Raise LabError if this server trains nothing, or nothing that large."""
    if not limits.is_on:
        raise LabError(
            to_say("The training lab is switched off on this server. Run Headlight on your own machine to train.")
        )
    if parameters > limits.parameters:
        raise LabError(
            worded(
                "This model has {parameters} parameters, and this server trains at most {most}. Choose fewer layers, a "
                "smaller width or a smaller vocabulary, or run Headlight on your own machine.",
                parameters=f"{parameters:,}",
                most=f"{limits.parameters:,}",
            )
        )


def read_recipe(text: str) -> Recipe:
    """Return a recipe from what `to_json` wrote. Raises LabError for anything else."""
    try:
        given = json.loads(text)
        known = {_IN_FILE.get(field.name, field.name): field.name for field in fields(Recipe)}
        if not isinstance(given, Mapping) or not set(given) <= set(known):
            raise LabError(to_say("A recipe has an unknown field."))
        return Recipe(**{known[name]: convert_value(known[name], value) for name, value in given.items()})
    except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise LabError(worded("A recipe cannot be read: {why}", why=str(error))) from error


def convert_value(name: str, value: Any) -> Any:
    """Return a field of a recipe in its type."""
    if name in {"task", "name", "pooling", "body"}:
        return str(value)
    return float(value) if name == "learning_rate" else int(value)


def clean_name(name: str) -> str:
    """Return a name of lower-case letters, digits and single dashes, at most 30 long: it becomes part of paths and
    addresses.

    What is left of a name in another script may be nothing; then it is "model".
    """
    cleaned = re.sub(r"[^a-z0-9]+", "-", name.lower())[: LONGEST_NAME + 10].strip("-")
    return cleaned[:LONGEST_NAME].strip("-") or "model"
