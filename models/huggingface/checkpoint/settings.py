"""Refuse a configuration that asks for another attention than the class that opens it computes.

Whether a class reads a setting stands in its source, and in that of its configuration: transformers tells nobody of
what it ignores. A setting that was read once, as BERT's `position_embedding_type` in transformers 4, is kept in the
configuration and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import getsource
from pathlib import Path
from sys import modules
from typing import Any

import transformers
from transformers import AutoModel, PreTrainedConfig

from models.checkpoints.attention_settings import CROSS_ATTENTION, PLAIN, POSITIONS, unusual_settings
from models.checkpoints.faults.contents import read_json
from models.checkpoints.faults.names import CONFIG
from models.huggingface.classes import ModelClass, class_of
from models.huggingface.config import MOST_TOKENS
from models.values.errors import ModelLoadError
from models.values.wording import worded

IN_MASKS = {"is_causal": "create_causal_mask"}
"""A setting that a function of transformers for all classes reads, and what the source of a class calls then."""
OTHER_NAMES = {"rotary_dim": "partial_rotary_factor", "rotary_pct": "partial_rotary_factor"}
"""Settings that say what another one says, which a class may read in their place."""
ONE_OF_SEVERAL = frozenset({POSITIONS, "attention_type", "attn_type"})
"""Settings that name one way of several: a class that reads them knows it only if its source names it, too."""

OWN_MODEL = "AutoModel"
"""How the entries of `auto_map` begin that name code for a model, and not for its tokenizer or configuration."""


def expect_honoured(config: PreTrainedConfig, model_class: ModelClass | None, folder: Path, name: str) -> None:
    """Raise ModelLoadError if the config.json in a folder changes attention in a way that the class does not read."""
    given = read_json(folder / CONFIG)
    if given.get(CROSS_ATTENTION) and not config.is_encoder_decoder:
        raise ModelLoadError(
            name,
            worded(
                "The config.json of {model} says {field} true: it is the decoder of an encoder-decoder, whose cross "
                "attention reads what the encoder has made of a source. Open the whole model that it is a part of.",
                model=name,
                field=CROSS_ATTENTION,
            ),
        )
    for of, part, opened_by in _parts(given, config, model_class):
        asked = (*unusual_settings(part, most_tokens=_most_tokens(of)), *_turned_off(part, of))
        for field, value in asked:
            if field != CROSS_ATTENTION and not _is_read(field, value, of, opened_by):
                raise ModelLoadError(name, _not_read(name, field, value, opened_by))


def note_on_own_code(model_class: ModelClass | None, folder: Path) -> tuple[str, ...]:
    """Return a note for a checkpoint whose config.json names code of its own for the model, which is never run."""
    given = read_json(folder / CONFIG).get("auto_map")
    named = [value for name, value in given.items() if name.startswith(OWN_MODEL)] if isinstance(given, Mapping) else []
    own = [code for code in named if isinstance(code, str)]
    if model_class is None or not own:
        return ()
    return (
        worded(
            "This model comes with code of its own ({code}), which is not run here: transformers' class {class_name} "
            "computes in its place. Where the two differ, so does what is shown.",
            code=own[0][:80],
            class_name=model_class.__name__,
        ),
    )


def _parts(
    given: Mapping[str, Any], config: PreTrainedConfig, model_class: ModelClass | None
) -> Iterator[tuple[PreTrainedConfig, Mapping[str, Any], ModelClass]]:
    """A configuration with what its file says and its class, and so those of the stacks of text inside it."""
    if model_class is not None:
        yield config, given, model_class
    for field in config.sub_configs:
        inner, part = getattr(config, field, None), given.get(field)
        if isinstance(inner, PreTrainedConfig) and isinstance(part, Mapping):
            inner_class = class_of(AutoModel, inner)
            yield from _parts(part, inner, inner_class or model_class)


def _turned_off(part: Mapping[str, Any], config: PreTrainedConfig) -> Iterator[tuple[str, Any]]:
    """Settings that ask for plain attention of a class that by itself has another: MPT without its ALiBi."""
    for field, value in part.items():
        own = getattr(type(config), field, None) if field in PLAIN else None
        if own and isinstance(own, bool) and value is False:
            yield field, value


def _most_tokens(config: PreTrainedConfig) -> int:
    said = getattr(config.get_text_config(), "max_position_embeddings", None)
    return min(MOST_TOKENS, said) if isinstance(said, int) and said > 0 else MOST_TOKENS


def _is_read(field: str, value: Any, config: PreTrainedConfig, model_class: ModelClass) -> bool:
    """Whether a class, or its configuration, reads a setting, or does as it says without reading it."""
    source, of_config = _source(model_class.__module__), _source(type(config).__module__)
    if getattr(type(config), field, None) == value:  # the only one that it has
        return True
    if field in IN_MASKS:
        return IN_MASKS[field] in source or f"{field} = True" not in source
    if field in ONE_OF_SEVERAL:
        return str(value).lower() in source.lower()
    names = "|".join((field, OTHER_NAMES.get(field, field)))
    quoted = rf"[\"']({names})[\"']"
    in_class, in_config = rf"config\.({names})\b|{quoted}", rf"self\.({names})\b|{quoted}"
    return bool(re.search(in_class, source) or re.search(in_config, of_config))


@cache
def _source(module: str) -> str:
    return getsource(modules[module])


def _not_read(name: str, field: str, value: Any, model_class: ModelClass) -> str:
    return worded(
        "The config.json of {model} says {field} {value}, which changes its attention, and transformers' class "
        "{class_name} ({version}) does not read it: another attention would be shown than the one it was trained with. "
        "Choose another model, such as BERT, GPT-2 or T5.",
        model=name,
        field=field,
        value=repr(value)[:80],
        class_name=model_class.__name__,
        version=transformers.__version__,
    )
