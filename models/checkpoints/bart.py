"""The encoder-decoder on disk, in the layout of a Hugging Face BART: config.json and model.safetensors.

The same folder opens here and with `transformers.BartForConditionalGeneration`. Lewis et al. 2020, "BART": post-LN,
normed embeddings, learned positions, one matrix for source, target and logits. Only our names change, never a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from models.checkpoints import folder as files
from models.scratch.config import Activation, TransformerConfig
from models.scratch.encoder_decoder import EncoderDecoder
from models.values.wording import to_say

POSITION_OFFSET = 2
"""BART reads its table of positions from row 2 on; the two rows before are never read."""
LAYER_NORM_EPS = 1e-5
"""BART's layout has no field for it: this is what torch.nn.LayerNorm takes."""

_ACTIVATIONS: dict[str, Activation] = {"gelu": "gelu", "relu": "relu", "gelu_new": "gelu_tanh"}
_EXPECTED = {
    "model_type": "bart",
    "scale_embedding": False,
    "tie_word_embeddings": True,
    "normalize_before": False,
    "add_final_layer_norm": False,
    "normalize_embedding": True,
    "static_position_embeddings": False,
    "forced_bos_token_id": None,
}
"""Settings of the scratch encoder-decoder in BART's layout; the four before the last are of old configurations."""
_ALIKE = (
    ("encoder_layers", "decoder_layers"),
    ("encoder_attention_heads", "decoder_attention_heads"),
    ("encoder_ffn_dim", "decoder_ffn_dim"),
)
"""The sizes that both halves of ours share."""

_SHARED, _UNREAD = "encoder.embeddings.token.weight", "final_logits_bias"
_TIED = ("decoder.embeddings.token.weight", "lm_head.unembed.weight")
"""The matrix that they are is written once, under the name of the encoder's."""
_ATTENTION = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}
_LAYER_MODULES = {
    **{f"attention.{ours}": f"self_attn.{theirs}" for ours, theirs in _ATTENTION.items()},
    "attention_norm": "self_attn_layer_norm",
    "feed_forward.expand": "fc1",
    "feed_forward.contract": "fc2",
    "feed_forward_norm": "final_layer_norm",
}
_CROSS_MODULES = {
    **{f"cross.attention.{ours}": f"encoder_attn.{theirs}" for ours, theirs in _ATTENTION.items()},
    "cross.norm": "encoder_attn_layer_norm",
}


def load_bart(folder: Path) -> EncoderDecoder:
    """Open a BART from config.json and model.safetensors, in float32, ready for inference.

    Raises ModelLoadError if a file is missing or broken, if the two contradict each other, or if the architecture is
    not that of BART with both halves alike.
    """
    return files.open_folder(folder, _build, expected=to_say("a BART that the scratch encoder-decoder can open"))


def save_bart(
    model: EncoderDecoder,
    folder: Path,
    dtype: torch.dtype = torch.float32,
    *,
    pad_id: int,
    start_id: int,
    end_id: int,
) -> None:
    """Write config.json and model.safetensors, weights rounded to `dtype`, and generation_config.json.

    A target begins with `start_id` and ends with `end_id`; transformers' `generate` goes by them, too. Raises
    ValueError for what BART's layout cannot say.
    """
    config = config_to_bart(model.config)
    named = huggingface_names(model.config.n_layers)
    weights: dict[str, Tensor] = {theirs: model.get_parameter(ours) for ours, theirs in named.items()}
    for theirs in _position_names().values():
        unread = torch.zeros(POSITION_OFFSET, model.config.d_model, device=weights[theirs].device)
        weights[theirs] = torch.cat((unread, weights[theirs]))  # [2 + max_tokens, d_model]
    weights[_UNREAD] = torch.zeros(1, model.config.d_vocab)
    special = {
        "pad_token_id": pad_id,
        "bos_token_id": start_id,
        "eos_token_id": end_id,
        "decoder_start_token_id": start_id,
        "forced_bos_token_id": None,
        "forced_eos_token_id": None,
    }
    files.write(folder, config | special, weights, dtype, special | {"max_length": model.config.max_tokens})


def config_from_bart(config: Mapping[str, Any]) -> TransformerConfig:
    """A BART's config.json as a TransformerConfig. Raises ValueError for what the scratch encoder-decoder does not do,
    TypeError for an invalid size."""
    files.expect_fields(config, _EXPECTED)
    for one, other in _ALIKE:
        if config.get(one) != config.get(other):
            raise ValueError(
                f"{one} is {config.get(one)!r} and {other} {config.get(other)!r}, expected both to be the same."
            )
    files.expect_plain_attention(config, max_tokens=files.whole_number(config, "max_position_embeddings"))
    return TransformerConfig(
        d_vocab=files.whole_number(config, "vocab_size"),
        d_model=files.whole_number(config, "d_model"),
        n_layers=files.whole_number(config, "encoder_layers"),
        n_heads=files.whole_number(config, "encoder_attention_heads"),
        d_ff=files.whole_number(config, "encoder_ffn_dim"),
        max_tokens=files.whole_number(config, "max_position_embeddings"),
        n_segments=0,
        activation=files.choice(config, "activation_function", "gelu", _ACTIVATIONS),
        layer_norm_eps=LAYER_NORM_EPS,
        dropout=files.number(config, "dropout", 0.1),
    )


