"""The Jacobian lens of a model: its mean Jacobians, and how often it and the logit lens have the final answer.

    jacobian_lens(model, texts)

J_l is the mean over texts of d(last state) / d(state before layer l), both at the token that answers; the model's own
LM head reads J_l h_l. With J_l = I that is the logit lens. Gurnee et al. 2026, "Verbalizable Representations Form a
Global Workspace in Language Models", sum the derivatives over the tokens that follow, too; their models are causal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import Analysis
from models.analysis.over_texts.corpus import CorpusText, text_of
from models.model import Model, TellProgress
from models.values.answers import MASK
from models.values.arguments.check import check_arguments
from models.values.errors import TextError
from models.values.record import Array, Token
from models.values.results.lens import JacobianLens
from models.values.wording import to_say

STEP = 7
"""The place that is asked about moves on by so many words from text to text."""


@check_arguments
def jacobian_lens(model: Model, texts: Iterable[CorpusText], *, progress: TellProgress | None = None) -> JacobianLens:
    """Compute the lens of a model that fills masks or continues texts, and judge it.

    In every text one word is hidden, or the text ends there. The first, third, ... give the mean; on the others the
    answers are counted. `progress` is called with (done, of) after each text. Raises TextError for fewer than two texts
    with words, MissingCapabilityError for a model that does neither.
    """
    asked = _ask_at_words(model, texts)
    if len(asked) < 2:
        raise TextError(to_say("A lens takes two texts or more: half of them to compute it, half to judge it."))
    computed, judged = asked[::2], asked[1::2]
    total = np.zeros(())
    for done, text in enumerate(computed, start=1):
        total = total + model.jacobians(text).astype(np.float64)  # [n_layers, d_model, d_model]
        _tell(progress, done, len(asked))
    matrices = (total / len(computed)).astype(np.float32)
    nothing = np.zeros(len(matrices) + 1, dtype=np.float32)
    lens = JacobianLens(
        model=model.info.name,
        n_texts=len(computed),
        n_answers=len(judged),
        matrices=matrices,
        as_they_are=nothing,
        carried=nothing,
    )
    agrees = np.zeros((2, len(nothing)))
    for done, text in enumerate(judged, start=len(computed) + 1):
        agrees += [_agrees(model.predict_by_layer(text, lens=one).log_probabilities) for one in (None, lens)]
        _tell(progress, done, len(asked))
    shares: Array = (agrees / len(judged)).astype(np.float32)
    return replace(lens, as_they_are=shares[0], carried=shares[1])


def _ask_at_words(model: Model, texts: Iterable[CorpusText]) -> Sequence[str]:
    """Return the texts that have something to read, each with one word hidden, or cut off where one ends."""
    asked: list[str] = []
    for number, text in enumerate(map(text_of, texts)):
        try:
            tokens = [token for token in model.record(text).tokens if token.start is not None]
        except TextError:
            continue
        if not tokens:
            continue
        token = tokens[STEP * number % len(tokens)]
        asked.append(_ask(text, token, is_cut=model.info.can_continue))
    return asked


def _ask(text: str, token: Token, *, is_cut: bool) -> str:
    return text[: token.end] if is_cut else f"{text[: token.start]}{MASK}{text[token.end :]}"


def _agrees(log_probabilities: Array) -> NDArray[np.bool_]:
    """Return after which layers the likeliest word is the final one [n_layers + 1]."""
    best = log_probabilities.argmax(axis=1)
    same: NDArray[np.bool_] = best == best[-1]
    return same


def _tell(progress: TellProgress | None, done: int, of: int) -> None:
    if progress is not None:
        progress(done, of)


ANALYSIS = Analysis(
    name="jacobian_lens",
    title=to_say("the answer after every layer, carried to the last one"),
    paper=to_say(
        'Gurnee et al. 2026, "Verbalizable Representations Form a Global Workspace in Language Models"; the logit '
        'lens: nostalgebraist 2020, "interpreting GPT"'
    ),
    needs="a model",
    formula=to_say(
        "LM head of J_l h_l; J_l: mean of d(last state) / d(state before layer l) at the token that answers"
    ),
    returns="JacobianLens, matrices [n_layers, d_model, d_model]",
    cost=to_say("d_model backward passes a text, in batches; memory n_layers · d_model²"),
    compute=jacobian_lens,
)
