"""The optimizers of a run, the numbers they compute in, and their state on disk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from models.training.trainer.muon import Muon

Optimizer = Literal["muon", "adamw"]
_STATE = "state"
_SHARE = "share"
"""The factor by which a group of weights multiplies the learning rate."""
_LOOKS = re.compile(r"\.attention\.(query|key)\.")
_WAS_HEAD = re.compile(r"^classifier\.")
"""The prefix that was "head." in older states of runs of the lab."""


def make_optimizers(
    model: nn.Module,
    *,
    optimizer: Optimizer,
    learning_rate: float,
    weight_decay: float,
    device: torch.device,
    looking: float = 1.0,
) -> list[torch.optim.Optimizer]:
    """AdamW (Loshchilov & Hutter 2019) for everything, or Muon for the matrices inside the layers and AdamW for the
    rest. Vectors (biases, norms) do not decay.

    W_Q and W_K, which decide where the heads look, learn at `looking` times the rate of the rest.
    """
    inner = [weight for name, weight in model.named_parameters() if ".layers." in name and weight.dim() == 2]
    hidden = inner if optimizer == "muon" else []
    is_hidden = {id(weight) for weight in hidden}
    of_looking = {id(weight) for name, weight in model.named_parameters() if looking != 1.0 and _LOOKS.search(name)}
    others = [weight for weight in model.parameters() if id(weight) not in is_hidden]
    groups = [
        {
            "params": [weight for weight in kind if (weight.dim() > 1) == decays],
            "weight_decay": weight_decay if decays else 0.0,
            _SHARE: share,
        }
        for kind, share in (
            ([weight for weight in others if id(weight) not in of_looking], 1.0),
            ([weight for weight in others if id(weight) in of_looking], looking),
        )
        if kind
        for decays in (True, False)
    ]
    adamw = torch.optim.AdamW(groups, lr=learning_rate, betas=(0.9, 0.98), fused=device.type in ("cpu", "cuda"))
    return [adamw, Muon(hidden, lr=learning_rate, weight_decay=weight_decay)] if hidden else [adamw]


def update_all(optimizers: Sequence[torch.optim.Optimizer], rate: float) -> None:
    """Let every optimizer change its weights, at this learning rate."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = rate * group.get(_SHARE, 1.0)
        optimizer.step()


def has_fast_bfloat16(device: torch.device) -> bool:
    """Whether bfloat16 is quicker than float32 there: on GPUs, and on processors that multiply it in hardware."""
    if device.type != "cpu":
        return device.type == "cuda"
    capabilities: Mapping[str, Any] = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16") or capabilities.get("arm_bf16"))


def save_state(
    folder: Path,
    model: nn.Module,
    optimizers: Sequence[torch.optim.Optimizer],
    metadata: dict[str, str],
    name: str = _STATE,
) -> None:
    """Write weights and optimizers; the old state stays whole until the new one is."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = dict(_optimizer_tensors(optimizers, model))
    tensors |= {f"model.{name}": weight.detach().cpu() for name, weight in model.named_parameters()}
    save_file(tensors, folder / f"{name}.new", metadata=metadata)
    (folder / f"{name}.new").replace(folder / f"{name}.safetensors")


def has_state(folder: Path) -> bool:
    """Whether `save_state` has written there."""
    return (folder / f"{_STATE}.safetensors").exists()


def load_state(
    folder: Path,
    model: nn.Module,
    optimizers: Sequence[torch.optim.Optimizer],
    device: torch.device,
    may_lack: str | None = None,
) -> dict[str, str]:
    """Fill a model and its optimizers with what `save_state` wrote; returns the metadata.

    A part of the model that a run did without until now, `may_lack`, may be missing there: it stays as it is.
    """
    path = folder / f"{_STATE}.safetensors"
    tensors = load_file(path)
    owner = {weight: optimizer for optimizer in optimizers for weight in _weights(optimizer)}
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if may_lack is not None and name.startswith(f"{may_lack}.") and f"model.{name}" not in tensors:
                continue
            saved = name if f"model.{name}" in tensors else _WAS_HEAD.sub("head.", name)
            weight.copy_(tensors[f"model.{saved}"])
            ending = f".{saved}"
            owner[weight].state[weight] = {
                key.removeprefix("optimizer.").removesuffix(ending): _place_tensor(key, tensor, device)
                for key, tensor in tensors.items()
                if key.startswith("optimizer.") and key.endswith(ending) and key.count(".") == ending.count(".") + 1
            }
    with safe_open(path, framework="pt") as opened:
        return dict(opened.metadata())


def _place_tensor(key: str, tensor: Tensor, device: torch.device) -> Tensor:
    """A tensor of an optimizer on the device; AdamW's fused form keeps its count there too, the others do not."""
    return tensor if key.startswith("optimizer.step.") and device.type == "cpu" else tensor.to(device)


def _weights(optimizer: torch.optim.Optimizer) -> Iterator[Tensor]:
    return (weight for group in optimizer.param_groups for weight in group["params"])


def _optimizer_tensors(optimizers: Sequence[torch.optim.Optimizer], model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    for name, weight in model.named_parameters():
        for optimizer in optimizers:
            for key, tensor in optimizer.state.get(weight, {}).items():
                yield f"optimizer.{key}.{name}", tensor.detach().cpu()
