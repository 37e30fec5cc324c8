"""A pocket calculator for the tests: reads the equations of a sentence, and works them out from the printed digits."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from viz.kit.calculation import CALCULATOR, EQUAL, as_decimal, comes_out

_NUMBER = r"[−+]?(?:\d+(?:\.\d+)?|∞)"
_TERM = rf"(?:e\^)?\(?{_NUMBER}\)?"
_EQUATION = re.compile(rf"({_TERM}(?: [+×·/] {_TERM})+|e\^\(?{_NUMBER}\)?) ([=≈]) ({_NUMBER})")
_ASIDE = re.compile(r" \([^()]*[A-Za-z“][^()]*\)")
"""The name of what a number is, behind it in brackets."""
_NO_SUM = re.compile(r"(?:…|[A-Za-z]) =")
"""A sum of which only the beginning is written, and a letter that is given a value."""


class Equation(NamedTuple):
    """`calculated` is what a calculator makes of the left side; `result` and `sign` are what is printed."""

    calculated: Decimal
    sign: str
    result: Decimal

    @property
    def holds(self) -> bool:
        """Equal to the printed rounding; or called about, and no more than one off in the last printed digit."""
        if self.sign == EQUAL:
            return comes_out(self.calculated, self.result)
        one_off = Decimal(1).scaleb(int(self.result.as_tuple().exponent))
        return abs(self.calculated - self.result) <= one_off


def equations_in(sentence: str) -> list[Equation]:
    """Every equation of a sentence; an equals sign that belongs to none that can be read fails the test."""
    bare = _ASIDE.sub("", sentence)
    found = [
        Equation(calculated=_calculated(left), sign=sign, result=as_decimal(right))
        for left, sign, right in _EQUATION.findall(bare)
    ]
    assert bare.count("=") + bare.count("≈") == len(found) + len(_NO_SUM.findall(bare)), sentence
    return found


def _calculated(left: str) -> Decimal:
    """a + b × c / d, products first."""
    total = Decimal(0)
    for summand in left.split(" + "):
        first, *others = re.split(r" ([×·/]) ", summand)
        value = _term(first)
        for sign, other in zip(others[::2], others[1::2], strict=True):
            value = (CALCULATOR.divide if sign == "/" else CALCULATOR.multiply)(value, _term(other))
        total = CALCULATOR.add(total, value)
    return total


def _term(text: str) -> Decimal:
    value = as_decimal(text.removeprefix("e^").strip("()"))
    return CALCULATOR.exp(value) if text.startswith("e^") else value
