"""The process of a stranger's model: `python -m models.opening.guest_process FOLDER NAME MEGABYTES DTYPE`,
asked by `models.opening.guest`.

What is made to break a reader, to take all memory or never to end breaks this process and not the server.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import torch

from models.checkpoints.device_faults import is_memory_fault
from models.model import QUESTIONS, Model
from models.opening.background import step_back
from models.opening.folders import load_folder
from models.opening.guest_answers import OPEN, read_frame, write_frame
from models.values.errors import DeviceMemoryError, HeadlightError, ModelError
from models.values.record import ModelInfo
from models.values.wording import to_say, worded

if sys.platform == "linux":
    import resource

MEGABYTE = 1024**2
NO_MEMORY = to_say("{model} needs more memory than this server gives it. Use a shorter text, or a smaller model.")


def main() -> int:
    """Open the model, then answer until nobody asks any more."""
    folder, name, megabytes, dtype = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4]
    asked, answered = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the answers
    step_back()
    torch.set_num_threads(1)
    limit_memory(megabytes * MEGABYTE)
    opened: list[Model] = []
    _tell(answered, name, lambda: _open(folder, name, dtype, opened))
    while opened:
        try:
            question, words, choices = read_frame(asked)
        except EOFError:  # the server has ended, or needs the model no more
            break
        if question == OPEN:
            _tell(answered, name, partial(_open, Path(words[0]), name, dtype, opened))
        else:
            _tell(answered, name, partial(_answer, opened[0], question, words, choices))
    return 0


def limit_memory(n_bytes: float) -> None:
    """Let this process take so much more than it has, where the system can hold it to that: not on Windows or macOS."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + int(n_bytes)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _open(folder: Path, name: str, dtype: str, opened: list[Model]) -> ModelInfo:
    """Open a model in the place of any that is open, and say what it is."""
    model = load_folder(folder, name=name, device="cpu", dtype=dtype)
    opened[:] = [model]
    return model.info


def _answer(model: Model, question: str, words: Sequence[Any], choices: Mapping[str, Any]) -> Any:
    """Return the model's answer to one of QUESTIONS."""
    if question not in QUESTIONS:
        raise ValueError(f"Nobody may ask {question[:40]!r}.")
    return getattr(model, question)(*words, **choices)


def _tell(file: BinaryIO, name: str, work: Callable[[], Any]) -> None:
    """Send what comes of it: an answer, or an error as its class and its sentence."""
    try:
        said = {"answer": work()}
    except (MemoryError, DeviceMemoryError):
        said = {"error": ModelError.__name__, "message": worded(NO_MEMORY, model=name)}
    except HeadlightError as error:
        said = {"error": type(error).__name__, "message": str(error)}
    except BaseException as error:  # a panic of the tokenizers' Rust code is no Exception
        damaged = worded(
            "{model} cannot be used: its files contradict each other ({error}).", model=name, error=str(error)[:200]
        )
        message = worded(NO_MEMORY, model=name) if is_memory_fault(error) else damaged
        said = {"error": ModelError.__name__, "message": message}
    write_frame(file, said)


if __name__ == "__main__":
    sys.exit(main())
