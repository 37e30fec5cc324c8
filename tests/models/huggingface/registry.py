"""Every family that transformers has, found by walking its registry, as a tiny model with random weights.

Sizes are made small by what configurations call them. Where a family wants its sizes to fit each other in a way of its
own, other choices are tried in turn, and a few are told more. What cannot be made stands in NOT_MADE with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache

import torch
import transformers as hf
from huggingface_hub.errors import StrictDataclassError
from transformers.initialization import no_init_weights
from transformers.models.auto import modeling_auto

from models.huggingface.classes import auto_class_of
from tests.models.huggingface.tiny_sizes import ALSO, SIZES, WIDE, Values

MOST_WEIGHTS = 8_000_000
RANKS = ("q_lora_rank", "kv_lora_rank")
LATENT = "qk_rope_head_dim"
KINDS_OF_LAYERS = "layer_types"
DOES_NOT_FIT = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    AssertionError,
    RuntimeError,
    ImportError,
    StrictDataclassError,
)
"""What classes raise over sizes that do not fit each other, or for packages that are not here."""

NOT_MADE = {
    "gemma4_assistant": "all its layers have to take keys and values from others, and transformers asks for one that "
    "makes them",
}
"""Families that cannot be made at all, and why: that they are refused in a sentence is held all the same."""


@cache
def families() -> tuple[str, ...]:
    """The families that an auto class opens which Headlight asks, by their names in transformers."""
    tables = (
        modeling_auto.MODEL_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_PRETRAINING_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    )
    return tuple(sorted({family for table in tables for family in table}))


@lru_cache(maxsize=1)
def default_configuration(family: str) -> hf.PreTrainedConfig:
    """The configuration that the class of a family has by itself, or with what it is told where it has none. Nobody
    changes it."""
    try:
        return hf.CONFIG_MAPPING[family]()
    except DOES_NOT_FIT:
        return hf.CONFIG_MAPPING[family](**ALSO[family])


def tiny_models(family: str) -> Iterator[hf.PreTrainedModel]:
    """Tiny models of a family with random weights, one for each choice of sizes that its class takes."""
    for config in tiny_configurations(family):
        try:
            with torch.device("meta"), no_init_weights():
                size = sum(weight.numel() for weight in auto_class_of(config).from_config(config).parameters())
            if size > MOST_WEIGHTS:
                continue
            torch.manual_seed(0)
            model: hf.PreTrainedModel = auto_class_of(config).from_config(config, attn_implementation="eager")
        except DOES_NOT_FIT:
            continue
        with torch.no_grad():
            for weight in model.parameters():
                if weight.dim() > 1:
                    weight.normal_(0, 0.2)
        yield model.eval()


def tiny_configurations(family: str) -> Iterator[hf.PreTrainedConfig]:
    """The configuration of a family with each choice of sizes that it takes."""
    heads = dict.fromkeys(("num_key_value_heads", "num_kv_heads"), SIZES["num_attention_heads"])
    without = [name for name in SIZES if name != "head_dim"]
    for sizes in (SIZES, {name: SIZES[name] for name in without}, SIZES | heads, SIZES | WIDE):
        with suppress(*DOES_NOT_FIT):
            yield _tiny(default_configuration(family), sizes, ALSO.get(family, {}))


def _tiny(default: hf.PreTrainedConfig, sizes: Values, also: Values) -> hf.PreTrainedConfig:
    said = default.to_dict()
    config_class = type(default)
    renamed = config_class.attribute_map
    values = {
        name: size
        for name, size in sizes.items()
        if (name in said or name in renamed) and renamed.get(name) not in SIZES
    }
    values = {name: size for name, size in values.items() if isinstance(said.get(name), int) or name not in RANKS}
    values = {name: size for name, size in values.items() if isinstance(said.get(name, 0), int | None)}
    if LATENT in values:  # keys and values of all heads come out of one vector
        values |= {"num_key_value_heads": SIZES["num_attention_heads"]}
        values.pop("head_dim", None)
    values |= _kinds_of_layers(said) | also
    for name in config_class.sub_configs:
        if isinstance(part := getattr(default, name, None), hf.PreTrainedConfig):
            values[name] = _tiny(part, sizes, ALSO.get(part.model_type, {}) | also.get(name, {})).to_dict()
    made = config_class(**values)
    if made.is_encoder_decoder:
        made.decoder_start_token_id = SIZES["decoder_start_token_id"]
    return made


def _kinds_of_layers(said: Values) -> Values:
    """One layer of each kind, where a family has several by itself."""
    kinds = list(dict.fromkeys(said.get(KINDS_OF_LAYERS) or ()))
    has_number = "num_hidden_layers" in said
    return {KINDS_OF_LAYERS: kinds, "num_hidden_layers": len(kinds)} if len(kinds) > 1 and has_number else {}
