"""How well a translator does on sentences of the grammar whose content was held out (docs/parallel.md).

A translation counts if it equals the grammar's letter by letter: for a translator that has learned other sentences,
too, that asks for one of several right ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from models.opening.registry import Model
from recipes.sentences.parallel import Language, SentencePair, pairs
from recipes.sentences.parallel.content import (
    Both,
    Clause,
    Content,
    Description,
    Existence,
    Modal,
    Phrase,
    Question,
    Tense,
)

SEED = 3
"""Not the one of the sentences that were measured while it learned."""


@dataclass(frozen=True, slots=True)
class WrittenPair:
    """A pair, and what the model wrote for its source."""

    pair: SentencePair
    written: str

    @property
    def is_exact(self) -> bool:
        """Whether it is the translation of the grammar."""
        return self.written == self.pair.target


def unseen_pairs(language: Language, n: int) -> list[SentencePair]:
    """`n` different pairs of the held-out part."""
    found: dict[str, SentencePair] = {}
    for pair in pairs(language, SEED, held_out=True):
        found.setdefault(pair.source, pair)
        if len(found) == n:
            break
    return list(found.values())


def answers(model: Model, asked: Iterable[SentencePair], *, width: int = 1) -> list[WrittenPair]:
    """What the model writes for every source, greedily or with beams."""
    return [WrittenPair(pair, model.translate(pair.source, width=width).text) for pair in asked]


def _phrases(content: Content) -> list[Phrase]:
    if isinstance(content, Existence):
        return [content.thing]
    subject = content.subject
    subjects = [subject.first, subject.second] if isinstance(subject, Both) else [subject]
    others = [content.object, content.recipient, content.companion] if isinstance(content, Clause) else []
    return [phrase for phrase in (*subjects, *others) if isinstance(phrase, Phrase)]


GROUPS: dict[str, Callable[[Content], bool]] = {
    "adjective beside its noun": lambda content: any(phrase.adjective for phrase in _phrases(content)),
    "several of something": lambda content: any(phrase.is_plural for phrase in _phrases(content)),
    "negation": lambda content: not isinstance(content, Existence) and content.is_negative,
    "question of whether": lambda content: content.question is Question.WHETHER,
    "question with a question word": lambda content: content.question not in {None, Question.WHETHER},
    "past": lambda content: content.tense is Tense.PAST,
    "can, want to, have to": lambda content: isinstance(content, Clause) and isinstance(content.modal, Modal),
    "to give somebody something": lambda content: isinstance(content, Clause) and content.recipient is not None,
    "how something is": lambda content: isinstance(content, Description),
    "there is": lambda content: isinstance(content, Existence),
}
"""What a sentence of the grammar may show."""


def grammar_table(found: Sequence[WrittenPair]) -> list[str]:
    """Exact matches by group, as the lines of a Markdown table."""
    lines = ["| held-out sentences | number | exact match |", "| --- | --- | --- |"]
    lines.append(_row("all", found))
    groups = {name: [one for one in found if belongs(one.pair.content)] for name, belongs in GROUPS.items()}
    return lines + [_row(name, group) for name, group in groups.items() if group]


def _row(name: str, found: Sequence[WrittenPair]) -> str:
    return f"| {name} | {len(found):,} | {np.mean([answer.is_exact for answer in found]):.3f} |"
