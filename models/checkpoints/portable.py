"""A checkpoint of anybody's, as a browser reads it: BERT with an MLM head, GPT-2 and Llama, by the settings of ours.

Their weights are written down anew in our layout, so that the names and the shapes in the browser are always the same.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from models.checkpoints.bert import config_from_huggingface, load_checkpoint, save_checkpoint
from models.checkpoints.eight_bits import TOKENIZER, license_of, portable_model
from models.checkpoints.folder import UNREADABLE, WEIGHTS, read_config
from models.checkpoints.gpt2 import config_from_gpt2, load_gpt2, save_gpt2
from models.checkpoints.llama import config_from_llama, load_llama, save_llama
from models.scratch.config import TransformerConfig
from models.values.record.portable import PortableModel

MOST_BYTES = 600_000_000
"""Of the file of weights: a browser keeps each of its numbers in 4 bytes, GPT-2's 124 million in 0.5 GB."""
_WITH_MLM_HEAD = frozenset({"BertForMaskedLM", "BertForPreTraining"})
_ACTIVATIONS = frozenset({"gelu", "gelu_tanh", "silu"})
_REFUSED_OF_ADDED = ("single_word", "lstrip", "rstrip")
"""Settings of an added token that the engine does not know."""


class _Family(NamedTuple):
    """The functions of a family: sizes from a config.json, a model from a folder, and back in our layout."""

    sizes: Callable[[Mapping[str, Any]], TransformerConfig]
    load: Callable[[Path], Any]
    save: Callable[[Any, Path, torch.dtype], None]


_FAMILIES = {
    "bert": _Family(config_from_huggingface, load_checkpoint, save_checkpoint),
    "gpt2": _Family(config_from_gpt2, load_gpt2, partial(save_gpt2, pad_id=0, start_id=0, end_id=0)),
    "llama": _Family(config_from_llama, load_llama, partial(save_llama, pad_id=0, start_id=0, end_id=0)),
}
"""By the model_type of a configuration. The ids are not read: the tokenizer in the browser adds its own tokens."""


def can_travel(folder: Path) -> bool:
    """Return whether a browser can read the checkpoint in a folder, by its configuration, tokenizer and size."""
    try:
        config = read_config(folder)
        sizes = _FAMILIES[config["model_type"]].sizes(config)
        tokenizer = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
        return (
            (config["model_type"] != "bert" or not _WITH_MLM_HEAD.isdisjoint(config["architectures"]))
            and sizes.activation in _ACTIVATIONS
            and (folder / WEIGHTS).stat().st_size <= MOST_BYTES
            and _is_plain_tokenizer(tokenizer)
        )
    except (*UNREADABLE, LookupError):
        return False


def _is_plain_tokenizer(settings: Mapping[str, Any]) -> bool:
    """Return whether `viz/viewer/frontend/engine/` cuts a text as a tokenizer.json says: WordPiece as BERT's, or BPE of
    bytes as GPT-2's."""
    model, normalizer, parting = settings["model"], settings["normalizer"], settings["pre_tokenizer"]
    template = settings["post_processor"]
    refused = (*_REFUSED_OF_ADDED, "normalized") if normalizer else _REFUSED_OF_ADDED
    if any(added.get(field) for added in settings["added_tokens"] for field in refused):
        return False
    if model["type"] == "WordPiece":
        return bool(
            normalizer["type"] == "BertNormalizer"
            and parting["type"] == "BertPreTokenizer"
            and template["type"] == "TemplateProcessing"
        )
    steps = parting["pretokenizers"] if parting["type"] == "Sequence" else [parting]
    return bool(
        model["type"] == "BPE"
        and normalizer is None
        and not any(model.get(field) for field in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"))
        and not any(model.get(field) for field in ("byte_fallback", "ignore_merges"))
        and [step["type"] for step in steps] in (["ByteLevel"], ["Digits", "ByteLevel"])
        and all(step["individual_digits"] for step in steps[:-1])
        and steps[-1]["use_regex"]
        and not steps[-1]["add_prefix_space"]
        and (template is None or template["type"] in ("ByteLevel", "TemplateProcessing"))
    )


def portable_copy(folder: Path, name: str) -> PortableModel:
    """Return the checkpoint in a folder of anybody's, which `can_travel`, with its weights in 8 bits.

    Raises ModelLoadError for weights that do not fit the configuration, OSError if a file is missing.
    """
    family = _FAMILIES[read_config(folder)["model_type"]]
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        family.save(family.load(folder), copy, torch.float16)
        (copy / TOKENIZER).write_bytes((folder / TOKENIZER).read_bytes())
        portable = portable_model(copy, name)
    with (folder / WEIGHTS).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return replace(portable, license=license_of(folder), sha256=digest)
