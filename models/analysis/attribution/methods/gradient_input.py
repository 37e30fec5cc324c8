"""Gradient × input: what the answer would lose, to first order, if what layer 0 reads at a token shrank to nothing.

That is the sum of the embeddings of word, position and segment, after the norm that follows it in BERT. inseq and
ferret take the embedding of the word alone, and so come to other scores.
"""

from __future__ import annotations

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.values.probing.changes import NO_CHANGES
from models.values.record import Array
from models.values.wording import to_say


def gradient_input(evidence: Evidence) -> Array:
    """Return the input of layer 0 at every token, positions included, times its gradient [n_tokens]."""
    (gradients,) = evidence.gradients_under([NO_CHANGES])
    return np.concatenate([(stack.embeddings * stack.gradient).sum(axis=1) for stack in gradients.embeddings])


ANALYSIS = AttributionMethod(
    name="gradient_input",
    title=to_say("gradient × input"),
    paper=to_say('Shrikumar et al. 2016, "Not Just a Black Box", equation 1; Simonyan et al. 2014'),
    formula=to_say(
        "x · dm/dx, with x what layer 0 reads at a token: word, position and segment together, after their norm"
    ),
    cost=to_say("one forward and one backward pass"),
    order=80,
    is_signed=True,
    compute=gradient_input,
)
