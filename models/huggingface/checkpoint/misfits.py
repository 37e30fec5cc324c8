"""Say how configuration, weights and tokenizer of a folder do not fit together, and take off what wraps their names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice, takewhile
from pathlib import Path
from re import escape
from typing import Any

from torch import nn
from transformers import PreTrainedConfig, PreTrainedModel

from models.checkpoints.faults.contents import (
    fault_of_json,
    header_of,
    quantisation_of,
    quantised_message,
    read_json,
    weights_of,
)
from models.checkpoints.faults.names import CONFIG
from models.text.tokenizer.files import no_tokenizer
from models.values.errors import ModelLoadError
from models.values.wording import Message, to_say, worded

COMPILED = "_orig_mod"
"""The prefix that torch.compile puts before the name of every weight."""
WRAPPERS: dict[str, Message] = {
    f"{COMPILED}.": to_say("torch.compile"),
    "module.": to_say("training on several devices"),
    "_forward_module.": to_say("Lightning Fabric"),
    "model.": to_say("a training by Lightning"),
}
"""Known prefixes of names, and what puts them there."""
MOST_WRAPPERS = 3
"""So many prefixes, one inside the other, are taken off."""
SIZES = (
    "vocab_size",
    "hidden_size",
    "d_model",
    "n_embd",
    "dim",
    "embedding_size",
    "intermediate_size",
    "d_ff",
    "n_inner",
    "encoder_ffn_dim",
    "decoder_ffn_dim",
    "hidden_dim",
    "max_position_embeddings",
    "n_positions",
    "type_vocab_size",
    "num_labels",
)
"""The fields of a configuration that a size is looked for in first."""


# -- names ------------------------------------------------------------------------------------------------------------


def names_of_weights(folder: Path) -> tuple[str, ...]:
    """The names of the weights in a folder, from the headers of their files."""
    headers = (header_of(file) or {} for file in weights_of(folder))
    return tuple(name for header in headers for name in header if name != "__metadata__")


def compiled_names(names: Iterable[str]) -> dict[str, str]:
    """Return the prefix to remove from the names of a compiled model, as transformers' `key_mapping`; empty for names
    of any other."""
    return {rf"(^|\.){COMPILED}\.": r"\1"} if any(COMPILED in name.split(".") for name in names) else {}


def wrapped_names(names: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Return prefixes that all names may have without being part of them, with the `key_mapping` that removes each: the
    first component that all have in common, the first two, and so on."""
    compiled = compiled_names(names)
    plain = [name.replace(f"{COMPILED}.", "").split(".")[:-1] for name in names]
    shared = takewhile(lambda column: len(set(column)) == 1, zip(*plain, strict=False))
    parts = [column[0] for column in islice(shared, MOST_WRAPPERS)]
    prefixes = [".".join(parts[: n + 1]) + "." for n in range(len(parts))]
    return [(prefix, compiled | {f"^{escape(prefix)}": ""}) for prefix in prefixes]


def note_on_names(prefix: str) -> str:
    """The note about what was taken off the names of all weights."""
    by = WRAPPERS.get(prefix.partition(".")[0] + ".")
    if by is None:
        return worded("The names of its weights begin with “{prefix}”, which was left out.", prefix=prefix)
    return worded(
        "The names of its weights begin with “{prefix}”, which {program} has put there, and which was left out.",
        prefix=prefix,
        program=by,
    )


def is_all_missing(model: nn.Module, missing: Collection[str]) -> bool:
    """Whether not one weight of a model was found."""
    return all(name in missing for name, _ in model.named_parameters())


def expect_known_names(model: PreTrainedModel, missing: Collection[str], names: Sequence[str], name: str) -> None:
    """Raise ModelLoadError if not one weight of the files has a name that the model knows."""
    if names and is_all_missing(model, missing):
        raise ModelLoadError(
            name,
            worded(
                "No weight of {model} has a name that a model of the family {family} has: the first is called {found}, "
                "and one called {expected} was looked for. Save it with save_pretrained of the model itself, not of "
                "what it was trained in.",
                model=name,
                family=repr(model.config.model_type),
                found=min(names),
                expected=min(missing),
            ),
        )


# -- sizes ------------------------------------------------------------------------------------------------------------


def expect_same_sizes(
    mismatched: Iterable[tuple[str, Sequence[int], Sequence[int]]], config: PreTrainedConfig, name: str
) -> None:
    """Raise ModelLoadError if weights have other sizes in their file than the configuration says: (weight, its size in
    the file, the size that is expected)."""
    misfits = sorted(mismatched)
    if not misfits:
        return
    weight, given, expected = max(misfits, key=lambda misfit: _count_named_sizes(misfit, config))
    named = " ".join(
        f"{field} {size:,}"
        for given_size, size in zip(given, expected, strict=False)
        if given_size != size and (field := _field_of(size, config))
    )
    sizes = {"weight": weight, "given": list(given), "expected": list(expected), "n": len(misfits), "config": CONFIG}
    if named:
        says = worded(
            "The weights of {model} do not fit its {config}: {weight} has the size {given} in the file, and {config} "
            "says {fields}, which makes {expected} ({n} of the weights do not fit). Take both files from one model.",
            model=name,
            fields=named,
            **sizes,
        )
    else:
        says = worded(
            "The weights of {model} do not fit its {config}: {weight} has the size {given} in the file, and {config} "
            "makes it {expected} ({n} of the weights do not fit). Take both files from one model.",
            model=name,
            **sizes,
        )
    raise ModelLoadError(name, says)


def _count_named_sizes(mismatch: tuple[str, Sequence[int], Sequence[int]], config: PreTrainedConfig) -> int:
    """How many of the sizes that differ are those of a field."""
    _, given, expected = mismatch
    return sum(one != other and bool(_field_of(other, config)) for one, other in zip(given, expected, strict=False))


def _field_of(size: int, config: PreTrainedConfig) -> str:
    """The field of a configuration that says a size; empty if none does."""
    said: Mapping[str, Any] = config.get_text_config().to_dict()
    others = (field for field, value in said.items() if type(value) is int and field not in SIZES)
    return next((field for field in (*SIZES, *others) if said.get(field) == size), "")


# -- what transformers could not open ---------------------------------------------------------------------------------


def why_unreadable(folder: Path, name: str) -> str:
    """The sentence for files that look whole and could not be opened."""
    try:
        config = read_json(folder / CONFIG)
    except (OSError, ValueError, RecursionError):
        config = {}
    if isinstance(config, dict) and (method := quantisation_of(config)):
        return quantised_message(name, method)
    return worded(
        "{model} was found, but transformers cannot open its files: they are damaged, or do not belong together. Copy "
        "or download all of them anew, or choose another model.",
        model=name,
    )


def why_no_tokenizer(folder: Path, name: str) -> str:
    """The sentence for a folder whose tokenizer is not there, or cannot be opened."""
    return fault_of_json(folder / "tokenizer.json", name) or no_tokenizer(name)
