"""The forms of everyday sentences, and how many of a hundred have each."""

from __future__ import annotations

from collections.abc import Callable

from recipes.sentences.korean.clauses import ClauseDrawer, MadeSentence
from recipes.sentences.korean.nested import hoped, joined, knew, sorry, thought, told, wondered
from recipes.sentences.korean.questions import (
    asked,
    asked_for_more,
    asked_what,
    asked_who,
    experience,
    located,
    permission,
    request,
)
from recipes.sentences.korean.statements import (
    ability,
    begun,
    compared,
    counted,
    duty,
    learned,
    liked,
    looking,
    owned,
    statement,
    valued,
    weather,
    whole,
    wish,
    with_adverb,
)

FRAMES: dict[Callable[[ClauseDrawer], MadeSentence], float] = {
    statement: 24,
    with_adverb: 3,
    wish: 6,
    duty: 6,
    ability: 5,
    liked: 4,
    begun: 4,
    learned: 3,
    compared: 3,
    owned: 5,
    looking: 3,
    counted: 2,
    valued: 2,
    weather: 0.7,
    whole: 1.5,
    asked: 8,
    asked_for_more: 5,
    asked_who: 3,
    asked_what: 3,
    located: 2,
    experience: 4,
    request: 9,
    permission: 2,
    thought: 4,
    knew: 3.5,
    wondered: 2.5,
    told: 4,
    joined: 3,
    sorry: 2,
    hoped: 3,
}
