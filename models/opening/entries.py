"""The lines of the list of models: embedded ones, described by their cards, and those of the hub."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from models.checkpoints.card import read_card
from models.checkpoints.folder import CONFIG
from models.opening.tasks import FILL_MASK

ROOT = Path(__file__).resolve().parents[2]
PRETRAINED = Path("models") / "pretrained"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """A line of the picker."""

    name: str
    about: str
    megabytes: int = 0
    """About how much is downloaded; 0 for what is here."""
    is_embedded: bool = False
    """Whether it is part of this repository; the others are downloaded once, when somebody asks for them."""
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes of what it has learned to read, or MULTILINGUAL; empty where nobody knows."""
    task: str = ""
    """The task, by the Hub's name (`models.opening.tasks`); empty where it has none."""
    made_for: str = ""
    """Its purpose from its card, to be read after "made for"."""
    base_model: str = ""
    """The model of others that its training set out from; empty for one trained from nothing."""
    examples: tuple[tuple[str, str], ...] = ()
    """Texts that its card offers to try, each after its label."""
    long_example: tuple[str, str] | None = None
    """A text of thousands of tokens that its card offers, after its label."""


def embedded_entry(name: str, about: str) -> ModelEntry:
    """A model of this repository, with what its card says; its name is that of its folder, or a path to it or into it.

    The first language of a card is the one that is read: a translator has a second one, which it writes.
    """
    folder = Path(name).relative_to(PRETRAINED).parts[0] if "/" in name else name
    card = read_card(ROOT / PRETRAINED / folder)
    return ModelEntry(
        name=name,
        about=about,
        is_embedded=True,
        languages=card.languages[:1],
        task=card.task,
        made_for=card.made_for,
        base_model=card.base_model,
        examples=card.examples,
        long_example=card.long_example,
    )


def present(*lines: tuple[str, str]) -> tuple[ModelEntry, ...]:
    """Entries for names and what they are, those whose folder is there: one may still be in training."""
    return tuple(embedded_entry(name, about) for name, about in lines if (ROOT / PRETRAINED / name / CONFIG).is_file())


def from_hub(name: str, about: str, *languages: str, megabytes: int, task: str = FILL_MASK) -> ModelEntry:
    return ModelEntry(name=name, about=about, languages=languages, megabytes=megabytes, task=task)
