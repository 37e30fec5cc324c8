"""Equations in numbers, written so that the printed digits, typed into a pocket calculator, give the printed result.

A number is shown with four decimals, and a product of two such numbers often differs from the true one in the last of
them. So what goes into an equation gets the digits that it needs, and where no digits help, the sign is "about".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal

from viz.kit.theme import MINUS, number

DECIMALS = 4
SIGNIFICANT = 7
"""Of a large number no more digits are shown than float32 has."""
MORE = 5
"""The most further decimals that are tried before an equation is called approximate."""
MORE_IF_ABOUT = 2
SMALL = 0.1
"""Below it a score has four decimals, else two."""
EQUAL, ABOUT = "=", "≈"
CALCULATOR = Context(prec=40, rounding=ROUND_HALF_EVEN)

Calculate = Callable[[Sequence[Decimal]], Decimal]


def product(factors: Sequence[Decimal]) -> Decimal:
    """Multiply the factors with the calculator's precision."""
    total = Decimal(1)
    for factor in factors:
        total = CALCULATOR.multiply(total, factor)
    return total


def total(summands: Sequence[Decimal]) -> Decimal:
    """Add the summands with the calculator's precision."""
    added = Decimal(0)
    for summand in summands:
        added = CALCULATOR.add(added, summand)
    return added


def quotient(numbers: Sequence[Decimal]) -> Decimal:
    """Divide the first number by the second with the calculator's precision."""
    return CALCULATOR.divide(numbers[0], numbers[1])


def power_of_e(numbers: Sequence[Decimal]) -> Decimal:
    """Raise e to the first number with the calculator's precision."""
    return CALCULATOR.exp(numbers[0])


def format_result(value: float) -> str:
    """Return a result as text: four decimals, fewer for a large number, and −∞."""
    return "−∞" if value == -math.inf else number(value, digits=_decimals(value))


def score_as_text(value: float) -> str:
    """Return a score in few digits: "−7.39", and "−0.0039" where two decimals would say nothing."""
    return number(value, digits=2 if abs(value) >= SMALL else 4)


def write_operands(operands: Sequence[float], result: str, calculate: Calculate) -> tuple[list[str], str]:
    """Return the operands with the fewest digits that give the printed result, and "="; if none do, with a few, and
    "≈".

    `calculate` is what the calculator does with the printed operands; its answer is rounded as `result` is.
    """
    wanted = as_decimal(result)
    for more in range(MORE + 1):
        texts = _with_more(operands, more)
        if comes_out(calculate([as_decimal(text) for text in texts]), wanted):
            return texts, EQUAL
    return _with_more(operands, MORE_IF_ABOUT), ABOUT


def comes_out(calculated: Decimal, wanted: Decimal) -> bool:
    """Return whether a calculated number, rounded to the decimals of `wanted`, equals it."""
    if not (calculated.is_finite() and wanted.is_finite()):
        return calculated == wanted
    return calculated.quantize(wanted, context=CALCULATOR) == wanted


def as_decimal(text: str) -> Decimal:
    """Parse a printed number such as "−1.5000", "+0.25" or "−∞"."""
    return Decimal(text.replace(MINUS, "-").replace("∞", "Infinity"))


def _with_more(values: Sequence[float], more: int) -> list[str]:
    """Return the numbers with `more` extra decimals, without the trailing zeros among those."""
    texts = []
    for value in values:
        usual = format_result(value)
        text = usual if value == -math.inf else number(value, digits=_decimals(value) + more)
        texts.append(usual if text.rstrip("0.") == usual.rstrip("0.") else text.rstrip("0"))
    return texts


def _decimals(value: float) -> int:
    """Return the usual number of decimals for a number of this size."""
    if not math.isfinite(value) or abs(value) < 1:
        return DECIMALS
    return min(max(SIGNIFICANT - 1 - math.floor(math.log10(abs(value))), 0), DECIMALS)
