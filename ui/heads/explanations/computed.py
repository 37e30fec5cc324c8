"""Attributions of an answer by all methods, and their faithfulness: computed once for all readers, with progress.

A method that does not apply to this model or this text is left out, with the reason.
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
from models.values.probing.contrast import AnswerLogits, Contrast
from models.values.results.attribution import Attribution, Faithfulness
from models.values.wording import to_say, worded_n
from ui.desk.ask import taking_turns
from ui.desk.long_answers import long_question
from ui.desk.long_work import WorkProgress

MOST_FLOW = 64**2
"""The bound for attention flow: tokens squared, times the tokens from which the answer is read."""
N_RANDOM_STEPS = 20
"""The number of random orders that are followed to the last word; the fractions up to a half use more."""
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
    """The attributions of an answer, and the methods that do not apply, as (title, reason). Compared by identity."""

    attributions: tuple[Attribution, ...]
    left_out: tuple[tuple[str, str], ...]
    not_judged: str
    """Why words cannot be hidden from all heads, by which methods are judged; empty if they can."""

    def of(self, method: str) -> Attribution | None:
        """Return the attribution by a method; None if it was left out."""
        return next((attribution for attribution in self.attributions if attribution.method == method), None)


@long_question(to_say("Asking the methods"))
def attribute_answer(model: Model, progress: WorkProgress, text: str, text_b: str, contrast: Contrast) -> Explained:
    """Attribute an answer to the words of a text by all methods. Raises UnsupportedModelError if none applies."""
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


@long_question(to_say("Leaving words out"))
def judge_attributions(
    model: Model, progress: WorkProgress, text: str, text_b: str, contrast: Contrast, *, explained: Explained
) -> Faithfulness:
    """Measure the faithfulness of the methods at the fractions of ERASER."""
    evidence = _evidence(model, text, text_b, contrast)
    return judge_methods(evidence, explained.attributions, progress=progress.tell)


@long_question(to_say("Leaving words out one by one"))
def judge_in_steps(
    model: Model, progress: WorkProgress, text: str, text_b: str, contrast: Contrast, *, explained: Explained
) -> Faithfulness:
    """Measure the faithfulness of the methods in steps from all words to none."""
    evidence = _evidence(model, text, text_b, contrast)
    return judge_methods(
        evidence, explained.attributions, fractions=STEPS, n_random=N_RANDOM_STEPS, progress=progress.tell
    )


@long_question(to_say("Leaving a word out"))
def answer_without(
    model: Model, _progress: WorkProgress, text: str, text_b: str, contrast: Contrast, *, word: tuple[int, ...]
) -> AnswerLogits:
    """Answer the question of a contrast with one word hidden from all other tokens, given by the numbers of its
    tokens."""
    changes = _evidence(model, text, text_b, contrast).without(word)
    return model.answer_logits(text, text_b or None, of=contrast.of, position=contrast.position, changes=changes)


def _evidence(model: Model, text: str, text_b: str, contrast: Contrast) -> Evidence:
    return Evidence(taking_turns(model), text, text_b or None, contrast)


def _check(method: AttributionMethod, evidence: Evidence) -> None:
    """Raise TextError for a method that would take minutes."""
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
