"""Data-parallel workers: each takes a part of every batch, and their gradients are summed (Li et al. 2020, "PyTorch
Distributed").

On two cores two processes of one thread each are quicker than one process of two: between the matrix products of a
small model a second thread has little to do (docs/performance.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from signal import SIG_IGN, SIGINT, raise_signal, signal
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.multiprocessing.spawn import spawn

from models.training.corpora.batches import Batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """One data-parallel worker of `size`; the first, of rank 0, writes and reports."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes and reports."""
        return self.rank == 0

    def part(self, batch: Batch) -> Batch:
        """Every `size`-th row of a batch, from row `rank` on: rows are sorted by length, so the parts are alike."""
        if self.size == 1:
            return batch
        rows, n_tokens = slice(self.rank, None, self.size), batch.input_ids.shape[1]
        row, column = batch.masked // n_tokens, batch.masked % n_tokens  # [n_masked]
        mine = row % self.size == self.rank  # [n_masked]
        return Batch(
            input_ids=batch.input_ids[rows],
            segment_ids=batch.segment_ids[rows],
            mask=None if batch.mask is None else batch.mask[rows],
            masked=row[mine] // self.size * n_tokens + column[mine],
            targets=batch.targets[mine],
            next_labels=batch.next_labels[rows],
        )

    def all_reduce(self, weights: Iterable[nn.Parameter], numbers: dict[str, float]) -> dict[str, float]:
        """Sum the gradients of all workers, in place, and the numbers, which come back."""
        if self.size == 1:
            return numbers
        gradients = [_gradient(weight) for weight in weights]
        told = torch.tensor(list(numbers.values()), dtype=torch.float32)  # [n_numbers]
        together = torch.cat([*(gradient.flatten() for gradient in gradients), told])  # [n]
        distributed.all_reduce(together)
        begin = 0
        for gradient in gradients:
            gradient.copy_(together[begin : begin + gradient.numel()].view_as(gradient))
            begin += gradient.numel()
        return dict(zip(numbers, together[begin:].tolist(), strict=True))


def _gradient(weight: nn.Parameter) -> Tensor:
    """The gradient of a weight; zeros, if this part of the batches has not reached it."""
    if weight.grad is None:
        weight.grad = torch.zeros_like(weight)
    return weight.grad


ALONE = Worker()
_spawn: Any = spawn  # has no annotations


def start_workers(work: Callable[..., None], arguments: tuple[Any, ...], size: int) -> None:
    """Run `work(*arguments, worker=...)` in `size` workers of one thread each and wait for them; alone, right here."""
    if size == 1:
        work(*arguments, worker=ALONE)
        return
    with TemporaryDirectory() as folder:
        _spawn(_work, (work, arguments, size, Path(folder) / "meeting"), nprocs=size)


def _leave_with_parent() -> None:
    """End this worker as Ctrl+C does, so that it saves first, when the process that started it is gone."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        raise_signal(SIGINT)


def _interrupt_once(*_: object) -> None:
    """Ctrl+C, the first time: torch and `_leave_with_parent` both send one when the parent is gone, and the second
    would interrupt what the first has begun, saving."""
    signal(SIGINT, SIG_IGN)
    raise KeyboardInterrupt


def _work(rank: int, work: Callable[..., None], arguments: tuple[Any, ...], size: int, meeting: Path) -> None:
    torch.set_num_threads(1)
    signal(SIGINT, _interrupt_once)  # whoever starts a program in the background may have told it to ignore Ctrl+C
    Thread(target=_leave_with_parent, daemon=True).start()
    distributed.init_process_group("gloo", init_method=meeting.as_uri(), rank=rank, world_size=size)
    try:
        work(*arguments, worker=Worker(rank=rank, size=size))
    finally:
        distributed.destroy_process_group()
