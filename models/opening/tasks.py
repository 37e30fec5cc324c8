"""Tasks of models, by the names of the Hugging Face Hub (its field `pipeline_tag`)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from huggingface_hub import try_to_load_from_cache

from models.checkpoints.folder import CONFIG, UNREADABLE, read_config
from models.huggingface.checkpoint.revisions import cached_revision, split_revision

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
        folder = Path(name) if Path(name).is_dir() else _find_download(name)
        classes = None if folder is None else read_config(folder).get("architectures")
    saved_as = str(classes[0]) if isinstance(classes, list) and classes else ""
    return next((task for ending, task in ENDINGS.items() if saved_as.endswith(ending)), "")


def _find_download(name: str) -> Path | None:
    """The folder of a download of the hub; None if it is not here."""
    revision = cached_revision(name)
    repository, _ = split_revision(name)
    file = None if revision is None else try_to_load_from_cache(repository, CONFIG, revision=revision)
    return Path(file).parent if isinstance(file, str) else None
