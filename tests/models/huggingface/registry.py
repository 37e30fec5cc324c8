"""Every family that transformers has, found by walking its registry, as a tiny model with random weights.

Sizes are made small by what configurations call them. Where a family wants its sizes to fit each other in a way of its
own, other choices are tried in turn, and a few are told in ALSO.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import torch
import transformers as hf
from huggingface_hub.errors import StrictDataclassError
from transformers.models.auto import modeling_auto

from models.huggingface.classes import auto_class_of
from tests.models.huggingface.families import D_VOCAB

Values = dict[str, Any]
SIZES: Values = {
    name: size
    for size, names in {
        32: "hidden_size d_model n_embd dim embed_dim embedding_size emb_dim word_embed_proj_dim encoder_hidden_size "
        "d_embed projection_dim hidden_size_per_layer_input entity_emb_size",
        4: "num_attention_heads n_head n_heads encoder_attention_heads decoder_attention_heads num_heads "
        "num_encoder_attention_heads num_decoder_attention_heads num_self_attention_heads num_cross_attention_heads "
        "num_experts num_local_experts n_routed_experts moe_num_experts qk_rope_head_dim qk_nope_head_dim rotary_dim",
        2: "num_key_value_heads num_kv_heads num_hidden_layers n_layer n_layers num_layers encoder_layers "
        "decoder_layers num_decoder_layers num_encoder_layers num_experts_per_tok moe_k top_k moe_topk "
        "experts_per_token eos_token_id decoder_start_token_id",
        8: "head_dim d_kv d_head attention_head_size kv_channels v_head_dim global_head_dim",
        48: "intermediate_size d_ff ffn_dim encoder_ffn_dim decoder_ffn_dim n_inner hidden_dim moe_intermediate_size "
        "shared_expert_intermediate_size d_inner ff_dim ffn_hidden_size expert_ffn_hidden_size "
        "moe_shared_expert_intermediate_size intermediate_size_mlp",
        16: "q_lora_rank kv_lora_rank",
        160: "max_position_embeddings n_positions max_seq_len max_sequence_length seq_length attention_chunk_size "
        "max_inference_chunksize",
        1: "n_group topk_group n_groups num_expert_group n_shared_experts pad_token_id",
        0: "bos_token_id",
        D_VOCAB: "vocab_size unpadded_vocab_size vocab_size_per_layer_input entity_vocab_size pronunciation_vocab_size "
        "shape_vocab_size",
    }.items()
    for name in names.split()
}  # fmt: skip
MOST_WEIGHTS = 8_000_000
WIDE = {"hidden_size": 512, "head_dim": 128}
"""Heads that are as wide as those of checkpoints: Qwen2-VL divides their dimensions among time, height and width."""
RANKS = ("q_lora_rank", "kv_lora_rank")
LATENT = "qk_rope_head_dim"
KINDS_OF_LAYERS = "layer_types"
DOES_NOT_FIT = (
    ValueError, TypeError, AttributeError, LookupError, AssertionError, RuntimeError, ImportError, StrictDataclassError,
)  # fmt: skip
"""What classes raise over sizes that do not fit each other, or for packages that are not here."""
CHOSEN_KEYS: Values = {"index_topk": 4}
CHOSEN_BLOCKS: Values = {
    "index_block_size": 2,
    "index_topk_blocks": 2,
    "index_local_blocks": 1,
    "layer_types": ["full_attention", "minimax_m3_sparse"],
}
ALSO: dict[str, Values] = {
    **dict.fromkeys(
        ("deepseek_v32", "glm_moe_dsa", "dots3_note_text", "axk2", "mistral_large4_text", "hy_v4"), CHOSEN_KEYS
    ),
    "minimax_m3_vl_text": CHOSEN_BLOCKS,
    "gpt_neo": {"attention_types": [[["global", "local"], 1]], "window_size": 4},
    "reformer": {"axial_pos_embds_dim": (16, 16), "axial_pos_shape": (8, 20)},
    "mamba2": {"num_heads": 8, "head_dim": 8},
    "longformer": {"attention_window": 4},
    "led": {"attention_window": 4},
    "bamba": {"mamba_n_heads": 8, "mamba_d_head": 8, "attn_layer_indices": [1]},
    "granitemoehybrid": {"mamba_n_heads": 8, "mamba_d_head": 8, "layer_types": ["mamba", "attention"]},
    "lfm2": {"layer_types": ["conv", "full_attention"]},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"]},
    "zamba": {"layers_block_type": ["linear_attention", "hybrid"] * 2, "num_hidden_layers": 4},
    "zamba2": {"layers_block_type": ["linear_attention", "hybrid"] * 2, "num_hidden_layers": 4, "n_mamba_heads": 8},
    "zaya": {"num_experts_per_tok": 1},
    "blt": {"encoder_hash_byte_group_vocab": 100},
    "dots3_note_text": {"layer_types": ["indexed_attention"] * 2},
    "lilt": {"hidden_size": 48},
    "glm4v_text": {"hidden_size": 256},
    "glm_ocr_text": {"hidden_size": 256, "head_dim": 64},
    "encoder-decoder": {
        "decoder": {
            "model_type": "bert",
            "vocab_size": D_VOCAB,
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "intermediate_size": 48,
            "is_decoder": True,
            "add_cross_attention": True,
        }
    },
    "xmod": {"default_language": "en_XX"},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1},
    "recurrent_gemma": {"block_types": ["recurrent", "attention"]},
    "deberta": {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
    "deberta-v2": {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
}
"""What families are told besides: a pattern of layers, sizes that must fit, what their checkpoints always have."""


@cache
def families() -> tuple[str, ...]:
    """The families that an auto class opens which Headlight asks, by their names in transformers."""
    tables = (
        modeling_auto.MODEL_MAPPING_NAMES, modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES, modeling_auto.MODEL_FOR_PRETRAINING_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    )  # fmt: skip
    return tuple(sorted({family for table in tables for family in table}))


def default_configuration(family: str) -> hf.PreTrainedConfig:
    """The configuration that the class of a family has by itself."""
    return hf.CONFIG_MAPPING[family]()


def tiny_models(family: str) -> Iterator[hf.PreTrainedModel]:
    """Tiny models of a family with random weights, one for each choice of sizes that its class takes."""
    heads = dict.fromkeys(("num_key_value_heads", "num_kv_heads"), SIZES["num_attention_heads"])
    without = [name for name in SIZES if name != "head_dim"]
    for sizes in (SIZES, {name: SIZES[name] for name in without}, SIZES | heads, SIZES | WIDE):
        try:
            config = _tiny(hf.CONFIG_MAPPING[family], sizes, ALSO.get(family, {}))
            with torch.device("meta"):
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


def _tiny(config_class: type[hf.PreTrainedConfig], sizes: Values, also: Values) -> hf.PreTrainedConfig:
    default = config_class()
    said = default.to_dict()
    renamed = config_class.attribute_map
    values = {
        name: size for name, size in sizes.items()
        if (name in said or name in renamed) and renamed.get(name) not in SIZES
    }  # fmt: skip
    values = {name: size for name, size in values.items() if isinstance(said.get(name), int) or name not in RANKS}
    values = {name: size for name, size in values.items() if isinstance(said.get(name, 0), int | None)}
    if LATENT in values:  # keys and values of all heads come out of one vector
        values |= {"num_key_value_heads": SIZES["num_attention_heads"]}
        values.pop("head_dim", None)
    for name in config_class.sub_configs:
        if isinstance(sub := getattr(default, name, None), hf.PreTrainedConfig):
            values[name] = _tiny(type(sub), sizes, {}).to_dict()
    made = config_class(**values | _kinds_of_layers(said) | also)
    if made.is_encoder_decoder:
        made.decoder_start_token_id = SIZES["decoder_start_token_id"]
    return made


def _kinds_of_layers(said: Values) -> Values:
    """One layer of each kind, where a family has several by itself."""
    kinds = list(dict.fromkeys(said.get(KINDS_OF_LAYERS) or ()))
    has_number = "num_hidden_layers" in said
    return {KINDS_OF_LAYERS: kinds, "num_hidden_layers": len(kinds)} if len(kinds) > 1 and has_number else {}
