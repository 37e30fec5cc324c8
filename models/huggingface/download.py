"""From huggingface.co into the local cache: which revision has weights to open, and the fetching of its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
)

from models.huggingface.download_bar import bar_that_tells
from models.huggingface.refusals import first_line
from models.huggingface.revisions import (
    CACHED_REVISIONS,
    MAIN,
    SAFETENSORS,
    converted_on_hub,
    files_on_hub,
    is_cached,
    keep_as_converted,
)
from models.values.errors import ModelLoadError, ModelNotFoundError
from models.values.wording import to_say, worded

constants.HF_HUB_DISABLE_TELEMETRY = True
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
FILES_TO_DOWNLOAD = (
    "*.json", "*.txt", "*.model", "*.spm", "*.codes", "*.tokenizer", "*.jinja", "model*.safetensors",
)  # fmt: skip
"""All that transformers may want: once they are here, it asks the hub for nothing more."""
UNREACHED = to_say(
    "{name} is not a folder on this machine and not in the local cache, and huggingface.co cannot be reached. Connect "
    "to the internet once to download it, or choose an embedded model."
)
NOT_FETCHED = to_say(
    "{name} is not a folder on this machine and not in the local cache, and it may not be downloaded here. Connect to "
    "the internet once to download it, or choose an embedded model."
)
"""What is said of a model that is nowhere on this machine."""


def revision_on_hub(source: str, name: str) -> str:
    """Ask the hub once where it has weights to open: transformers would try for 24 seconds without internet.

    Without safetensors it would even have the repository converted, by a third party that it sends the token to.
    """
    try:
        files = files_on_hub(source)
        revision = MAIN if not files.isdisjoint(SAFETENSORS) else converted_on_hub(source)
    except GatedRepoError as error:
        raise _not_permitted(name) from error
    except HFValidationError as error:
        raise ModelNotFoundError(
            name,
            worded(
                "{name} is neither a folder here nor a Hugging Face id such as google-bert/bert-base-uncased.",
                name=repr(name),
            ),
        ) from error
    except RepositoryNotFoundError as error:
        raise ModelNotFoundError(
            name,
            worded(
                "{name} is not a folder on this machine, and huggingface.co has no such model. Check the spelling.",
                name=repr(name),
            ),
        ) from error
    except HfHubHTTPError as error:
        raise ModelLoadError(
            name,
            worded(
                "huggingface.co could not be asked for {model}: {message} Try again later.",
                model=name, message=first_line(error),
            ),
        ) from error  # fmt: skip
    except (httpx2.HTTPError, OSError) as error:
        raise not_cached(source, name, UNREACHED) from error
    if revision is None:
        raise _without_safetensors(files, name)
    return revision


def _without_safetensors(files: frozenset[str], name: str) -> ModelLoadError:
    no_weights = worded(
        "{model} has no model.safetensors, the only form of weights that Headlight reads. Choose another model.",
        model=name,
    )
    return ModelLoadError(name, no_weights if files.isdisjoint(PICKLES) else pickle_message(name))


def download(source: str, name: str, revision: str, tell: Callable[[str], None]) -> None:
    """Fetch the files into the local cache before they are opened: others may open models in the meantime."""
    try:
        snapshot = snapshot_download(
            source,
            revision=revision,
            allow_patterns=list(FILES_TO_DOWNLOAD),
            tqdm_class=bar_that_tells(tell, name),
        )
    except GatedRepoError as error:  # the hub describes such a repository to everybody, and keeps its files
        raise _not_permitted(name) from error
    except Exception as error:
        raise ModelLoadError(
            name,
            worded(
                "{model} could not be downloaded: {message} Try again, or choose an embedded model.",
                model=name, message=first_line(error),
            ),
        ) from error  # fmt: skip
    if revision != MAIN:
        keep_as_converted(Path(snapshot))


def _not_permitted(name: str) -> ModelLoadError:
    return ModelLoadError(
        name,
        worded(
            "{model} needs its owner's permission on huggingface.co. Log in with `hf auth login`, or choose another "
            "model.",
            model=name,
        ),
    )


def not_cached(source: str, name: str, says: str) -> ModelNotFoundError | ModelLoadError:
    """The error for a model that is not here: `says`, UNREACHED or NOT_FETCHED, unless it is a pickle."""
    if has_only_pickle(source):
        return ModelLoadError(name, pickle_message(name))
    return ModelNotFoundError(name, worded(says, name=repr(name)))


def is_folder(source: str) -> bool:
    return bool(source) and Path(source).is_dir()


def is_half_downloaded(source: str, revision: str) -> bool:
    """Whether a download was broken off: the cache has a list of the repository's files, and not all of them."""
    try:
        snapshot_download(source, revision=revision, allow_patterns=list(FILES_TO_DOWNLOAD), local_files_only=True)
    except LocalEntryNotFoundError as error:
        return isinstance(error, IncompleteSnapshotError)
    return False


def has_only_pickle(source: str) -> bool:
    return _has_any(source, PICKLES) and not _has_any(source, SAFETENSORS)


def _has_any(source: str, files: Sequence[str]) -> bool:
    """Whether the folder, or the local cache of the id, has one of `files`."""
    if is_folder(source):
        return any((Path(source) / file).exists() for file in files)
    return any(is_cached(source, files, revision) for revision in CACHED_REVISIONS)


def pickle_message(name: str) -> str:
    return worded(
        "The weights of {model} come only as pytorch_model.bin. That is a pickle, which can run code when it is "
        "opened, so Headlight reads only model.safetensors. Choose a model that has it, or convert this one.",
        model=name,
    )
