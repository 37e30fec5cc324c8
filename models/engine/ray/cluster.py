"""The cluster: how a process comes to it, and how models are served there.

A process joins the cluster of its own machine (`ray start`), because only then does it share memory with it. Nothing
is told to anybody: Ray's usage statistics are off (`models`), and Serve opens no port, for it is asked by handles.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import Any

import ray
from ray import serve
from ray.serve.exceptions import RayServeException

from models.checkpoints.devices import FLOAT32
from models.engine.ray.replica import MOST_TOGETHER, ModelReplica
from models.opening.entries import ROOT
from models.values.errors import ModelLoadError
from models.values.wording import to_say, worded

ADDRESS = "HEADLIGHT_RAY_ADDRESS"
"""The setting with the address of the cluster; without it, that of this machine."""
APPLICATION, DEPLOYMENT = "headlight", "models"
WAITING_A_REPLICA = 2
"""More questions than this for each replica, on average, and another one is started,"""
PATIENCE = 5.0
"""if it stays so for these seconds: a lecture begins at once."""
_CONNECTING = Lock()


def connect(address: str = "") -> None:
    """Join the cluster, once for this process. Raises ConnectionError if there is none."""
    with _CONNECTING:
        if not ray.is_initialized():
            ray.init(
                address=address or os.environ.get(ADDRESS) or "auto",
                namespace=APPLICATION,
                log_to_driver=False,
                configure_logging=False,
                runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
            )


def deploy(*, least: int = 1, most: int = 1, cpus: float = 1, gpus: float = 0, dtype: str = FLOAT32) -> None:
    """Serve the models with `least` to `most` replicas, as many as there is work for, each with so many processors and
    so much of a GPU (0.25: four replicas share one), computing in `dtype`. Serving anew replaces replicas one by one.
    Returns when they answer."""
    replicas = serve.deployment(ModelReplica, name=DEPLOYMENT).options(
        max_ongoing_requests=MOST_TOGETHER,  # where it has more to do, another opens the model, too
        autoscaling_config={
            "min_replicas": least,
            "initial_replicas": least,
            "max_replicas": most,
            "target_ongoing_requests": WAITING_A_REPLICA,
            "upscale_delay_s": PATIENCE,
        },
        ray_actor_options={"num_cpus": cpus, "num_gpus": gpus},
    )
    serve.start(proxy_location="Disabled")
    serve.run(replicas.bind(max(1, int(cpus)), dtype), name=APPLICATION, route_prefix=None)


def served_models(name: str) -> Any:
    """The handle by which the replicas are asked. Raises ModelLoadError, about the model of that name, where no
    cluster is reached or no models are served there."""
    try:
        connect()
        return serve.get_app_handle(APPLICATION)
    except (ConnectionError, RayServeException, RuntimeError) as error:
        says = worded(
            "{model} cannot be opened: {why} Ask whoever runs this server to start it: {command}",
            model=name,
            why=_NOT_SERVED if isinstance(error, RayServeException) else _NOT_REACHED,
            command=COMMAND,
        )
        raise ModelLoadError(name, says) from error


COMMAND = "python -m models.engine.ray serve"
_NOT_REACHED = to_say("no Ray cluster is reached from this machine.")
_NOT_SERVED = to_say("the Ray cluster serves no models.")
