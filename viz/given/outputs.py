"""Which kinds of attention are in what a model returned: outputs of transformers, caches of TransformerLens, arrays.

An output of transformers has its attention under `attentions`, or `encoder_attentions`, `decoder_attentions` and
`cross_attentions`; a cache of TransformerLens under `blocks.{layer}.attn.hook_pattern`; a dictionary of one's own under
`attention`, or under a number for each layer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from models.values.errors import ArgumentError, RecordError
from models.values.record import KINDS, Kind
from models.values.wording import to_say, worded
from viz.given.arrays import is_sequence, to_array
from viz.given.generation import assembled_layers, is_generation
from viz.given.layers import Layers, layers_of

OF_KINDS: dict[str, Kind] = {
    "encoder_attentions": "encoder",
    "decoder_attentions": "decoder",
    "cross_attentions": "cross",
}
PATTERN = re.compile(r"(blocks|encoder|decoder)\.(\d+)\.(attn|cross_attn)\.hook_pattern")
HOOK = "hook_"
"""In the names of a cache of TransformerLens, of which only the patterns are attention."""
NAMES = ("weights", "attention", "attentions")
"""Of arrays that are attention, in a file or a dictionary."""
NUMBERED = re.compile(r"^(.*?)(\d+)(\D*)$")
WITHOUT = to_say(
    "{name} has no attention weights, only {found}. Call the model with output_attentions=True, and load it with "
    'attn_implementation="eager"; of TransformerLens, cache blocks.0.attn.hook_pattern and those of the other layers.'
)
SHOWN = 12
"""The most names that a message quotes."""


def kinds_of(attention: Any, *, item: int | None) -> dict[Kind, Layers]:
    """Return the layers of every kind in a value; the one of arrays alone is an encoder's, a decoder's where no query
    looks at a later key, or cross attention where it is not square.

    Raises ArgumentError or RecordError for what has no attention in it, SelectionError for an item that there is not.
    """
    if getattr(attention, "beam_indices", None) is not None:
        raise RecordError(
            worded(
                "This text was written with beams, so its steps belong to several texts. Write with num_beams=1, or "
                "read the written text once more with output_attentions=True."
            )
        )
    fields = _fields(attention)
    if fields is None:
        return _of_arrays(attention, item=item)
    patterns = _patterns(fields)
    if patterns:
        read = {kind: layers_of(layers, item=item, name=name) for kind, (name, layers) in patterns.items()}
        return {"decoder": read["encoder"]} if set(read) == {"encoder"} and read["encoder"].is_causal else read
    found: dict[Kind, Layers] = {}
    for field, kind in OF_KINDS.items():
        if _holds(fields.get(field)):
            found[kind] = _layers(fields[field], item=item, name=field, is_cross=kind == "cross")
    if _holds(fields.get("attentions")):
        own = _layers(fields["attentions"], item=item, name="attentions", is_cross=False)
        found["decoder" if "cross" in found or own.is_causal else "encoder"] = own
    if not found:
        return _of_arrays(_by_name(fields, type(attention).__name__), item=item)
    return {kind: found[kind] for kind in KINDS if kind in found}


def numbered_layers(arrays: Mapping[Any, Any]) -> list[Any] | None:
    """Return arrays whose names differ by a number alone, in its order; None for others."""
    numbered: dict[int, Any] = {}
    stems: set[tuple[str, str]] = set()
    for key, array in arrays.items():
        match = NUMBERED.match(str(key))
        if not match:
            return None
        stems.add((match[1], match[3]))
        numbered[int(match[2])] = array
    return [numbered[number] for number in sorted(numbered)] if len(stems) == 1 else None


def _by_name(fields: Mapping[Any, Any], of_type: str) -> Any:
    """Return the attention in a dictionary that has it by a known name, or its layers by number. Raises ArgumentError
    if it has none."""
    named = next((fields[name] for name in NAMES if _holds(fields.get(name))), None)
    if named is None:
        arrays = {key: value for key, value in fields.items() if getattr(value, "ndim", 0) > 1}
        named = None if any(HOOK in str(key) for key in arrays) else numbered_layers(arrays)
    if named is None:
        names = ", ".join(map(repr, list(fields)[:SHOWN])) or "{}"
        raise ArgumentError(worded(WITHOUT, name=of_type, found=names))
    return named


def _of_arrays(attention: Any, *, item: int | None) -> dict[Kind, Layers]:
    is_cross = is_generation(attention) and len(attention) > 1 and _is_over_source(attention)
    layers = _layers(attention, item=item, name="attention", is_cross=is_cross)
    if not layers.is_square:
        return {"cross": layers}
    return {"decoder" if layers.is_causal else "encoder": layers}


def _is_over_source(steps: Any) -> bool:
    """Return whether the steps of a generation look at another text: at as many keys in every step, and in the first
    one at more of them than it has rows. In a static cache, which has room for later keys, those get nothing."""
    blocks = [next(layer for layer in step if layer is not None) for step in steps]
    first, n_rows = blocks[0], blocks[0].shape[2]
    if len({block.shape[3] for block in blocks}) > 1:
        return False
    return bool(to_array(first, "attention")[..., n_rows:].any())


def _layers(value: Any, *, item: int | None, name: str, is_cross: bool) -> Layers:
    if is_generation(value):
        return assembled_layers(value, item=item, name=name, is_cross=is_cross)
    return layers_of(value, item=item, name=name)


def _holds(value: Any) -> bool:
    """Return whether a field is given; an empty tuple is what a model gives that keeps no weights of a kind."""
    return value is not None and not (is_sequence(value) and not len(value))


def _fields(value: Any) -> Mapping[str, Any] | None:
    """Return the named parts of an output, or of a cache; None for an array or a sequence of arrays."""
    if isinstance(value, Mapping):
        return value
    if hasattr(value, "cache_dict") and isinstance(value.cache_dict, Mapping):
        return value.cache_dict  # TransformerLens' ActivationCache
    named = [name for name in ("attentions", *OF_KINDS) if hasattr(value, name)]
    return {name: getattr(value, name) for name in named} if named else None


def _patterns(fields: Mapping[str, Any]) -> dict[Kind, tuple[str, list[Any]]]:
    """Return the layers of a cache of TransformerLens by kind, None for those that were not cached."""
    kinds: dict[Kind, tuple[str, dict[int, Any]]] = {}
    for name in fields:
        match = PATTERN.fullmatch(str(name))
        if match:
            stack, layer, module = match.groups()
            kind: Kind = "cross" if module == "cross_attn" else "decoder" if stack == "decoder" else "encoder"
            kinds.setdefault(kind, (f"{stack}.{{}}.{module}", {}))[1][int(layer)] = fields[name]
    return {
        kind: (name.format("*"), [layers.get(number) for number in range(max(layers) + 1)])
        for kind, (name, layers) in kinds.items()
    }
