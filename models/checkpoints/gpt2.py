"""The decoder on disk, in the layout of a Hugging Face GPT-2: config.json and model.safetensors.

The same folder opens here and with `transformers.GPT2LMHeadModel`. Radford et al. 2019: pre-LN, a norm at the end,
learned positions, one matrix for tokens and logits. Only our names change, never a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from models.checkpoints import folder as files
from models.scratch.config import Activation, TransformerConfig
from models.scratch.gpt import LanguageModel
from models.values.wording import to_say

_ACTIVATIONS: dict[str, Activation] = {"gelu_new": "gelu_tanh", "gelu": "gelu", "relu": "relu"}
_EXPECTED = {
    "model_type": "gpt2",
    "tie_word_embeddings": True,
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
}
"""Settings of the scratch decoder; a GPT-2 with other settings computes something else."""

_TIED = "lm_head.unembed.weight"
"""The output matrix is the token embedding itself, and is not written twice."""
_OUTER = {
    "decoder.embeddings.token.weight": "wte.weight",
    "decoder.embeddings.position.weight": "wpe.weight",
    "decoder.final_norm.weight": "ln_f.weight",
    "decoder.final_norm.bias": "ln_f.bias",
}
_LAYER_NORMS = {"attention_norm": "ln_1", "feed_forward_norm": "ln_2"}
_LAYER_LINEARS = {
    "attention.output": "attn.c_proj",
    "feed_forward.expand": "mlp.c_fc",
    "feed_forward.contract": "mlp.c_proj",
}
_PROJECTIONS = ("attention.query", "attention.key", "attention.value")
"""GPT-2 keeps W_Q, W_K and W_V side by side in one matrix, attn.c_attn."""


def load_gpt2(folder: Path) -> LanguageModel:
    """Open a GPT-2 from config.json and model.safetensors, in float32, ready for inference.

    Raises ModelLoadError if a file is missing or broken, or if the architecture is not GPT-2's.
    """
    return files.open_folder(folder, _build, expected=to_say("a GPT-2 that the scratch decoder can open"))


def save_gpt2(
    model: LanguageModel,
    folder: Path,
    dtype: torch.dtype = torch.float32,
    *,
    pad_id: int,
    start_id: int,
    end_id: int,
) -> None:
    """Write config.json and model.safetensors, weights rounded to `dtype`, and generation_config.json.

    A text may begin with `start_id` and end with `end_id`; transformers' `generate` goes by them, too. Raises
    ValueError for what GPT-2's layout cannot say.
    """
    config = config_to_gpt2(model.config)
    special = {"pad_token_id": pad_id, "bos_token_id": start_id, "eos_token_id": end_id}
    weights = {f"transformer.{name}": weight for name, weight in weights_to_gpt2(model).items()}
    files.write(folder, config | special, weights, dtype, special | {"max_length": model.config.max_tokens})


def config_from_gpt2(config: Mapping[str, Any]) -> TransformerConfig:
    """A GPT-2's config.json as a TransformerConfig. Raises ValueError for what the scratch decoder does not do,
    TypeError for an invalid size."""
    files.expect_fields(config, _EXPECTED)
    d_model = files.whole_number(config, "n_embd")
    files.expect_plain_attention(config, max_tokens=files.whole_number(config, "n_positions"))
    return TransformerConfig(
        d_vocab=files.whole_number(config, "vocab_size"),
        d_model=d_model,
        n_layers=files.whole_number(config, "n_layer"),
        n_heads=files.whole_number(config, "n_head"),
        d_ff=4 * d_model if config.get("n_inner") is None else files.whole_number(config, "n_inner"),
        max_tokens=files.whole_number(config, "n_positions"),
        n_segments=0,
        norm="pre",
        activation=files.choice(config, "activation_function", "gelu_new", _ACTIVATIONS),
        layer_norm_eps=files.number(config, "layer_norm_epsilon", 1e-5),
        dropout=files.number(config, "resid_pdrop", 0.1),
    )


def config_to_gpt2(config: TransformerConfig) -> dict[str, Any]:
    """The fields of a Hugging Face GPT2Config. Raises ValueError for what GPT-2's layout cannot say."""
    if config.norm != "pre" or config.positions != "learned" or config.n_segments:
        raise ValueError("only pre-LN with learned positions and no segments fits the layout of GPT-2.")
    return {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "tie_word_embeddings": True,
        "vocab_size": config.d_vocab,
        "n_embd": config.d_model,
        "n_layer": config.n_layers,
        "n_head": config.n_heads,
        "n_inner": config.d_ff,
        "n_positions": config.max_tokens,
        "activation_function": next(theirs for theirs, ours in _ACTIVATIONS.items() if ours == config.activation),
        "layer_norm_epsilon": config.layer_norm_eps,
        "resid_pdrop": config.dropout,
        "embd_pdrop": config.dropout,
        "attn_pdrop": config.dropout,
    }


