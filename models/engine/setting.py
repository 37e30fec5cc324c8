"""HEADLIGHT_ENGINE says where questions are computed: `local`, in this process, or `ray`, on a cluster.

Ray is an extra: nothing of it is imported, and nothing here needs it, unless the setting asks for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from models.checkpoints.devices import FLOAT32
from models.opening.registry import Model, canonical, is_embedded, load
from models.opening.sources import source_of
from models.values.errors import DeviceError, ModelLoadError
from models.values.wording import worded

SETTING = "HEADLIGHT_ENGINE"
LOCAL, RAY = "local", "ray"
INSTALL = "pip install -c requirements.lock --group ray"


def open_model(
    name: str, *, device: str = "auto", dtype: str = FLOAT32, progress: Callable[[str], None] | None = None
) -> Model:
    """Open a model where the setting says. On Ray its replicas choose the device, by what their machine has, and
    compute in float32.

    Raises what `models.load` raises, DeviceError for another precision on Ray, and ModelLoadError for a setting that is
    not known, an extra that is not installed, or a cluster that does not answer.
    """
    engine = os.environ.get(SETTING) or LOCAL
    if engine not in {LOCAL, RAY}:
        says = worded(
            "{setting} is {given}, expected {local} or {ray}. Ask whoever runs this server.",
            setting=SETTING,
            given=repr(engine),
            local=LOCAL,
            ray=RAY,
        )
        raise ModelLoadError(name, says)
    if engine == RAY and is_on_every_machine(name):
        if dtype != FLOAT32:
            says = worded("The cluster computes in float32. Choose a device without {dtype}.", dtype=dtype)
            raise DeviceError(says)
        return _open_on_ray(canonical(name), progress)
    return load(name, device=device, dtype=dtype, progress=progress)


def is_on_every_machine(name: str) -> bool:
    """Whether any machine finds a model by its name: one of this repository, or of the hub. Those of the training lab,
    of strangers and of folders lie on one disk, and are opened there."""
    name = canonical(name)
    return is_embedded(name) or (source_of(name) is None and not Path(name).is_dir())


def _open_on_ray(name: str, progress: Callable[[str], None] | None) -> Model:
    try:
        from models.engine.ray.model import RayModel
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != RAY:
            raise
        says = worded(
            "{setting} is {given}, and Ray is not installed. Ask whoever runs this server to install it: {command}",
            setting=SETTING,
            given=RAY,
            command=INSTALL,
        )
        raise ModelLoadError(name, says) from error
    return RayModel(name, progress=progress)
