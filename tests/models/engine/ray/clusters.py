"""A real Ray cluster on this machine, whose machines can be killed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

NO_RAY = "Ray, an extra, is not installed: pip install -c requirements.lock --group ray"
MEGABYTE = 1024 * 1024
SECONDS = 240
"""As long as a cluster may take to come to a state before a test says that it never does."""


class TwoNodes:
    """Two nodes of a processor each, and a head that computes nothing and cannot die, for this process is there."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 200 * MEGABYTE}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.nodes: list[Any] = []
        self.mend()

    def mend(self) -> None:
        """Add a node for each that was killed."""
        while len(self.nodes) < 2:
            self.nodes.append(self.cluster.add_node(num_cpus=1, object_store_memory=100 * MEGABYTE))

    def kill(self, node: Any) -> None:
        """End all processes of a node at once, as when a machine loses its power."""
        self.nodes.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for a state of the cluster."""
        pause = threading.Event()
        for _ in range(SECONDS * 10):
            if is_so():
                return
            pause.wait(0.1)
        raise AssertionError(f"The cluster has not come to the state in {SECONDS} seconds.")


@contextmanager
def two_nodes() -> Iterator[TwoNodes]:
    """The cluster, joined by this process."""
    import ray

    from models.engine.ray.cluster import connect

    made = TwoNodes()
    connect(made.cluster.address)
    try:
        yield made
    finally:
        ray.shutdown()
        made.cluster.shutdown()
