"""Choices as text of an address, and as JSON of a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from viz.kit.parsing import (
    MEAN,
    Parser,
    any_text,
    equal_to,
    flag,
    head_or_mean,
    index,
    list_of,
    matching,
    maybe,
    number,
    one_of,
    within,
    written,
)

HEADS = list_of(index, most=3, once=True)
FITTING: list[tuple[Parser[Any], Any]] = [
    (one_of("map", "text"), "text"),
    (one_of(5, 10), 10),
    (any_text, "two\nlines"),
    (matching("[ab]+"), "ab"),
    (flag, True),
    (flag, False),
    (index, 0),
    (head_or_mean, 11),
    (head_or_mean, MEAN),
    (number((0, 1)), 0.25),
    (within((2, 8), step=2), 6),
    (equal_to((0.0, 0.5)), 0.5),
    (HEADS, (4, 2)),
    (HEADS, ()),
    (maybe(HEADS), None),
]
NOT_FITTING: list[tuple[Parser[Any], Any]] = [
    (one_of("map", "text"), "pie"),
    (one_of("map", "text"), ["map"]),
    (one_of(5, 10), 10.0),
    (matching("[ab]+"), "abc"),
    (matching("[ab]+"), 3),
    (flag, 1),
    (flag, "yes"),
    (index, -1),
    (index, 10_000),
    (index, 1.0),
    (index, True),
    (index, "1"),
    (head_or_mean, "all"),
    (number((0, 1)), 1.5),
    (number((0, 1)), float("nan")),
    (number((0, 1)), "0.5"),
    (within((2, 8), step=2), 5),
    (equal_to((0.0, 0.5)), 0.4),
    (HEADS, [1, 2, 3, 4]),
    (HEADS, [1, "2"]),
    (HEADS, "1-2"),
    (HEADS, {"1": 2}),
    (HEADS, None),
]


def is_refused(read: Callable[[Any], Any], value: Any) -> bool:
    try:
        read(value)
    except ValueError:
        return True
    return False


def repr_of_value(value: object) -> str | None:
    """Name a case by its value: the repr of a parser holds addresses, which differ between the workers of pytest."""
    return None if isinstance(value, Parser) else repr(value)


@pytest.mark.parametrize(("parser", "value"), FITTING, ids=repr_of_value)
def test_a_value_that_fits_is_kept_and_its_text_gives_it_back(parser: Parser[Any], value: Any) -> None:
    assert parser.check(value) == value
    assert parser(written(value)) == value
    assert type(parser(written(value))) is type(parser.check(value)) is type(value)


@pytest.mark.parametrize(("parser", "value"), NOT_FITTING, ids=repr_of_value)
def test_json_of_another_kind_or_out_of_bounds_does_not_fit(parser: Parser[Any], value: Any) -> None:
    assert is_refused(parser.check, value)


@pytest.mark.parametrize("text", ["", "-1", "1.0", "²", "١", " 1", "12345", "1e3"])
def test_an_index_is_plain_digits(text: str) -> None:
    assert is_refused(index, text)


def test_lists_of_json_become_tuples_and_a_whole_number_a_decimal_one() -> None:
    assert HEADS.check([4, 2, 4]) == (4, 2)
    assert type(number((0, 1)).check(1)) is float
