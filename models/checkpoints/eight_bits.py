"""Weights in 8 bits, with one scale for each row of a matrix: a quarter of their size in float32, for a browser.

Rows are rounded to the nearest of 255 numbers, as for the matrices of LLM.int8() (Dettmers et al. 2022, section 2.1).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from huggingface_hub import metadata_load
from numpy.typing import NDArray
from safetensors.numpy import load, save

from models.checkpoints import card
from models.checkpoints.folder import WEIGHTS, read_config
from models.values.record.portable import PortableModel

TOKENIZER, NOTICE, SCALE = "tokenizer.json", "NOTICE", ".scale"
LARGEST = 127
ARCHITECTURES = frozenset({"BertForPreTraining", "GPT2LMHeadModel", "LlamaForCausalLM", "BartForConditionalGeneration"})
"""The models that `viz/viewer/frontend/engine/` computes: BERT with an MLM head, GPT-2 and Llama with an LM head, and a
BART, which translates."""


def is_portable(folder: Path) -> bool:
    """Return whether the checkpoint in a folder can be read by a browser."""
    architectures = read_config(folder).get("architectures", ())
    return not ARCHITECTURES.isdisjoint(architectures) and (folder / TOKENIZER).is_file()


def portable_model(folder: Path, name: str) -> PortableModel:
    """Return the checkpoint in a folder of ours with its weights in 8 bits. Raises OSError if a file is missing."""
    content = (folder / WEIGHTS).read_bytes()
    notice = folder / NOTICE
    return PortableModel(
        name=name,
        weights=save(in_eight_bits(load(content))),
        tokenizer=json.loads((folder / TOKENIZER).read_text(encoding="utf-8")),
        config=read_config(folder),
        license=license_of(folder),
        languages=card.read_card(folder).languages[:1],
        notice=notice.read_text(encoding="utf-8") if notice.is_file() else "",
        sha256=hashlib.sha256(content).hexdigest(),
    )


def license_of(folder: Path) -> str:
    """Return the licence that a card names, empty for none: the one in the folder, or of a snapshot the one beside
    it."""
    cards = (place / card.FILE for place in (folder, folder.parent))
    metadata = next((metadata_load(file) for file in cards if file.is_file()), None)
    return str((metadata or {}).get("license", ""))


def in_eight_bits(weights: Mapping[str, NDArray[np.floating]]) -> dict[str, NDArray[np.number]]:
    """Return weights with every matrix in 8 bits, its scales [n_rows] beside it; vectors stay as they are."""
    stored: dict[str, NDArray[np.number]] = {}
    for name, weight in weights.items():
        if weight.ndim == 2:
            stored[name], stored[name + SCALE] = round_rows(weight)
        else:
            stored[name] = weight
    return stored


def round_rows(matrix: NDArray[np.floating]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return whole numbers [n_rows, n_columns] and scales [n_rows] whose products are nearest to a matrix; the largest
    of a row is LARGEST."""
    numbers = matrix.astype(np.float32)
    scale = np.maximum(np.abs(numbers).max(axis=1), np.finfo(np.float32).tiny) / np.float32(LARGEST)  # [n_rows]
    return np.rint(numbers / scale[:, None]).astype(np.int8), scale.astype(np.float32)
