"""A small task for the pruning curve: sentences with known answers, or with the model's own answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from models.analysis import Example, contrast_of
from models.opening.registry import Model
from models.values.answers import MASK
from models.values.errors import DeviceError, HeadlightError, TextError
from models.values.probing.contrast import AnswerOf
from models.values.wording import Message, to_say

N_EXAMPLES = 24
LEAST, LEAST_RIGHT = 8, 0.65
"""The least number of sentences of a task, and the least accuracy of the model on it, where chance is half."""
EXAMPLES = Path(__file__).with_name("examples")
"""Sample rows of Headlight's generators (`recipes.sentences`): text, right answer and, for nouns, the wrong answer."""
NOUNS = to_say("which of two nouns is meant")
PRAISE_OR_COMPLAINT = to_say("praise or complaint")
OWN_ANSWERS = to_say("the model's own answers")
PRAISED, BLAMED = "positive", "negative"
NOT_ENOUGH = to_say(
    "There are not enough sentences that this model can be asked about. Choose another question or model."
)


def small_task(model: Model, of: AnswerOf, texts: Sequence[str]) -> tuple[Message, list[Example]]:
    """Return the description and the examples of a task.

    If the model does no known task better than chance, the task is to answer `texts` as it does with all heads. Raises
    TextError if there are too few sentences.
    """
    known = {"mask": (NOUNS, _nouns), "label": (PRAISE_OR_COMPLAINT, _labels)}
    if of in known:
        description, make = known[of]
        examples = list(make(model))
        if len(examples) >= LEAST and _right(model, examples) >= LEAST_RIGHT:
            return description, examples
    examples = list(_own(model, of, texts))
    if len(examples) < LEAST:
        raise TextError(NOT_ENOUGH)
    return OWN_ANSWERS, examples


def _right(model: Model, examples: Sequence[Example]) -> float:
    """Return the share of examples that the model gets right with all heads."""
    differences = [
        model.answer_logits(example.text, of=example.contrast.of, position=example.contrast.position).difference(
            example.contrast
        )
        for example in examples
    ]
    return sum(difference > 0 for difference in differences) / len(examples)


def _nouns(model: Model) -> Iterator[Example]:
    """Yield sentences in which one word decides which of two nouns is right, with both nouns."""
    for text, right, wrong in _rows("nouns.tsv"):
        if all(model.ask_word(noun).token_ids for noun in (right, wrong)):
            yield Example(text=text, contrast=contrast_of(model, text, of="mask", answer=right, rival=wrong))


def _labels(model: Model) -> Iterator[Example]:
    """Yield sentences that no embedded model was trained on, with their labels; none if the model has other labels."""
    if not {PRAISED, BLAMED} <= set(model.answer_logits("A good film.", of="label").choices):
        return
    for text, right in _rows("reviews.tsv"):
        wrong = BLAMED if right == PRAISED else PRAISED
        yield Example(text=text, contrast=contrast_of(model, text, of="label", answer=right, rival=wrong))


def _rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines()]


def _own(model: Model, of: AnswerOf, texts: Sequence[str]) -> Iterator[Example]:
    """Yield the model's own answer for each text, with its next best as contrast."""
    for text, following in zip(texts[:N_EXAMPLES], [*texts[1:], *texts[:1]], strict=False):
        asked = f"{text.rstrip('.').rsplit(' ', 1)[0]} {MASK}." if of == "mask" else text
        text_b = following if of == "sentence" else None
        try:
            contrast = contrast_of(model, asked, text_b, of=of)
        except DeviceError:
            raise
        except HeadlightError:  # a text that this model cannot be asked about is left out
            continue
        if contrast.rival is not None:
            yield Example(text=asked, text_b=text_b, contrast=contrast)
