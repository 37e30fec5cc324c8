"""The habits of the heads of a model in one text: where a head has its largest share of attention."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadHabits:
    """Of `n_heads` heads, how many give most to special tokens, to the words side by side, or to the word itself; the
    others look farther. `special_tokens` are those of the text, in their order."""

    n_heads: int
    on_special: int
    on_neighbours: int
    on_itself: int
    special_tokens: tuple[str, ...]
