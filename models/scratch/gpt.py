"""GPT: the decoder on its own, which says after every token what may come next; and how GPT-2's weights are opened.

Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.3: pre-LN, a norm at the end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from models.errors import ModelLoadError
from models.scratch.cache import KeyValueCache
from models.scratch.config import Activation, TransformerConfig
from models.scratch.decoder import Decoder
from models.scratch.heads import NextTokenHead

_ACTIVATIONS: dict[str, Activation] = {"gelu_new": "gelu_tanh", "gelu": "gelu", "relu": "relu"}
_EXPECTED = {
    "model_type": "gpt2",
    "tie_word_embeddings": True,
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
}
"""What the scratch decoder does; a GPT-2 that says otherwise computes something else."""

_LAYER_NORMS = {"attention_norm": "ln_1", "feed_forward_norm": "ln_2"}
_LAYER_LINEARS = {
    "attention.output": "attn.c_proj",
    "feed_forward.expand": "mlp.c_fc",
    "feed_forward.contract": "mlp.c_proj",
}
_PROJECTIONS = ("attention.query", "attention.key", "attention.value")
"""GPT-2 keeps W_Q, W_K and W_V side by side in one matrix, attn.c_attn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModelOutput:
    """`logits` [b, n_tokens, d_vocab] for the token after each token; `hidden_states` as Decoder gives them."""

    logits: Tensor
    hidden_states: tuple[Tensor, ...]


class LanguageModel(nn.Module):
    """A decoder without a source, and the tied head for the next token."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.decoder = Decoder(config, with_cross=False)
        self.head = NextTokenHead(config, self.decoder.embeddings.token)

    def forward(
        self, input_ids: Tensor, mask: Tensor | None = None, cache: KeyValueCache | None = None
    ) -> LanguageModelOutput:
        """Read ids [b, n_tokens], which follow those in the cache; arguments as in Decoder."""
        decoded = self.decoder(input_ids, mask, cache=cache)
        return LanguageModelOutput(logits=self.head(decoded.last), hidden_states=decoded.hidden_states)

    def new_cache(self) -> KeyValueCache:
        """An empty cache for one batch."""
        return KeyValueCache(self.config.n_layers)

    def next_logits(self, input_ids: Tensor, cache: KeyValueCache | None = None) -> Tensor:
        """Logits [b, d_vocab] of the token after ids [b, n_tokens]; see models.scratch.generation."""
        logits: Tensor = self.head(self.decoder(input_ids, cache=cache).last[:, -1])  # [b, d_vocab]
        return logits


def load_gpt2(folder: Path) -> LanguageModel:
    """Open a GPT-2 from config.json and model.safetensors, in float32, ready for inference.

    Raises ModelLoadError if a file is missing or broken, or if the architecture is not GPT-2's.
    """
    try:
        config = config_from_gpt2(json.loads((folder / "config.json").read_text(encoding="utf-8")))
        model = LanguageModel(config)
        model.load_state_dict(weights_from_gpt2(load_file(folder / "model.safetensors"), config.n_layers))
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        message = f"{folder} does not hold a GPT-2 that the scratch decoder can open: {error}"
        raise ModelLoadError(str(folder), message) from error
    return model.eval().requires_grad_(requires_grad=False)


def config_from_gpt2(config: Mapping[str, Any]) -> TransformerConfig:
    """A GPT-2's config.json as a TransformerConfig. Raises ValueError for what the scratch decoder does not do."""
    for name, expected in _EXPECTED.items():
        given = config.get(name, expected)
        if given != expected:
            raise ValueError(f"{name} is {given!r}, expected {expected!r}.")
    activation = config.get("activation_function", "gelu_new")
    if activation not in _ACTIVATIONS:
        raise ValueError(f"activation_function is {activation!r}, expected one of {', '.join(_ACTIVATIONS)}.")
    return TransformerConfig(
        d_vocab=config["vocab_size"],
        d_model=config["n_embd"],
        n_layers=config["n_layer"],
        n_heads=config["n_head"],
        d_ff=config.get("n_inner") or 4 * config["n_embd"],
        max_tokens=config["n_positions"],
        n_segments=0,
        norm="pre",
        activation=_ACTIVATIONS[activation],
        layer_norm_eps=config.get("layer_norm_epsilon", 1e-5),
        dropout=config.get("resid_pdrop", 0.1),
    )


def weights_from_gpt2(weights: Mapping[str, Tensor], n_layers: int) -> dict[str, Tensor]:
    """GPT-2's names, with or without the prefix "transformer.", -> ours, float32.

    Raises KeyError for a weight that lacks, ValueError for more layers than the configuration says. GPT-2 writes a
    projection as x W with W [d_in, d_out]; an nn.Linear keeps the transpose.
    """
    theirs = {name.removeprefix("transformer."): tensor.float() for name, tensor in weights.items()}
    if any(name.startswith(f"h.{n_layers}.") for name in theirs):
        raise ValueError(f"the weights have more than {n_layers} layers.")
    ours = {
        "decoder.embeddings.token.weight": theirs["wte.weight"],
        "head.unembed.weight": theirs["wte.weight"],
        "decoder.embeddings.position.weight": theirs["wpe.weight"],
        "decoder.final_norm.weight": theirs["ln_f.weight"],
        "decoder.final_norm.bias": theirs["ln_f.bias"],
    }
    for layer in range(n_layers):
        here, there = f"decoder.layers.{layer}", f"h.{layer}"
        for mine, other in _LAYER_NORMS.items():
            ours[f"{here}.{mine}.weight"] = theirs[f"{there}.{other}.weight"]
            ours[f"{here}.{mine}.bias"] = theirs[f"{there}.{other}.bias"]
        for mine, other in _LAYER_LINEARS.items():
            ours[f"{here}.{mine}.weight"] = theirs[f"{there}.{other}.weight"].T
            ours[f"{here}.{mine}.bias"] = theirs[f"{there}.{other}.bias"]
        together = theirs[f"{there}.attn.c_attn.weight"].T  # [3 * d_model, d_model]
        biases = theirs[f"{there}.attn.c_attn.bias"]  # [3 * d_model]
        for mine, weight, bias in zip(_PROJECTIONS, together.chunk(3), biases.chunk(3), strict=True):
            ours[f"{here}.{mine}.weight"], ours[f"{here}.{mine}.bias"] = weight, bias
    return ours
