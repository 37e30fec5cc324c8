"""Find what a configuration says that makes attention another one than softmax(QK^T / sqrt(d_head)) over all tokens.

A class that does not read such a setting ignores it without a word, and computes something else than was trained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

ROPE = ("rope_parameters", "rope_scaling")
"""The tables with the settings of rotary positions, as transformers 5 calls them and as older ones did."""
ROPE_TYPE = ("rope_type", "type")
POSITIONS = "position_embedding_type"
CROSS_ATTENTION = "add_cross_attention"
WINDOWS = ("sliding_window", "attention_window", "window_size", "local_attention", "attention_chunk_size")
"""How many tokens a query sees around it, in the words of several families; a window over all of them is none."""
USES_WINDOW = "use_sliding_window"
PLAIN: dict[str, tuple[Any, ...]] = {
    POSITIONS: ("absolute", "learned"),
    CROSS_ATTENTION: (False,),
    "relative_attention": (False,),
    "alibi": (False,),
    "use_alibi": (False,),
    "rotary": (False,),
    "rotary_value": (False,),
    "partial_rotary_factor": (1,),
    "rotary_pct": (1,),
    "rotary_dim": (),
    "use_mrope": (False,),
    "is_causal": (True,),
    "autoregressive": (False,),
    "use_bidirectional_attention": (False,),
    "prefix_lm": (False,),
    "attention_type": ("original_full", "full", "full_attention", "softmax", "standard", "vanilla"),
    "attn_type": ("bi", "full", "softmax"),
    "layer_types": ("full_attention",),
    "attention_layers": ("global",),
    "attention_dilation": (1,),
    "attn_logit_softcapping": (0,),
    "attn_logit_softcap": (0,),
    "attention_logit_cap": (0,),
    "attention_softcap": (0,),
    "query_pre_attn_scalar": (),
    "attention_multiplier": (),
    "attention_scale": (),
    "softmax_scale": (),
    "scale_attn_weights": (True,),
    "scale_attn_by_inverse_layer_idx": (False,),
    "clip_qkv": (),
    "qk_norm": (False,),
    "use_qk_norm": (False,),
    "qk_layernorm": (False,),
    "qk_ln": (False,),
    "use_logn_attn": (False,),
    "use_dynamic_ntk": (False,),
    "pruned_heads": (),
}
"""The settings, with the values beside null by which attention stays plain; of a list, those of its parts."""


def unusual_settings(config: Mapping[str, Any], *, most_tokens: int) -> Iterator[tuple[str, Any]]:
    """Every setting of a configuration, or of its tables for rotary positions, that changes attention: (field, value).

    `most_tokens` is how many a text may have: a window of as many hides nothing.
    """
    for field, value in config.items():
        if field in ROPE and isinstance(value, Mapping):
            yield from _of_rope(value, most_tokens)
        elif field in WINDOWS:
            if config.get(USES_WINDOW, True) is not False and _is_window(value, most_tokens):
                yield field, value
        elif field in PLAIN and not _is_plain(field, value):
            yield field, value


def _of_rope(table: Mapping[str, Any], most_tokens: int) -> Iterator[tuple[str, Any]]:
    """Those of a table for rotary positions, which may hold a table for each kind of layer."""
    kind = next((table[name] for name in ROPE_TYPE if table.get(name)), "default")
    if kind != "default":
        yield ROPE_TYPE[0], kind
    yield from unusual_settings(table, most_tokens=most_tokens)
    for part in table.values():
        if isinstance(part, Mapping):
            yield from _of_rope(part, most_tokens)


def _is_window(value: Any, most_tokens: int) -> bool:
    sizes = value if isinstance(value, list) else [value]
    return any(type(size) is int and 0 < size < most_tokens for size in sizes)


def _is_plain(field: str, value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_plain(field, part) for part in value)
    return value in (None, "", {}) or value in PLAIN[field]
