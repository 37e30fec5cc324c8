"""The weights that a run begins with: the body of headlight-bert with new embeddings, or nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import nn

from models.checkpoints.bert import load_checkpoint
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.corpus import Corpus
from models.training.trainer.start import initialise
from recipes.korean.batches import MIXTURE

SIZES = TransformerConfig(d_vocab=12_000, d_model=384, n_layers=6, n_heads=12, d_ff=1536, max_tokens=512, dropout=0.1)
RAREST = 1e-6
"""How frequent a piece is taken to be that was never seen."""


def frequencies(texts: Mapping[str, Corpus], d_vocab: int) -> NDArray[np.float64]:
    """Return how frequent each piece is in what is read [d_vocab]."""
    frequency = np.zeros(d_vocab)
    for source, share in MIXTURE.items():
        frequency += share * np.bincount(texts[source].ids, minlength=d_vocab) / texts[source].n_pieces
    return frequency


def start_from_nothing(frequency: NDArray[np.float64], seed: int = 0) -> PretrainingModel:
    """Return random weights; the bias of the MLM head knows how frequent the pieces are."""
    model = PretrainingModel(replace(SIZES, d_vocab=frequency.size))
    initialise(model, seed)
    _set_bias(model, frequency)
    return model


def start_from_body(folder: Path, tokenizer: Tokenizer, frequency: NDArray[np.float64]) -> PretrainingModel:
    """Return the encoder and the heads of a checkpoint with other pieces.

    A piece that both vocabularies have keeps its embedding: marks, digits, English words. The others are drawn around
    the mean of the old ones, with their spread. A checkpoint with the same pieces is gone on with as it is.
    """
    known = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    given = load_checkpoint(folder)
    if known == tokenizer.get_vocab():
        model = PretrainingModel(replace(given.config, dropout=SIZES.dropout))
        model.load_state_dict(given.state_dict())
        return model
    model = PretrainingModel(replace(given.config, d_vocab=frequency.size, dropout=SIZES.dropout))
    old = given.encoder.embeddings.token.weight.detach()  # [d_vocab of the checkpoint, d_model]
    weights = {name: weight for name, weight in given.state_dict().items() if weight.shape[:1] != old.shape[:1]}
    lacking = model.load_state_dict(weights, strict=False)
    if lacking.unexpected_keys:
        raise ValueError(f"{folder} has weights that the model lacks: {', '.join(lacking.unexpected_keys)}.")
    random = torch.Generator().manual_seed(0)
    noise = torch.randn(frequency.size, old.shape[1], generator=random)  # [d_vocab, d_model]
    new = old.mean(dim=0) + noise * old.std(dim=0)  # [d_vocab, d_model]
    for piece, number in tokenizer.get_vocab().items():
        if piece in known:
            new[number] = old[known[piece]]
    with torch.no_grad():
        model.encoder.embeddings.token.weight.copy_(new)
    _set_bias(model, frequency)
    return model


def _set_bias(model: PretrainingModel, frequency: NDArray[np.float64]) -> None:
    if model.mlm is None:
        raise ValueError("a model to be pretrained has an MLM head.")
    with torch.no_grad():
        model.mlm.unembed.bias.copy_(torch.from_numpy(np.log(frequency + RAREST)))


def n_bytes(model: nn.Module, bytes_a_weight: int = 2) -> int:
    """Return how large a checkpoint of a model is."""
    return sum(math.prod(weight.shape) for weight in model.parameters()) * bytes_a_weight
