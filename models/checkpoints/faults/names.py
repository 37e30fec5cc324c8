"""Say from the names of files alone why a folder, or a repository of the hub, holds no model that can be opened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from models.checkpoints.faults.formats import (
    FORMATS,
    INDEX,
    OF_TRAINING,
    UNFINISHED,
    WEIGHTS,
    archive_message,
    is_any,
    is_archive,
    weights_in,
)
from models.values.wording import Message, join_sentences, to_say, worded

CONFIG = "config.json"
SHARD = re.compile(r"model-\d+-of-(\d+)\.safetensors")
ADAPTER = "adapter_config.json"
ADAPTER_WEIGHTS = (
    *("adapter_model.safetensors", "adapter_model.bin", "adapters.safetensors", "pytorch_adapter.bin"),
    *("pytorch_lora_weights.safetensors", "pytorch_lora_weights.bin"),
)
"""As peft, MLX, AdapterHub and diffusers call them."""
PIPELINE = "model_index.json"
NAMED = 3
"""So many files or folders are named at most."""
BESIDE_A_MODEL = frozenset({".ds_store", ".git", ".gitattributes", ".gitignore", "license", "readme.md", "thumbs.db"})
"""Files that every folder may have."""
_SAVED_BY_TRAINER = re.compile(r"(?:.*/)?checkpoint-(\d+)")
_OF_A_COPY = re.compile(r"(?:copy of )?(.+?)(?: ?\(\d+\)| - copy)?(\.\w+)(?:\.txt)?")
"""A name as browsers and Windows change it: "config (1).json", "config - Copy.json", "config.json.txt"."""
_DATA = ("dataset_info.json", "dataset_infos.json", "dataset_dict.json", "*.parquet", "*.arrow", "*.jsonl")


def fault_of_names(files: Iterable[str], model: str, *, base: str = "", inside: str = "") -> str | None:
    """Return a sentence about a folder whose files have these names, with their folders; None for a whole model.

    `base` is the model that an adapter was made for, `inside` the path of the folder, to name what lies in it.
    """
    names = sorted(files)
    top = [name for name in names if "/" not in name]
    adapter = next((name for name in top if is_any(name, (ADAPTER, *ADAPTER_WEIGHTS))), "")
    if _is_model(top):
        whole = None if {WEIGHTS, INDEX} & set(top) else _no_index(model)
        return adapter_beside(model, adapter, base) if adapter else whole
    if PIPELINE in top:
        return worded(
            "{model} is a pipeline of diffusers, which makes pictures or sounds out of several models, and no model "
            "that reads text. Choose another model, such as BERT, GPT-2 or T5.",
            model=model,
        )
    if not _has_weights(top) and adapter:
        return adapter_alone(model, base)
    return _misnamed(model, top) or _without_model(model, names, top, inside)


def _without_model(model: str, names: Sequence[str], top: Sequence[str], inside: str) -> str:
    """The sentence for a folder that holds no whole model at its top."""
    deeper = _folders_with_models(names)
    if deeper:
        return _one_level_down(model, deeper, inside)
    if _has_weights(top):
        return worded(
            "{model} has weights and no {config}, which says what they are. Copy the {config} of the model that it was "
            "trained from, or save the model with save_pretrained, which writes both.",
            model=model,
            config=CONFIG,
        )
    return _without_weights(model, names, top)


def adapter_alone(model: str, base: str) -> str:
    """The sentence for an adapter that lies where a model should."""
    fault = worded("{model} is an adapter (LoRA), which changes another model, and no model of its own.", model=model)
    other = worded("It was made for {base}.", base=base) if base else ""
    advice = to_say(
        "Merge the two with merge_and_unload of the package peft, save the result with save_pretrained, and open that "
        "folder; or open the other model alone."
    )
    return join_sentences(fault, other, advice)


def adapter_beside(model: str, file: str, base: str) -> str:
    """The sentence for an adapter beside the whole weights of a model: nobody knows whether they have it in them."""
    fault = worded(
        "{model} has the weights of a whole model, and beside them an adapter (LoRA; {file}), which would change them: "
        "Headlight does not apply adapters.",
        model=model,
        file=file,
    )
    other = worded("It was made for {base}.", base=base) if base else ""
    advice = to_say(
        "Merge the two with merge_and_unload of the package peft, save the result with save_pretrained, and open that "
        "folder; or, to see the model without the adapter, or if it is merged already, move the files of the adapter "
        "out of the folder."
    )
    return join_sentences(fault, other, advice)


def list_names(names: Sequence[str]) -> str:
    """The first of some names, side by side, and that there are more."""
    shown = ", ".join(names[:NAMED])
    return f"{shown}, …" if len(names) > NAMED else shown


def _is_model(top: Sequence[str]) -> bool:
    return CONFIG in top and _has_weights(top)


def _has_weights(top: Sequence[str]) -> bool:
    return WEIGHTS in top or INDEX in top or any(map(SHARD.fullmatch, top))


def _misnamed(model: str, top: Sequence[str]) -> Message | None:
    """The sentence for a file of a model whose name is in capitals, or that of a copy, as some systems write it; else
    None."""
    known = {_OF_A_COPY.sub(r"\1\2", name.lower()): name for name in top}
    right = next((file for file in (CONFIG, WEIGHTS, INDEX) if file in known and file not in top), None)
    says = to_say("{model} has {file}, and the file has to be called {right}. Rename it.")
    return None if right is None else worded(says, model=model, file=known[right], right=right)


def _has_any(names: Sequence[str], patterns: Sequence[str]) -> bool:
    return any(is_any(name, patterns) for name in names)


def _folders_with_models(names: Sequence[str]) -> list[str]:
    """The folders below that hold a model, or an adapter; those of a Trainer by their number, the newest first."""
    inside: dict[str, list[str]] = {}
    for name in names:
        folder, _, file = name.rpartition("/")
        inside.setdefault(folder, []).append(file)
    whole = [folder for folder, files in inside.items() if folder and _is_model(files)]
    of_trainer = {folder: int(match[1]) for folder in whole if (match := _SAVED_BY_TRAINER.fullmatch(folder))}
    return sorted(whole, key=lambda folder: (-of_trainer.get(folder, -1), folder.count("/"), folder)) or [
        folder for folder, files in inside.items() if folder and ADAPTER in files
    ]


def _one_level_down(model: str, folders: Sequence[str], inside: str) -> Message:
    path = f"{inside.rstrip('/')}/{folders[0]}"
    if not inside:
        return worded(
            "{model} holds no model at its top, but in folders: {folders}. Download one, such as {folder}, and give "
            "its path on this machine.",
            model=model,
            folders=list_names(folders),
            folder=folders[0],
        )
    if len(folders) == 1:
        return worded(
            "{model} holds no model itself, but the folder {folder} in it does. Open that one: {path}",
            model=model,
            folder=folders[0],
            path=path,
        )
    if all(map(_SAVED_BY_TRAINER.fullmatch, folders)):
        return worded(
            "{model} holds no model itself, but what was saved during a training: {folders}. Open one of these "
            "folders; the newest is {path}",
            model=model,
            folders=list_names(folders),
            path=path,
        )
    return worded(
        "{model} holds no model itself, but {n} folders in it do: {folders}. Open one of them, such as {path}",
        model=model,
        n=len(folders),
        folders=list_names(folders),
        path=path,
    )


def _no_index(model: str) -> Message:
    return worded(
        "{model} has its weights in several files, and lacks {index}, which says what is where. Copy it into the "
        "folder, too.",
        model=model,
        index=INDEX,
    )


def _without_weights(model: str, names: Sequence[str], top: Sequence[str]) -> str:
    """The sentence for a folder without weights that are read."""
    others = (_nothing, _unfinished, _safetensors_of_another_name, _other_format, _archive, _data_set)
    faults = (sentence(model, names, top) for sentence in others)
    says = to_say(
        "{model} has no {weights}, the only form of weights that Headlight reads. Copy the weights to where its "
        "{config} is, or choose another model."
    )
    if CONFIG not in top:
        says = to_say(
            "{model} holds no model: there is no {config} and no {weights}, but {files}. Choose the folder with the "
            "files of a model."
        )
    last = worded(says, model=model, config=CONFIG, weights=WEIGHTS, files=list_names(names))
    return next(filter(None, faults), last)


def _unfinished(model: str, names: Sequence[str], _top: Sequence[str]) -> str:
    """The sentence for a download that has not come to its end."""
    file = next((name for name in names if is_any(name, UNFINISHED)), None)
    says = to_say(
        "The download of {model} has not finished: it has {file} so far. Wait for its end, or start it again."
    )
    return worded(says, model=model, file=file) if file else ""


def _nothing(model: str, names: Sequence[str], _top: Sequence[str]) -> str:
    if any(name.lower() not in BESIDE_A_MODEL for name in names):
        return ""
    return worded(
        "{model} is empty: there is no {config} and no {weights}. Choose the folder with the files of a model.",
        model=model,
        config=CONFIG,
        weights=WEIGHTS,
    )


def _safetensors_of_another_name(model: str, _names: Sequence[str], top: Sequence[str]) -> str:
    file = next((name for name in top if name.lower().endswith(".safetensors")), "")
    says = to_say(
        "{model} has no {weights}, but {file}. If these are the weights of the whole model, give the file the name "
        "{weights}."
    )
    return worded(says, model=model, weights=WEIGHTS, file=file) if file else ""


def _other_format(model: str, _names: Sequence[str], top: Sequence[str]) -> str:
    weights = [name for name in top if not is_any(name, OF_TRAINING)]
    matches = ((form, name) for form in FORMATS for name in weights if is_any(name, form.files))
    form, file = next(matches, (None, ""))
    return weights_in(form, model, file) if form else ""


def _archive(_model: str, _names: Sequence[str], top: Sequence[str]) -> str:
    archive = next(filter(is_archive, top), "")
    return archive_message(archive) if archive else ""


def _data_set(model: str, names: Sequence[str], top: Sequence[str]) -> str:
    says = to_say(
        "{model} holds a data set: texts, and no model. Choose the folder of a model that has {config} and {weights}."
    )
    is_one = CONFIG not in top and _has_any(names, _DATA)
    return worded(says, model=model, config=CONFIG, weights=WEIGHTS) if is_one else ""
