"""Where the pieces of a tokenizer without offsets stand in a text: found by what they spell, in their order.

A tokenizer may write small letters, drop accents, or put other quotation marks: both sides are compared without those.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import pairwise

from models.values.text.spelling import Span, Spelling, joined_pieces, spelling_of

_WINDOW = 200
"""Characters after the last piece that was found, in which the next word is looked for."""
_QUOTES = str.maketrans("“”„«»‘’‚`´–—", "\"\"\"\"\"'''''--")
"""As Moses writes them."""
_DROPPED = frozenset({"Mn", "Cc", "Cf"})
"""Accents, control characters and invisible signs, as Unicode sorts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    """Pieces that have a part in the same characters, such as the bytes of one, and what they spell."""

    pieces: range
    text: str
    is_unknown: bool
    may_go_on: bool
    """Whether it may go on with the run of characters that an unknown piece before it has begun: where words are made
    of parts, single letters are unknown. An unknown piece has lost the mark that would tell ("@@", "</w>")."""

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


def align(pieces: Sequence[str], text: str, *, unknown: str | None) -> list[Span | None]:
    """Return the span of every piece in `text`; empty for one that spells nothing but a space that is not there, None
    for one that stands nowhere. `unknown` is how the tokenizer spells what it has no piece for."""
    alignment = _Alignment(_units(pieces, unknown), _Compared(text))
    span_of: list[Span | None] = [None] * len(pieces)
    for unit, span in zip(alignment.units, alignment.place_units(), strict=True):
        for piece in unit.pieces:
            span_of[piece] = span
    return span_of


def _units(pieces: Sequence[str], unknown: str | None) -> list[_Unit]:
    text, spans = joined_pieces(pieces)
    units: list[_Unit] = []
    begin = 0
    for number in range(1, len(pieces) + 1):
        if number < len(pieces) and spans[number][0] < spans[number - 1][1]:
            continue
        spelled = text[spans[begin][0] : spans[number - 1][1]]
        units.append(
            _Unit(
                pieces=range(begin, number),
                text=spelled,
                is_unknown=pieces[begin] == unknown,
                may_go_on=_may_go_on(spelling_of(pieces[begin]), spelled),
            )
        )
        begin = number
    return units


def _may_go_on(spelling: Spelling, text: str) -> bool:
    return bool(spelling.goes_on or ((spelling.space or spelling.ends) and not text[:1].isspace()))


class _Compared:
    """A text without case, accents and spaces: character i of `letters` stands at `places[i]`."""

    def __init__(self, text: str) -> None:
        self.text = text
        pairs = [(letter, place) for place, character in enumerate(text) for letter in _normalise(character)]
        self.letters = "".join(letter for letter, _ in pairs)
        self.places = [place for _, place in pairs]

    def find(self, wanted: str, start: int, stop: int, *, begins_word: bool = False) -> Span | None:
        """Return the first and last character of `wanted`, between `start` and `stop`; None if it is not there."""
        first, last = (bisect_left(self.places, place) for place in (start, stop))
        letter = self.letters.find(wanted, first, last)
        while begins_word and letter >= 0 and not self._begins_word(letter):
            letter = self.letters.find(wanted, letter + 1, last)
        return None if letter < 0 else (self.places[letter], self.places[letter + len(wanted) - 1] + 1)

    def find_before(self, following: str, wanted: str, start: int, stop: int) -> Span | None:
        """Return the first and last character of `wanted` where `following` stands right behind it."""
        both = self.find(wanted + following, start, stop) if following else None
        return both and self.find(wanted, both[0], both[1])

    def run_end(self, start: int) -> int:
        """Return where the run of visible characters ends that begins at `start`, or after the space there."""
        begin = self.skip_space(start)
        return next((end for end in range(begin, len(self.text)) if self.text[end].isspace()), len(self.text))

    def skip_space(self, start: int) -> int:
        return next((place for place in range(start, len(self.text)) if not self.text[place].isspace()), len(self.text))

    def with_marks(self, end: int) -> int:
        """Return where the accents end that follow a character."""
        while end < len(self.text) and not self.text[end].isspace() and not _normalise(self.text[end]):
            end += 1
        return end

    def _begins_word(self, letter: int) -> bool:
        place = self.places[letter]
        return place == 0 or not self.text[place - 1].isalnum()


