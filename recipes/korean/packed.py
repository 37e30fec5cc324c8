"""The losses of a batch in which several texts share a line, each looking at itself alone."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from models.scratch.attention import mask_to_bias
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL
from recipes.korean.batches import PackedBatch
from recipes.korean.measures import heads


def losses(model: PretrainingModel, batch: PackedBatch) -> tuple[Tensor, Tensor]:
    """Return the MLM and the NSP loss of a batch, in nats, each the mean over what is asked."""
    mlm, nsp = heads(model)
    same = batch.texts[:, :, None] == batch.texts[:, None, :]  # [b, n_tokens, n_tokens]
    bias = mask_to_bias(same)[:, None]  # [b, 1, n_tokens, n_tokens]
    x = model.encoder.embeddings(batch.input_ids, batch.segment_ids, batch.position_ids)  # [b, n_tokens, d_model]
    for layer in model.encoder.layers:
        x = layer(x, bias)  # [b, n_tokens, d_model]
    flat = x.flatten(end_dim=1)  # [b * n_tokens, d_model]
    return (
        mean_loss(mlm(flat.index_select(0, batch.masked)), batch.targets),
        mean_loss(nsp(flat.index_select(0, batch.firsts)[:, None]), batch.next_labels),
    )


def mean_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the cross entropy of logits [n, n_labels], in the mean over those that have a label; 0 if none has."""
    total = functional.cross_entropy(logits, labels, ignore_index=NO_LABEL, reduction="sum")
    return total / (labels != NO_LABEL).sum().clamp(min=1)


class Replayed:
    """The losses of batches of one shape and their gradients, as a CUDA graph: a thousand kernels in one call.

    `gradients(batch)` leaves the gradients in the weights, as backward() does, and returns both losses [2].
    """

    def __init__(self, model: PretrainingModel, batch: PackedBatch, next_sentence_weight: float) -> None:
        self.batch, self.model, self.weight = batch, model, next_sentence_weight
        cuda: Any = torch.cuda  # its streams have no types
        beside = cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(3):
                self._learn()
        torch.cuda.current_stream().wait_stream(beside)
        self.graph = torch.cuda.CUDAGraph()
        model.zero_grad(set_to_none=True)
        with torch.cuda.graph(self.graph):
            self.losses = self._learn()

    def _learn(self) -> Tensor:
        self.model.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16, cache_enabled=False):
            mlm, nsp = losses(self.model, self.batch)
            torch.autograd.backward(mlm + self.weight * nsp)
        return torch.stack((mlm, nsp)).detach()

    def gradients(self, batch: PackedBatch) -> Tensor:
        """Compute the gradients of a batch."""
        for name in batch.__slots__:
            getattr(self.batch, name).copy_(getattr(batch, name), non_blocking=True)
        self.graph.replay()
        return self.losses
