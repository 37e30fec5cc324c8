"""How far methods of attribution can be believed over many texts: sums that merge, as ERASER averages over a data set
(DeYoung et al. 2020, section 4.2). One text: `models.analysis.attribution.faithfulness`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import Analysis
from models.analysis.attribution.attribute import find_methods
from models.analysis.attribution.faithfulness import N_RANDOM, faithfulness
from models.analysis.over_texts.corpus import CorpusText, text_of
from models.model import Model
from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments
from models.values.errors import RecordError, TextError
from models.values.results.attribution import Faithfulness, FaithfulnessCurve
from models.values.wording import to_say

RANDOM = "random"
"""The row of the words in random order, beside the methods."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FaithfulnessSums:
    """The sums of some texts: comprehensiveness and sufficiency of each method, summed over `n_texts`, `totals`
    [n_methods + 1, 2]; the last row is that of random orders."""

    methods: tuple[str, ...] = ()
    n_texts: int = 0
    totals: NDArray[np.float64] | None = None

    def __add__(self, other: FaithfulnessSums) -> FaithfulnessSums:
        """Both together. Raises RecordError if they are of different methods."""
        if self.totals is None or other.totals is None:
            return other if self.totals is None else self
        if self.methods != other.methods:
            raise RecordError("the sums are of different methods, expected the same.")
        return FaithfulnessSums(
            methods=self.methods, n_texts=self.n_texts + other.n_texts, totals=self.totals + other.totals
        )

    def means(self) -> dict[str, tuple[float, float]]:
        """(comprehensiveness, sufficiency) of every method, and of random orders. Raises TextError without a text."""
        if self.totals is None:
            raise TextError(to_say("No text of the corpus has anything to read. Give one sentence a line."))
        rows = (self.totals / self.n_texts).tolist()
        return {name: (row[0], row[1]) for name, row in zip((*self.methods, RANDOM), rows, strict=True)}


@check_arguments
def faithfulness_sums(
    model: Model, texts: Iterable[CorpusText], methods: Sequence[str] | None = None, *, n_random: Index = N_RANDOM
) -> FaithfulnessSums:
    """Return the sums of some texts, each about the model's best answer against its second. A text with nothing that
    could be left out is passed over. Raises SelectionError for a method that is not there."""
    find_methods(methods)
    sums = FaithfulnessSums()
    for reading in texts:
        try:
            judgement = faithfulness(model, text_of(reading), methods, n_random=n_random)
        except TextError:
            continue
        sums += _of_one(judgement)
    return sums


def _of_one(judgement: Faithfulness) -> FaithfulnessSums:
    by_method = [_both([curve]) for curve in judgement.curves]
    return FaithfulnessSums(
        methods=tuple(curve.method for curve in judgement.curves),
        n_texts=1,
        totals=np.array([*by_method, _both(judgement.random)]),
    )


def _both(curves: Sequence[FaithfulnessCurve]) -> tuple[float, float]:
    """Comprehensiveness and sufficiency, the means over some curves."""
    return (
        float(np.mean([curve.comprehensiveness for curve in curves])),
        float(np.mean([curve.sufficiency for curve in curves])),
    )


ANALYSIS = Analysis(
    name="faithfulness_over_texts",
    title="how far each method of attribution can be believed, over many texts",
    paper=to_say('DeYoung et al. 2020, "ERASER: A Benchmark to Evaluate Rationalized NLP Models", section 4.2'),
    needs="a model",
    formula=to_say("the means over texts of p - p(without the first k words) and p - p(with nothing but them)"),
    returns="FaithfulnessSums, totals [n_methods + 1, 2]",
    cost=to_say("for every text what faithfulness takes; memory of one text"),
    compute=faithfulness_sums,
)
