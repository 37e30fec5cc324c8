"""The metadata of a checkpoint's card: the head of its README.md, in YAML, as on the Hugging Face Hub.

What it was made for, and the labels of its examples, are English sentences of ours, which whoever shows them says.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import metadata_load

from models.values.wording import to_say

FILE = "README.md"
TASK = "pipeline_tag"
"""The field of what the model is asked for, by the Hub's name for it: "fill-mask" and the like."""
EXAMPLES = "widget"
"""The field of texts to try, by the Hub's name for it: each has a "text" and an "example_title"."""
LONG_EXAMPLE = "long_example"
"""The field of a text that is too long for a card: its "example_title", and the "file" beside the card that has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """The languages of a model, as ISO 639-1 codes, its `task` by the Hub's name, and what it was made for, to be read
    after "made for"; the model that its training set out from, empty for one trained from nothing; `examples`, texts
    that it does well, by their labels; `long_example`, one of thousands of tokens, None where there is none."""

    languages: tuple[str, ...] = ()
    task: str = ""
    made_for: str = ""
    base_model: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    long_example: tuple[str, str] | None = None


def read_card(folder: Path) -> ModelCard:
    """The card of a checkpoint folder of ours; an empty one where there is none."""
    file = folder / FILE
    metadata: dict[str, Any] | None = metadata_load(file) if file.is_file() else None
    if metadata is None:
        return ModelCard()
    languages = metadata.get("language", ())
    return ModelCard(
        languages=(languages,) if isinstance(languages, str) else tuple(languages),
        task=str(metadata.get(TASK, "")),
        made_for=to_say(str(metadata["made_for"])) if "made_for" in metadata else "",
        base_model=str(metadata.get("base_model", "")),
        examples=tuple(
            (to_say(str(example["example_title"])), str(example["text"])) for example in metadata.get(EXAMPLES, ())
        ),
        long_example=_long_example(folder, metadata[LONG_EXAMPLE]) if LONG_EXAMPLE in metadata else None,
    )


def _long_example(folder: Path, field: dict[str, str]) -> tuple[str, str]:
    """The label and the text of a long example, whose paragraphs are joined: a sentence is typed in one line."""
    text = (folder / field["file"]).read_text(encoding="utf-8")
    return to_say(str(field["example_title"])), " ".join(text.split())
