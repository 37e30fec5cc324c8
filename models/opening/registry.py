"""The models by name: one line each. Anything that is not here is a Hugging Face id or a folder.

On a public server, set HEADLIGHT_CURATED_ONLY=1: then only the models listed here are opened, and no local folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import torch
from torch import nn

from models import huggingface
from models.checkpoints.device_faults import faults_in_sentences
from models.checkpoints.devices import PROCESSOR, dtype_name, pick_dtype
from models.checkpoints.folder import CONFIG
from models.checkpoints.heads_file import read_heads
from models.checkpoints.on_body import body_of
from models.model import Model
from models.opening.entries import PRETRAINED, ROOT, ModelEntry, embedded_entry, from_hub, present
from models.opening.folders import expect_weights, load_folder
from models.opening.guest import GuestModel
from models.opening.in_memory import class_name, expect_tokenizer, load_in_memory
from models.opening.locations import folder_on_disk, read_location, suggesting
from models.opening.restriction import is_restricted
from models.opening.sources import is_strangers, source_of
from models.opening.tasks import TEXT_GENERATION, TRANSLATION, task_in
from models.scratch_models.encoder import load_scratch
from models.text.unknown import MULTILINGUAL
from models.values.arguments.calls import check_call
from models.values.arguments.check import fit_value
from models.values.errors import ModelNotAllowedError, ModelNotFoundError
from models.values.wording import to_say, worded

__all__ = [
    "ALIASES",
    "DEFAULT_MODEL",
    "PRETRAINED",
    "REGISTRY",
    "ROOT",
    "Model",
    "canonical",
    "check_allowed",
    "entry_for",
    "entry_of",
    "is_on_this_machine",
    "languages_of",
    "load",
    "task_of",
]
DEFAULT_MODEL = "headlight-bert"
SNAPSHOT = re.compile(r"step-(\d+)")
"""The folder of a snapshot, with its iteration."""
REGISTRY: dict[str, ModelEntry] = {
    entry.name: entry
    for entry in (
        embedded_entry("headlight-bert", to_say("embedded, in our own encoder")),
        embedded_entry(f"{PRETRAINED.as_posix()}/headlight-bert", to_say("the same, in Hugging Face's")),
        embedded_entry("headlight-ko", to_say("embedded, reads Korean")),
        embedded_entry(f"{PRETRAINED.as_posix()}/headlight-ko", to_say("the same, in Hugging Face's")),
        embedded_entry("mini-bert", to_say("embedded, trained from nothing")),
        embedded_entry(f"{PRETRAINED.as_posix()}/mini-bert", to_say("the same, in Hugging Face's")),
        embedded_entry(f"{PRETRAINED.as_posix()}/tiny-bert/step-001708", to_say("embedded, 2 layers of 4 heads")),
        *present(
            ("translator-es", to_say("embedded, translates English to Spanish")),
            ("translator-ko", to_say("embedded, translates English to Korean")),
            ("mini-gpt", to_say("embedded, causal, in our own decoder")),
            ("mini-llama", to_say("embedded, causal, of today's kind, reads 4,096 tokens")),
            ("sentiment", to_say("embedded, tells praise from complaint, by [CLS]")),
            ("sentiment-mean", to_say("embedded, the same, by the mean of the words")),
            ("sentiment-ko", to_say("embedded, tells praise from complaint in Korean")),
            ("tagger", to_say("embedded, names the part of speech of words")),
        ),
        from_hub("google-bert/bert-base-uncased", to_say("English, 110 million parameters"), "en", megabytes=440),
        from_hub("google-bert/bert-base-cased", to_say("English, keeps capitals"), "en", megabytes=440),
        from_hub("google-bert/bert-large-uncased", to_say("English, 336 million parameters"), "en", megabytes=1340),
        from_hub(
            "google-bert/bert-base-multilingual-cased", to_say("104 languages, Korean too"), MULTILINGUAL, megabytes=710
        ),
        from_hub("klue/bert-base", to_say("Korean"), "ko", megabytes=440),
        from_hub("klue/roberta-base", to_say("Korean"), "ko", megabytes=440),
        from_hub(
            "monologg/koelectra-base-v3-discriminator",
            to_say("Korean, finds replaced words"),
            "ko",
            megabytes=450,
            task="",
        ),
        from_hub("distilbert/distilbert-base-uncased", to_say("English, 6 layers, distilled"), "en", megabytes=270),
        from_hub("FacebookAI/roberta-base", to_say("English, byte-level pieces"), "en", megabytes=500),
        from_hub("FacebookAI/xlm-roberta-base", to_say("100 languages, Korean too"), MULTILINGUAL, megabytes=1110),
        from_hub("albert/albert-base-v2", to_say("English, one layer used 12 times"), "en", megabytes=45),
        from_hub(
            "google/electra-base-discriminator", to_say("English, finds replaced words"), "en", megabytes=440, task=""
        ),
        from_hub(
            "answerdotai/ModernBERT-base", to_say("English, rotary, local and global layers"), "en", megabytes=600
        ),
        from_hub("openai-community/gpt2", to_say("English, causal"), "en", megabytes=500, task=TEXT_GENERATION),
        from_hub(
            "Qwen/Qwen2.5-0.5B",
            to_say("many languages, causal, grouped keys"),
            MULTILINGUAL,
            megabytes=990,
            task=TEXT_GENERATION,
        ),
        from_hub("skt/kogpt2-base-v2", to_say("Korean, causal"), "ko", megabytes=500, task=TEXT_GENERATION),
        from_hub(
            "google-t5/t5-small",
            to_say("encoder and decoder, relative positions"),
            "en",
            megabytes=240,
            task=TRANSLATION,
        ),
        from_hub("facebook/bart-base", to_say("encoder and decoder"), "en", megabytes=560),
        from_hub(
            "Helsinki-NLP/opus-mt-en-es", to_say("translates English to Spanish"), "en", megabytes=310, task=TRANSLATION
        ),
        from_hub(
            "Helsinki-NLP/opus-mt-ko-en", to_say("translates Korean to English"), "ko", megabytes=310, task=TRANSLATION
        ),
    )
}

ALIASES: dict[str, str] = {name.rpartition("/")[2]: name for name, entry in REGISTRY.items() if not entry.is_embedded}
"""The short ids of old, "bert-base-uncased" and the like."""
_IN_SMALL_LETTERS = {name.lower(): full for name, full in (*ALIASES.items(), *zip(REGISTRY, REGISTRY, strict=True))}
"""The full names by what people write: the hub has no two ids that differ in capitals alone."""


@check_call
def load(
    name: str | PathLike[str] | nn.Module,
    tokenizer: Any = None,
    *,
    device: str = "auto",
    dtype: str | torch.dtype = "float32",
    progress: Callable[[str], None] | None = None,
    source_language: str = "",
    target_language: str = "",
) -> Model:
    """Open a model by its name in the registry, its Hugging Face id, its address on huggingface.co or its folder; or
    one in memory, of transformers or from scratch, with its tokenizer: that is neither changed nor moved.

    `device` is "auto", "cpu", "cuda", "xpu" or "mps"; "auto" goes back to the processor where a model does not fit the
    fastest, and leaves one in memory where it is. `dtype` is "float32", "bfloat16" or "float16": what the model
    computes in. `progress` is told what is going on. The languages are those that a model of many reads and writes.
    Raises ModelNotFoundError, ModelLoadError, UnsupportedModelError, DeviceError, or SelectionError for a language.
    """
    fit_value("progress", progress, Callable[[str], None] | None)
    fit_value("source_language", source_language, str)
    fit_value("target_language", target_language, str)
    expect_tokenizer(name, tokenizer)
    numbers, named = pick_dtype(dtype), class_name(name) if isinstance(name, nn.Module) else canonical(name)
    with faults_in_sentences(named, PROCESSOR):
        if isinstance(name, nn.Module):
            opened = load_in_memory(name, tokenizer, device=device, dtype=numbers)
        else:
            opened = _load(named, device, numbers, progress)
    return opened.in_languages(source=source_language, target=target_language)


def _load(name: str, device: str, dtype: torch.dtype, progress: Callable[[str], None] | None) -> Model:
    source = source_of(name)
    if source is not None and is_strangers(name):
        return GuestModel(source.folder_of(name), name=name, dtype=dtype_name(dtype))
    if source is not None:
        return load_folder(source.folder_of(name), name=name, device=device, dtype=dtype)
    if is_embedded(name):
        return _load_embedded(name, device, dtype)
    with suggesting((*REGISTRY, *ALIASES)):
        return huggingface.load_huggingface(name, device=device, dtype=dtype, progress=progress)


def embedded_folder(name: str) -> Path | None:
    """Where the files of an embedded model lie; None for any other."""
    name = canonical(name)
    return _folder_of(name) if is_embedded(name) else None


def is_embedded(name: str) -> bool:
    """Whether a model is part of this repository: listed as such, or a snapshot of a training."""
    entry, folder = REGISTRY.get(name), Path(name)
    if entry is not None:
        return entry.is_embedded
    is_snapshot = SNAPSHOT.fullmatch(folder.name) is not None and folder.parent.parent == PRETRAINED
    return is_snapshot and folder.as_posix() == name and ".." not in folder.parts and (ROOT / folder / CONFIG).is_file()


def _folder_of(name: str) -> Path:
    """Where a model of this repository lies: its name is a path, or that of a folder among the embedded ones."""
    return ROOT / name if "/" in name else ROOT / PRETRAINED / name


def _load_embedded(name: str, device: str, dtype: torch.dtype) -> Model:
    """A model of this repository, with what is known of its heads: in transformers by its folder, else from scratch."""
    folder = _folder_of(name)
    expect_weights(folder, name)
    body = body_of(folder)
    model: Model
    if "/" in name:
        model = huggingface.load_huggingface(str(folder), name=name, device=device, dtype=dtype)
    elif body is not None:
        model = load_scratch(folder, name=name, device=device, dtype=dtype, body=body)
    else:
        model = load_folder(folder, name=name, device=device, dtype=dtype)
    known = read_heads(body or folder).below(model.info.n_layers)
    model.info = replace(model.info, head_roles=known.roles, nearest_roles=known.nearest)
    return model


def canonical(name: str | PathLike[str]) -> str:
    """The full name for what a person wrote, in any of the ways that `models.opening.locations` reads: short ids are
    spelled out, addresses become ids, paths lead to folders.

    Raises ModelNotFoundError for nothing, for a path at which there is nothing, and for what names no model.
    """
    known = name.strip() if isinstance(name, str) else ""
    if not _is_known(known):
        known = read_location(name, may_look=not is_restricted())
    if not known:
        raise ModelNotFoundError(
            known,
            worded("The name of the model is empty. Give a Hugging Face id such as google-bert/bert-base-uncased."),
        )
    full = ALIASES.get(known, known)
    listed = _IN_SMALL_LETTERS.get(full.lower(), full)
    is_folder = listed != full and not is_restricted() and folder_on_disk(full) is not None
    return full if is_folder else listed


def readable(name: str) -> str:
    """The same, but what was written, trimmed, where it names no model."""
    try:
        return canonical(name)
    except ModelNotFoundError:
        return name.strip()


def _is_known(name: str) -> bool:
    """Whether it is a name of the list, of this repository, or of a source."""
    return name in REGISTRY or name in ALIASES or is_embedded(name) or source_of(name) is not None


def entry_of(name: str) -> ModelEntry | None:
    """The line of a model, by its name or a short id of old; None for one that is not listed."""
    return REGISTRY.get(readable(name))


def languages_of(name: str) -> tuple[str, ...]:
    """Return the ISO 639-1 codes of the languages that a model has learned to read; empty where nobody knows."""
    entry, source = entry_of(name), source_of(name)
    return source.languages_of(name) if source else entry.languages if entry else ()


def entry_for(language: str, task: str) -> ModelEntry | None:
    """Return the first listed model with a task that reads a language, an embedded one if there is one."""
    fitting = [entry for entry in REGISTRY.values() if entry.task == task and language in entry.languages]
    return min(fitting, key=lambda entry: not entry.is_embedded, default=None)


def task_of(name: str) -> str:
    """Return the task of a model, by the Hub's name: as the list says, else going by the configuration of a
    folder or of a download that is here; empty where nobody knows."""
    entry = entry_of(name)
    if entry is None:
        return "" if is_restricted() else task_in(readable(name))
    return entry.task


def is_on_this_machine(name: str) -> bool:
    """Whether a model opens without the network: embedded, of a registered source, a folder, or in the hub's cache.

    Asked anew each time, a few files looked for, so that it is right after a download.
    """
    name = readable(name)
    return source_of(name) is not None or is_embedded(name) or folder_on_disk(name) is not None


def check_allowed(name: str) -> None:
    """Raise ModelNotAllowedError if this server is restricted to the curated list and `name` is not on it.

    What is looked up is what `name` leads to, and what is said is `name` itself: no path of this machine is told.
    """
    if is_restricted() and not _is_known(readable(name)):
        raise ModelNotAllowedError(
            name,
            worded(
                "This server opens only the models on its list, and {name} is not one of them. Choose one from the "
                "list.",
                name=repr(name),
            ),
        )
