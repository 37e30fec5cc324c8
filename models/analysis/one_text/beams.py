"""How close a beam search ends: how evenly the texts that it kept share their probability.

The texts of the last position have P(text) = exp(log-probability); texts that read alike count as one. Of these shares
the entropy is taken (Shannon 1948, section 6): 0 bits where one text has everything, log2 n where n are equally likely.
The length penalty ranks texts and is no probability, so it is left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import Analysis
from models.values.wording import to_say
from models.values.writing import Branch, Writing


def end_shares(kept: tuple[Branch, ...]) -> NDArray[np.float64]:
    """How the different texts that a search kept share their probability [n_texts], in the order of the search; sums
    to 1, and is empty for no text."""
    by_text: dict[str, float] = {}
    for branch in kept:
        text = branch.text.strip()
        by_text[text] = float(np.logaddexp(by_text.get(text, -np.inf), branch.log_probability))
    logs = np.array(list(by_text.values()))
    shares: NDArray[np.float64] = np.exp(logs - np.logaddexp.reduce(logs)) if len(logs) else logs
    return shares


def closeness(writing: Writing) -> float:
    """The entropy of the shares of the texts at the end of a search, in bits; 0 without one."""
    shares = end_shares(writing.branches[-1] if writing.branches else ())
    seen = shares[shares > 0]
    return max(0.0, float(-(seen * np.log2(seen)).sum()))


ANALYSIS = Analysis(
    name="closeness",
    title="how evenly the texts at the end of a beam search share their probability",
    paper=to_say("Shannon 1948, section 6; Wu et al. 2016, section 7, for the search"),
    needs="texts",
    returns="a number of bits, 0 to log2 of the beams",
    cost=to_say("the texts that the search kept, once"),
    compute=closeness,
)
