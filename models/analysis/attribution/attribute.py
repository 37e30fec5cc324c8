"""Which tokens mattered for an answer, by a method of the registry, or by all of them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod, Estimate
from models.analysis.contrasts import contrast_of
from models.analysis.registry import analyses
from models.model import Model
from models.values.arguments.bounds import AtLeastOne
from models.values.arguments.check import check_arguments
from models.values.arguments.words import did_you_mean
from models.values.errors import SelectionError
from models.values.probing.contrast import Contrast
from models.values.results.attribution import Attribution
from models.values.wording import join_sentences, worded


def attribution_methods() -> tuple[AttributionMethod, ...]:
    """All methods, in the order in which lists show them."""
    methods = (analysis for analysis in analyses() if isinstance(analysis, AttributionMethod))
    return tuple(sorted(methods, key=lambda method: method.order))


def find_methods(names: Sequence[str] | None) -> tuple[AttributionMethod, ...]:
    """The methods of these names, all for None. Raises SelectionError for one that is not there."""
    known = {method.name: method for method in attribution_methods()}
    for name in names or ():
        if name not in known:
            raise SelectionError(
                join_sentences(
                    worded(
                        "the method {name} is unknown, expected one of {names}.",
                        name=repr(name),
                        names=", ".join(known),
                    ),
                    did_you_mean(name, tuple(known)),
                )
            )
    return tuple(known.values()) if names is None else tuple(known[name] for name in names)


@check_arguments
def attribute(
    model: Model, text: str, method: str = "alti", *, text_b: str | None = None, contrast: Contrast | None = None
) -> Attribution:
    """Return the scores of one method. Without a contrast the model's best answer is held against its second. Raises
    SelectionError for a method that is not there."""
    (attribution,) = attribute_by(model, text, [method], text_b=text_b, contrast=contrast)
    return attribution


@check_arguments
def attribute_by(
    model: Model,
    text: str,
    methods: Annotated[Sequence[str], AtLeastOne()] | None = None,
    *,
    text_b: str | None = None,
    contrast: Contrast | None = None,
) -> tuple[Attribution, ...]:
    """Return the scores of several methods for one answer, by default of all; what they share is asked only once."""
    chosen = find_methods(methods)
    evidence = Evidence(model, text, text_b, contrast or contrast_of(model, text, text_b))
    return tuple(run_method(evidence, method) for method in chosen)


def run_method(evidence: Evidence, method: AttributionMethod) -> Attribution:
    """Return the scores of a method for the evidence."""
    computed = method.compute(evidence)
    scores, off_by = computed if isinstance(computed, Estimate) else (computed, 0.0)
    return Attribution(
        method=method.name,
        title=method.title,
        contrast=evidence.contrast,
        tokens=evidence.tokens,
        places=evidence.places,
        scores=np.asarray(scores, dtype=np.float32),
        off_by=off_by,
        is_signed=method.is_signed,
        sums_to=float("nan") if method.sums_to is None else method.sums_to(evidence),
    )
