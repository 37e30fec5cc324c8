"""Write a reader's choices as text, as in a URL, and read them from untrusted sources: text, or JSON of a browser.

A parser raises ValueError for what does not fit. `written` and the parser of a choice are inverse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

MEAN: Final = "mean"
"""The text for the mean over the heads of the layer."""
NOTHING_HELD: Final = "none"
"""The text for a list that the reader has emptied."""
_MOST: Final = 9999
Parsed_co = TypeVar("Parsed_co", covariant=True)
Chosen = TypeVar("Chosen")


@dataclass(frozen=True, slots=True)
class Parser(Generic[Parsed_co]):
    """Called with text, it reads a value: `decode` says what the text stands for, `check` whether the value fits."""

    decode: Callable[[str], Any]
    check: Callable[[Any], Parsed_co]
    """Return a value as it is kept, given one of any type, as JSON has it. Raises ValueError if it does not fit."""

    def __call__(self, text: str) -> Parsed_co:
        return self.check(self.decode(text))


def written(value: object) -> str:
    """Return a choice as text for a URL: "yes", "3", "2-5-9"; None is the empty text, an empty list "none"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return "-".join(map(written, value)) or NOTHING_HELD
    return "" if value is None else str(value)


def one_of(*options: Chosen) -> Parser[Chosen]:
    """Return a parser for one of a few values, spelled exactly as `written` does."""
    by_text = {str(option): option for option in options}

    def check(value: Any) -> Chosen:
        for option in options:
            if value == option and type(value) is type(option):
                return option
        raise ValueError(value)

    return Parser(lambda text: by_text.get(text, text), check)


def matching(pattern: str) -> Parser[str]:
    """Return a parser for text, all of which a regular expression matches."""
    fits = re.compile(pattern).fullmatch
    return Parser(str, lambda value: _require(value, isinstance(value, str) and bool(fits(value))))


def maybe(parser: Parser[Chosen]) -> Parser[Chosen | None]:
    """Return a parser that gives None for the empty text and for None, and leaves the rest to `parser`."""
    return Parser(
        lambda text: parser.decode(text) if text else None,
        lambda value: None if value is None else parser.check(value),
    )


def list_of(item: Parser[Chosen], *, most: int, once: bool = False) -> Parser[tuple[Chosen, ...]]:
    """Return a parser for a list of at most `most` items joined by "-", without duplicates if `once`; "none" and the
    empty text are the empty list."""

    def decode(text: str) -> list[Any]:
        parts = [] if text in ("", NOTHING_HELD) else text.split("-", most)
        return [item.decode(part) for part in parts]

    def check(values: Any) -> tuple[Chosen, ...]:
        _require(values, isinstance(values, list | tuple) and len(values) <= most)
        items = map(item.check, values)
        return tuple(dict.fromkeys(items) if once else items)

    return Parser(decode, check)


def number(ends: tuple[float, float]) -> Parser[float]:
    """Return a parser for a plain decimal number within `ends`, both included."""
    return Parser(_decimal, lambda value: float(_require(value, _is_real(value) and ends[0] <= value <= ends[1])))


def within(ends: tuple[int, int], *, step: int = 1) -> Parser[int]:
    """Return a parser for an integer in plain digits within `ends`, both included, in steps from the first."""

    def check(value: Any) -> int:
        fits = type(value) is int and ends[0] <= value <= ends[1] and (value - ends[0]) % step == 0
        return int(_require(value, fits))

    return Parser(_digits, check)


def equal_to(options: Sequence[float]) -> Parser[float]:
    """Return a parser for one of a few numbers in any spelling: 0, 0.0 and 0e0 are equal."""
    return Parser(float, lambda value: float(_require(value, _is_real(value) and value in options)))


def _require(value: Any, fits: bool) -> Any:
    if not fits:
        raise ValueError(value)
    return value


def _is_real(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _digits(text: str) -> int:
    _require(text, text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST)))
    return int(text)


def _decimal(text: str) -> float:
    _require(text, re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,6})?", text, re.ASCII) is not None)
    return float(text)


any_text = matching(r"(?s).*")
flag = Parser({"yes": True, "no": False}.get, one_of(True, False).check)
index = within((0, _MOST))
head_or_mean: Parser[int | str] = Parser(
    lambda text: text if text == MEAN else _digits(text),
    lambda value: value if value == MEAN else index.check(value),
)
