"""From huggingface.co into the local cache: which revision has weights to open, and the fetching of its files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx2
from huggingface_hub import constants, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    IncompleteSnapshotError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from models.checkpoints.faults.formats import PICKLE, weights_in
from models.checkpoints.faults.names import fault_of_names
from models.huggingface.checkpoint.download_bar import bar_that_tells
from models.huggingface.checkpoint.revisions import (
    CACHED_REVISIONS,
    MAIN,
    SAFETENSORS,
    converted_on_hub,
    files_on_hub,
    is_cached,
    keep_as_converted,
)
from models.huggingface.refusals import first_line
from models.values.errors import ModelError, ModelLoadError, ModelNotFoundError
from models.values.wording import Message, to_say, worded

constants.HF_HUB_DISABLE_TELEMETRY = True
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
FILES_TO_DOWNLOAD = (
    "*.json",
    "*.txt",
    "*.model",
    "*.spm",
    "*.codes",
    "*.tokenizer",
    "*.jinja",
    "model*.safetensors",
)
"""All that transformers may want: once they are here, it asks the hub for nothing more."""
UNREACHED = to_say(
    "{name} is not a folder on this machine and not in the local cache, and huggingface.co cannot be reached. Connect "
    "to the internet once to download it, or choose an embedded model."
)
NOT_FETCHED = to_say(
    "{name} is not a folder on this machine and not in the local cache, and it may not be downloaded here. Connect to "
    "the internet once to download it, or choose an embedded model."
)
"""The message about a model that is not on this machine."""


NOT_ON_HUB: tuple[tuple[type[Exception], type[ModelError], Message], ...] = (
    (
        RevisionNotFoundError,
        ModelNotFoundError,
        to_say(
            "{repository} is on huggingface.co, and has no revision {revision}: no branch, tag or commit of that "
            "name. Check the spelling, or leave it out."
        ),
    ),
    (
        HFValidationError,
        ModelNotFoundError,
        to_say("{name} is neither a folder here nor a Hugging Face id such as google-bert/bert-base-uncased."),
    ),
    (
        RepositoryNotFoundError,
        ModelNotFoundError,
        to_say("{name} is not a folder on this machine, and huggingface.co has no such model. Check the spelling."),
    ),
    (
        HfHubHTTPError,
        ModelLoadError,
        to_say("huggingface.co could not be asked for {model}: {message} Try again later."),
    ),
)
"""Errors of the hub, the narrower before the wider, each with the error that a person reads and its sentence."""


def revision_on_hub(source: str, name: str, asked: str | None = None) -> str:
    """Ask the hub once where it has weights to open: transformers would try for 24 seconds without internet. No other
    revision is taken than the one that is `asked` for, if one is.

    Without safetensors it would even have the repository converted, by a third party that it sends the token to.
    """
    try:
        files = files_on_hub(source, asked)
        revision = asked or MAIN
        if files.isdisjoint(SAFETENSORS):
            revision = "" if asked else converted_on_hub(source) or ""
    except (HFValidationError, httpx2.HTTPError, OSError) as error:
        raise _explain_hub_error(error, source, name, asked) from error
    fault = None if revision and revision != (asked or MAIN) else fault_of_names(files, name)
    if fault is not None:
        raise ModelLoadError(name, fault)
    return revision


def _explain_hub_error(error: Exception, source: str, name: str, asked: str | None) -> ModelError:
    if isinstance(error, GatedRepoError):
        return _permission_error(name)
    for hub_error, own_error, says in NOT_ON_HUB:
        if isinstance(error, hub_error):
            gaps = {"name": repr(name), "model": name, "repository": source, "revision": repr(asked)}
            return own_error(name, worded(says, **gaps, message=first_line(error)))
    return missing_model_error(source, name, UNREACHED)


def download(source: str, name: str, revision: str, tell: Callable[[str], None], *, is_converted: bool = False) -> None:
    """Fetch the files into the local cache before they are opened: others may open models in the meantime."""
    try:
        snapshot = snapshot_download(
            source,
            revision=revision,
            allow_patterns=list(FILES_TO_DOWNLOAD),
            tqdm_class=bar_that_tells(tell, name),
        )
    except GatedRepoError as error:  # the hub describes such a repository to everybody, and keeps its files
        raise _permission_error(name) from error
    except Exception as error:
        raise ModelLoadError(
            name,
            worded(
                "{model} could not be downloaded: {message} Try again, or choose an embedded model.",
                model=name,
                message=first_line(error),
            ),
        ) from error
    if is_converted:
        keep_as_converted(Path(snapshot))


def _permission_error(name: str) -> ModelLoadError:
    return ModelLoadError(
        name,
        worded(
            "{model} needs its owner's permission on huggingface.co. Log in with `hf auth login`, or choose another "
            "model.",
            model=name,
        ),
    )


def missing_model_error(source: str, name: str, says: str) -> ModelNotFoundError | ModelLoadError:
    """The error for a model that is not here: `says`, UNREACHED or NOT_FETCHED, unless it is a pickle."""
    if has_only_pickle(source):
        return ModelLoadError(name, weights_in(PICKLE, name, PICKLES[0]))
    return ModelNotFoundError(name, worded(says, name=repr(name)))


def is_on_disk(source: str) -> bool:
    """Whether there is a folder at that path, or a file."""
    try:
        return bool(source) and "\0" not in source and Path(source).exists()
    except OSError:  # a name too long for a file, or a folder that may not be looked into
        return False


def is_half_downloaded(source: str, revision: str) -> bool:
    """Whether a download was broken off: the cache has a list of the repository's files, and not all of them."""
    try:
        snapshot_download(source, revision=revision, allow_patterns=list(FILES_TO_DOWNLOAD), local_files_only=True)
    except LocalEntryNotFoundError as error:
        return isinstance(error, IncompleteSnapshotError)
    return False


def has_only_pickle(source: str) -> bool:
    """Whether the local cache has a pickle of an id, and no safetensors."""
    has_pickle, has_safetensors = (
        any(is_cached(source, files, revision) for revision in CACHED_REVISIONS) for files in (PICKLES, SAFETENSORS)
    )
    return has_pickle and not has_safetensors
