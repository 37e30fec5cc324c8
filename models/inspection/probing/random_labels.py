"""Labels that mean nothing: further outputs of a classifier, in directions drawn at random, for the null of an effect.

A label is read along its row of the classifier's last matrix, and two labels along the difference of their rows. The
rows here are drawn in pairs, each pair as far apart as the answer and its rival: so they say what a change does to any
two labels of that kind.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import torch
from torch import Tensor, nn

from models.inspection.probing.probe import Probe
from models.recording.watched_copy import is_projection, with_twins
from models.values.probing.contrast import OF_LABELS, Contrast

SEED = 0


def with_random_labels(probe: Probe, contrast: Contrast) -> tuple[Probe, Contrast]:
    """Return a probe whose model gives the random labels that a contrast names, behind its own, and the contrast.

    Without any, both stay as they are; where the labels are read by no matrix, the contrast loses the random ones.
    """
    n_random = max(contrast.numbers) + 1 - len(probe.choices)
    if contrast.of not in OF_LABELS or n_random < 1:
        return probe, contrast
    name = _name_of_classifier(probe)
    if name is None:
        return probe, replace(contrast, others=())
    weight: Tensor = probe.model.get_submodule(name).get_parameter("weight")
    rows = draw_rows(weight, contrast, n_random)
    model = with_twins(probe.model, {name: partial(_widen, rows=rows)})
    return replace(probe, model=model, n_random=n_random), contrast


def draw_rows(weight: Tensor, contrast: Contrast, n: int) -> Tensor:
    """Draw the rows of `n` random labels [n, d_model] beside a classifier's `weight` [n_labels, d_model]."""
    own = weight.detach().float().cpu()
    apart = own[contrast.answer] - (0 if contrast.rival is None else own[contrast.rival])  # [d_model]
    generator = torch.Generator().manual_seed(SEED)
    directions = torch.randn(-(-n // len(contrast.own)), weight.shape[1], generator=generator)  # [n_null, d_model]
    directions *= apart.norm() / directions.norm(dim=1, keepdim=True)
    if contrast.rival is not None:
        directions = torch.stack((directions / 2, -directions / 2), dim=1).flatten(end_dim=1)  # [2 · n_null, d_model]
    return directions[:n].to(weight)


def _name_of_classifier(probe: Probe) -> str | None:
    """Return the name of the last matrix with a row for each label; None without one."""
    names = [
        name
        for name, module in probe.model.named_modules()
        if isinstance(module, nn.Linear) and is_projection(module) and len(module.weight) == len(probe.choices)
    ]
    return names[-1] if names else None


def _widen(module: nn.Module, *, rows: Tensor) -> None:
    """Give a copy of a matrix further rows, without a bias."""
    own = dict(vars(module)["_parameters"])
    wider = {"weight": torch.cat((own["weight"], rows))}
    if own.get("bias") is not None:
        wider["bias"] = torch.cat((own["bias"], rows.new_zeros(len(rows))))
    vars(module)["_parameters"] = own | {
        name: nn.Parameter(tensor, requires_grad=False) for name, tensor in wider.items()
    }
