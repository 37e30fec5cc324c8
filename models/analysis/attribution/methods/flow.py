"""Attention flow: the most that can flow from a token that was read to where the answer is read, if every attention is
the capacity of a pipe. Other than in rollout a token cannot send more through a pipe than it holds.

The maximum flow is found by augmenting the widest path again and again (Edmonds and Karp 1972).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.method import AttributionMethod
from models.analysis.attribution.mixing import mean_attention, mixings
from models.values.record import Array
from models.values.wording import to_say

NOTHING = 1e-7
"""A path that carries less is none."""


def flow(evidence: Evidence) -> Array:
    """The maximum flow from where the answer is read to every token that was read [n_tokens]."""
    capacities = np.stack(mixings(evidence, mean_attention)[::-1]).astype(np.float64)  # the last layer first
    scores = np.zeros(len(evidence.tokens), np.float32)
    for start in np.flatnonzero(evidence.readers).tolist():
        of_reader = [maximum_flow(capacities, start, end) for end in range(len(scores))]
        scores += evidence.readers[start] * np.array(of_reader, dtype=np.float32)
    return scores


def maximum_flow(capacities: NDArray[np.float64], start: int, end: int) -> float:
    """The most that flows from a node above to one below through layers of pipes [n_layers, n_above, n_below]."""
    down = capacities.copy()
    up = np.zeros_like(down)  # what flows already, and may be sent back
    total = 0.0
    while True:
        widths, ways = _widest(down, up, start)
        width = float(widths[-1][end])
        if width < NOTHING:
            return total
        total += width
        _send(down, up, ways, end, width)


def _widest(
    down: NDArray[np.float64], up: NDArray[np.float64], start: int
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """How wide the widest path is to every node [n_layers + 1, n_nodes], and by which node it comes: `ways` holds the
    node of the layer above, or, as -1 - node, of the layer below."""
    n_layers, n_nodes, _ = down.shape
    widths = np.zeros((n_layers + 1, n_nodes))
    widths[0, start] = np.inf
    ways = np.zeros((n_layers + 1, n_nodes), np.intp)
    is_settled = False
    while not is_settled:
        is_settled = True
        for layer in range(n_layers):
            is_settled &= not _wider(widths[layer + 1], ways[layer + 1], widths[layer], down[layer], from_above=True)
        for layer in range(n_layers - 1, 0, -1):
            is_settled &= not _wider(widths[layer], ways[layer], widths[layer + 1], up[layer].T, from_above=False)
    return widths, ways


def _wider(
    widths: NDArray[np.float64],
    ways: NDArray[np.intp],
    sources: NDArray[np.float64],
    pipes: NDArray[np.float64],
    *,
    from_above: bool,
) -> bool:
    """Widen the paths to some nodes by way of their neighbours, through pipes [n_sources, n_nodes]; whether any is."""
    through = np.minimum(sources[:, None], pipes)  # [n_sources, n_nodes]
    best = through.argmax(axis=0)  # [n_nodes]
    width = through[best, np.arange(len(widths))]
    is_wider = width > widths + NOTHING
    widths[is_wider] = width[is_wider]
    ways[is_wider] = best[is_wider] if from_above else -1 - best[is_wider]
    return bool(is_wider.any())


def _send(down: NDArray[np.float64], up: NDArray[np.float64], ways: NDArray[np.intp], end: int, width: float) -> None:
    """Send so much along the path that ends at a node of the lowest layer."""
    layer, node = len(down), end
    while layer > 0:
        way = int(ways[layer, node])
        if way >= 0:
            layer -= 1
            down[layer, way, node] -= width
            up[layer, way, node] += width
            node = way
        else:
            below = -1 - way
            up[layer, node, below] -= width
            down[layer, node, below] += width
            layer, node = layer + 1, below


ANALYSIS = AttributionMethod(
    name="flow",
    title=to_say("attention flow"),
    paper=to_say('Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3'),
    formula=to_say("the maximum flow through pipes as wide as 0.5 · mean over the heads + 0.5 I"),
    cost=to_say("one forward pass, and a maximum flow for every token: time n_layers · n_tokens³ and more"),
    order=30,
    compute=flow,
)
