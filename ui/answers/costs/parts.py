"""Shared by the parts of the page: the model that writes, and the message for one that does not."""

from __future__ import annotations

from models.opening.registry import REGISTRY, Model
from ui.desk.ask import ask, open_model
from ui.state.choices import CAUSAL_MODEL
from ui.state.selection import selection
from ui.widgets.missing import say_why_not


def can_write() -> bool:
    """Return whether the chosen model continues a text; if it does not, say why, and offer one that does."""
    chosen = selection()
    if open_model(chosen.model, chosen.device).info.can_continue:
        return True
    offered = [CAUSAL_MODEL] if CAUSAL_MODEL in REGISTRY else []
    say_why_not(lambda: ask(chosen.model, chosen.device, Model.time_writing, chosen.text), offered=offered)
    return False
