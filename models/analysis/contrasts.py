"""Which two answers a question is about, from what a person says: words, labels, or what the model itself prefers."""

from __future__ import annotations

from models.model import Model
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.probing.contrast import AnswerLogits, AnswerOf, Contrast
from models.values.text.spelling import text_of
from models.values.wording import worded


@check_arguments
def contrast_of(
    model: Model,
    text: str,
    text_b: str | None = None,
    *,
    of: AnswerOf | None = None,
    position: int | None = None,
    answer: str | int | None = None,
    rival: str | int | None = None,
    alone: bool = False,
) -> Contrast:
    """An answer and its rival at one place, as words, labels or numbers among the choices.

    Without an answer the model's best one, without a rival the best of the others, or with `alone` none. Raises
    SelectionError for a word that is no single piece of the vocabulary, and what `model.answer_logits` raises.
    """
    said = model.answer_logits(text, text_b, of=of, position=position)
    first = said.best(1)[0] if answer is None else number_of(model, said, answer)
    if rival is not None:
        return said.contrast(first, number_of(model, said, rival))
    others = [choice for choice in said.best(2) if choice != first]
    return said.contrast(first, None if alone or not others else others[0])


def number_of(model: Model, said: AnswerLogits, choice: str | int) -> int:
    """The number of a word or label among the choices; of the spellings of a word the likeliest.

    Raises SelectionError.
    """
    n_choices = len(said.choices)
    if isinstance(choice, int):
        if not 0 <= choice < n_choices:
            raise SelectionError(
                worded(
                    "choice {choice} was asked for, but there are choices 0 to {last}.",
                    choice=choice,
                    last=n_choices - 1,
                )
            )
        return choice
    if said.of not in {"mask", "next"}:
        if choice not in said.choices:
            raise SelectionError(
                worded(
                    "{given} was asked for, expected one of {choices}.",
                    given=repr(choice),
                    choices=", ".join(said.choices),
                )
            )
        return said.choices.index(choice)
    asked = model.ask_word(choice)
    if not asked.token_ids:
        pieces = " ".join(map(text_of, asked.pieces))
        raise SelectionError(
            worded(
                "“{word}” is no single piece of this vocabulary ({pieces}). Choose another word.",
                word=asked.word,
                pieces=pieces,
            )
        )
    return max(asked.token_ids, key=lambda number: float(said.logits[number]))
