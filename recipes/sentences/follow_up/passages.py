"""Read the passages, and tell them of other people.

A line of a file is a passage, its steps divided by "|"; each step follows the one before. A passage that begins with
"He" or "His" can be told of a woman, of me or of us, and its hero may have a name where he comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
LONE = "statements"
"""The file of sentences that nothing follows."""
MEN = (
    "Tom",
    "Paul",
    "My brother",
    "The boy",
    "Mr Green",
    "The old man",
    "My uncle",
    "David",
    "Our neighbour",
    "Ben",
    "The man",
    "Her husband",
    "Jack",
    "My friend",
    "The young man",
    "Martin",
)
WOMEN = (
    "Anna",
    "Lucy",
    "My sister",
    "The girl",
    "Mrs Green",
    "The old woman",
    "My aunt",
    "Emma",
    "Our neighbour",
    "Kate",
    "The woman",
    "His wife",
    "Susan",
    "My friend",
    "The young woman",
    "Helen",
)
_AS = {
    "she": {
        "he": "she",
        "his": "her",
        "him": "her",
        "himself": "herself",
        "wife": "husband",
        "girlfriend": "boyfriend",
        "beard": "hair",
    },
    "I": {"he": "I", "his": "my", "him": "me", "himself": "myself"},
    "we": {"he": "we", "his": "our", "him": "us", "himself": "ourselves"},
}
_PERSONS, _SHARES = ("he", "she", "I", "we"), (0.42, 0.35, 0.15, 0.08)
_PRESENT = re.compile(r"\bhe (?!was\b|always\b|towards\b)\w+s\b", re.IGNORECASE)
_WAS = re.compile(r"\bwe was\b", re.IGNORECASE)
_NAMED, _NAMED_AGAIN = 0.55, 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """The steps of a passage, and whether its hero can be another person."""

    steps: tuple[str, ...]

    @property
    def has_hero(self) -> bool:
        """Whether the passage is told of "he" from its first word."""
        return self.steps[0].startswith(("He ", "His "))

    @property
    def is_present(self) -> bool:
        """Whether its verbs agree with "he" alone."""
        return any(_PRESENT.search(step) for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hero:
    """Of whom a passage is told: a pronoun, and a name, which only "he" and "she" have."""

    pronoun: str
    name: str = ""


def read_passages(folder: Path = FOLDER) -> list[FollowUp]:
    """Read every passage of two steps or more."""
    return [
        FollowUp(steps=tuple(step.strip() for step in line.split("|")))
        for path in sorted(folder.glob("*.txt"))
        if path.stem != LONE
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def read_statements(folder: Path = FOLDER) -> list[str]:
    """Read the sentences that stand alone."""
    return (folder / f"{LONE}.txt").read_text(encoding="utf-8").splitlines()


def draw_hero(passage: FollowUp, random: np.random.Generator) -> Hero:
    """Draw of whom a passage is told; one in the present tense is told of him or her."""
    pronoun = str(random.choice(_PERSONS, p=_SHARES))
    if pronoun in ("I", "we") and passage.is_present:
        pronoun = "he"
    names = {"he": MEN, "she": WOMEN}.get(pronoun, ())
    return Hero(pronoun=pronoun, name=str(random.choice(names)) if names and random.random() < _NAMED else "")


def told_of(hero: Hero, steps: tuple[str, ...], random: np.random.Generator, *, is_first: bool) -> str:
    """Tell some steps of a hero, by name if they are the first that is heard of him, and now and then again."""
    said = " ".join(_replaced(step, _AS.get(hero.pronoun, {})) for step in steps)
    said = _WAS.sub(lambda found: found.group()[:3] + "were", said)
    is_named = hero.name and (is_first or random.random() < _NAMED_AGAIN)
    return re.sub(r"^(He|She)\b", hero.name, said) if is_named else said


def _replaced(step: str, words: dict[str, str]) -> str:
    def other(found: re.Match[str]) -> str:
        word = words[found.group().lower()]
        return word[0].upper() + word[1:] if found.group()[0].isupper() else word

    return re.sub(rf"\b({'|'.join(words)})\b", other, step, flags=re.IGNORECASE) if words else step


def transitions(passage: FollowUp) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Go through every pair of one or two steps and the one or two that follow."""
    steps = passage.steps
    for cut in range(1, len(steps)):
        for begin in range(max(0, cut - 2), cut):
            for end in range(cut + 1, min(len(steps), cut + 2) + 1):
                yield steps[begin:cut], steps[cut:end]
