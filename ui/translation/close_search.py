"""The first sentence for the beam search: of those that the page offers, the one whose search ends closest."""

from __future__ import annotations

from models.analysis.one_text.beams import closeness
from models.opening.registry import Model
from models.values.errors import HeadlightError
from models.values.writing import Writing
from ui.desk.ask import ask, open_model
from ui.state.choices import TRANSLATION_PARTS
from ui.state.selection import draw_whole_page, selection
from ui.widgets.opening import Examples, fitting, is_readers

BEAM_SEARCH = TRANSLATION_PARTS[2]
GREEDY = 1
"""The width of a search that keeps the likeliest token alone."""


def closest_first(examples: Examples) -> Examples:
    """Return the examples of the page, before them the one to open with while the reader has brought no sentence.

    Where a search with beams is shown, that is the one whose texts at the end share their probability most evenly:
    there is something to see. Else it is the one that stands there already. Models of others, which take their time,
    are not asked to translate them all.
    """
    if is_readers():
        return examples
    offered = fitting(examples)
    here = next((label for label, pair in offered.items() if pair[0] == selection().text), None)
    first = _closest(offered) if _is_shown() else here
    return examples if first is None else {first: offered[first]} | offered


def choose_again() -> None:
    """A callback, before a search is shown: the page may open it with another sentence."""
    if not is_readers():
        draw_whole_page()


def written(text: str) -> Writing:
    """Translate a text with the chosen model and search. Greedy search ignores the length penalty."""
    chosen = selection()
    penalty = chosen.penalty if chosen.beams > GREEDY else 0.0
    return ask(chosen.model, chosen.device, Model.translate, text, width=chosen.beams, length_penalty=penalty)


def _is_shown() -> bool:
    return bool(selection().translation == BEAM_SEARCH and selection().beams > GREEDY)


def _closest(offered: Examples) -> str | None:
    """Return the label of the example whose search ends closest; None for a model that is not asked, or cannot
    answer."""
    chosen = selection()
    try:
        info = open_model(chosen.model, chosen.device).info
        if not info.can_translate or info.implementation != "scratch":
            return None
        return max(offered, key=lambda label: closeness(written(offered[label][0])))
    except HeadlightError:  # what is wrong with the model is said where it is shown
        return None
