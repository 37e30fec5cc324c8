"""How well a translator does on sentences whose content was held out; the tables of its model card.

    python -m models.training.evaluation.translation_report es --checkpoint models/pretrained/translator-es

A translation counts if it equals the grammar's letter by letter. Every sentence is written greedily, token by token,
by the checkpoint as it is shipped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from tqdm import tqdm

from models.opening.registry import Model, load_folder
from models.training.sentences.parallel import Language, SentencePair, pairs
from models.training.sentences.parallel.content import (
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
from models.training.sentences.parallel.typed import careless

SEED = 3
"""Not the one of the sentences that were measured while it learned."""
WIDTH = 4


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


def answers(
    model: Model, asked: Iterable[SentencePair], typed: Callable[[str], str] = str, *, width: int = 1
) -> list[WrittenPair]:
    """What the model writes for every source as it is `typed`, greedily or with beams."""
    return [WrittenPair(pair, model.translate(typed(pair.source), width=width).text) for pair in asked]


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


def table(found: Sequence[WrittenPair]) -> list[str]:
    """Exact matches by group, as the lines of a Markdown table."""
    lines = ["| held-out sentences | number | exact match |", "| --- | --- | --- |"]
    lines.append(_row("all", found))
    groups = {name: [one for one in found if belongs(one.pair.content)] for name, belongs in GROUPS.items()}
    return lines + [_row(name, group) for name, group in groups.items() if group]


def _row(name: str, found: Sequence[WrittenPair]) -> str:
    return f"| {name} | {len(found):,} | {np.mean([answer.is_exact for answer in found]):.3f} |"


def main() -> None:
    """Read the command line, translate, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=get_args(Language))
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=2000)
    arguments = parser.parse_args()
    model = load_folder(arguments.checkpoint, name=arguments.checkpoint.name)
    asked = unseen_pairs(arguments.language, arguments.pairs)
    found = answers(model, tqdm(asked))
    random = np.random.default_rng(SEED)
    hasty = answers(model, tqdm(asked), lambda source: careless(source, random))
    beams = answers(model, tqdm(asked), width=WIDTH)
    lines = [
        *table(found),
        _row("all, capitals and full stops left out at random", hasty),
        _row(f"all, with {WIDTH} beams", beams),
    ]
    lines += ["", "| source | written | expected |", "| --- | --- | --- |"]
    wrong = [answer for answer in found if not answer.is_exact]
    lines += [f"| {answer.pair.source} | {answer.written} | {answer.pair.target} |" for answer in wrong[:8]]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