def _build(config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> LanguageModel:
    sizes = config_from_gpt2(config)
    return files.fill_model(lambda: LanguageModel(sizes), weights_from_gpt2(weights, sizes.n_layers), tied=(_TIED,))


def weights_from_gpt2(weights: Mapping[str, Tensor], n_layers: int) -> dict[str, Tensor]:
    """GPT-2's names, with or without the prefix "transformer.", -> ours.

    Raises KeyError for a missing weight, ValueError for more or fewer layers than the configuration says, and for a
    weight that would not be used. GPT-2 writes a projection as x W with W [d_in, d_out]; an nn.Linear keeps the
    transpose.
    """
    theirs = {name.removeprefix("transformer."): tensor for name, tensor in weights.items()}
    if any(name.startswith(f"h.{n_layers}.") for name in theirs):
        raise ValueError(f"the weights have more than {n_layers} layers.")
    if f"h.{n_layers - 1}.attn.c_attn.weight" not in theirs:
        raise ValueError(f"the weights have fewer than {n_layers} layers.")
    together = {f"h.{layer}.attn.c_attn.{part}" for layer in range(n_layers) for part in ("weight", "bias")}
    used = {other for _, other, _ in _one_by_one(n_layers)} | together
    files.expect_no_others(theirs, used, copies={"lm_head.weight": "wte.weight"})
    ours = {mine: theirs[other].T if is_turned else theirs[other] for mine, other, is_turned in _one_by_one(n_layers)}
    for layer in range(n_layers):
        here, there = f"decoder.layers.{layer}", f"h.{layer}"
        matrices = theirs[f"{there}.attn.c_attn.weight"].T  # [3 * d_model, d_model]
        biases = theirs[f"{there}.attn.c_attn.bias"]  # [3 * d_model]
        for mine, weight, bias in zip(_PROJECTIONS, matrices.chunk(3), biases.chunk(3), strict=True):
            ours[f"{here}.{mine}.weight"], ours[f"{here}.{mine}.bias"] = weight, bias
    return ours


def weights_to_gpt2(model: LanguageModel) -> dict[str, Tensor]:
    """Our names -> GPT-2's, without the prefix "transformer."; the inverse of `weights_from_gpt2`."""
    ours = model.state_dict()
    n_layers = model.config.n_layers
    theirs = {other: ours[mine].T if is_turned else ours[mine] for mine, other, is_turned in _one_by_one(n_layers)}
    for layer in range(n_layers):
        here, there = f"decoder.layers.{layer}", f"h.{layer}"
        together = torch.cat([ours[f"{here}.{mine}.weight"] for mine in _PROJECTIONS])  # [3 * d_model, d_model]
        theirs[f"{there}.attn.c_attn.weight"] = together.T
        theirs[f"{there}.attn.c_attn.bias"] = torch.cat([ours[f"{here}.{mine}.bias"] for mine in _PROJECTIONS])
    return theirs


def _one_by_one(n_layers: int) -> Iterator[tuple[str, str, bool]]:
    """Every weight that GPT-2 keeps by itself: our name, its name there, and whether it is transposed there."""
    for mine, other in _OUTER.items():
        yield mine, other, False
    for layer in range(n_layers):
        here, there = f"decoder.layers.{layer}", f"h.{layer}"
        for mine, other in (_LAYER_NORMS | _LAYER_LINEARS).items():
            yield f"{here}.{mine}.weight", f"{there}.{other}.weight", mine in _LAYER_LINEARS
            yield f"{here}.{mine}.bias", f"{there}.{other}.bias", False
