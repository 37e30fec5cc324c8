"""A norm of a pass as a linear map: which formula it follows is found by what it gave."""

from __future__ import annotations

import numpy as np
from torch import Tensor

from models.inspection.layer_parts import same
from models.recording.watched_copy import ModuleCall
from models.values.errors import UnsupportedModelError
from models.values.probing.stream import FixedNorm
from models.values.record import Array
from models.values.wording import worded

_EPSILONS = ("eps", "variance_epsilon", "epsilon")


def fixed_norm(call: ModuleCall, name: str) -> FixedNorm:
    """The layer norm (Ba et al. 2016) or RMS norm (Zhang and Sennrich 2019) that gave these numbers, its gain counted
    from 0 or, as in Gemma, from 1. Raises UnsupportedModelError for another norm of the model of that name."""
    epsilon = next((float(found) for each in _EPSILONS if (found := getattr(call.module, each, None)) is not None), 0.0)
    weight, shift = (_parameter(call, each) for each in ("weight", "bias"))
    d_model = call.given.shape[-1]
    for is_centred in (True, False):
        centred = call.given - call.given.mean(axis=-1, keepdims=True) if is_centred else call.given
        deviation: Array = np.sqrt((centred**2).mean(axis=-1) + np.float32(epsilon))  # [n_tokens]
        for gain in (np.ones(d_model, np.float32),) if weight is None else (weight, 1 + weight):
            added = np.zeros(d_model, np.float32) if shift is None else shift
            if same(centred / deviation[:, None] * gain + added, call.gave):
                return FixedNorm(gain=gain, shift=added, deviation=deviation, is_centred=is_centred)
    raise UnsupportedModelError(
        name,
        worded(
            "A norm of {model} follows neither the formula of layer norm nor that of RMS norm, so what it is given "
            "cannot be followed through it. Choose a model such as mini-bert, BERT or GPT-2.",
            model=name,
        ),
    )


def _parameter(call: ModuleCall, name: str) -> Array | None:
    found = getattr(call.module, name, None)
    if not isinstance(found, Tensor):
        return None
    array: Array = found.detach().float().cpu().numpy().copy()  # not the memory of the model
    return array
