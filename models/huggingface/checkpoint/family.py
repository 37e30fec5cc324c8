"""Read a configuration, and say in words of ours what is wrong with one that transformers does not take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import torch
import transformers
from transformers import CONFIG_MAPPING, PreTrainedConfig
from transformers.models.auto import modeling_auto

from models.checkpoints.device_faults import device_fault
from models.checkpoints.devices import PROCESSOR
from models.checkpoints.faults.contents import quantisation_of, quantised_message
from models.huggingface.classes import AutoClass
from models.values.errors import ModelLoadError, UnsupportedModelError
from models.values.wording import join_sentences, to_say, worded

_TABLES = "_MAPPING_NAMES"
"""How the tables of transformers end that name the classes of every family."""
OURS_TO_SAY = frozenset(
    {"output_attentions", "output_hidden_states", "return_dict", "use_return_dict", "attn_implementation"}
    | {"_attn_implementation", "_attn_implementation_internal", "chunk_size_feed_forward"}
)
"""Fields that say what a pass hands out, what computes attention, and how a pass is divided to save memory: Headlight
decides them."""
MOST_COUNTED = 1_000_000
"""Layers, heads or labels."""
_COUNTS = re.compile(r"^(num|n)_(?!positions$|ctx$|embd$)|(layers?|labels|heads|experts)$")
ROUNDED = "quantization_config"
_FIELD = re.compile(r"field '(\w+)'")


def open_config(source: str, revision: str, name: str) -> PreTrainedConfig:
    """Return the configuration of a folder or a cached id, its family guessed from its classes where it names none.

    Raises ModelLoadError for one that says no family, or something that its family cannot have, and
    UnsupportedModelError for a family that this transformers does not know.
    """
    given, _ = PreTrainedConfig.get_config_dict(source, revision=revision, local_files_only=True)
    said = given.get("model_type")
    family = said if isinstance(said, str) and said else family_of_classes(given.get("architectures"))
    if not family:
        raise ModelLoadError(
            name,
            worded(
                "The config.json of {model} has no model_type, which says of which family it is. Add a line such as "
                '"model_type": "bert".',
                model=name,
            ),
        )
    if not isinstance(said, str | None):
        raise ModelLoadError(name, _impossible(name, family, "model_type", said))
    if family not in CONFIG_MAPPING:
        raise UnsupportedModelError(name, _unknown_family(name, family, has_code="auto_map" in given))
    opens: Any = CONFIG_MAPPING[family]
    rounded = given.get(ROUNDED)
    if rounded and not isinstance(rounded, dict | str):
        raise ModelLoadError(name, _impossible(name, family, ROUNDED, rounded))
    if isinstance(rounded, str) and rounded:
        raise ModelLoadError(name, quantised_message(name, quantisation_of(given)))
    if (field := next(_counts_too_many(given), None)) is not None:
        raise ModelLoadError(name, _impossible(name, family, *field))
    try:
        config: PreTrainedConfig = opens.from_dict(_without_outputs(given), name_or_path=source)
    except Exception as error:
        fault = device_fault(error, name, PROCESSOR)
        raise fault or ModelLoadError(name, _contradicting(name, family, given, error)) from error
    return config


def _counts_too_many(given: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields, with their numbers, that count more layers, labels or heads than any model has: transformers
    would write out a list as long."""
    for field, value in given.items() if isinstance(given, dict) else ():
        if isinstance(value, int | float) and value > MOST_COUNTED and _COUNTS.search(str(field)):
            yield str(field), value
        yield from _counts_too_many(value)


def _without_outputs(given: Any) -> Any:
    """A table of a configuration, and the tables in it, without what Headlight decides for each pass, and without one
    of rounding that says nothing."""
    if not isinstance(given, dict):
        return given
    kept = ((field, value) for field, value in given.items() if value or field != ROUNDED)
    return {field: _without_outputs(value) for field, value in kept if field not in OURS_TO_SAY}


def family_of_classes(classes: Any) -> str:
    """The family of the first class that a configuration names; empty if transformers has none of that name."""
    names = (name for name in classes if isinstance(name, str)) if isinstance(classes, list) else ()
    named = next(iter(names), "")
    for table in (table for title, table in vars(modeling_auto).items() if title.endswith(_TABLES)):
        for family, of_family in table.items():
            if named and named in (of_family if isinstance(of_family, tuple | list) else (of_family,)):
                return str(family)
    return ""


def _unknown_family(name: str, family: str, *, has_code: bool) -> str:
    says = to_say(
        "{model} is of the family {family}, which the installed transformers ({version}) does not know. Choose another "
        "model, such as BERT, GPT-2 or T5."
    )
    if has_code:
        says = to_say(
            "{model} is of the family {family}, which the installed transformers ({version}) does not know: its code "
            "lies beside its weights, and Headlight runs no code of a model. Choose another model, such as BERT, GPT-2 "
            "or T5."
        )
    unknown = worded(says, model=name, family=repr(family[:80]), version=transformers.__version__)
    alike = next((known for known in CONFIG_MAPPING if _plain_name(known) == _plain_name(family)), "")
    return join_sentences(unknown, worded("Did you mean {choice}?", choice=repr(alike)) if alike else "")


def _plain_name(family: str) -> str:
    return family.lower().replace("-", "_").strip()


def _contradicting(name: str, family: str, given: dict[str, Any], error: Exception) -> str:
    """The sentence for a configuration that its family does not take; names the field where the error does."""
    match = _FIELD.search(str(error))
    if match and match[1] in given:
        return _impossible(name, family, match[1], given[match[1]])
    return _not_buildable(name, family)


def _impossible(name: str, family: str, field: str, value: Any) -> str:
    return worded(
        "The config.json of {model} says {field} {value}, and a model of the family {family} cannot have that. "
        "Correct it, or copy the file anew.",
        model=name,
        field=field,
        value=repr(value)[:80],
        family=repr(family),
    )


def expect_buildable(auto_class: AutoClass, config: PreTrainedConfig, name: str) -> None:
    """Raise ModelLoadError if no model can be built of a configuration, whatever its weights are."""
    builds: Any = auto_class
    try:
        with torch.device("meta"):
            builds.from_config(config)
    except ImportError:
        raise  # a package is missing
    except Exception as error:
        fault = device_fault(error, name, PROCESSOR)
        raise fault or ModelLoadError(name, _not_buildable(name, config.model_type)) from error


def _not_buildable(name: str, family: str) -> str:
    return worded(
        "No model of the family {family} can be built of what the config.json of {model} says: its sizes contradict "
        "each other, or it names what there is not. Copy the file anew from where the model comes from.",
        model=name,
        family=repr(family),
    )
