"""How many heads a small task needs: they are taken away one after the other, those that matter least first.

Michel et al. 2019, section 4: heads in the order of |Att · dm/dAtt|, the mean over the examples, each layer divided by
the length of its vector (Molchanov et al. 2017); and what remains of the accuracy. An example is right if the model
prefers the right answer to its rival.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.effects.importance import head_importance
from models.model import Model, TellProgress
from models.values.arguments.bounds import Count
from models.values.arguments.check import check_arguments, check_fields
from models.values.errors import ArgumentError
from models.values.probing.changes import Changes, HeadEdit, HeadPlace
from models.values.probing.contrast import Contrast
from models.values.results.effects import HeadImportance, PruningCurve
from models.values.wording import to_say, worded

N_POINTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A text with its right answer and a rival."""

    text: str
    contrast: Contrast
    text_b: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@check_arguments
def pruning_curve(
    model: Model,
    examples: Sequence[Example],
    order: Sequence[HeadPlace] | None = None,
    *,
    n_points: Count = N_POINTS,
    progress: TellProgress | None = None,
) -> PruningCurve:
    """The curve over some examples; without an `order` the least important heads go first. `progress` is told how many
    examples are done. Raises ArgumentError without an example."""
    if not examples:
        raise ArgumentError(worded("no example was given, expected at least one."))
    order = tuple(least_important_first(model, examples) if order is None else order)
    steps = np.linspace(0, len(order), min(n_points, len(order)) + 1)
    counts = tuple(dict.fromkeys(round(float(step)) for step in steps))
    edits = [HeadEdit(kind=kind, layer=layer, head=head, by="zero") for kind, layer, head in order]
    changes = [Changes(heads=tuple(edits[:count])) for count in counts]
    differences_of_examples = []
    for done, example in enumerate(examples, start=1):
        under = model.answers_under(example.text, example.text_b, contrast=example.contrast, changes=changes)
        differences_of_examples.append(under.differences)
        if progress is not None:
            progress(done, len(examples))
    differences = np.stack(differences_of_examples)  # [n_examples, n_points]
    return PruningCurve(
        by="zero",
        order=order,
        n_removed=counts,
        n_examples=len(examples),
        accuracy=(differences > 0).mean(axis=0).astype(np.float32),
        differences=differences.mean(axis=0),
    )


def least_important_first(model: Model, examples: Sequence[Example]) -> list[HeadPlace]:
    """All heads by their mean importance over the examples."""
    importances = [
        head_importance(model, example.text, text_b=example.text_b, contrast=example.contrast) for example in examples
    ]
    return order_heads(importances)


def order_heads(importances: Sequence[HeadImportance]) -> list[HeadPlace]:
    """All heads by their mean importance, each layer divided by the length of its vector."""
    placed: list[tuple[float, HeadPlace]] = []
    for maps in zip(*(importance.importance for importance in importances), strict=True):
        mean = np.mean([heads.values for heads in maps], axis=0)  # [n_layers, n_heads]
        length = np.linalg.norm(mean, axis=1, keepdims=True)
        scaled = mean / np.where(length > 0, length, 1)
        placed += (
            (float(scaled[layer, head]), (maps[0].kind, int(layer), int(head)))
            for layer, head in np.ndindex(*scaled.shape)
        )
    return [place for _, place in sorted(placed, key=lambda scored: scored[0])]


ANALYSIS = Analysis(
    name="pruning",
    title="how many heads a small task needs",
    paper=to_say('Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 4'),
    needs="a model",
    formula=to_say(
        "accuracy without the k heads of the least |sum(Att · dm/dAtt)|, each layer divided by the length of its vector"
    ),
    returns="PruningCurve, accuracy [n_points]",
    cost=to_say("for every example two passes and a backward one, and a pass for every point"),
    compute=pruning_curve,
)
