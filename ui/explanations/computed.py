"""Attributions of an answer by all methods, and their faithfulness: computed once for all readers, with progress.

A method that this model or this text is too much for is left out, and why is kept beside the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.analysis import attribution_methods
from models.analysis.attribution.attribute import run_method
from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.faithfulness import STEPS, judge_methods
from models.analysis.attribution.method import AttributionMethod
from models.opening.registry import Model
from models.values.errors import HeadlightError, TextError, UnsupportedModelError
from models.values.probing.contrast import Contrast
from models.values.results.attribution import Attribution, Faithfulness
from models.values.wording import to_say, worded_n
from ui.desk.ask import taking_turns
from ui.desk.long_answers import long_asked
from ui.desk.long_work import WorkProgress

MOST_FLOW = 64**2
"""The bound for attention flow: the number of tokens squared, times the tokens that the answer is read from."""
N_RANDOM_STEPS = 20
"""Random orders that are followed to the last word; those before a fraction of half are more."""
WEIGHTS_ALONE = to_say(
    "Words are left out by hiding them from all heads. This model gives its weights and nothing else, so nothing can "
    "be hidden, and which method to believe cannot be measured with it."
)
MIXES_OTHERWISE = to_say(
    "Words are left out by hiding them from all heads. In this model they reach other words without attention, too, so "
    "hiding them would not leave them out, and which method to believe cannot be measured with it."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explained:
    """The attributions of an answer, and the methods that have none here: (title, why). Compared by identity."""

    attributions: tuple[Attribution, ...]
    left_out: tuple[tuple[str, str], ...]
    not_judged: str
    """Why no word can be hidden from all heads, by which methods are judged; empty if they can."""

    def of(self, method: str) -> Attribution | None:
        """Return the attribution by a method; None if it is not there."""
        return next((each for each in self.attributions if each.method == method), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The faithfulness of the methods: at the `fractions` of ERASER, and in `steps` from all words to none."""

    fractions: Faithfulness
    steps: Faithfulness


@long_asked(to_say("Asking the methods"))
def explained(model: Model, progress: WorkProgress, text: str, text_b: str, contrast: Contrast) -> Explained:
    """Attribute an answer by all methods. Raises UnsupportedModelError if none applies."""
    evidence, methods = _evidence(model, text, text_b, contrast), attribution_methods()
    attributions: list[Attribution] = []
    left_out: list[tuple[str, str]] = []
    for done, method in enumerate(methods):
        progress.tell(done, len(methods))
        try:
            _check(method, evidence)
            attributions.append(run_method(evidence, method))
        except HeadlightError as error:
            left_out.append((method.title, str(error)))
    if not attributions:
        raise UnsupportedModelError(model.info.name, left_out[0][1])
    info = evidence.recording.info
    not_judged = MIXES_OTHERWISE if info.mixes_otherwise else "" if info.has_vectors else WEIGHTS_ALONE
    return Explained(attributions=tuple(attributions), left_out=tuple(left_out), not_judged=not_judged)


@long_asked(to_say("Leaving words out"))
def judgement(
    model: Model, progress: WorkProgress, text: str, text_b: str, contrast: Contrast, *, found: Explained
) -> Judgement:
    """Measure the faithfulness of the methods. Both parts use the same random orders and share their forward passes."""
    evidence = _evidence(model, text, text_b, contrast)
    fractions = judge_methods(evidence, found.attributions, progress=lambda done, of: progress.tell(done, 2 * of))
    steps = judge_methods(
        evidence,
        found.attributions,
        fractions=STEPS,
        n_random=N_RANDOM_STEPS,
        progress=lambda done, of: progress.tell(of + done, 2 * of),
    )
    return Judgement(fractions=fractions, steps=steps)


def _evidence(model: Model, text: str, text_b: str, contrast: Contrast) -> Evidence:
    return Evidence(taking_turns(model), text, text_b or None, contrast)


def _check(method: AttributionMethod, evidence: Evidence) -> None:
    """Raise for what takes minutes."""
    n_tokens, n_readers = len(evidence.tokens), int(np.count_nonzero(evidence.readers))
    if method.name == "flow" and n_readers * n_tokens**2 > MOST_FLOW:
        raise TextError(
            worded_n(
                "a maximum flow through {tokens} tokens, from one token, would take minutes.",
                "a maximum flow through {tokens} tokens, from {n} tokens, would take minutes.",
                n_readers,
                tokens=n_tokens,
            )
        )
