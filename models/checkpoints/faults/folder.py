"""Find the checkpoint that a path leads to, and say what is wrong with it before transformers does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from models.checkpoints.faults.contents import GGUF, SUFFIXES, fault_of_contents, read_json
from models.checkpoints.faults.formats import FORMATS, archive_message, format_of, is_archive, weights_in
from models.checkpoints.faults.names import ADAPTER, CONFIG, fault_of_names, list_names
from models.values.errors import ModelLoadError
from models.values.wording import Message, worded

DEEPEST, MOST_FILES = 2, 5000
"""So many folders down, and at so many files, is looked for a model where there is none: it may be a whole home."""
SNAPSHOTS, REFERENCES, OF_THE_HUB = "snapshots", "refs", "models--"
"""The layout of the hub's cache: models--org--name/snapshots/COMMIT, and refs/main with the commit."""
OF_A_CHECKPOINT = frozenset({".codes", ".jinja", ".json", ".model", ".safetensors", ".spm"})
NAMES_OF_A_CHECKPOINT = frozenset({"merges.txt", "pytorch_model.bin", "vocab.txt"})


def folder_of_file(path: Path) -> Path | None:
    """Return the folder of a file that belongs to a checkpoint, also of one that is not there yet; else None."""
    is_of_checkpoint = path.suffix.lower() in OF_A_CHECKPOINT or path.name.lower() in NAMES_OF_A_CHECKPOINT
    try:
        return path.parent if is_of_checkpoint and not path.is_dir() and path.parent.is_dir() else None
    except OSError:
        return None


def checkpoint_at(path: Path) -> Path:
    """Return the folder with the files of a model: of a folder of the hub's cache, its snapshot."""
    try:
        if path.name == SNAPSHOTS and path.parent.name.startswith(OF_THE_HUB):
            return checkpoint_at(path.parent)
        snapshots = [snapshot for snapshot in (path / SNAPSHOTS).iterdir() if snapshot.is_dir()]
    except OSError:
        return path
    if (path / CONFIG).is_file() or not snapshots:
        return path
    current = path / SNAPSHOTS / _current_commit(path)
    return current if current in snapshots else max(snapshots, key=lambda each: each.stat().st_mtime)


def _current_commit(path: Path) -> str:
    try:
        return (path / REFERENCES / "main").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def has_sound_config(folder: Path) -> bool:
    """Return whether there is a configuration that transformers can read, so that it is known what the folder should
    hold."""
    try:
        return isinstance(read_json(folder / CONFIG, encoding="utf-8"), dict)
    except (OSError, ValueError, RecursionError):
        return False


def expect_checkpoint(folder: Path, model: str) -> None:
    """Raise ModelLoadError if the files in a folder, or the one file at its path, cannot be opened as a model."""
    try:
        if folder.is_file():
            raise ModelLoadError(model, _in_place_of_a_folder(folder, model))
        files = list(_files_below(folder, 0))
        fault: str | None = _of_the_cache(folder) or _broken_link(folder, model)
        fault = fault or fault_of_names(files, model, base=base_of_adapter(folder), inside=str(folder))
        fault = fault or fault_of_contents(folder, model)
    except PermissionError as error:
        raise ModelLoadError(
            model,
            worded(
                "{path} may not be read by the account under which Headlight runs. Change its permissions, or copy the "
                "model to another place.",
                path=str(error.filename or folder),
            ),
        ) from error
    except OSError as error:
        raise ModelLoadError(
            model,
            worded(
                "{path} cannot be read: the disk says error {number}. Copy the model to another place.",
                path=str(error.filename or folder),
                number=error.errno,
            ),
        ) from error
    if fault is not None:
        raise ModelLoadError(model, fault)


def base_of_adapter(folder: Path) -> str:
    """The name of the model that the adapter in a folder was made for; empty if it does not say."""
    for place in (folder, *(file.parent for file in islice(folder.glob(f"*/{ADAPTER}"), 1))):
        try:
            base = read_json(place / ADAPTER).get("base_model_name_or_path")
        except (OSError, ValueError, AttributeError, RecursionError):
            continue
        return base if isinstance(base, str) else ""
    return ""


def _in_place_of_a_folder(file: Path, model: str) -> str:
    """The sentence for a file where a folder is expected."""
    with file.open("rb") as opened:
        begins = opened.read(16)
    if is_archive(file.name):
        return archive_message(model)
    if begins.startswith(GGUF):
        return weights_in(
            next(known_format for known_format in FORMATS if "*.gguf" in known_format.files), model, file.name
        )
    known = format_of(file.name)
    if known is not None:
        return weights_in(known, model, file.name)
    return worded(
        "{model} is a file, and a model is a folder with {config} and its weights. Give the path of the folder.",
        model=model,
        config=CONFIG,
    )


def _of_the_cache(folder: Path) -> Message | None:
    """The sentence for the whole cache of the hub, in the place of one of its models."""
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.startswith(OF_THE_HUB))
    if not names:
        return None
    ids = [name.removeprefix(OF_THE_HUB).replace("--", "/") for name in names]
    return worded(
        "{folder} is the cache of huggingface.co on this machine, with {n} models. Give the Hugging Face id of one: "
        "{models}",
        folder=str(folder),
        n=len(ids),
        models=list_names(ids),
    )


def _broken_link(folder: Path, model: str) -> Message | None:
    """The sentence for a file of a model that is a link to nothing, as in a copy of a part of the hub's cache."""
    links = (file for file in sorted(folder.iterdir()) if file.is_symlink() and file.suffix in SUFFIXES)
    broken = next((link for link in links if not link.exists()), None)
    if broken is None:
        return None
    return worded(
        "{file} of {model} is a link to {target}, and there is nothing. Copy the file that it stands for, or download "
        "the model anew.",
        file=broken.name,
        model=model,
        target=str(broken.readlink())[:200],
    )


def _files_below(folder: Path, depth: int) -> Iterator[str]:
    """The names of the files in a folder, and of those in its folders, with "/" between."""
    return islice(_walk(folder, "", depth), MOST_FILES)


def _walk(folder: Path, before: str, depth: int) -> Iterator[str]:
    folders = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                folders.append(entry.name)
            elif entry.is_file():  # a link may lead nowhere
                yield f"{before}{entry.name}"
    for name in sorted(folders) if depth < DEEPEST else ():
        if not name.startswith("."):
            with suppress(PermissionError):
                yield from _walk(folder / name, f"{before}{name}/", depth + 1)
