"""Sizes and kinds of a transformers model, from its configuration, its classes and its tokenizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from re import search
from typing import Any

from torch import nn
from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

from models.values.record import Kind

MOST_TOKENS = 4096
"""However long a model can read, a recording has at most so many tokens."""
TOKENS_IF_UNKNOWN = 512
NO_LIMIT = 1_000_000
"""A tokenizer that knows no limit says 1e30."""
MIXES_OTHERWISE = frozenset({"linear_attention", "conv"})
WITHOUT_ATTENTION = MIXES_OTHERWISE | {"moe", "mlp"}
"""Kinds of layers that have no softmax over keys, as `layer_types` of transformers calls them; those of the first two
carry something from token to token all the same: a recurrent state (Mamba, gated delta networks) or a convolution."""
BESIDE_ATTENTION = ("hybrid",)
"""How the kinds begin that have both in one layer (Zamba, Falcon-H1)."""


def kinds_of_modules(model: nn.Module, *, is_causal: bool) -> Mapping[int, Kind]:
    """The kind of attention of every module, by id(): nothing is written on the modules themselves."""
    return {id(module): _kind_of_name(name, is_causal=is_causal) for name, module in model.named_modules()}


def _kind_of_name(name: str, *, is_causal: bool) -> Kind:
    if search(r"crossattention|cross_attention|encoder_attn|EncDecAttention", name):
        return "cross"
    return "decoder" if is_causal or search(r"(^|\.)decoder(\.|$)", name) else "encoder"


def has_decoder(model: PreTrainedModel) -> bool:
    """Whether the body of an encoder-decoder has both: T5 has classes of its encoder alone; SeamlessM4T's is its
    "text_decoder"."""
    return any(name.endswith("decoder") for name, _ in model.base_model.named_modules())


def layers_of_kinds(config: PreTrainedConfig, *, is_causal: bool) -> dict[Kind, int]:
    """How many layers of each kind of attention a model with this configuration has."""
    text_config = config.get_text_config()
    if not config.is_encoder_decoder:
        of_decoder = _first(config, ("decoder_layers",)) if is_causal else 0  # of BART's decoder alone
        return {"decoder" if is_causal else "encoder": of_decoder or int(text_config.num_hidden_layers)}
    encoder, decoder = (_stack_config(config, stack) for stack in ("encoder", "decoder"))
    n_decoder = _first(decoder, ("decoder_layers", "num_decoder_layers", "num_hidden_layers"))
    n_encoder = _first(encoder, ("encoder_layers", "num_layers", "num_hidden_layers"))
    return {"encoder": n_encoder, "decoder": n_decoder, "cross": n_decoder}


def layers_with_attention(config: PreTrainedConfig) -> tuple[int, ...]:
    """The numbers of the layers that have attention, where only some have; empty where all have, or none."""
    kinds = _layer_kinds(config)
    having = tuple(number for number, kind in enumerate(kinds) if kind not in WITHOUT_ATTENTION)
    return having if len(having) < len(kinds) else ()


def mixes_otherwise(config: PreTrainedConfig) -> bool:
    """Whether tokens learn of each other by something else than attention, too."""
    return any(kind in MIXES_OTHERWISE or kind.startswith(BESIDE_ATTENTION) for kind in _layer_kinds(config))


def _layer_kinds(config: PreTrainedConfig) -> tuple[str, ...]:
    """Return the kind of each layer of a single stack, as far as the configuration says."""
    text_config = config.get_text_config()
    kinds = getattr(text_config, "layer_types", None) or ()
    is_whole = not config.is_encoder_decoder and len(kinds) == getattr(text_config, "num_hidden_layers", None)
    return tuple(map(str, kinds)) if is_whole else ()


def _stack_config(config: PreTrainedConfig, stack: str) -> PreTrainedConfig:
    """The configuration of the encoder or the decoder where each has one of its own (T5Gemma), else the whole one."""
    of_stack = getattr(config, stack, None)
    return of_stack.get_text_config() if isinstance(of_stack, PreTrainedConfig) else config


def d_ff(config: PreTrainedConfig) -> int:
    names = ("intermediate_size", "d_ff", "encoder_ffn_dim", "n_inner", "ffn_dim", "hidden_dim")
    return _first(config, names) or 4 * _first(config, ("hidden_size",))  # GPT-2 leaves it out: 4 * d_model


def n_kv_heads(config: PreTrainedConfig, n_heads: int) -> int:
    """How many heads of keys and values every layer has; `n_heads` where it is not said, or layers differ."""
    said = set(_of_layers(config, "num_key_value_heads"))
    number = said.pop() if len(said) == 1 else None
    return number if isinstance(number, int) and number > 0 else n_heads


def _first(config: PreTrainedConfig, names: Sequence[str]) -> int:
    """The first of the names that the configuration has as a number, the largest of its layers', else 0."""
    of_layers = ([number for number in _of_layers(config, name) if isinstance(number, int)] for name in names)
    values = (max(values, default=0) for values in of_layers)
    return next((value for value in values if value > 0), 0)


def _of_layers(config: PreTrainedConfig, name: str) -> list[Any]:
    """Return the value of a configuration under a name: once, or for each of the layers where they differ. transformers
    lets nobody read one value for all of them then."""
    try:
        return [getattr(config, name, None)]
    except RuntimeError:
        return [getattr(layer, name, None) for layer in config.per_layer_config]


def max_tokens(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """The most tokens that a recording may have: the least of what positions, tokenizer and we ourselves allow."""
    limits = [MOST_TOKENS]
    positions = _first(model.config.get_text_config(), ("max_position_embeddings",))
    if positions:
        limits.append(positions - first_position(model))
    if tokenizer.model_max_length < NO_LIMIT:
        limits.append(int(tokenizer.model_max_length))
    return min(limits) if len(limits) > 1 else TOKENS_IF_UNKNOWN


def first_position(model: PreTrainedModel) -> int:
    """RoBERTa counts its positions from the padding index + 1: the rows before it are never read. Others from 0."""
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding) and module.padding_idx is not None:
            return module.padding_idx + 1
    return 0


def takes_segments(model: PreTrainedModel) -> bool:
    """Whether the model embeds segments. GPT-2 takes token_type_ids too, but as words: those are never passed."""
    takes = "token_type_ids" in signature(model.base_model.forward).parameters
    return takes and _first(model.config, ("type_vocab_size",)) > 0
