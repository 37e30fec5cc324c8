"""Tasks of models, by the names of the Hugging Face Hub (its field `pipeline_tag`)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from models.checkpoints.folder import UNREADABLE, read_config
from models.huggingface.checkpoint.revisions import cached_folder

FILL_MASK, TEXT_GENERATION, TRANSLATION = "fill-mask", "text-generation", "translation"
WRITES = frozenset({TEXT_GENERATION, TRANSLATION})
"""Tasks that are done by continuing a text: such a model has not learned what a mask is for."""
ENDINGS = {
    "ForMaskedLM": FILL_MASK,
    "ForPreTraining": FILL_MASK,
    "ForCausalLM": TEXT_GENERATION,
    "LMHeadModel": TEXT_GENERATION,
    "MTModel": TRANSLATION,
}
"""The task for which transformers has a class, by how the name of the class ends."""


def task_in(name: str) -> str:
    """The task of a model in no list: of a folder, or of a download, by what its config.json says it was saved as.

    Empty where there is no such file, or the class says nothing. Nothing is downloaded.
    """
    classes: Any = None
    with suppress(*UNREADABLE):
        folder = Path(name) if Path(name).is_dir() else cached_folder(name)
        classes = None if folder is None else read_config(folder).get("architectures")
    saved_as = str(classes[0]) if isinstance(classes, list) and classes else ""
    return next((task for ending, task in ENDINGS.items() if saved_as.endswith(ending)), "")