class _Alignment:
    """Units in their order, each looked for just after the one before. Those that are not found wait for the next one
    that is: they stand in the gap."""

    def __init__(self, units: Sequence[_Unit], text: _Compared) -> None:
        self.units, self.text = units, text
        self._spans: list[Span | None] = [None] * len(units)
        self._end = 0
        self._rest = ""
        """The letters that the last character before `_end` stands for, too, behind the unit that was placed there: of
        "ﬁ", the "i"."""
        self._waiting: list[int] = []

    def place_units(self) -> list[Span | None]:
        """Return the span of every unit."""
        for word, following in pairwise([*self._words(), []]):
            if self.units[word[0]].is_unknown:
                self._waiting.extend(word)
            else:
                self._place_word(word, following)
        self._fill_gap(len(self.text.text))
        self._take_marks()
        return self._spans

    def _words(self) -> Iterator[list[int]]:
        """Yield the numbers of units that no space parts; an unknown one is alone."""
        word: list[int] = []
        for number, unit in enumerate(self.units):
            is_apart = unit.is_unknown or unit.text[:1].isspace() or (word and self.units[word[-1]].is_unknown)
            if word and is_apart:
                yield word
                word = []
            word.append(number)
        if word:
            yield word

    def _place_word(self, word: Sequence[int], following: Sequence[int]) -> None:
        """Place all units of a word where the whole of it stands next, or else one by one."""
        wanted, behind = (_letters("".join(self.units[unit].text for unit in units)) for units in (word, following))
        stop = self._end + _WINDOW + 100 * len(self._waiting)
        where = None
        if self._has_in_rest(word[0]):
            wanted = ""  # it goes on in the middle of a character
        if wanted and self._waiting:  # behind something unknown, which may be the whole word before it or one letter
            run = self.text.run_end(self._end) if self.units[word[0]].may_go_on else self._end
            where = self.text.find(wanted, self._end, run)
            where = where or self.text.find_before(behind, wanted, self._end, stop)
            where = where or self.text.find(wanted, self._end, stop, begins_word=True)
        where = where or (self.text.find(wanted, self._end, stop) if wanted else None)
        if where is not None:
            self._fill_gap(where[0])
        elif span := self._find_without_escapes(word, stop):
            self._fill_gap(span[0])
            self._spans[word[0] : word[-1] + 1] = [span] * len(word)
            self._end = span[1]
            return
        for unit in word:
            self._place_unit(unit, stop if where is not None else self.text.run_end(self._end), where)

    def _find_without_escapes(self, word: Sequence[int], stop: int) -> Span | None:
        """Return where a word stands that Moses has written with "&apos;"."""
        written = "".join(self.units[unit].text for unit in word)
        wanted = _letters(unescape(written)) if "&" in written else ""
        return self.text.find(wanted, self._end, stop) if wanted else None

    def _place_unit(self, number: int, stop: int, where: Span | None) -> None:
        """Place a unit before `stop`, at `where` if the whole word was found there; or let it wait."""
        unit = self.units[number]
        letters = _letters(unit.text)
        if self._has_in_rest(number):
            for placed in (*self._waiting, number):
                self._spans[placed] = (self._end - 1, self._end)
            self._waiting.clear()
            self._rest = self._rest.partition(letters)[2]
        elif self.text.text.startswith(unit.text, self._end) and not self._waiting:
            n_space = 0 if unit.is_blank else len(unit.text) - len(unit.text.lstrip())
            self._set_span(number, (self._end + n_space, self._end + len(unit.text)))
        elif unit.is_blank and not self._waiting:
            self._spans[number] = (self.text.skip_space(self._end),) * 2
        elif letters and (span := self.text.find(letters, max(self._end, where[0] if where else 0), stop)):
            self._set_span(number, span)
        else:
            self._waiting.append(number)

    def _has_in_rest(self, number: int) -> bool:
        """Return whether a unit spells letters that are left of the last character."""
        letters = _letters(self.units[number].text)
        return bool(letters) and letters in self._rest

    def _set_span(self, number: int, span: Span) -> None:
        self._fill_gap(span[0])
        self._spans[number], self._end = span, span[1]
        letters, last = _letters(self.units[number].text), _normalise(self.text.text[span[1] - 1])
        n_spelled = next((n for n in range(len(last), 0, -1) if letters.endswith(last[:n])), len(last))
        self._rest = last[n_spelled:]

    def _fill_gap(self, stop: int) -> None:
        """Give what stands before `stop` to the units that wait: to each a run of characters, a letter or a
        character, if there are as many, else all of it to all."""
        unplaced = [number for number in self._waiting if not self.units[number].is_blank]
        for number, span in zip(unplaced, self._shares(self._end, stop, len(unplaced)), strict=True):
            self._spans[number] = span
            self._end = span[1] if span else self._end
        begin = stop
        for number in reversed(self._waiting):
            if self.units[number].is_blank:
                self._spans[number] = (begin, begin)
            begin = (self._spans[number] or (begin,))[0]
        self._waiting.clear()

    def _shares(self, start: int, stop: int, n_units: int) -> list[Span] | list[None]:
        gap = self.text.text[start:stop]
        runs = [(start + run.start(), start + run.end()) for run in re.finditer(r"\S+", gap)]
        first, last = (bisect_left(self.text.places, place) for place in (start, stop))
        if not runs:
            return [None] * n_units
        if len(runs) == n_units:
            return runs
        if last - first == n_units:
            return [(place, place + 1) for place in self.text.places[first:last]]
        visible = [place for place in range(start, stop) if not self.text.text[place].isspace()]
        if len(visible) == n_units:
            return [(place, place + 1) for place in visible]
        return [(runs[0][0], runs[-1][1])] * n_units

    def _take_marks(self) -> None:
        """Let spans take the accents that follow them and that no unit spells."""
        taken = {span[0] for span in self._spans if span}
        for number, span in enumerate(self._spans):
            if span and span[0] < span[1] and span[1] not in taken:
                self._spans[number] = (span[0], self.text.with_marks(span[1]))


def _letters(text: str) -> str:
    return "".join(map(_normalise, text))


@lru_cache(maxsize=4096)
def _normalise(character: str) -> str:
    """Return a character as it is compared: nothing for a space, an accent or an invisible sign."""
    apart = unicodedata.normalize("NFKD", character.translate(_QUOTES)).casefold()
    return "".join(letter for letter in apart if not letter.isspace() and unicodedata.category(letter) not in _DROPPED)
