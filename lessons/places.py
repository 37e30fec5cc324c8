"""Find the token and the head that a lesson refers to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.analysis import head_measures, strongest, sums_of
from models.values.errors import SelectionError
from models.values.record import AttentionRecord, Recording, Token
from models.values.text.spelling import text_of, text_of_word
from models.values.wording import Message, worded

_AT = re.compile(r"#([0-9]{1,4})")
_WHICH = re.compile(r"(.+) \(([0-9]{1,2})\)")
_NUMBERS = re.compile(r"(?:([a-z]+) )?([0-9]+)\.([0-9]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundHead:
    """A head, and the record that it is of."""

    record: AttentionRecord
    layer: int
    head: int

    @property
    def name(self) -> Message:
        """As the pages call it."""
        return head_name(self.layer, self.head)


def head_name(layer: int, head: int) -> Message:
    """Return the name of a head as the pages show it."""
    return worded("Layer {layer} · Head {head}", layer=layer, head=head)


def token_spelling(token: Token) -> str:
    """Return a token without the marks by which vocabularies tell spaces."""
    return token.text if token.is_special else text_of(token.text)


def labels(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the tokens as a lesson writes them: the second of two equal ones is "the (2)"."""
    return number_repeats([token_spelling(token) for token in tokens])


def number_repeats(texts: Sequence[str]) -> tuple[str, ...]:
    """Return texts that can be told apart: the second of two equal ones is "the (2)"."""
    seen = [texts[:place].count(text) for place, text in enumerate(texts)]
    return tuple(text if not before else f"{text} ({before + 1})" for text, before in zip(texts, seen, strict=True))


def token_at(tokens: Sequence[Token], named: str) -> int:
    """Return the position of a token: by its text, "the (2)" for the second one, "#5" for position 5, or by its whole
    word.

    Raises SelectionError.
    """
    match = _AT.fullmatch(named)
    if match and int(match[1]) < len(tokens):
        return int(match[1])
    which = _WHICH.fullmatch(named)
    text, nth = (which[1], int(which[2])) if which else (named, 1)
    by_text = [place for place, token in enumerate(tokens) if token_spelling(token).casefold() == text.casefold()]
    positions = by_text or _words(tokens, text)
    if not 1 <= nth <= len(positions):
        raise SelectionError(
            worded(
                "“{named}” is none of the tokens: {tokens}. Choose one of these.",
                named=named,
                tokens=" ".join(labels(tokens)),
            )
        )
    return positions[nth - 1]


def _words(tokens: Sequence[Token], text: str) -> list[int]:
    """Return the positions at which words of several pieces begin that spell a text."""
    pieces: dict[int, list[int]] = {}
    for place, token in enumerate(tokens):
        if token.word is not None:
            pieces.setdefault(token.word, []).append(place)
    spellings = {word[0]: text_of_word([tokens[place].text for place in word]) for word in pieces.values()}
    return [place for place, word in spellings.items() if word.casefold() == text.casefold()]


def head_by_name(recording: Recording, named: str) -> FoundHead:
    """Return a head by its numbers, "3.1" or "cross 3.1", or by what it does.

    That is, of the heads of which it was measured over many texts, the one that does it most; of a model that nobody
    has measured, the one that does it most in this text.

    Raises SelectionError.
    """
    if numbers := _NUMBERS.fullmatch(named):
        layer, head = int(numbers[2]), int(numbers[3])
        record = record_of(recording, numbers[1] or "")
        record.scores(layer, head, slice(0, 1))  # raises for a head that is not there
        return FoundHead(record=record, layer=layer, head=head)
    roles = [role for role in recording.info.head_roles if role.name == named]
    if roles:
        best = max(roles, key=lambda role: role.share)
        return FoundHead(record=record_of(recording, best.kind), layer=best.layer, head=best.head)
    return strongest_in_text(recording, named)


def strongest_in_text(recording: Recording, measure: str) -> FoundHead:
    """Return the head of which a measure is largest in this text. Raises SelectionError."""
    record = recording.attention[0]
    sums = sums_of(record)
    names = [head_measure.name for head_measure in sums.measures]
    if measure not in names:
        raise SelectionError(
            worded(
                "No head of {model} is known for “{measure}”, only for {known}.",
                model=recording.info.name,
                measure=measure,
                known=_list_known(recording),
            )
        )
    layer, head, _ = strongest(sums.totals[names.index(measure)].astype("float32"))
    return FoundHead(record=record, layer=layer, head=head)


def head_to_begin_with(recording: Recording, kind: str = "") -> FoundHead:
    """Return the head that a picture begins with where a question is about none: of a kind of attention the one that
    looks one back most, and of cross attention the first."""
    record = record_of(recording, kind)
    if record.kind == "cross":
        return FoundHead(record=record, layer=0, head=0)
    sums = sums_of(record)
    layer, head, _ = strongest(
        sums.totals[[measure.name for measure in sums.measures].index("previous")].astype("float32")
    )
    return FoundHead(record=record, layer=layer, head=head)


def _list_known(recording: Recording) -> str:
    measured = {measure.name for measure in head_measures() if measure.needs == "texts"}
    return ", ".join(sorted(measured | {role.name for role in recording.info.head_roles}))


def record_of(recording: Recording, kind: str) -> AttentionRecord:
    """Return the record of a kind of attention, and the first one where the model has none of that kind."""
    return next((record for record in recording.attention if record.kind == kind), recording.attention[0])


def kind_of_head(named: str) -> str:
    """Return the kind of attention that the name of a head begins with; empty if it begins with none."""
    numbers = _NUMBERS.fullmatch(named)
    return (numbers and numbers[1]) or ""
