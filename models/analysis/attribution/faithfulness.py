"""How far methods can be believed: what happens to the answer without the words that each of them names.

Comprehensiveness p - p(without the first k words) and sufficiency p - p(with nothing but them), on average over the
fractions of words k: DeYoung et al. 2020, "ERASER", section 4.2. p is the probability of the answer. A word is left out
as in `attribution.methods.leave_out`; special tokens stay. Words in random order say what chance would do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.attribution.attribute import find_methods, run_method
from models.analysis.attribution.evidence import Evidence, WordSet
from models.analysis.contrasts import contrast_of
from models.analysis.ranks import rank_agreement
from models.model import Model, TellProgress
from models.values.arguments.bounds import AtLeastOne, Index, Seed, Share
from models.values.arguments.check import check_arguments
from models.values.errors import TextError
from models.values.probing.contrast import Contrast
from models.values.results.attribution import Attribution, Faithfulness, FaithfulnessCurve, count_words
from models.values.wording import to_say

FRACTIONS = (0.01, 0.05, 0.1, 0.2, 0.5)
"""The parts of the words that are left out, as in ERASER; at least one word."""
STEPS = tuple(tenth / 10 for tenth in range(1, 11))
"""For curves from all words to none."""
N_RANDOM = 40
WordOrder = Sequence[int]
"""The words, those first that mattered most."""


@check_arguments
def faithfulness(
    model: Model,
    text: str,
    methods: Annotated[Sequence[str], AtLeastOne()] | None = None,
    *,
    text_b: str | None = None,
    contrast: Contrast | None = None,
    fractions: Annotated[Sequence[Share], AtLeastOne()] = FRACTIONS,
    n_random: Index = N_RANDOM,
    seed: Seed = 0,
) -> Faithfulness:
    """The curves of some methods, or of all, beside random orders. Without a contrast the model's best answer is held
    against its second. Raises TextError for a text without words, SelectionError for a method that is not there."""
    evidence = Evidence(model, text, text_b, contrast or contrast_of(model, text, text_b))
    if not evidence.words:
        raise TextError(to_say("The text has no word that could be left out. Type more than special tokens."))
    attributions = [run_method(evidence, method) for method in find_methods(methods)]
    return judge_methods(evidence, attributions, fractions=fractions, n_random=n_random, seed=seed)


def judge_methods(
    evidence: Evidence,
    attributions: Sequence[Attribution],
    *,
    fractions: Sequence[float] = FRACTIONS,
    n_random: int = N_RANDOM,
    seed: int = 0,
    progress: TellProgress | None = None,
) -> Faithfulness:
    """The same for attributions that are there already; `progress` is told (done, of), and ends the work if it raises.

    Evidence remembers what it was asked: the curves of the same methods at other fractions take little more.
    """
    scores = [attribution.of_words(evidence.words) for attribution in attributions]
    generator = np.random.default_rng(seed)
    orders = [np.argsort(-scores_of_words, kind="stable").tolist() for scores_of_words in scores]
    drawn = [generator.permutation(len(evidence.words)).tolist() for _ in range(n_random)]
    counts = count_words(fractions, len(evidence.words))
    sets = (left_out for order in (*orders, *drawn) for count in counts for left_out in _pair(order, count))
    known = evidence.probabilities([WordSet(), *sets], progress)
    agreement = [[rank_agreement(one, other) for other in scores] for one in scores]
    return Faithfulness(
        contrast=evidence.contrast,
        tokens=evidence.tokens,
        words=evidence.words,
        fractions=tuple(fractions),
        curves=tuple(
            _curve(order, counts, known, method=attribution.method, title=attribution.title)
            for order, attribution in zip(orders, attributions, strict=True)
        ),
        random=tuple(_curve(order, counts, known, method="random", title=to_say("random order")) for order in drawn),
        agreement=np.array(agreement, dtype=np.float32).reshape(len(scores), len(scores)),
    )


def _curve(
    order: WordOrder, counts: Sequence[int], known: Mapping[WordSet, float], *, method: str, title: str
) -> FaithfulnessCurve:
    """Return the scores of one order."""
    pairs = [_pair(order, count) for count in counts]
    return FaithfulnessCurve(
        method=method,
        title=title,
        whole=known[WordSet()],
        without=np.array([known[first] for first, _ in pairs], dtype=np.float32),
        with_only=np.array([known[rest] for _, rest in pairs], dtype=np.float32),
    )


def _pair(order: WordOrder, count: int) -> tuple[WordSet, WordSet]:
    """The first words of an order, and the rest."""
    return WordSet(order[:count]), WordSet(order[count:])


ANALYSIS = Analysis(
    name="faithfulness",
    title="how far each method of attribution can be believed",
    paper=to_say('DeYoung et al. 2020, "ERASER: A Benchmark to Evaluate Rationalized NLP Models", section 4.2'),
    needs="a model",
    formula=to_say("p - p(without the first k words); p - p(with nothing but them); means over k"),
    returns="Faithfulness, a curve [n_fractions] a method and a random order, agreement [n_methods, n_methods]",
    cost=to_say("two forward passes for every method, random order and fraction at most, in batches"),
    compute=faithfulness,
)
