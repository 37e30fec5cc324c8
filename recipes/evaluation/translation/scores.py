"""BLEU and chrF of translations beside one reference or several: the numbers of sacrebleu (Post 2018, "A Call for
Clarity in Reporting BLEU Scores"), to which a test holds them.

BLEU: Papineni et al. 2002, section 2, words parted as mteval-v13a does, a precision of 0 smoothed by method 3 of Chen &
Cherry 2014. chrF: Popović 2015, section 2, with 6 characters and beta 2.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WORDS, CHARACTERS, BETA = 4, 6, 2
"""The longest n-grams, and how much more recall counts than precision."""
_SIGNS = re.escape("".join(set(string.punctuation) - set(".,-'")))
_APART = re.compile(rf"[{_SIGNS}]|(?<![0-9])[.,]|[.,](?![0-9])|(?<=[0-9])-")
"""Signs that are words of their own; full stops and commas inside numbers are none."""
Counts = NDArray[np.int64]


def bleu(written: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """BLEU of a whole set, 0 to 100; `references` has all those of each text."""
    found = np.sum([_word_counts(*pair) for pair in zip(written, references, strict=True)], axis=0)  # [2 + 2 * WORDS]
    length, wanted, right, total = found[0], found[1], found[2 : 2 + WORDS], found[2 + WORDS :]
    if not right.any() or not total.all():
        return 0.0
    smoothed = np.cumsum(right == 0)  # [WORDS], 1 for the first precision that is 0, 2 for the second
    precisions = np.where(right > 0, right, 0.5**smoothed) / total  # [WORDS]
    brevity = min(0.0, 1 - wanted / length)
    return 100 * math.exp(brevity + float(np.log(precisions).mean()))


def chrf(written: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """chrF of a whole set, 0 to 100; of several references the one that is most like the text counts."""
    best = [
        max((_character_counts(text, one) for one in all_of), key=_f_score)
        for text, all_of in zip(written, references, strict=True)
    ]
    return _f_score(np.sum(best, axis=0))


def _word_counts(text: str, references: Sequence[str]) -> Counts:
    """Words of the text and of the reference nearest in length; n-grams found in a reference, and all, by length."""
    words, others = _words(text), [_words(one) for one in references]
    wanted = min(map(len, others), key=lambda length: (abs(length - len(words)), length))
    numbers = [len(words), wanted]
    for n in range(1, WORDS + 1):
        allowed: Counter[Sequence[str]] = Counter()
        for other in others:
            allowed |= _grams(other, n)
        numbers.append((_grams(words, n) & allowed).total())
    numbers += [max(0, len(words) - n + 1) for n in range(1, WORDS + 1)]
    return np.array(numbers)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_APART.sub(r" \g<0> ", text).split())


def _grams(items: Sequence[str], n: int) -> Counter[Sequence[str]]:
    return Counter(items[at : at + n] for at in range(len(items) - n + 1))


def _character_counts(text: str, reference: str) -> Counts:
    """By length: n-grams of the text, of the reference, and of both, white space left out [CHARACTERS, 3]."""
    one, other = ("".join(each.split()) for each in (text, reference))
    rows = []
    for n in range(1, CHARACTERS + 1):
        mine, theirs = _grams(one, n), _grams(other, n)
        rows.append([mine.total() if theirs else 0, theirs.total(), (mine & theirs).total()])
    return np.array(rows)


def _f_score(counts: Counts) -> float:
    """The F score, 0 to 100, of mean precision and mean recall over the lengths that both sides have."""
    there = counts[(counts[:, 0] > 0) & (counts[:, 1] > 0)]  # [n_lengths, 3]
    if not len(there) or not there[:, 2].any():
        return 0.0
    precision, recall = (float((there[:, 2] / there[:, side]).mean()) for side in (0, 1))
    return 100 * (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)
