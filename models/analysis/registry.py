"""Every analysis of this room, found by walking it: a file that defines `ANALYSIS` is one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from models import analysis as room
from models.analysis.analysis import Analysis, HeadMeasure
from models.values.arguments.check import check_arguments


@cache
def analyses() -> tuple[Analysis, ...]:
    """All of them, measures of heads first and in their order. Raises ValueError if two have one name."""
    ordered = sorted(_walk(), key=_place)
    names = [analysis.name for analysis in ordered]
    if len(set(names)) < len(names):
        raise ValueError(f"the analyses are named {sorted(names)}, expected every name once.")
    return tuple(ordered)


def head_measures() -> tuple[HeadMeasure, ...]:
    """The measures of heads, in the order in which lists show them."""
    return tuple(analysis for analysis in analyses() if isinstance(analysis, HeadMeasure))


def find_analysis(name: str) -> Analysis:
    """The analysis of that name. Raises KeyError if there is none."""
    return {analysis.name: analysis for analysis in analyses()}[name]


@check_arguments
def find_measure(name: str) -> HeadMeasure | None:
    """The measure of heads of that name; None if there is none."""
    return next((measure for measure in head_measures() if measure.name == name), None)


def _walk() -> Iterator[Analysis]:
    for module in walk_packages(room.__path__, f"{room.__name__}."):
        if not module.name.endswith("__main__"):
            analysis = getattr(import_module(module.name), "ANALYSIS", None)
            if isinstance(analysis, Analysis):
                yield analysis


def _place(analysis: Analysis) -> tuple[bool, int, str]:
    is_measure = isinstance(analysis, HeadMeasure)
    return not is_measure, analysis.order if isinstance(analysis, HeadMeasure) else 0, analysis.name
