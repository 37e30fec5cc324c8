"""The decoder on disk, in the layout of a Hugging Face Llama: config.json and model.safetensors.

The same folder opens here and with `transformers.LlamaForCausalLM`. Touvron et al. 2023, "LLaMA", section 2.2: pre-LN
with RMSNorm, SwiGLU, rotary positions, no biases; grouped keys since Llama 2. Only our names change, never a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from models.checkpoints import folder as files
from models.scratch.config import TransformerConfig
from models.scratch.gpt import LanguageModel
from models.values.wording import to_say

ROTARY_BASE = 10000.0
"""That of configurations that do not say any."""
_EXPECTED = {
    "model_type": "llama",
    "hidden_act": "silu",
    "attention_bias": False,
    "mlp_bias": False,
    "pretraining_tp": 1,
}
"""Settings of the scratch decoder; a Llama with other settings computes something else."""
_CHOICES: dict[str, Any] = {
    "norm": "pre",
    "norm_kind": "rms",
    "positions": "rotary",
    "activation": "silu",
    "gated": True,
    "biases": False,
    "n_segments": 0,
}
"""The fields of a TransformerConfig that make it a Llama."""

_TIED = "lm_head.unembed.weight"
"""The output matrix is the token embedding itself, and is not written twice."""
_OUTER = {"decoder.embeddings.token": "model.embed_tokens", "decoder.final_norm": "model.norm"}
_LAYER_MODULES = {
    "attention_norm": "input_layernorm",
    "attention.query": "self_attn.q_proj",
    "attention.key": "self_attn.k_proj",
    "attention.value": "self_attn.v_proj",
    "attention.output": "self_attn.o_proj",
    "feed_forward_norm": "post_attention_layernorm",
    "feed_forward.gate": "mlp.gate_proj",
    "feed_forward.expand": "mlp.up_proj",
    "feed_forward.contract": "mlp.down_proj",
}


def load_llama(folder: Path) -> LanguageModel:
    """Open a Llama from config.json and model.safetensors, in float32, ready for inference.

    Raises ModelLoadError if a file is missing or broken, or if the architecture is not that of a Llama whose embeddings
    give the logits, with rotary angles that are not stretched.
    """
    return files.open_folder(folder, _build, expected=to_say("a Llama that the scratch decoder can open"))


def save_llama(
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
    ValueError for what Llama's layout cannot say.
    """
    config = config_to_llama(model.config)
    special = {"pad_token_id": pad_id, "bos_token_id": start_id, "eos_token_id": end_id}
    names = huggingface_names(model.config.n_layers)
    weights: dict[str, Tensor] = {theirs: model.get_parameter(ours) for ours, theirs in names.items()}
    files.write(folder, config | special, weights, dtype, special | {"max_length": model.config.max_tokens})


def config_from_llama(config: Mapping[str, Any]) -> TransformerConfig:
    """A Llama's config.json as a TransformerConfig. Raises ValueError for what the scratch decoder does not do,
    TypeError for an invalid size."""
    files.expect_fields(config, _EXPECTED)
    if config.get("tie_word_embeddings", False) is not True:
        raise ValueError("tie_word_embeddings is not true, and the scratch decoder has one matrix for both.")
    d_model, n_heads = files.whole_number(config, "hidden_size"), files.whole_number(config, "num_attention_heads")
    d_head = None if config.get("head_dim") is None else files.whole_number(config, "head_dim")
    if d_head is not None and d_head * n_heads != d_model:
        raise ValueError(f"head_dim is {d_head!r}, expected hidden_size / num_attention_heads ({d_model} / {n_heads}).")
    rotary_base = _rotary_base(config)
    files.expect_plain_attention(config, max_tokens=files.whole_number(config, "max_position_embeddings"))
    n_kv_heads = n_heads if config.get("num_key_value_heads") is None else _n_kv_heads(config)
    return TransformerConfig(
        d_vocab=files.whole_number(config, "vocab_size"),
        d_model=d_model,
        n_layers=files.whole_number(config, "num_hidden_layers"),
        n_heads=n_heads,
        n_kv_heads=None if n_kv_heads == n_heads else n_kv_heads,
        d_ff=files.whole_number(config, "intermediate_size"),
        max_tokens=files.whole_number(config, "max_position_embeddings"),
        rotary_base=rotary_base,
        layer_norm_eps=files.number(config, "rms_norm_eps", 1e-6),
        dropout=files.number(config, "attention_dropout", 0.0),
        **_CHOICES,
    )


