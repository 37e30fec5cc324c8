"""The weights that a run begins with."""

from __future__ import annotations

import torch
from torch import nn

from models.scratch.attention import MultiHeadAttention
from models.scratch.encoder import Embeddings, Encoder
from models.scratch.positions import sinusoidal_encoding

STD = 0.02
"""Of all matrices, as in BERT."""
QUERY_STD = 0.1
POSITION_SIZE = 0.06
"""The root mean square of the positions."""


def initialise(model: nn.Module, seed: int) -> None:
    """Weights from N(0, 0.02) as in BERT, but positions start as sinusoids and W_Q of self-attention equal to W_K, that
    of the first head of its group where several share a W_K.

    A model this small does not find out by itself, in the pieces it sees, that neighbours matter; this tells it.
    """
    random = torch.Generator().manual_seed(seed)
    for name, weight in model.named_parameters():
        if "norm" in name:
            continue
        if weight.dim() == 1:
            nn.init.zeros_(weight)
        else:
            nn.init.normal_(weight, std=STD, generator=random)
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, MultiHeadAttention) and module.kind != "cross":
                nn.init.normal_(module.query.weight, std=QUERY_STD, generator=random)
                module.key.weight.copy_(_first_of_groups(module))
            elif isinstance(module, Embeddings) and module.config.positions == "learned":
                sinusoids = sinusoidal_encoding(module.config.max_tokens, module.config.d_model)
                module.position.weight.copy_(sinusoids * (POSITION_SIZE * 2**0.5))  # [max_tokens, d_model]


def start_from(encoder: Encoder, body: Encoder, *, n_learning: int) -> None:
    """Fill an encoder with the weights of a trained one, of which the last `n_learning` layers go on learning."""
    encoder.load_state_dict(body.state_dict())
    fix_below(encoder, n_learning=n_learning)


def fix_below(encoder: Encoder, *, n_learning: int) -> None:
    """Fix the embeddings and all layers but the last `n_learning`: they do not learn."""
    fixed = encoder.layers[: len(encoder.layers) - n_learning]
    for part in (encoder.embeddings, *fixed):
        part.requires_grad_(False)


def _first_of_groups(module: MultiHeadAttention) -> torch.Tensor:
    """W_Q of the first head of every group [n_groups * d_head, d_model]."""
    slices = module.query.weight.view(module.n_groups, -1, module.d_head, module.query.in_features)
    return slices[:, 0].flatten(end_dim=1)
