"""Sentences in which every word has a label: where the words stand in the text, and which piece answers for each.

The first piece of a word does (Devlin et al. 2018, section 5.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from models.analysis.grammar.conllu import Contraction, TreebankSentence, TreebankWord

WordSpan = tuple[int, int]
UNIVERSAL = (
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "SYM",
    "VERB",
    "X",
)
"""The universal parts of speech (de Marneffe et al. 2021, "Universal Dependencies", table 1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSentence:
    """A text, where each of its words stands (first character, one past the last), and the label of each."""

    text: str
    spans: tuple[WordSpan, ...]
    labels: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words as they are written."""
        return tuple(self.text[begin:end] for begin, end in self.spans)

    def as_row(self) -> tuple[str, str]:
        """The text, and a second string with the rest, for `from_row`."""
        marks = zip(self.spans, self.labels, strict=True)
        return self.text, " ".join(f"{begin}:{end}:{label}" for (begin, end), label in marks)


def from_row(row: Sequence[str]) -> LabelledSentence:
    """Parse a row that `LabelledSentence.as_row` wrote."""
    text, marks = row
    marked = [mark.split(":", 2) for mark in marks.split()]
    return LabelledSentence(
        text=text,
        spans=tuple((int(begin), int(end)) for begin, end, _ in marked),
        labels=tuple(label for *_, label in marked),
    )


def of_words(words: Iterable[tuple[str, str]]) -> LabelledSentence:
    """(word, label) after the other, with a space between."""
    return _write_sentence((word, label, True) for word, label in words)


def of_treebank(sentence: TreebankSentence) -> LabelledSentence:
    """A sentence of a treebank as it is written, with universal parts of speech. Words that were contracted beyond
    their spelling ("de" and "el" as "del") are one word with both labels."""
    return _write_sentence(_surface(sentence))


def _surface(sentence: TreebankSentence) -> Iterator[tuple[str, str, bool]]:
    """(word, label, whether a space follows)"""
    contracted = {contraction.first: contraction for contraction in sentence.contractions}
    number = 1
    while number <= len(sentence.words):
        one = contracted.get(number)
        if one is None:
            word = sentence.words[number - 1]
            yield word.form, word.part_of_speech, word.before_space
            number += 1
        else:
            yield from _split_contraction(one, sentence.words[one.first - 1 : one.last])
            number = max(number, one.last) + 1


def _split_contraction(one: Contraction, words: Sequence[TreebankWord]) -> Iterator[tuple[str, str, bool]]:
    if "".join(word.form for word in words).lower() != one.form.lower():
        yield one.form, "+".join(word.part_of_speech for word in words), one.before_space
        return
    begin = 0
    for number, word in enumerate(words, start=1):
        end = begin + len(word.form)
        yield one.form[begin:end], word.part_of_speech, one.before_space and number == len(words)
        begin = end


def _write_sentence(words: Iterable[tuple[str, str, bool]]) -> LabelledSentence:
    text, spans, labels = "", [], []
    for word, label, before_space in words:
        spans.append((len(text), len(text) + len(word)))
        labels.append("_".join(label.split()))
        text += f"{word} " if before_space else word
    return LabelledSentence(text=text.rstrip(), spans=tuple(spans), labels=tuple(labels))


def first_pieces(spans: Sequence[WordSpan], offsets: Iterable[tuple[int | None, int | None]]) -> list[int | None]:
    """For every word the first piece that begins in it; None for one without, that was cut off or swallowed by the
    piece of its neighbour. `offsets` has the span of each piece in the text; a special token has an empty one."""
    begins: dict[int, int] = {}
    for piece, (begin, end) in enumerate(offsets):
        if begin is not None and end is not None and end > begin:
            begins.setdefault(begin, piece)
    return [next((begins[place] for place in range(begin, end) if place in begins), None) for begin, end in spans]


class UsualLabels:
    """The baseline of every tagger: a word gets the label that it had most often, a new word the commonest one."""

    def __init__(self, sentences: Iterable[LabelledSentence]) -> None:
        counts: dict[str, Counter[str]] = {}
        total: Counter[str] = Counter()
        for sentence in sentences:
            total.update(sentence.labels)
            for word, label in zip(sentence.words, sentence.labels, strict=True):
                counts.setdefault(word.lower(), Counter())[label] += 1
        self._known = {word: labels.most_common(1)[0][0] for word, labels in counts.items()}
        self._commonest = total.most_common(1)[0][0] if total else ""

    def of(self, word: str) -> str:
        """The label that the word is given."""
        return self._known.get(word.lower(), self._commonest)
