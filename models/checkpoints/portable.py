"""A checkpoint of anybody's, as a browser reads it: BERT with an MLM head, GPT-2 and Llama, by the settings of ours.

Their weights are written down anew in our layout, so that the names and the shapes in the browser are always the same.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from models.checkpoints.bert import config_from_huggingface, load_checkpoint, save_checkpoint
from models.checkpoints.eight_bits import TOKENIZER, license_of, portable_model
from models.checkpoints.folder import WEIGHTS, read_config
from models.checkpoints.gpt2 import config_from_gpt2, load_gpt2, save_gpt2
from models.checkpoints.llama import config_from_llama, load_llama, save_llama
from models.scratch.config import TransformerConfig
from models.values.record.portable import PortableModel

MOST_BYTES = 600_000_000
"""Of the file of weights: a browser keeps each of its numbers in 4 bytes, GPT-2's 124 million in 0.5 GB."""
_SIZES: dict[str, Callable[[Mapping[str, Any]], TransformerConfig]] = {
    "bert": config_from_huggingface,
    "gpt2": config_from_gpt2,
    "llama": config_from_llama,
}
_WITH_MLM_HEAD = frozenset({"BertForMaskedLM", "BertForPreTraining"})
_ACTIVATIONS = frozenset({"gelu", "gelu_tanh", "silu"})
_OF_ADDED = ("single_word", "lstrip", "rstrip")
"""What an added token may ask for and the engine does not do."""
_NO_TOKEN = {"pad_id": 0, "start_id": 0, "end_id": 0}
"""What a decoder would begin and end with: a reader in the browser asks for neither."""


def can_travel(folder: Path) -> bool:
    """Return whether a browser can read the checkpoint in a folder, by its configuration, tokenizer and size."""
    try:
        config = read_config(folder)
        sizes = _SIZES[config["model_type"]](config)
        tokenizer = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
        return (
            (config["model_type"] != "bert" or not _WITH_MLM_HEAD.isdisjoint(config["architectures"]))
            and sizes.activation in _ACTIVATIONS
            and (folder / WEIGHTS).stat().st_size <= MOST_BYTES
            and _is_plain_tokenizer(tokenizer)
        )
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return False


def _is_plain_tokenizer(settings: Mapping[str, Any]) -> bool:
    """Return whether `viz/viewer/frontend/engine/` cuts a text as a tokenizer.json says: WordPiece as BERT's, or BPE of
    bytes as GPT-2's."""
    model, normalizer, parting = settings["model"], settings["normalizer"], settings["pre_tokenizer"]
    template = settings["post_processor"]
    refused = (*_OF_ADDED, "normalized") if normalizer else _OF_ADDED
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
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        _write_anew(folder, copy)
        (copy / TOKENIZER).write_bytes((folder / TOKENIZER).read_bytes())
        portable = portable_model(copy, name)
    digest = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    return replace(portable, license=license_of(folder), sha256=digest)


def _write_anew(folder: Path, copy: Path) -> None:
    """Write config.json and model.safetensors in our layout."""
    family = read_config(folder)["model_type"]
    if family == "bert":
        save_checkpoint(load_checkpoint(folder), copy, torch.float16)
    elif family == "gpt2":
        save_gpt2(load_gpt2(folder), copy, torch.float16, **_NO_TOKEN)
    else:
        save_llama(load_llama(folder), copy, torch.float16, **_NO_TOKEN)
