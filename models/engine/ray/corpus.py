"""Work over a corpus on the machines of a cluster, by Ray Data: a pool of actors, each with the model open.

An actor or a machine that dies takes no more with it than the parts it was reading: Ray hands those to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ray import data

from models.analysis.over_texts.corpus import CorpusText
from models.engine.corpus import TEXTS_A_PART, CorpusPart, CorpusWork, Sums, parts_of
from models.engine.ray.cluster import connect
from models.engine.ray.messages import answer_in, outcome_of

PART, FOUND = "part", "found"
PartRows = dict[str, NDArray[np.object_]]


class PartReader:
    """An actor that reads parts. An error of ours is what comes of its part, and not the end of the actor."""

    def __init__(self, work: CorpusWork[Any, Any], name: str) -> None:
        torch.set_num_threads(1)
        self._work = work
        self._opened = outcome_of(lambda: work.open(name))

    def __call__(self, rows: PartRows) -> PartRows:
        outcomes = np.empty(len(rows[PART]), dtype=object)
        for row, part in enumerate(rows[PART]):
            outcomes[row] = outcome_of(partial(self._read_part, part.texts))
        return {FOUND: outcomes}

    def _read_part(self, texts: CorpusPart) -> Any:
        return self._work.read(answer_in(self._opened), texts)


class _Opaque:
    """A value that Ray Data carries as it is, where it would make a table of a list."""

    def __init__(self, texts: CorpusPart) -> None:
        self.texts = texts


def over_machines(
    work: CorpusWork[Any, Sums],
    name: str,
    texts: Iterable[CorpusText],
    *,
    workers: int,
    n_texts: int = TEXTS_A_PART,
    gpus: float = 0,
    progress: Callable[[int], None] | None = None,
) -> Sums:
    """Return what `models.engine.corpus.over_parts` returns, read by several workers, each with a processor and so much
    of a GPU. Raises what the work raises, and ConnectionError where there is no cluster."""
    connect()
    parts = list(parts_of(texts, n_texts))
    read = _dataset(parts).map_batches(
        PartReader,
        fn_constructor_args=(work, name),
        batch_size=1,
        num_cpus=1,
        num_gpus=gpus,
        compute=data.ActorPoolStrategy(min_size=1, max_size=workers, initial_size=workers),
    )
    ends = accumulate(map(len, parts))
    sums = work.read(work.open(name), ())
    for n_read, row in zip(ends, read.iter_rows(), strict=True):
        sums = work.merge(sums, answer_in(row[FOUND]))
        if progress is not None:
            progress(n_read)
    return sums


def _dataset(parts: list[CorpusPart]) -> data.Dataset:
    """The parts, each a block of its own: what is handed to a worker, and read anew if that dies."""
    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    context.enable_fallback_to_arrow_object_ext_type = True  # texts and sums are values of ours
    context.execution_options.preserve_order = True
    return data.from_items([{PART: _Opaque(part)} for part in parts], override_num_blocks=max(1, len(parts)))
