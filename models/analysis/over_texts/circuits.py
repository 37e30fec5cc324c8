"""Circuits of heads from their weights alone: copying, and matching equal tokens.

OV: E W_V W_O U_cᵀ says how much more likely each token becomes where another is attended to; its positive eigenvalues
are tokens that make themselves more likely. QK: E W_Q W_Kᵀ E_cᵀ says how much each token attends to another; positive
eigenvalues are tokens that attend to themselves. U_c and E_c are the unembedding U and the embeddings E less their
means over the vocabulary: what all tokens share moves no softmax. The paper does not centre them, and its scores are
others. The score is the sum of the eigenvalues over the sum of their sizes, from -1 to 1: Elhage et al. 2021, "A
Mathematical Framework for Transformer Circuits", "Detecting copying behavior". Norms, positions and the transform of an
MLM head are left out, as there.
"""

from __future__ import annotations

import numpy as np

from models.analysis.analysis import Analysis
from models.values.history import Measure
from models.values.probing.circuits import HeadCircuits
from models.values.record import Array
from models.values.results.atlas import AtlasMeasure
from models.values.wording import to_say

COPYING = Measure(name="copying", title=to_say("copies what it attends to (OV)"))
MATCHING = Measure(name="matching", title=to_say("attends to the same token (QK)"))


def circuit_measures(circuits: HeadCircuits) -> tuple[AtlasMeasure, ...]:
    """The copying and, where queries and keys are known, the matching scores of all heads."""
    scores = [(COPYING, _scores(circuits.output, circuits.copies, circuits.value))]
    if circuits.query is not None and circuits.key is not None:
        scores.append((MATCHING, _scores(circuits.key.swapaxes(2, 3), circuits.matches, circuits.query)))
    return tuple(
        AtlasMeasure(
            measure=measure,
            unit=to_say("score"),
            values=values,
            baseline=0.0,
            count=values.size,
            counted_as=to_say("heads"),
        )
        for measure, values in scores
    )


def _scores(left: Array, middle: Array, right: Array) -> Array:
    """Of left @ middle @ right [n_layers, n_heads, d_head, d_head], which have the eigenvalues of the large matrices
    over the vocabulary, the sum of the eigenvalues over that of their sizes [n_layers, n_heads]."""
    small = left.astype(np.float64) @ middle @ right
    eigenvalues = np.linalg.eigvals(small)  # [n_layers, n_heads, d_head]
    sizes = np.abs(eigenvalues).sum(axis=-1)
    scores: Array = (eigenvalues.real.sum(axis=-1) / np.where(sizes > 0, sizes, 1)).astype(np.float32)
    return scores


ANALYSIS = Analysis(
    name="circuits",
    title="what heads are made for, from their weights alone",
    paper=to_say('Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits": detecting copying behavior'),
    needs="a model",
    formula=to_say(
        "sum of the eigenvalues / sum of their sizes, of E W_V W_O U_cᵀ and of E W_Q W_Kᵀ E_cᵀ; U_c and E_c are U and "
        "E less their means over the vocabulary"
    ),
    returns="AtlasMeasure, copying and matching [n_layers, n_heads]",
    cost=to_say("a forward pass to find the matrices; time d_vocab · d_model², and d_head³ for every head"),
    compute=circuit_measures,
)
