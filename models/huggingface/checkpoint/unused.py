"""Account for the weights of a file that a class of transformers has no place for: refused, named in a note, or known
to change nothing.

transformers drops them without a word. One inside the embeddings or the layers would have changed what is computed; one
on top belongs to an answer that nobody asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from safetensors import safe_open
from torch import Tensor, nn
from transformers import PreTrainedModel

from models.checkpoints.faults.contents import weights_of
from models.checkpoints.faults.formats import INDEX, WEIGHTS
from models.checkpoints.faults.names import CONFIG, list_names
from models.values.errors import ModelLoadError
from models.values.wording import Message, worded, worded_n

BUFFERS = re.compile(r"(^|\.)(position_ids|token_type_ids|masked_bias|num_batches_tracked|version|(\w+_)?inv_freq)$")
"""Buffers that older versions of transformers wrote beside the weights, and now compute: counters, a constant, angles.
No class calls a trained weight so."""
POOLER = re.compile(r"(^|\.)pooler\.")
"""The pooler reads the last hidden state, and only a head of the class that was saved reads the pooler."""
ANOTHER_SENSE = re.compile(r"(^|\.)(vision|visual|image|audio|video|speech|mtp|multi_modal)\w*\.")
"""Stacks beside the text's: for pictures and sounds, and for predicting several tokens at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedWeight:
    """A weight without a place: whether its name leads into the body, and the module that it stops at."""

    name: str
    is_in_body: bool
    module: nn.Module
    rest: tuple[str, ...]
    """The components of the name that the module does not have."""


def account_for(unexpected: Iterable[str], model: PreTrainedModel, folder: Path, name: str) -> tuple[str, ...]:
    """Return notes that name the weights which an opened model does not use.

    Raises ModelLoadError for one inside its body: what the model computes without it is not what was saved.
    """
    places = [_place_of(key, model) for key in sorted(unexpected) if not BUFFERS.search(key) and not POOLER.search(key)]
    inside = [place for place in places if place.is_in_body and not ANOTHER_SENSE.search(place.name)]
    idle = _changes_nothing([place.name for place in inside], folder)
    inside = [place for place in inside if place.name not in idle]
    if inside:
        raise ModelLoadError(name, _more_layers(inside, name) or _no_place(inside, model, name))
    beside = [place.name for place in places if place.name not in idle]
    return (*_note_on_second_set(folder), *((_note_on(beside, model),) if beside else ()))


def _note_on_second_set(folder: Path) -> Iterator[Message]:
    """Yield a note on weights in several files beside the one file that is read in their place."""
    if (folder / WEIGHTS).is_file() and (folder / INDEX).is_file():
        yield worded(
            "Two sets of weights lie in its folder. Those of {file} are read, and those that {index} names are not.",
            file=WEIGHTS,
            index=INDEX,
        )


def _place_of(key: str, model: PreTrainedModel) -> DroppedWeight:
    """Where a name leads in a model, with the prefix of its body or without."""
    prefix = f"{model.base_model_prefix}."
    body = model.base_model
    plain = key.removeprefix(prefix)
    first = plain.partition(".")[0]
    is_in_body = key.startswith(prefix) or first in vars(body)["_modules"]
    module, rest = _follow_name(body if is_in_body else model, (plain if is_in_body else key).split("."))
    return DroppedWeight(name=key, is_in_body=is_in_body, module=module, rest=rest)


def _follow_name(module: nn.Module, parts: list[str]) -> tuple[nn.Module, tuple[str, ...]]:
    """The module that a dotted name leads to, as far as there is one, and what is left of the name."""
    for depth, part in enumerate(parts):
        child = vars(module)["_modules"].get(part)
        if child is None:
            return module, tuple(parts[depth:])
        module = child
    return module, ()


def _changes_nothing(names: Sequence[str], folder: Path) -> frozenset[str]:
    """Those of the weights that change no number: biases of zeros, and causal masks that were saved as a "bias"."""
    wanted = [name for name in names if name.endswith((".bias", "mask"))]
    names_without_effect = set()
    for file in weights_of(folder) if wanted else ():
        with safe_open(file, framework="pt") as opened:
            for stored in opened.offset_keys():
                known = next((name for name in wanted if name.endswith(stored) or stored.endswith(name)), "")
                if known and _is_mask_or_zeros(opened.get_tensor(stored)):
                    names_without_effect.add(known)
    return frozenset(names_without_effect)


def _is_mask_or_zeros(tensor: Tensor) -> bool:
    is_mask = tensor.dim() == 4 and tensor.shape[:2] == (1, 1) and bool((tensor[0, 0].tril() == tensor[0, 0]).all())
    return is_mask or not bool(tensor.any())


def _more_layers(places: Sequence[DroppedWeight], name: str) -> Message | None:
    """The sentence for a file with more layers than the configuration says; None for one that has no more."""
    numbers: dict[int, tuple[nn.ModuleList, set[int]]] = {}
    for place in places:
        if isinstance(place.module, nn.ModuleList) and place.rest and place.rest[0].isdigit():
            numbers.setdefault(id(place.module), (place.module, set()))[1].add(int(place.rest[0]))
    if not numbers:
        return None
    layers, layer_numbers = max(numbers.values(), key=lambda entry: len(entry[1]))
    return worded(
        "The config.json of {model} says {n} layers, and its weights are of {found}: the first that is left over is "
        "{weight}. Correct the number in {config}, or take both files from one model.",
        model=name,
        n=len(layers),
        found=max(layer_numbers) + 1,
        weight=places[0].name,
        config=CONFIG,
    )


def _no_place(places: Sequence[DroppedWeight], model: PreTrainedModel, name: str) -> Message:
    return worded_n(
        "The file of {model} has a weight that transformers' class {class_name} does not use: {weights}. Without it, "
        "it computes something else than the model that was saved. Check what {config} says, or open it with the "
        "program that it was made with.",
        "The file of {model} has {n} weights that transformers' class {class_name} does not use: {weights}. Without "
        "them, it computes something else than the model that was saved. Check what {config} says, or open it with the "
        "program that it was made with.",
        len(places),
        model=name,
        class_name=type(model).__name__,
        weights=list_names([place.name for place in places]),
        config=CONFIG,
    )


def _note_on(names: Sequence[str], model: PreTrainedModel) -> Message:
    return worded_n(
        "A weight of its file is not used, because the class {class_name} has no part for it: {weights}. It lies "
        "beside the layers that are shown, and changes nothing in them.",
        "{n} weights of its file are not used, because the class {class_name} has no part for them: {weights}. They "
        "lie beside the layers that are shown, and change nothing in them.",
        len(names),
        class_name=type(model).__name__,
        weights=list_names(names),
    )
