"""Checkpoint folders of tiny scratch models that write: random weights, drawn wide, and a tokenizer of a few words."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

from models.checkpoints.bart import save_bart
from models.checkpoints.gpt2 import save_gpt2
from models.checkpoints.llama import save_llama
from models.scratch.config import TransformerConfig
from models.scratch.encoder_decoder import EncoderDecoder
from models.scratch.gpt import LanguageModel
from models.training.corpora.vocabulary import (
    CLS,
    PAD,
    SEP,
    SPECIAL_TOKENS,
    cased_wordpiece,
    continuing_tokenizer,
    writing_tokenizer,
)

MAX_TOKENS = 40
SENTENCES = (
    "The man has a red car.",
    "The woman buys a new house.",
    "El hombre tiene un coche rojo.",
    "She sees the old dog.",
    "La mujer compra una casa nueva.",
    "Ella ve al perro viejo.",
)
IDS = {f"{name}_id": SPECIAL_TOKENS.index(token) for name, token in (("pad", PAD), ("start", CLS), ("end", SEP))}


@cache
def wordpiece() -> Tokenizer:
    """The words of the sentences, and their letters; a trained vocabulary is another in every process."""
    words = sorted({word for sentence in SENTENCES for word in re.findall(r"\w+|\.", sentence)} - {"Ella", "rojo"})
    letters = sorted({letter for word in ("Ellarojo", *words) for letter in word})
    return cased_wordpiece([*words, *letters, *(f"##{letter}" for letter in letters)])


def config() -> TransformerConfig:
    return TransformerConfig(
        d_vocab=wordpiece().get_vocab_size(),
        d_model=32,
        n_layers=2,
        n_heads=4,
        d_ff=48,
        max_tokens=MAX_TOKENS,
        n_segments=0,
        layer_norm_eps=1e-5,
    )


def translator(folder: Path, *, seed: int = 6, end_ids: list[int] | None = None) -> Path:
    """A translator's folder; `end_ids` in place of [SEP], so that random weights end a text soon."""
    save_bart(randomised(EncoderDecoder(config()), seed), folder, **IDS)
    writing_tokenizer(wordpiece(), MAX_TOKENS).save_pretrained(folder)
    return ending(folder, end_ids)


def gpt(folder: Path, *, seed: int = 6, end_ids: list[int] | None = None) -> Path:
    """A GPT's folder."""
    save_gpt2(randomised(LanguageModel(replace(config(), norm="pre")), seed), folder, **IDS)
    continuing_tokenizer(wordpiece(), MAX_TOKENS).save_pretrained(folder)
    return ending(folder, end_ids)


def llama(folder: Path, *, seed: int = 6, end_ids: list[int] | None = None) -> Path:
    """A Llama's folder: rotary positions, two query heads to a head of keys and values."""
    sizes = replace(
        config(),
        norm="pre",
        norm_kind="rms",
        positions="rotary",
        activation="silu",
        gated=True,
        biases=False,
        n_kv_heads=2,
    )
    save_llama(randomised(LanguageModel(sizes), seed), folder, **IDS)
    continuing_tokenizer(wordpiece(), MAX_TOKENS).save_pretrained(folder)
    return ending(folder, end_ids)


def randomised(model: nn.Module, seed: int) -> nn.Module:
    """Weights with which a text does not repeat one token for ever: positions count for much, and biases for little."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() == 1:
                weight.copy_(torch.randn_like(weight) * 0.1 + (1 if name.endswith("norm.weight") else 0))
            else:
                weight.copy_(torch.randn_like(weight) * (1.0 if "position" in name else 0.4))
    return model.eval()


def ending(folder: Path, end_ids: list[int] | None) -> Path:
    for name in ("config.json", "generation_config.json"):
        if end_ids is not None:
            change(folder / name, eos_token_id=end_ids)
    return folder


def change(file: Path, **fields: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | fields), encoding="utf-8")
