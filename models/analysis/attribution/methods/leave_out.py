"""Leaving a word out: what the answer loses when no other token may see it, in any layer; all else stays in place."""

from __future__ import annotations

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.values.probing.changes import NO_CHANGES
from models.values.record import Array
from models.values.wording import to_say


def leave_out(evidence: Evidence) -> Array:
    """m - m without the word, in equal parts for each of its tokens [n_tokens]; special tokens stay, and have 0."""
    differences = evidence.under([NO_CHANGES, *(evidence.without(word) for word in evidence.words)]).differences
    scores = np.zeros(len(evidence.tokens), np.float32)
    for word, without in zip(evidence.words, differences[1:], strict=True):
        scores[list(word)] = (differences[0] - without) / len(word)
    return scores


ANALYSIS = AttributionMethod(
    name="leave_out",
    title=to_say("leaving a word out"),
    paper=to_say('Li et al. 2016, "Understanding Neural Networks through Representation Erasure", section 3'),
    formula=to_say("m - m without the word"),
    cost=to_say("a forward pass a word, in batches"),
    order=100,
    is_signed=True,
    compute=leave_out,
)
