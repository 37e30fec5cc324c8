"""What the card of a checkpoint says for programs: the head of its README.md, in YAML, as on the Hugging Face Hub."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import metadata_load

FILE = "README.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """The languages of a model, as ISO 639-1 codes, and what it was made for, to be read after "made for"."""

    languages: tuple[str, ...] = ()
    made_for: str = ""


def read_card(folder: Path) -> ModelCard:
    """The card of a checkpoint folder of ours; an empty one where there is none."""
    file = folder / FILE
    found: dict[str, Any] | None = metadata_load(file) if file.is_file() else None
    if found is None:
        return ModelCard()
    languages = found.get("language", ())
    return ModelCard(
        languages=(languages,) if isinstance(languages, str) else tuple(languages),
        made_for=str(found.get("made_for", "")),
    )
