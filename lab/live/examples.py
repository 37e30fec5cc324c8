"""The one held-out example of a run that is shown while the model learns, and the model's answer to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lab.data.given import Given
from lab.questions import hide_words
from lab.recipe import PAIR_TASKS, TaskName
from models.model import Model
from models.training.corpora.labelled_words import WordSpan, first_pieces, from_row

LENGTH = 24
"""The length in characters that an example should have: it is read at a glance, and its map has large cells."""
CONTINUED_LENGTH, CONTINUED_TOKENS = 40, 8
MOST_COMPARED = 400
"""The number of held-out rows among which the example is chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveExample:
    """A held-out text that the model is asked about, the answer that is `expected`, and the second text that it reads
    with it when its attention is recorded: the same at every iteration, so that the maps can be compared."""

    task: TaskName
    text: str
    expected: str
    target: str | None = None
    words: tuple[WordSpan, ...] = ()
    """Where each word stands that gets a label."""


def find_example(task: TaskName, given: Given) -> LiveExample | None:
    """Return the example of a run; None if nothing is held out."""
    rows = given.held_out[:MOST_COMPARED]
    if not rows:
        return None
    if task in PAIR_TASKS:
        text, target = min(rows, key=lambda row: _distance(row[0]))
        return LiveExample(task=task, text=text, expected=target, target=target)
    if task == "labels":
        text, label = min(rows, key=lambda row: _distance(row[0]))
        return LiveExample(task=task, text=text, expected=label)
    if task == "words":
        sentence = min(map(from_row, rows), key=lambda sentence: _distance(sentence.text))
        return LiveExample(task=task, text=sentence.text, expected=" ".join(sentence.labels), words=sentence.spans)
    sentences = [sentence for row in rows for sentence in row]
    if task == "next":
        return _halve(min(sentences, key=lambda sentence: _distance(sentence, CONTINUED_LENGTH)))
    text, hidden = hide_words(min(sentences, key=_distance))
    return LiveExample(task=task, text=text, expected=" ".join(hidden))


def _distance(text: str, length: int = LENGTH) -> tuple[bool, int]:
    """Rank a text as an example: each word once, because a repeated one may be attended to at either place; then its
    length."""
    words = text.split()
    return len(set(words)) < len(words), abs(len(text) - length)


def _halve(sentence: str) -> LiveExample:
    """Return the beginning of a sentence, to be continued as the rest of it."""
    middle = len(sentence) // 2
    end = max(sentence.find(" ", middle), 0) or middle
    return LiveExample(task="next", text=sentence[:end], expected=sentence[end:].strip())


def answer(model: Model, example: LiveExample) -> str:
    """Return the answer of a model to an example: what it writes, its label, the labels of all words, or the words
    behind the masks. Raises HeadlightError."""
    if example.task in PAIR_TASKS:
        return model.translate(example.text).text
    if example.task == "next":
        written = model.continue_text(example.text, n_new=CONTINUED_TOKENS, temperature=0.0).text
        return written.removeprefix(example.text).strip()
    if example.task == "labels":
        labelled = model.label_text(example.text)
        return labelled.labels[int(labelled.probabilities.argmax())]
    if example.task == "words":
        return " ".join(_label_words(model, example))
    masked = model.masked_words(example.text)
    return " ".join(masked.best(mask, 1)[0].text for mask in range(len(masked.positions)))


def _label_words(model: Model, example: LiveExample) -> Iterator[str]:
    """Yield the likeliest label of every word, read at its first piece; a dash for a word without one."""
    labelled = model.label_tokens(example.text)
    for piece in first_pieces(example.words, ((token.start, token.end) for token in labelled.tokens)):
        yield "–" if piece is None else labelled.labels[int(labelled.probabilities[piece].argmax())]
