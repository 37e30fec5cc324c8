"""Likelihoods and logit differences in words.

A logit difference m is said after what it means: e^m is how many times as likely the answer is as its rival, since both
logits pass through one softmax. Plain text with words of models in it: NOT escaped.
"""

from __future__ import annotations

import math

from models.values.probing.contrast import Contrast
from viz.kit import theme as style
from viz.kit.labels import answer_text
from viz.kit.language import tr

EQUAL = 1.05
"""Answers whose probabilities differ by a smaller factor are called equally likely."""
DIGITS = 2
"""Digits of a factor that are shown."""


def chance(log_probability: float) -> str:
    """Return a probability in percent from its natural logarithm: "97.1%"."""
    return style.percentage(math.exp(log_probability))


def answer_of(contrast: Contrast) -> str:
    """Return the text of the answer, readable."""
    return answer_text(contrast.answer_text, contrast.of)


def said_difference(contrast: Contrast) -> str:
    """Return the name of the logit difference: "the logit of “she” less that of “he”"."""
    if contrast.rival is None:
        return tr("the logit of “{answer}”", answer=answer_of(contrast))
    return tr(
        "the logit of “{answer}” less that of “{rival}”",
        answer=answer_of(contrast),
        rival=answer_text(contrast.rival_text, contrast.of),
    )


def likelier(contrast: Contrast, difference: float) -> str:
    """Return the meaning of a logit difference: "“she” is 20 times as likely as “he”". Without a rival, or where each
    choice is a question of its own, the number itself: "the logit of “she” is +3.00"."""
    if contrast.rival is None or contrast.is_each_by_itself:
        value = style.number(difference, digits=2, plus=True)
        return tr("{difference} is {value}", difference=said_difference(contrast), value=value)
    answer, rival = answer_of(contrast), answer_text(contrast.rival_text, contrast.of)
    if abs(difference) < math.log(EQUAL):
        return tr("“{answer}” and “{rival}” are equally likely", answer=answer, rival=rival)
    more, less = (answer, rival) if difference > 0 else (rival, answer)
    return tr("“{answer}” is {times} times as likely as “{rival}”", answer=more, rival=less, times=factor(difference))


def factor(difference: float) -> str:
    """Return e^|m| in DIGITS digits: "1.4", "20", "1,200"."""
    times = math.exp(min(abs(difference), 50))
    rounded = float(f"{times:.{DIGITS}g}")
    return f"{rounded:,.{DIGITS - 1}f}" if rounded < 10 else f"{rounded:,.0f}"
