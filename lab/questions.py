"""Answers of a trained model on held-out text, with the truth: computed once, when a run ends.

Every answer is asked as a reader asks it, through the Model of the registry, from the checkpoint as it is on disk.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lab.data.cleaning import TableRow
from lab.data.given import Given
from lab.jobs.locks import write_whole
from lab.jobs.messages import as_json, from_json
from lab.recipe import PAIR_TASKS, TaskName
from models.opening.registry import Model
from models.training.corpora.labelled_words import UsualLabels, first_pieces, from_row
from models.values.errors import LabError
from models.values.wording import worded

SENTENCES, PAIRS, BEGINNINGS, TEXTS, WRITTEN, WRONG = 30, 40, 6, 200, 24, 30
"""The number of questions of each kind, and of misclassified texts that are kept."""
LABELLED_SENTENCES = 60
MASKED = 0.15
"""The share of the words of a sentence that is hidden, as in the training."""
BEGINNING_WORDS, CONTINUED_TOKENS = 5, 16
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedWord:
    """A hidden word of a held-out sentence: `text` with its masks, which of them, the true word, and the best guess."""

    text: str
    mask: int
    true: str
    guess: str
    probability: float
    rank: int
    """The place of the true word among all, 1 for the likeliest."""

    @property
    def is_right(self) -> bool:
        """Whether the best guess is the true word."""
        return self.rank == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPair:
    """Two held-out sentences, whether the second truly follows, and the probability that the model gives to that."""

    first: str
    second: str
    follows: bool
    probability: float

    @property
    def is_right(self) -> bool:
        """Whether the likelier answer is the true one."""
        return (self.probability > 0.5) == self.follows


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenText:
    """A held-out source, or the beginning of a text; what it should lead to, and what the model wrote."""

    source: str
    expected: str
    written: str

    @property
    def is_right(self) -> bool:
        """Whether exactly the expected text was written."""
        return self.written.split() == self.expected.split()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedText:
    """A held-out text, its true label, the likeliest one, and how likely that was."""

    text: str
    label: str
    said: str
    probability: float

    @property
    def is_right(self) -> bool:
        """Whether the likeliest label is the true one."""
        return self.said == self.label


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedWord:
    """A word of a held-out sentence, its true label, the likeliest one and how likely that was, and `usual`, the label
    that the word had most often in what was learned from."""

    sentence: str
    word: str
    label: str
    said: str
    probability: float
    usual: str

    @property
    def is_right(self) -> bool:
        """Whether the likeliest label is the true one."""
        return self.said == self.label


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The answers of a run; empty where its task asks no such question. `confusion` [true][said] counts the labels."""

    masked: tuple[MaskedWord, ...] = ()
    judged: tuple[JudgedPair, ...] = ()
    continued: tuple[WrittenText, ...] = ()
    written: tuple[WrittenText, ...] = ()
    labels: tuple[str, ...] = ()
    confusion: tuple[tuple[int, ...], ...] = ()
    wrong: tuple[JudgedText, ...] = field(default=())
    words: tuple[JudgedWord, ...] = ()
    note: str = ""

    def save(self, path: Path) -> None:
        """Write it down, for `read_results`."""
        write_whole(path, json.dumps(asdict(self) | {"note": as_json(self.note)}, ensure_ascii=False) + "\n")