def config_to_llama(config: TransformerConfig) -> dict[str, Any]:
    """The fields of a Hugging Face LlamaConfig. Raises ValueError for what Llama's layout cannot say."""
    for name, expected in _CHOICES.items():
        if getattr(config, name) != expected:
            raise ValueError(f"{name} is {getattr(config, name)!r}, and the layout of Llama knows {expected!r} only.")
    return {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "tie_word_embeddings": True,
        "vocab_size": config.d_vocab,
        "hidden_size": config.d_model,
        "num_hidden_layers": config.n_layers,
        "num_attention_heads": config.n_heads,
        "num_key_value_heads": config.n_groups,
        "head_dim": config.d_head,
        "intermediate_size": config.d_ff,
        "max_position_embeddings": config.max_tokens,
        "rope_parameters": {"rope_type": "default", "rope_theta": config.rotary_base},
        "hidden_act": "silu",
        "rms_norm_eps": config.layer_norm_eps,
        "attention_dropout": config.dropout,
        "attention_bias": False,
        "mlp_bias": False,
    }


def huggingface_names(n_layers: int) -> dict[str, str]:
    """Our name of every weight -> its name in a Hugging Face LlamaForCausalLM; the tied one once."""
    modules = _OUTER | {
        f"decoder.layers.{layer}.{ours}": f"model.layers.{layer}.{theirs}"
        for layer in range(n_layers)
        for ours, theirs in _LAYER_MODULES.items()
    }
    return {f"{ours}.weight": f"{theirs}.weight" for ours, theirs in modules.items()}


def weights_from_llama(weights: Mapping[str, Tensor], n_layers: int) -> dict[str, Tensor]:
    """Llama's names, with or without the prefix "model.", -> ours. Raises ValueError for another number of layers than
    `n_layers`, and for a weight that would not be used."""
    theirs = {
        name if name.startswith(("model.", "lm_head.")) else f"model.{name}": weight for name, weight in weights.items()
    }
    layers = {name.split(".")[2] for name in theirs if name.startswith("model.layers.")}
    if len(layers) != n_layers:
        raise ValueError(f"the weights have {len(layers)} layers, expected {n_layers}.")
    names = huggingface_names(n_layers)
    files.expect_no_others(theirs, set(names.values()), copies={"lm_head.weight": "model.embed_tokens.weight"})
    return {ours: theirs[name] for ours, name in names.items() if name in theirs}


def _build(config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> LanguageModel:
    sizes = config_from_llama(config)
    return files.fill_model(lambda: LanguageModel(sizes), weights_from_llama(weights, sizes.n_layers), tied=(_TIED,))


def _n_kv_heads(config: Mapping[str, Any]) -> int:
    return files.whole_number(config, "num_key_value_heads")


def _rotary_base(config: Mapping[str, Any]) -> float:
    """Return the base of the rotary angles, as transformers 5 writes it or as older versions did. Raises ValueError for
    angles that are stretched for longer texts."""
    said = config.get("rope_parameters") or config.get("rope_scaling") or {}
    kind = said.get("rope_type", said.get("type", "default")) if isinstance(said, Mapping) else said
    if kind != "default":
        raise ValueError(f"rope_type is {kind!r}, expected 'default'.")
    return files.number({**config, **said}, "rope_theta", ROTARY_BASE)
