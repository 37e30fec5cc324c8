"""Find the files of a Hugging Face model and open them: configuration, weights, tokenizer.

Folder first, then the local cache, then the hub: a model that is on this disk needs no internet. Only safetensors are
opened, never a pickle, and no code of a repository is run. All files of a model are of one revision of its repository.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import CRITICAL
from pathlib import Path
from threading import Lock

from transformers.utils import logging

from models.checkpoints.device_faults import device_fault
from models.checkpoints.devices import PROCESSOR
from models.checkpoints.faults.folder import checkpoint_at, expect_checkpoint, has_sound_config
from models.checkpoints.sizes import WEIGHTS, expect_sizes
from models.huggingface.checkpoint.download import (
    NOT_FETCHED,
    download,
    is_half_downloaded,
    is_on_disk,
    missing_model_error,
    revision_on_hub,
)
from models.huggingface.checkpoint.misfits import why_unreadable
from models.huggingface.checkpoint.opened import OpenedModality, OpenedModel, folder_of, open_revision
from models.huggingface.checkpoint.revisions import (
    MAIN,
    cached_revision,
    split_revision,
)
from models.text.tokenizer.patience import panics_as_errors, within
from models.values.errors import HeadlightError, ModelLoadError
from models.values.wording import worded

OPENING_SECONDS, BYTES_A_SECOND = 120.0, 20e6
"""Seconds that opening the files on this disk may take, and more where there are many bytes."""
_loading = Lock()
"""transformers changes settings of the whole process while it opens a model (its log level, torch's initialisers)."""


def open_files(
    source: str, *, name: str, local_files_only: bool, progress: Callable[[str], None] | None
) -> OpenedModel | OpenedModality:
    """Open a folder or a Hugging Face id. Raises ModelNotFoundError, ModelLoadError, UnsupportedModelError."""
    tell = progress or _tell_nobody
    opening = worded("Opening {model}", model=name)
    if is_on_disk(source):
        tell(opening)
        return _open_in_time(str(checkpoint_at(Path(source))), name)
    source, asked = split_revision(source)
    cached = cached_revision(source, asked)
    if cached is not None:
        tell(opening)
        try:
            return _open_in_time(source, name, cached)
        except ModelLoadError as error:
            is_half = isinstance(error.__cause__, OSError) or is_half_downloaded(source, cached)
            if local_files_only or not is_half:
                raise  # otherwise fetch the rest
    if local_files_only:
        raise missing_model_error(source, name, NOT_FETCHED)
    tell(worded("Looking for {model} on huggingface.co", model=name))
    revision = revision_on_hub(source, name, asked)
    tell(worded("Downloading {model}", model=name))
    download(source, name, revision, tell, is_converted=revision not in {MAIN, asked})
    tell(opening)
    return _open_in_time(source, name, revision)


def _tell_nobody(_message: str) -> None:
    pass


def _open_in_time(source: str, name: str, revision: str = MAIN) -> OpenedModel | OpenedModality:
    """Open the files on this disk within a time; an opening that takes longer is left alone, and holds no other one
    up."""
    try:
        folder = folder_of(source, revision)
        if not has_sound_config(folder):
            expect_checkpoint(folder, name)
        with panics_as_errors(), _loading, _quietly():
            expect_sizes(folder, name)
            return within(_seconds_to_open(folder), lambda: open_revision(source, name, revision))
    except HeadlightError:
        raise
    except TimeoutError:
        seconds = f"{_seconds_to_open(folder):.0f}"
        says = worded(
            "{model} could not be opened in {seconds} seconds, so choose another model.", model=name, seconds=seconds
        )
        raise ModelLoadError(name, says) from None
    except Exception as error:
        raise device_fault(error, name, PROCESSOR) or ModelLoadError(name, why_unreadable(folder, name)) from error


def _seconds_to_open(folder: Path) -> float:
    return (
        OPENING_SECONDS + sum(file.stat().st_size for file in folder.glob(WEIGHTS) if file.is_file()) / BYTES_A_SECOND
    )


@contextmanager
def _quietly() -> Iterator[None]:
    """Without the report on missing weights and the progress bars: what matters is said in our own errors."""
    verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    hide: Callable[[], None] = logging.disable_progress_bar
    show: Callable[[], None] = logging.enable_progress_bar
    logging.set_verbosity(CRITICAL)
    hide()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bars:
            show()
