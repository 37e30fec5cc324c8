"""A checkpoint on disk in the layout of a Hugging Face BERT: config.json and model.safetensors.

The same folder opens here and with `transformers.BertForPreTraining`. Only our names change, never a number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from models.errors import ModelLoadError
from models.scratch.config import TransformerConfig
from models.scratch.heads import PretrainingModel

_OUTER = {
    "encoder.embeddings.token.weight": "bert.embeddings.word_embeddings.weight",
    "encoder.embeddings.position.weight": "bert.embeddings.position_embeddings.weight",
    "encoder.embeddings.segment.weight": "bert.embeddings.token_type_embeddings.weight",
    "mlm.unembed.bias": "cls.predictions.bias",
}
_OUTER_MODULES = {
    "encoder.embeddings.norm": "bert.embeddings.LayerNorm",
    "mlm.transform": "cls.predictions.transform.dense",
    "mlm.norm": "cls.predictions.transform.LayerNorm",
    "nsp.pooler": "bert.pooler.dense",
    "nsp.classifier": "cls.seq_relationship",
}
_LAYER_MODULES = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "feed_forward.expand": "intermediate.dense",
    "feed_forward.contract": "output.dense",
    "feed_forward_norm": "output.LayerNorm",
}
_TIED = "mlm.unembed.weight"
"""The output matrix of the MLM head is the token embedding itself, and is not written twice."""


def huggingface_names(n_layers: int) -> dict[str, str]:
    """Our name of every weight -> its name in a Hugging Face BertForPreTraining."""
    modules = _OUTER_MODULES | {
        f"encoder.layers.{layer}.{ours}": f"bert.encoder.layer.{layer}.{theirs}"
        for layer in range(n_layers)
        for ours, theirs in _LAYER_MODULES.items()
    }
    parts = ("weight", "bias")
    return _OUTER | {f"{ours}.{part}": f"{theirs}.{part}" for ours, theirs in modules.items() for part in parts}


def load_checkpoint(folder: Path) -> PretrainingModel:
    """Open a BERT from a folder, in float32, ready for inference, with the heads that its weights hold.

    Raises ModelLoadError if a file is missing or broken, or if the architecture is not BERT's.
    """
    try:
        config = config_from_huggingface(json.loads((folder / "config.json").read_text(encoding="utf-8")))
        weights = from_huggingface_names(load_file(folder / "model.safetensors"), config.n_layers)
        model = model_with_weights(config, weights)
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        message = f"{folder} does not hold a BERT that the scratch encoder can open: {error}"
        raise ModelLoadError(str(folder), message) from error
    return model.eval().requires_grad_(requires_grad=False)


def save_checkpoint(model: PretrainingModel, folder: Path, dtype: torch.dtype = torch.float32) -> None:
    """Write config.json and model.safetensors, weights rounded to `dtype`."""
    folder.mkdir(parents=True, exist_ok=True)
    config = config_to_huggingface(model.config)
    config["architectures"] = ["BertForPreTraining"]
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    named = to_huggingface_names(model.state_dict(), model.config.n_layers)
    weights = {name: tensor.to("cpu", dtype).contiguous() for name, tensor in named.items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def model_with_weights(config: TransformerConfig, weights: Mapping[str, Tensor]) -> PretrainingModel:
    """Build a model that has just the heads found in `weights` (our names), and fill it; float32."""
    model = PretrainingModel(
        config, with_mlm=any(name.startswith("mlm.") for name in weights), with_nsp="nsp.classifier.weight" in weights
    )
    wanted = model.state_dict()
    missing = sorted(wanted.keys() - weights.keys() - {_TIED})
    if missing:
        raise ValueError(f"the weights lack {', '.join(missing)}.")
    model.load_state_dict({name: weights[name].float() for name in wanted if name != _TIED}, strict=False)
    return model


def config_from_huggingface(config: Mapping[str, Any]) -> TransformerConfig:
    """A BERT's config.json as a TransformerConfig. Raises ValueError for another architecture."""
    if config.get("model_type") != "bert":
        raise ValueError(f"model_type is {config.get('model_type')!r}, expected 'bert'.")
    if config.get("position_embedding_type", "absolute") != "absolute" or config.get("is_decoder", False):
        raise ValueError("only a bidirectional BERT with absolute positions can be opened.")
    return TransformerConfig(
        d_vocab=config["vocab_size"],
        d_model=config["hidden_size"],
        n_layers=config["num_hidden_layers"],
        n_heads=config["num_attention_heads"],
        d_ff=config["intermediate_size"],
        max_tokens=config["max_position_embeddings"],
        n_segments=config.get("type_vocab_size", 2),
        activation=config.get("hidden_act", "gelu"),
        layer_norm_eps=config.get("layer_norm_eps", 1e-12),
        dropout=config.get("hidden_dropout_prob", 0.1),
    )


def config_to_huggingface(config: TransformerConfig) -> dict[str, Any]:
    """The fields of a Hugging Face BertConfig. Raises ValueError for what BERT's layout cannot say."""
    if not config.norms_embeddings or config.norms_output or config.activation == "gelu_tanh":
        raise ValueError("only post-LN with normed embeddings, and with GELU or ReLU, fits the layout of BERT.")
    if config.positions != "learned" or not config.n_segments:
        raise ValueError("only learned positions and segments fit the layout of BERT.")
    return {
        "model_type": "bert",
        "vocab_size": config.d_vocab,
        "hidden_size": config.d_model,
        "num_hidden_layers": config.n_layers,
        "num_attention_heads": config.n_heads,
        "intermediate_size": config.d_ff,
        "max_position_embeddings": config.max_tokens,
        "type_vocab_size": config.n_segments,
        "hidden_act": config.activation,
        "layer_norm_eps": config.layer_norm_eps,
        "hidden_dropout_prob": config.dropout,
        "attention_probs_dropout_prob": config.dropout,
        "pad_token_id": 0,
    }


def to_huggingface_names(weights: Mapping[str, Tensor], n_layers: int) -> dict[str, Tensor]:
    """Our names -> theirs."""
    names = huggingface_names(n_layers)
    return {names[name]: tensor for name, tensor in weights.items() if name != _TIED}


def from_huggingface_names(weights: Mapping[str, Tensor], n_layers: int) -> dict[str, Tensor]:
    """Their names, of any age and with or without the prefix "bert.", -> ours. Other weights are left out."""
    modern = {_modern(name): tensor for name, tensor in weights.items()}
    return {ours: modern[theirs] for ours, theirs in huggingface_names(n_layers).items() if theirs in modern}


def _modern(name: str) -> str:
    name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
    return name if name.startswith(("bert.", "cls.")) else f"bert.{name}"
