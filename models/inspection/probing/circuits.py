"""Find the matrices of the heads by their effect on a text: the projections that give queries, keys and values, and the
one that reads the heads side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from models.inspection.layer_parts import same
from models.inspection.probing.probe import Probe, plain_pass
from models.inspection.probing.projections import linear_map, slices_of
from models.inspection.probing.streams import watched_layers
from models.recording.assemble import on_cpu
from models.recording.attention_call import AttentionCall, fused_output
from models.recording.watched_copy import Watch
from models.values.probing.changes import stack_of
from models.values.probing.circuits import HeadCircuits
from models.values.record import Array, Kind


def head_circuits(probe: Probe) -> tuple[HeadCircuits, ...]:
    """Return the matrices of every self-attention.

    Empty if the embeddings do not lead straight into the layers and out of them, or if a projection is not found.
    """
    embedding, unembedding = probe.embedding, probe.unembedding
    if embedding is None or unembedding is None or embedding.shape[1] != probe.info.d_model:
        return ()
    if unembedding.shape != embedding.shape:
        return ()
    matrices = (_matrices_of(probe, kind) for kind in probe.n_layers if kind != "cross")
    matches, copies = _gram(embedding, embedding), _gram(unembedding, embedding)
    return tuple(
        HeadCircuits(kind=kind, value=value, output=output, query=query, key=key, matches=matches, copies=copies)
        for kind, value, output, query, key in filter(None, matrices)
    )


def _matrices_of(probe: Probe, kind: Kind) -> tuple[Kind, Array, Array, Array | None, Array | None] | None:
    watches, calls = watched_layers(probe, plain_pass(probe), stack_of(kind))
    calls = [call for call in calls if call.kind == kind]
    if len(calls) != len(watches):  # a model that gives its weights alone
        return None
    layers = list(zip(watches, calls, strict=True))
    query, key, value = (
        _stack(
            [None if (slices := slices_of(watched, heads[0])) is None else slices.weight for watched, heads in pairs]
        )
        for pairs in (
            [(watched, call.query) for watched, call in layers],
            [(watched, call.key) for watched, call in layers],
            [(watched, call.value) for watched, call in layers],
        )
    )
    output = _stack([_output(watched, call) for watched, call in layers])
    return None if value is None or output is None else (kind, value, output, query, key)


def _output(watched: Watch, call: AttentionCall) -> Array | None:
    """Return W_O as slices [n_heads, d_head, d_model]; None if it is not found."""
    heads = fused_output(call)[0]  # [n_heads, n_query, d_head]
    concatenated = on_cpu(heads.transpose(0, 1).flatten(1))
    readers = (call for call in watched.inside if not call.is_norm and same(call.input, concatenated))
    w_o = next((reader.module for reader in readers if getattr(reader.module, "weight", None) is not None), None)
    if w_o is None:
        return None
    weight, _ = linear_map(w_o, concatenated.shape[1])
    return weight.reshape(heads.shape[0], heads.shape[2], -1)


def _stack(layers: Sequence[Array | None]) -> Array | None:
    """Stack the matrices of all layers; None if one is not known, or has another shape (Gemma 4's global layers)."""
    known = [layer for layer in layers if layer is not None]
    is_whole = len(known) == len(layers) and len({layer.shape for layer in known}) == 1
    return np.stack(known) if is_whole else None


@torch.no_grad()
def _gram(one: Tensor, other: Tensor) -> Array:
    """Return one_cᵀ other [d_model, d_model], with the mean over the vocabulary taken from the first."""
    exact = one.float()
    return on_cpu((exact - exact.mean(dim=0)).T @ other.float())