def config_to_bart(config: TransformerConfig) -> dict[str, Any]:
    """The fields of a Hugging Face BartConfig. Raises ValueError for what BART's layout cannot say."""
    if not config.norms_embeddings or config.norms_output:
        raise ValueError("only post-LN with normed embeddings fits the layout of BART.")
    if config.positions != "learned" or config.n_segments:
        raise ValueError("only learned positions and no segments fit the layout of BART.")
    if config.layer_norm_eps != LAYER_NORM_EPS:
        raise ValueError(f"layer_norm_eps is {config.layer_norm_eps}, and the layout of BART knows {LAYER_NORM_EPS}.")
    activation = next(theirs for theirs, ours in _ACTIVATIONS.items() if ours == config.activation)
    return {
        "model_type": "bart",
        "architectures": ["BartForConditionalGeneration"],
        "is_encoder_decoder": True,
        "tie_word_embeddings": True,
        "scale_embedding": False,
        "vocab_size": config.d_vocab,
        "d_model": config.d_model,
        "encoder_layers": config.n_layers,
        "decoder_layers": config.n_layers,
        "encoder_attention_heads": config.n_heads,
        "decoder_attention_heads": config.n_heads,
        "encoder_ffn_dim": config.d_ff,
        "decoder_ffn_dim": config.d_ff,
        "max_position_embeddings": config.max_tokens,
        "activation_function": activation,
        "dropout": config.dropout,
        "attention_dropout": config.dropout,
        "activation_dropout": 0.0,
    }


def huggingface_names(n_layers: int) -> dict[str, str]:
    """Our name of every weight -> its name in a Hugging Face BartForConditionalGeneration; tied ones once."""
    names = {_SHARED: "model.shared.weight"} | _position_names()
    for ours, theirs in _modules(n_layers):
        names |= {f"{ours}.{part}": f"model.{theirs}.{part}" for part in ("weight", "bias")}
    return names


def _position_names() -> dict[str, str]:
    return {
        f"{side}.embeddings.position.weight": f"model.{side}.embed_positions.weight" for side in ("encoder", "decoder")
    }


def _modules(n_layers: int) -> Iterator[tuple[str, str]]:
    """(our name, their name) of every module with a weight and a bias."""
    for side, of_layer in (("encoder", _LAYER_MODULES), ("decoder", _LAYER_MODULES | _CROSS_MODULES)):
        yield f"{side}.embeddings.norm", f"{side}.layernorm_embedding"
        for layer in range(n_layers):
            for ours, theirs in of_layer.items():
                yield f"{side}.layers.{layer}.{ours}", f"{side}.layers.{layer}.{theirs}"


def _build(config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> EncoderDecoder:
    sizes = config_from_bart(config)
    return files.fill_model(lambda: EncoderDecoder(sizes), weights_from_bart(weights, sizes.n_layers), tied=_TIED)


def weights_from_bart(weights: Mapping[str, Tensor], n_layers: int) -> dict[str, Tensor]:
    """BART's names, with or without the prefix "model.", -> ours. Raises ValueError for another number of layers
    than `n_layers`, for a bias of the logits, which ours have not, and for a weight that would not be used."""
    theirs = {
        name if name in {_UNREAD, "lm_head.weight"} else _add_prefix(name): kept for name, kept in weights.items()
    }
    for side in ("encoder", "decoder"):
        layers = {name.split(".")[3] for name in theirs if name.startswith(f"model.{side}.layers.")}
        if layers != set(map(str, range(min(n_layers, len(layers) + 1)))):
            raise ValueError(f"the weights of the {side} have {len(layers)} layers, expected {n_layers}.")
    if _UNREAD in theirs and bool(theirs[_UNREAD].any()):
        raise ValueError(f"{_UNREAD} is not zero, and the scratch encoder-decoder has no bias of the logits.")
    names = huggingface_names(n_layers)
    shared = names[_SHARED]
    tied = ("lm_head.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight")
    files.expect_no_others(theirs, {*names.values(), _UNREAD}, copies=dict.fromkeys(tied, shared))
    ours = {ours: theirs[name] for ours, name in names.items() if name in theirs}
    for name in _position_names():
        if name in ours:
            ours[name] = ours[name][POSITION_OFFSET:]  # [max_tokens, d_model]
    return ours


def _add_prefix(name: str) -> str:
    return name if name.startswith("model.") else f"model.{name}"
