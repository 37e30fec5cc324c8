"""The attention of the last layer, as it is: the mean over its heads, from where the answer is read.

It says where the last layer looks, and nothing of what the layers before had mixed: of an encoder-decoder half is
from the last cross attention, half from the last attention of the decoder to itself.
"""

from __future__ import annotations

import numpy as np

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.values.record import Array
from models.values.wording import to_say


def raw_attention(evidence: Evidence) -> Array:
    """The row of the mean attention of the last layer [n_tokens]."""
    scores = np.zeros(len(evidence.tokens), np.float32)
    n_source = evidence.n_source
    readers = evidence.readers[n_source:]  # [n_query]
    for kind in ("decoder", "cross") if n_source else evidence.recording.kinds:
        record = evidence.records[kind]
        seen = readers @ record.mean_weights(record.n_layers - 1)  # [n_key]
        tokens = slice(0, n_source) if kind == "cross" else slice(n_source, None)
        scores[tokens] += seen / (2 if n_source else 1)
    return scores


ANALYSIS = AttributionMethod(
    name="raw",
    title=to_say("raw attention"),
    paper=to_say(
        'Bahdanau et al. 2015; against it as an explanation: Jain and Wallace 2019, "Attention is not Explanation"'
    ),
    formula=to_say("mean over the heads of A_n"),
    cost=to_say("one forward pass"),
    order=10,
    compute=raw_attention,
)