def read_results(path: Path) -> Results:
    """Read the file that `Results.save` wrote. Raises LabError if the file is missing or damaged."""
    kinds: dict[str, Any] = {
        "masked": MaskedWord,
        "judged": JudgedPair,
        "continued": WrittenText,
        "written": WrittenText,
        "wrong": JudgedText,
        "words": JudgedWord,
    }
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        made = {name: tuple(kind(**answer) for answer in document.get(name, ())) for name, kind in kinds.items()}
        return Results(
            **made,
            labels=tuple(document["labels"]),
            confusion=tuple(map(tuple, document["confusion"])),
            note=from_json(document["note"]),
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise LabError(worded("The answers of this run cannot be read ({why}).", why=str(error))) from error


def ask(task: TaskName, model: Model, given: Given) -> Results:
    """Ask a model all that its task has taught it, on what was held out."""
    rows = given.held_out
    if task in PAIR_TASKS:
        return Results(written=tuple(_translate_rows(model, rows[:WRITTEN])))
    if task == "labels":
        return _label_texts(model, rows[:TEXTS])
    if task == "words":
        words = tuple(_judged_words(model, rows[:LABELLED_SENTENCES], given.learned))
        return Results(words=words, **_confusion(words))
    if task == "next":
        return Results(continued=tuple(_continue_texts(model, rows)))
    return Results(masked=tuple(_ask_masked_words(model, rows)), judged=tuple(_judge_pairs(model, rows, given.learned)))


def hide_words(text: str, seed: str = "") -> tuple[str, tuple[str, ...]]:
    """Return the text with about 15 % of its words, at least one, behind [MASK], and the words; always the same
    ones."""
    words = list(_WORD.finditer(text))
    n_hidden = max(1, round(MASKED * len(words)))
    chosen = sorted(sorted(range(len(words)), key=lambda index: _chance(f"{seed}{index} {text}"))[:n_hidden])
    parts, end = [], 0
    for index in chosen:
        parts += [text[end : words[index].start()], "[MASK]"]
        end = words[index].end()
    return "".join([*parts, text[end:]]), tuple(words[index].group() for index in chosen)


def _ask_masked_words(model: Model, rows: Sequence[TableRow]) -> Iterator[MaskedWord]:
    sentences = [sentence for row in rows for sentence in row if len(_WORD.findall(sentence)) > 2]
    for sentence in sorted(dict.fromkeys(sentences), key=_chance)[:SENTENCES]:
        text, words = hide_words(sentence)
        masked = model.masked_words(text)
        for mask, word in enumerate(words[: len(masked.positions)]):
            known = model.ask_word(word).token_ids
            if known:  # a word of several pieces cannot be said at one mask
                best = masked.best(mask, 1)[0]
                yield MaskedWord(
                    text=text,
                    mask=mask,
                    true=word,
                    guess=best.text,
                    probability=best.probability,
                    rank=min(masked.rank(mask, token_id) for token_id in known),
                )


def _judge_pairs(model: Model, rows: Sequence[TableRow], others: Sequence[TableRow]) -> Iterator[JudgedPair]:
    """Sentences of one document that follow each other, and as many whose second comes from another document."""
    if not model.info.can_judge_next_sentence:
        return
    neighbours = [(row[index], row[index + 1]) for row in rows for index in range(len(row) - 1)]
    strangers = [row[-1] for row in (*rows, *others[: 10 * PAIRS]) if len(row) > 1]
    chosen = sorted(dict.fromkeys(neighbours), key=" ".join)
    for number, (first, second) in enumerate(sorted(chosen, key=lambda pair: _chance(" ".join(pair)))[:PAIRS]):
        other = min(strangers, key=lambda sentence: (sentence in (first, second), _chance(f"{first} {sentence}")))
        follows = number % 2 == 0
        asked = second if follows else other
        yield JudgedPair(
            first=first, second=asked, follows=follows, probability=float(model.next_sentence(first, asked))
        )


def _continue_texts(model: Model, rows: Sequence[TableRow]) -> Iterator[WrittenText]:
    texts = [" ".join(row) for row in rows]
    long_enough = [text for text in texts if len(text.split()) > BEGINNING_WORDS]
    for text in sorted(long_enough, key=_chance)[:BEGINNINGS]:
        words = text.split()
        beginning = " ".join(words[:BEGINNING_WORDS])
        writing = model.continue_text(beginning, n_new=CONTINUED_TOKENS, temperature=0.0)
        expected = " ".join(words[BEGINNING_WORDS : BEGINNING_WORDS + CONTINUED_TOKENS])
        yield WrittenText(source=beginning, expected=expected, written=writing.text)


def _translate_rows(model: Model, rows: Sequence[TableRow]) -> Iterator[WrittenText]:
    for source, expected in rows:
        yield WrittenText(source=source, expected=expected, written=model.translate(source).text)


def _label_texts(model: Model, rows: Sequence[TableRow]) -> Results:
    asked = [_label_of(model, text, label) for text, label in rows]
    wrong = sorted((answer for answer in asked if not answer.is_right), key=lambda answer: -answer.probability)
    return Results(wrong=tuple(wrong[:WRONG]), **_confusion(asked))


def _confusion(asked: Sequence[JudgedText | JudgedWord]) -> dict[str, Any]:
    """Return the labels that were true or said, and how often [true][said]."""
    labels = tuple(sorted({answer.label for answer in asked} | {answer.said for answer in asked}))
    pairs = Counter((answer.label, answer.said) for answer in asked)
    return {"labels": labels, "confusion": tuple(tuple(pairs[true, said] for said in labels) for true in labels)}


def _judged_words(model: Model, rows: Sequence[TableRow], learned: Sequence[TableRow]) -> Iterator[JudgedWord]:
    """Yield every word of some sentences that has a piece of its own."""
    usual = UsualLabels(map(from_row, learned))
    for sentence in map(from_row, rows):
        answer = model.label_tokens(sentence.text)
        places = first_pieces(sentence.spans, ((token.start, token.end) for token in answer.tokens))
        for word, label, piece in zip(sentence.words, sentence.labels, places, strict=True):
            if piece is not None:
                chances = answer.probabilities[piece]
                best = int(chances.argmax())
                yield JudgedWord(
                    sentence=sentence.text,
                    word=word,
                    label=label,
                    said=answer.labels[best],
                    probability=float(chances[best]),
                    usual=usual.of(word),
                )


def _label_of(model: Model, text: str, label: str) -> JudgedText:
    answer = model.label_text(text)
    best = int(answer.probabilities.argmax())
    return JudgedText(text=text, label=label, said=answer.labels[best], probability=float(answer.probabilities[best]))


def _chance(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()
