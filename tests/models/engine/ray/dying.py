"""Work over a corpus whose workers die or are watched while they read. Every machine of a cluster imports it."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.analysis.over_texts.corpus import CorpusText, sample_texts, text_of
from models.engine.content_words import ContentHits
from models.engine.corpus import CorpusWork, content_of, open_checkpoint

DEADLY = sample_texts()[13]
Watched = tuple[Any, Path]


def open_watched(name: str) -> Watched:
    """The model whose name stands before the bar, and the file where it is noted what has been read where."""
    model, _, noted = name.partition("|")
    return open_checkpoint(model), Path(noted)


def read_once_killed(opened: Watched, texts: Sequence[CorpusText]) -> ContentHits:
    """The counts; the first process that comes to one of the texts is killed before it has read it."""
    checkpoint, noted = opened
    if DEADLY in map(text_of, texts) and not noted.exists():
        noted.write_text(str(os.getpid()), encoding="ascii")
        os.kill(os.getpid(), signal.SIGKILL)
    return content_of(checkpoint, texts)


def read_and_note(opened: Watched, texts: Sequence[CorpusText]) -> ContentHits:
    """The counts; the node that reads a part is noted."""
    import ray

    checkpoint, noted = opened
    if texts:
        with noted.open("a", encoding="ascii") as file:
            file.write(f"{ray.get_runtime_context().get_node_id()}\n")
    return content_of(checkpoint, texts)


KILLED: CorpusWork[Watched, ContentHits] = CorpusWork(
    open=open_watched, read=read_once_killed, merge=ContentHits.__add__
)
NOTED: CorpusWork[Watched, ContentHits] = CorpusWork(open=open_watched, read=read_and_note, merge=ContentHits.__add__)
