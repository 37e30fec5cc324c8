"""The first sentence for the beam search: the example whose search ends most evenly."""

from __future__ import annotations

from models.analysis.one_text.beams import closeness
from models.opening.registry import Model
from models.values.errors import HeadlightError
from models.values.writing import Writing
from ui.desk.ask import ask, open_model
from ui.state.choices import TRANSLATION_PARTS
from ui.state.selection import draw_whole_page, selection
from ui.widgets.asking.opening import Examples, fitting, is_readers

BEAM_SEARCH = TRANSLATION_PARTS[2]
GREEDY = 1
"""The beam width of greedy search."""


def closest_first(examples: Examples) -> Examples:
    """Return the examples of the page, with the one to open with first unless the reader has brought a sentence.

    If a beam search is shown, that is the example whose final texts share their probability most evenly; otherwise the
    current one. Only models of the app search all examples, because others take their time.
    """
    if is_readers():
        return examples
    offered = fitting(examples)
    current = next((label for label, pair in offered.items() if pair[0] == selection().text), None)
    first = _closest(offered) if _is_shown() else current
    return examples if first is None else {first: offered[first]} | offered


def choose_again() -> None:
    """Let the page open the search with another example, in a callback."""
    if not is_readers():
        draw_whole_page()


def translate_text(text: str) -> Writing:
    """Translate a text with the chosen model and search. Greedy search ignores the length penalty."""
    chosen = selection()
    penalty = chosen.penalty if chosen.beams > GREEDY else 0.0
    return ask(chosen.model, chosen.device, Model.translate, text, width=chosen.beams, length_penalty=penalty)


def _is_shown() -> bool:
    chosen = selection()
    return chosen.translation == BEAM_SEARCH and chosen.beams > GREEDY


def _closest(offered: Examples) -> str | None:
    """Return the label of the example whose search ends closest; None if the model is not the app's, or cannot
    answer."""
    chosen = selection()
    try:
        info = open_model(chosen.model, chosen.device).info
        if not info.can_translate or info.implementation != "scratch":
            return None
        return max(offered, key=lambda label: closeness(translate_text(offered[label][0])))
    except HeadlightError:  # shown where the model is drawn
        return None
