"""What a translator makes of everyday sentences that it has not learned, and which it says are unlike those."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.opening.registry import Model
from models.training.corpora.corpus import read_documents
from recipes.corpora.pairs import PairCollection, Translated
from recipes.evaluation.translation.grammar import unseen_pairs
from recipes.evaluation.translation.scores import bleu, chrf
from recipes.sentences.parallel import Language

MOST_WORDS = 12
"""Of a sentence that counts as short: the aim is set for these."""
WIDTH = 4
"""Beams, as the page searches."""
BY_CHANCE = 20
SEED = 4
LEAST_WORDS, OTHERS = 3, 500
"""Of sentences of another kind so many are asked, of LEAST_WORDS to MOST_WORDS words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EverydayAnswer:
    """What was written for a sentence, what was said before it, and its references."""

    sentence: Translated
    source: str
    written: str
    is_unlike: bool
    n_unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A row of the card: some sentences, how they were asked, and how well they were translated, 0 to 100."""

    name: str
    n: int
    chrf: float
    bleu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A row of the card: sentences of a kind, and the share of them that is said to be unlike what was learned, or to
    have an unknown word."""

    name: str
    n: int
    unlike: float
    unknown: float


def answers(
    model: Model, sentences: Iterable[Translated], typed: Callable[[str], str] = str, *, width: int = WIDTH
) -> Iterator[EverydayAnswer]:
    """What the model writes for every sentence as it is `typed`."""
    for sentence in sentences:
        source = typed(sentence.source)
        writing = model.translate(source, width=width)
        yield EverydayAnswer(
            sentence=sentence,
            source=source,
            written=writing.text,
            n_unknown=len(writing.unknown_words),
            is_unlike=writing.familiarity is not None and writing.familiarity.is_unlike,
        )


def short(sentences: Iterable[Translated]) -> list[Translated]:
    """Those of at most MOST_WORDS words."""
    return [sentence for sentence in sentences if sentence.n_words <= MOST_WORDS]


def hasty(source: str) -> str:
    """A sentence in small letters and without its mark, as many readers type."""
    return source.lower().rstrip(".?!") or source


def scored(name: str, found: Sequence[EverydayAnswer]) -> Scored:
    """Both scores of some answers, with all references of each."""
    return _scored(name, [answer.written for answer in found], [answer.sentence.targets for answer in found])


def people(sentences: Iterable[Translated]) -> Scored:
    """How well people agree: of sentences with several translations, the first beside the others."""
    several = [sentence for sentence in sentences if len(sentence.targets) > 1]
    return _scored(
        "one translation by a person beside the others, where there are several",
        [sentence.targets[0] for sentence in several],
        [sentence.targets[1:] for sentence in several],
    )


def _scored(name: str, written: Sequence[str], references: Sequence[Sequence[str]]) -> Scored:
    return Scored(name=name, n=len(written), chrf=chrf(written, references), bleu=bleu(written, references))


def by_chance(found: Sequence[EverydayAnswer], n: int = BY_CHANCE) -> list[EverydayAnswer]:
    """Some answers, drawn without regard to what they say."""
    chosen = np.random.default_rng(SEED).choice(len(found), size=min(n, len(found)), replace=False)
    return [found[at] for at in chosen.tolist()]


# -- what is said before a translation -------------------------------------------------------------------------------


def told(model: Model, name: str, texts: Sequence[str]) -> Told:
    """What is said of sentences of a kind, before any is translated."""
    found = [model.translate(text) for text in texts]
    return Told(
        name=name,
        n=len(found),
        unlike=float(np.mean([bool(each.familiarity and each.familiarity.is_unlike) for each in found])),
        unknown=float(np.mean([bool(each.unknown_words) for each in found])),
    )


def kinds(split: PairCollection, language: Language, corpus: Path | None) -> Iterator[tuple[str, list[str]]]:
    """Sentences with their kind: unseen ones of the collection and of the grammar, disorder, and other people's."""
    unseen = [sentence.source for sentence in short(split.reported)][:OTHERS]
    yield "everyday sentences, unseen", unseen
    yield "the same in small letters, without the last mark", list(map(hasty, unseen))
    yield "the same, their words in random order", _in_disorder(unseen)
    yield "of the grammar, unseen", [pair.source for pair in unseen_pairs(language, OTHERS)]
    if corpus is not None:
        for file, name in (("ewt", "the web"), ("gutenberg", "books from before 1930")):
            yield f"of {name}, {LEAST_WORDS} to {MOST_WORDS} words", _drawn(corpus / f"{file}.txt.xz")


def _in_disorder(texts: Iterable[str]) -> list[str]:
    random = np.random.default_rng(SEED)
    return [" ".join(random.permutation(text.split()).tolist()) for text in texts if len(text.split()) >= LEAST_WORDS]


def _drawn(path: Path) -> list[str]:
    fitting = [
        sentence
        for document in read_documents([path])
        for sentence in document.sentences
        if LEAST_WORDS <= len(sentence.split()) <= MOST_WORDS
    ]
    random = np.random.default_rng(SEED)
    return [fitting[at] for at in random.choice(len(fitting), size=min(OTHERS, len(fitting)), replace=False).tolist()]
