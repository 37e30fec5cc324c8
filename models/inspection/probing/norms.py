"""A norm of a pass as a linear map; its formula is found by its output."""

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
    """Return the layer norm (Ba et al. 2016) or RMS norm (Zhang and Sennrich 2019) of a call.

    Its gain is counted from 0 or, as in Gemma, from 1. Raises UnsupportedModelError, naming the model, for other norms.
    """
    epsilon = next((float(eps) for key in _EPSILONS if (eps := getattr(call.module, key, None)) is not None), 0.0)
    weight, shift = (_parameter(call, key) for key in ("weight", "bias"))
    d_model = call.input.shape[-1]
    for is_centred in (True, False):
        centred = call.input - call.input.mean(axis=-1, keepdims=True) if is_centred else call.input
        deviation: Array = np.sqrt((centred**2).mean(axis=-1) + np.float32(epsilon))  # [n_tokens]
        for gain in (np.ones(d_model, np.float32),) if weight is None else (weight, 1 + weight):
            added = np.zeros(d_model, np.float32) if shift is None else shift
            if same(centred / deviation[:, None] * gain + added, call.output):
                return FixedNorm(gain=gain, shift=added, deviation=deviation, epsilon=epsilon, is_centred=is_centred)
    raise UnsupportedModelError(
        name,
        worded(
            "A norm of {model} follows neither the formula of layer norm nor that of RMS norm, so what it is given "
            "cannot be followed through it. Choose a model such as mini-bert, BERT or GPT-2.",
            model=name,
        ),
    )


def _parameter(call: ModuleCall, name: str) -> Array | None:
    parameter = getattr(call.module, name, None)
    if not isinstance(parameter, Tensor):
        return None
    array: Array = parameter.detach().float().cpu().numpy().copy()  # not the memory of the model
    return array
