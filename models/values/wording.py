"""Sentences that a person may read in another language: each as it is written here, and what stands in its gaps.

The core knows no language: it makes messages, which are English text, and whoever shows one translates its template.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

NOTHING: Mapping[str, object] = MappingProxyType({})


class Message(str):
    """English text that knows its template: `worded("{n} tokens", n=3)` is "3 tokens".

    `plural` is the template for all numbers but one, if the sentence counts something, which is then its value `n`.
    Values are written with `str`, and may be messages themselves.
    """

    __slots__ = ("plural", "template", "values")
    template: str
    plural: str
    values: Mapping[str, object]

    def __new__(cls, template: str, plural: str = "", values: Mapping[str, object] = NOTHING) -> Self:
        chosen = plural if plural and values["n"] != 1 else template
        made = super().__new__(cls, fill_gaps(chosen, values))
        made.template, made.plural, made.values = template, plural, MappingProxyType(dict(values))
        return made

    def __reduce__(self) -> tuple[type[Message], tuple[str, str, dict[str, object]]]:
        return Message, (self.template, self.plural, dict(self.values))


def worded(template: str, /, **values: object) -> Message:
    """A sentence with gaps: {name} stands for a value of that name. Where there are no values, braces are braces."""
    return Message(template, values=values)


def worded_n(one: str, many: str, n: int, /, **values: object) -> Message:
    """A sentence that counts: {n} stands for the number, by which one of both forms is chosen."""
    return Message(one, many, {"n": n, **values})


def join_sentences(*parts: str, by: str = " ") -> str:
    """Sentences one after another, those that are empty left out: each is said by itself where they are shown."""
    kept = {f"part{n}": part for n, part in enumerate(filter(None, parts))}
    if len(kept) < 2:
        return next(iter(kept.values()), "")
    return Message(by.join(f"{{{name}}}" for name in kept), values=kept)


def to_say(template: str) -> Message:
    """The sentence itself, for a table: it is translated where it is shown."""
    return Message(template)


def share_in_words(probability: float) -> str:
    """A probability for a sentence: "54%", "under 1%", and "over 99%" where it is not certain."""
    if 0 < probability < 0.005:
        return worded("under {share}", share="1%")
    if 0.995 <= probability < 1:
        return worded("over {share}", share="99%")
    return f"{probability:.0%}"


def fill_gaps(template: str, values: Mapping[str, object]) -> str:
    """The template with its gaps filled; as it is, where there are no values."""
    return template.format(**values) if values else template
