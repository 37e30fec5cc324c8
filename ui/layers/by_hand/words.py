"""The words of the page "By hand": the tasks, hints in three steps, and the verdict on the hidden words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.inspection.by_hand.goals import Goal, Mistake, Verdict
from models.inspection.by_hand.heads import LETTERS, START, letters_of
from models.values.record import Token
from ui.state.plain import plain
from viz.kit.language import to_say, tr
from viz.kit.theme import whole_percent
from viz.kit.tokens import positioned_texts

NAMES: Mapping[Goal, str] = {
    "previous": to_say("1 · The token before"),
    "same": to_say("2 · The same letter again"),
    "copy": to_say("3 · What came after"),
}
TASKS: Mapping[Goal, str] = {
    "previous": to_say("**Task:** every letter looks at the token before it, and hands on the letter there."),
    "same": to_say(
        "**Task:** a letter that stood there before looks at its earlier self, not at itself, and hands it on."
    ),
    "copy": to_say(
        "**Task:** a letter that stood there before looks at the letter that came after it then, and hands that on. "
        "It takes two layers: an induction head."
    ),
}
HINTS: Mapping[Goal, Sequence[str]] = {
    "previous": (
        to_say(
            "Letters do not matter for where it looks: their rows of W_Q and W_K stay 0. Let a key be its own place: "
            "in W_K, row cos a 1 in the first column, row sin a 1 in the second."
        ),
        to_say(
            "Let the query be the place one step back. A step is an eighth of the circle, and (cos, sin) turned back "
            "by that points to (cos + sin, sin − cos): in W_Q, row cos begins with 1 and −1, row sin with 1 and 1."
        ),
        to_say(
            "The pattern is there, but too weak for more than half: write 4 for every 1 in W_Q and W_K. W_V hands on "
            "the letter: a 1 for each letter in a column of its own, A in the first, B in the second."
        ),
    ),
    "same": (
        to_say(
            "Let W_Q and W_K write the same code for a letter. A column for each letter does it, but then no column is "
            "left for places, and a letter fits itself as well as its earlier self: half, not more than half."
        ),
        to_say(
            "Two columns are enough for four letters, as on a compass: A is 1, 0; B is 0, 1; C is −1, 0; D is 0, −1. "
            "In W_Q and in W_K."
        ),
        to_say(
            "The other two columns push a letter away from itself: the place in W_K, and the place with a minus in "
            "W_Q. Letters have to count more than places: 5 for the letters, 3 for the places. W_V hands on the letter."
        ),
    ),
    "copy": (
        to_say(
            "A letter has to find the token that stands after its earlier self. So each token must know what stood "
            "before it: let Layer 0 do task 1."
        ),
        to_say(
            "What Layer 0 hands on stands in four rows that Layer 1 reads, “output of layer 0”: the letter before. Let "
            "the key of Layer 1 be that letter, and its query the token's own letter: the same code in W_Q and W_K."
        ),
        to_say(
            "Four columns for four letters, with 6 for every 1: in W_Q in the rows of the letter, in W_K in the rows "
            "of Layer 0's output. W_V of Layer 1 hands on the token's own letter."
        ),
    ),
}


def say_verdict(verdict: Verdict) -> str:
    """Return in Markdown how many hidden words are right, and what went wrong in the first of the others."""
    right = tr("**{right} of {all} hidden words right.**", right=verdict.n_right, all=verdict.n_words)
    return right if not verdict.mistakes else f"{right} {plain(_say_mistake(verdict.mistakes[0]))}"


def _say_mistake(mistake: Mistake) -> str:
    word = " ".join(mistake.word)
    tokens = (Token(text=START, is_special=True), *(Token(text=LETTERS[n]) for n in letters_of(mistake.word)))
    named = positioned_texts(tokens, range(len(tokens)))
    query, expected = named[mistake.query], ", ".join(named[key] for key in mistake.expected)
    if mistake.is_output:
        return tr(
            "In “{word}”, “{query}” looks where it should, but the largest number that it hands on is not that of the "
            "letter there.",
            word=word,
            query=query,
        )
    if mistake.looked_at in mistake.expected or mistake.most <= mistake.share:
        return tr(
            "In “{word}”, “{query}” gives “{expected}” only {share} of its attention. It should be more than half.",
            word=word,
            query=query,
            expected=expected,
            share=whole_percent(mistake.share),
        )
    return tr(
        "In “{word}”, “{query}” looks at “{looked}” ({most}) instead of “{expected}” ({share}).",
        word=word,
        query=query,
        looked=named[mistake.looked_at],
        most=whole_percent(mistake.most),
        expected=expected,
        share=whole_percent(mistake.share),
    )
