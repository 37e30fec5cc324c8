"""The matrices of the heads, found by what they do to a text: which projection gave the queries, keys and values, and
which read the heads side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from models.inspection.layer_parts import same
from models.inspection.probing.probe import Probe, plain_pass
from models.inspection.probing.projections import as_array, linear_map, slices_of
from models.inspection.probing.streams import watched_layers
from models.recording.attention_call import AttentionCall, fused_output
from models.recording.watched_copy import Watch
from models.values.probing.changes import stack_of
from models.values.probing.circuits import HeadCircuits
from models.values.record import Array, Kind


def head_circuits(probe: Probe) -> tuple[HeadCircuits, ...]:
    """Those of every self-attention; none where the embeddings do not lead straight into the layers and out of them,
    or where a projection is not found."""
    embedding, unembedding = probe.embedding, probe.unembedding
    if embedding is None or unembedding is None or embedding.shape[1] != probe.info.d_model:
        return ()
    if unembedding.shape != embedding.shape:
        return ()
    found = (_of_kind(probe, kind) for kind in probe.n_layers if kind != "cross")
    matches, copies = _gram(embedding, embedding), _gram(unembedding, embedding)
    return tuple(
        HeadCircuits(
            kind=kind, value=value, output=output, query=query, key=key, matches=matches, copies=copies
        )
        for kind, value, output, query, key in (each for each in found if each is not None)
    )  # fmt: skip


def _of_kind(probe: Probe, kind: Kind) -> tuple[Kind, Array, Array, Array | None, Array | None] | None:
    watches, calls = watched_layers(probe, plain_pass(probe), stack_of(kind))
    own = [call for call in calls if call.kind == kind]
    if len(own) != len(watches):  # a model that gives its weights alone
        return None
    layers = list(zip(watches, own, strict=True))
    query, key, value = (
        _stacked([None if (found := slices_of(seen, heads[0])) is None else found.weight for seen, heads in each])
        for each in (
            [(seen, call.query) for seen, call in layers],
            [(seen, call.key) for seen, call in layers],
            [(seen, call.value) for seen, call in layers],
        )
    )
    output = _stacked([_output(seen, call) for seen, call in layers])
    return None if value is None or output is None else (kind, value, output, query, key)


def _output(seen: Watch, call: AttentionCall) -> Array | None:
    """W_O as slices [n_heads, d_head, d_model]."""
    heads = fused_output(call)[0]  # [n_heads, n_query, d_head]
    concatenated = as_array(heads.transpose(0, 1).flatten(1))
    found = (each for each in seen.inside if not each.is_norm and same(each.given, concatenated))
    reads_heads = next((each for each in found if getattr(each.module, "weight", None) is not None), None)
    if reads_heads is None:
        return None
    weight, _ = linear_map(reads_heads.module, concatenated.shape[1])
    return weight.reshape(heads.shape[0], heads.shape[2], -1)


def _stacked(layers: Sequence[Array | None]) -> Array | None:
    found = [layer for layer in layers if layer is not None]
    return np.stack(found) if len(found) == len(layers) else None


@torch.no_grad()
def _gram(one: Tensor, other: Tensor) -> Array:
    """one_cᵀ other [d_model, d_model], with the mean over the vocabulary taken from the first."""
    exact = one.float()
    return as_array((exact - exact.mean(dim=0)).T @ other.float())
