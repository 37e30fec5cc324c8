"""A checkpoint is a folder with config.json and model.safetensors: how the two are read and written, for every layout.

A folder may come from a stranger: what its configuration says is held against its weights before anything is built.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from models.checkpoints.attention_settings import unusual_settings
from models.values.errors import ModelLoadError
from models.values.wording import worded

Built = TypeVar("Built", bound=nn.Module)
OfChoice = TypeVar("OfChoice")
CONFIG, WEIGHTS, GENERATION = "config.json", "model.safetensors", "generation_config.json"
IDLE = re.compile(r"(^|\.)(pooler\..*|position_ids|token_type_ids|masked_bias|inv_freq|attn\.bias)$")
"""Weights that no number depends on: the pooler where no head reads it, and what older versions of transformers wrote
beside weights, counters, masks and angles."""
STACKS = ("encoder.", "decoder.")
"""The beginnings of our names of the weights inside embeddings and layers: each of a file has to be used."""
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    KeyError,
    OSError,
    RuntimeError,  # with RecursionError
    SafetensorError,
    TypeError,
    ValueError,
)
"""Errors that reading a broken folder, or one of another architecture, raises."""


def open_folder(
    folder: Path, build: Callable[[Mapping[str, Any], Mapping[str, Tensor]], Built], *, expected: str
) -> Built:
    """The model that `build` makes of a configuration and weights, under their names there, ready for inference.

    Raises ModelLoadError, which says what was `expected`, if a file is missing or broken, or does not fit.
    """
    try:
        model = build(read_config(folder), load_file(folder / WEIGHTS))
    except UNREADABLE as error:
        says = worded(
            "{folder} does not contain {expected}: {error}", folder=str(folder), expected=expected, error=str(error)
        )
        raise ModelLoadError(str(folder), says) from error
    model.eval().requires_grad_(requires_grad=False)
    return model


def read_config(folder: Path) -> Mapping[str, Any]:
    """config.json as a table. Raises OSError, ValueError or TypeError."""
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    if not isinstance(config, dict):
        raise TypeError(f"{CONFIG} is not a table of names and values.")
    return config


def fill_model(build: Callable[[], Built], weights: Mapping[str, Tensor], *, tied: Sequence[str] = ()) -> Built:
    """Return what `build` makes, with these weights (our names), in float32; `tied` ones are the same as others.

    It is built without memory first: a stranger's configuration may ask for more than there is. Raises ValueError if
    the weights do not fit.
    """
    try:
        with torch.device("meta"), Undrawn():
            wanted = {name: weight.shape for name, weight in build().state_dict().items() if name not in tied}
    except (OverflowError, RuntimeError, TypeError) as error:
        raise ValueError(f"no memory holds the sizes that {CONFIG} says.") from error
    missing = sorted(wanted.keys() - weights.keys())
    if missing:
        raise ValueError(f"missing weights: {', '.join(missing)}.")
    idle = sorted(name for name in weights.keys() - wanted.keys() - {*tied} if name.startswith(STACKS))
    if idle:
        raise ValueError(f"it has weights of {idle[0]}, for which there is no place by what {CONFIG} says.")
    for name, shape in wanted.items():
        if weights[name].shape != shape:
            raise ValueError(f"{name} has shape {[*weights[name].shape]}, expected {[*shape]} from {CONFIG}.")
        if not is_finite(weights[name]):
            raise ValueError(f"{name} contains values that are not finite numbers.")
    with Undrawn():  # every weight comes now: to draw random ones first would take half the time
        model = build()
    model.load_state_dict({name: weights[name] for name in wanted}, strict=False)  # copied, and made float32 by that
    return model


def is_finite(weight: Tensor) -> bool:
    """Whether every number of a tensor is finite. NaN passes through least and largest; to ask each takes ten times as
    long."""
    return weight.numel() == 0 or bool(torch.stack(weight.aminmax()).isfinite().all())


class Undrawn(TorchFunctionMode):
    """Modules keep whatever stands in the memory of their weights: `torch.nn.init` does nothing.

    On the meta device this also spares the import of `torch._dynamo`, half of the time that a process takes to start.
    """

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        given = kwargs or {}
        if getattr(func, "__module__", "") == nn.init.__name__:
            return given["tensor"] if "tensor" in given else args[0]
        return func(*args, **given)


def write(
    folder: Path,
    config: Mapping[str, Any],
    weights: Mapping[str, Tensor],
    dtype: torch.dtype,
    generation: Mapping[str, Any] | None = None,
) -> None:
    """Write a checkpoint, weights rounded to `dtype`, and what transformers' `generate` goes by, if it can write."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {CONFIG: config} if generation is None else {CONFIG: config, GENERATION: generation}
    for name, table in tables.items():
        (folder / name).write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    kept = {name: tensor.detach().to("cpu", dtype).contiguous() for name, tensor in weights.items()}
    save_file(kept, folder / WEIGHTS, metadata={"format": "pt"})


def expect_no_others(
    weights: Mapping[str, Tensor], used: Collection[str], *, copies: Mapping[str, str] | None = None
) -> None:
    """Raise ValueError for a weight (its name in the file) that is neither `used`, nor a copy of one that is, nor known
    to change nothing: `copies` gives the name of the weight that one of that name has to equal."""
    same = copies or {}
    for name, tensor in weights.items():
        if name in used or IDLE.search(name) or (name.endswith(".bias") and not bool(tensor.any())):
            continue
        original = weights.get(same.get(name, ""))
        if original is None:
            raise ValueError(f"it has the weight {name}, which would not be used: without it, other numbers come out.")
        if tensor.shape != original.shape or not torch.equal(tensor, original):
            raise ValueError(f"{name} is not the same as {same[name]}, and both would be one matrix here.")


def expect_plain_attention(config: Mapping[str, Any], *, max_tokens: int, done: Collection[str] = ()) -> None:
    """Raise ValueError for a setting that asks for another attention than that over all tokens, beside those that are
    `done`."""
    for field, value in unusual_settings(config, most_tokens=max_tokens):
        if field not in done:
            raise ValueError(f"{field} is {value!r}, and the transformer from scratch does not do that.")


def expect_fields(config: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Raise ValueError for a field that is there and says something else than is expected."""
    for name, value in expected.items():
        given = config.get(name, value)
        if given != value:
            raise ValueError(f"{name} is {given!r}, expected {value!r}.")


def whole_number(config: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """A size. Raises TypeError for an invalid one, and where there is neither a value nor a default."""
    value = config.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}, expected a whole number.")
    return value


def number(config: Mapping[str, Any], name: str, default: float) -> float:
    """A measure that need not be whole. Raises TypeError for an invalid value, also one that is not finite."""
    value = config.get(name, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= sys.float_info.max:
        raise TypeError(f"{name} is {str(value)[:80]!r}, expected a number.")
    return float(value)


def choice(config: Mapping[str, Any], name: str, default: str, choices: Mapping[str, OfChoice]) -> OfChoice:
    """Return what `choices` has under the value of a field. Raises ValueError for a value that is not among them."""
    value = config.get(name, default)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} is {str(value)[:80]!r}, expected one of {', '.join(choices)}.")
    return choices[value]
