"""The models by name: one line each. Anything that is not here is a Hugging Face id or a folder.

On a public server, set HEADLIGHT_CURATED_ONLY=1: then only the models listed here are opened, and no local folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import torch

from models import huggingface
from models.checkpoints.card import read_card
from models.checkpoints.device_faults import faults_in_sentences
from models.checkpoints.devices import PROCESSOR, dtype_name, pick_dtype
from models.checkpoints.folder import CONFIG, UNREADABLE, read_config
from models.checkpoints.heads_file import read_heads
from models.checkpoints.on_body import body_of
from models.huggingface.checkpoint.revisions import cached_revision
from models.model import Model
from models.opening.guest import GuestModel
from models.opening.locations import read_location
from models.opening.restriction import is_restricted
from models.opening.tasks import FILL_MASK, TEXT_GENERATION, TRANSLATION, task_in
from models.scratch_models.decoder import load_scratch_decoder, load_scratch_llama
from models.scratch_models.encoder import load_scratch
from models.scratch_models.translator import load_scratch_translator
from models.text.unknown import MULTILINGUAL
from models.values.arguments.check import fit_value
from models.values.errors import ModelLoadError, ModelNotAllowedError, ModelNotFoundError
from models.values.wording import to_say, worded

__all__ = [
    "ALIASES",
    "DEFAULT_MODEL",
    "PRETRAINED",
    "REGISTRY",
    "ROOT",
    "FolderSource",
    "Model",
    "ModelEntry",
    "canonical",
    "check_allowed",
    "entry_of",
    "is_on_this_machine",
    "is_strangers",
    "load",
    "load_folder",
    "register",
    "source_of",
    "task_of",
]

ROOT = Path(__file__).resolve().parents[2]
PRETRAINED = Path("models") / "pretrained"
DEFAULT_MODEL = "headlight-bert"
SNAPSHOT = re.compile(r"step-(\d+)")
"""The folder of a snapshot, with its iteration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """A line of the picker."""

    name: str
    about: str
    megabytes: int = 0
    """About how much is downloaded; 0 for what is here."""
    is_embedded: bool = False
    """Whether it is part of this repository; the others are downloaded once, when somebody asks for them."""
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes of what it has learned to read, or MULTILINGUAL; empty where nobody knows."""
    task: str = ""
    """The task, by the Hub's name (`models.opening.tasks`); empty where it has none."""
    made_for: str = ""
    """Its purpose from its card, to be read after "made for"."""
    base_model: str = ""
    """The model of others that its training set out from; empty for one trained from nothing."""
    examples: tuple[tuple[str, str], ...] = ()
    """Texts that its card offers to try, each after its label."""
    long_example: tuple[str, str] | None = None
    """A text of thousands of tokens that its card offers, after its label."""


def _embedded_entry(name: str, about: str, *, folder: str | None = None) -> ModelEntry:
    """A model of this repository, with what its card says; `folder` is where it lies, if its name does not say so.

    The first language of a card is the one that is read: a translator has a second one, which it writes.
    """
    card = read_card(ROOT / PRETRAINED / (folder or name))
    return ModelEntry(
        name=name,
        about=about,
        is_embedded=True,
        languages=card.languages[:1],
        task=card.task,
        made_for=card.made_for,
        base_model=card.base_model,
        examples=card.examples,
        long_example=card.long_example,
    )


def _present(*lines: tuple[str, str]) -> tuple[ModelEntry, ...]:
    """Entries for names and what they are, those whose folder is there: one may still be in training."""
    return tuple(_embedded_entry(name, about) for name, about in lines if (ROOT / PRETRAINED / name / CONFIG).is_file())


def _from_hub(name: str, about: str, *languages: str, megabytes: int, task: str = FILL_MASK) -> ModelEntry:
    return ModelEntry(name=name, about=about, languages=languages, megabytes=megabytes, task=task)


REGISTRY: dict[str, ModelEntry] = {
    entry.name: entry
    for entry in (
        _embedded_entry("headlight-bert", to_say("embedded, in our own encoder")),
        _embedded_entry(
            f"{PRETRAINED.as_posix()}/headlight-bert", to_say("the same, in Hugging Face's"), folder="headlight-bert"
        ),
        _embedded_entry("mini-bert", to_say("embedded, trained from nothing")),
        _embedded_entry(
            f"{PRETRAINED.as_posix()}/mini-bert", to_say("the same, in Hugging Face's"), folder="mini-bert"
        ),
        _embedded_entry(
            f"{PRETRAINED.as_posix()}/tiny-bert/step-001708",
            to_say("embedded, 2 layers of 4 heads"),
            folder="tiny-bert",
        ),
        *_present(
            ("translator-es", to_say("embedded, translates English to Spanish")),
            ("translator-ko", to_say("embedded, translates English to Korean")),
            ("mini-gpt", to_say("embedded, causal, in our own decoder")),
            ("mini-llama", to_say("embedded, causal, of today's kind, reads 4,096 tokens")),
            ("sentiment", to_say("embedded, tells praise from complaint, by [CLS]")),
            ("sentiment-mean", to_say("embedded, the same, by the mean of the words")),
            ("tagger", to_say("embedded, names the part of speech of words")),
        ),
        _from_hub("google-bert/bert-base-uncased", to_say("English, 110 million parameters"), "en", megabytes=440),
        _from_hub("google-bert/bert-base-cased", to_say("English, keeps capitals"), "en", megabytes=440),
        _from_hub("google-bert/bert-large-uncased", to_say("English, 336 million parameters"), "en", megabytes=1340),
        _from_hub(
            "google-bert/bert-base-multilingual-cased", to_say("104 languages, Korean too"), MULTILINGUAL, megabytes=710
        ),
        _from_hub("klue/bert-base", to_say("Korean"), "ko", megabytes=440),
        _from_hub("klue/roberta-base", to_say("Korean"), "ko", megabytes=440),
        _from_hub(
            "monologg/koelectra-base-v3-discriminator",
            to_say("Korean, finds replaced words"),
            "ko",
            megabytes=450,
            task="",
        ),
        _from_hub("distilbert/distilbert-base-uncased", to_say("English, 6 layers, distilled"), "en", megabytes=270),
        _from_hub("FacebookAI/roberta-base", to_say("English, byte-level pieces"), "en", megabytes=500),
        _from_hub("FacebookAI/xlm-roberta-base", to_say("100 languages, Korean too"), MULTILINGUAL, megabytes=1110),
        _from_hub("albert/albert-base-v2", to_say("English, one layer used 12 times"), "en", megabytes=45),
        _from_hub(
            "google/electra-base-discriminator", to_say("English, finds replaced words"), "en", megabytes=440, task=""
        ),
        _from_hub(
            "answerdotai/ModernBERT-base", to_say("English, rotary, local and global layers"), "en", megabytes=600
        ),
        _from_hub("openai-community/gpt2", to_say("English, causal"), "en", megabytes=500, task=TEXT_GENERATION),
        _from_hub(
            "Qwen/Qwen2.5-0.5B",
            to_say("many languages, causal, grouped keys"),
            MULTILINGUAL,
            megabytes=990,
            task=TEXT_GENERATION,
        ),
        _from_hub("skt/kogpt2-base-v2", to_say("Korean, causal"), "ko", megabytes=500, task=TEXT_GENERATION),
        _from_hub(
            "google-t5/t5-small",
            to_say("encoder and decoder, relative positions"),
            "en",
            megabytes=240,
            task=TRANSLATION,
        ),
        _from_hub("facebook/bart-base", to_say("encoder and decoder"), "en", megabytes=560),
        _from_hub(
            "Helsinki-NLP/opus-mt-en-es", to_say("translates English to Spanish"), "en", megabytes=310, task=TRANSLATION
        ),
        _from_hub(
            "Helsinki-NLP/opus-mt-ko-en", to_say("translates Korean to English"), "ko", megabytes=310, task=TRANSLATION
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSource:
    """Where models come from that are in no list: a part of the app that makes some, and gives them names of its own.

    `knows` says whether a name is one of its names, `folder_of` where that model lies (it raises ModelNotFoundError for
    one that is gone), `is_strangers` whether somebody else has made it: it is then opened in a process of its own.
    """

    knows: Callable[[str], bool]
    folder_of: Callable[[str], Path]
    is_strangers: Callable[[str], bool]


_sources: dict[str, FolderSource] = {}


def register(prefix: str, source: FolderSource) -> None:
    """Open names that begin with `prefix` by way of a source from now on; the app does this at its start."""
    _sources[prefix] = source


def source_of(name: str) -> FolderSource | None:
    """The registered source of a name, None for one of the list, of the hub, or of a folder."""
    return next((source for prefix, source in _sources.items() if name.startswith(prefix) and source.knows(name)), None)


def is_strangers(name: str) -> bool:
    """Whether a model was brought by a stranger, so that it is opened in a process of its own."""
    source = source_of(name)
    return source is not None and source.is_strangers(name)


SCRATCH_LAYOUTS: dict[str, Callable[..., Model]] = {
    "bert": load_scratch,
    "gpt2": load_scratch_decoder,
    "llama": load_scratch_llama,
    "bart": load_scratch_translator,
}
"""Functions that open a folder in the transformer from scratch, by the model_type of its configuration."""

ALIASES: dict[str, str] = {name.rpartition("/")[2]: name for name, entry in REGISTRY.items() if not entry.is_embedded}
"""The short ids of old, "bert-base-uncased" and the like."""


def load(
    name: str | PathLike[str],
    *,
    device: str = "auto",
    dtype: str | torch.dtype = "float32",
    progress: Callable[[str], None] | None = None,
    source_language: str = "",
    target_language: str = "",
) -> Model:
    """Open a model by its name in the registry, its Hugging Face id, its address on huggingface.co or its folder.

    `device` is "auto", "cpu", "cuda", "xpu" or "mps"; "auto" goes back to the processor, with a note, where a model
    does not fit the fastest. `dtype` is "float32", "bfloat16" or "float16": what the model computes in, records are
    float32. `progress` is told in a few words what is going on. The languages are those that a model of many is told
    to read and to write, by the codes of its tokenizer. Raises ModelNotFoundError, ModelLoadError,
    UnsupportedModelError, DeviceError, or SelectionError for a language that it does not know.
    """
    fit_value("progress", progress, Callable[[str], None] | None)
    name, numbers = canonical(name), pick_dtype(dtype)
    with faults_in_sentences(name, PROCESSOR):
        opened = _load(name, device, numbers, progress)
    return opened.in_languages(source=source_language, target=target_language)


def _load(name: str, device: str, dtype: torch.dtype, progress: Callable[[str], None] | None) -> Model:
    source = source_of(name)
    if source is not None:
        folder = source.folder_of(name)
        if is_strangers(name):
            return GuestModel(folder, name=name, dtype=dtype_name(dtype))
        return load_folder(folder, name=name, device=device, dtype=dtype)
    if is_embedded(name):
        return _load_embedded(name, device, dtype)
    return huggingface.load_huggingface(name, device=device, dtype=dtype, progress=progress)


def embedded_folder(name: str) -> Path | None:
    """Where the files of an embedded model lie; None for any other."""
    name = canonical(name)
    return _folder_of(name) if is_embedded(name) else None


def is_embedded(name: str) -> bool:
    """Whether a model is part of this repository: listed as such, or a snapshot of the training of one that is."""
    entry, (place, _, last) = REGISTRY.get(name), name.rpartition("/")
    if entry is not None:
        return entry.is_embedded
    is_beside = any(other.is_embedded and other.name.rpartition("/step-")[0] == place for other in REGISTRY.values())
    return bool(place) and is_beside and SNAPSHOT.fullmatch(last) is not None and (ROOT / name / CONFIG).is_file()


def _folder_of(name: str) -> Path:
    """Where a model of this repository lies: its name is a path, or that of a folder among the embedded ones."""
    return ROOT / name if "/" in name else ROOT / PRETRAINED / name


def _load_embedded(name: str, device: str, dtype: torch.dtype) -> Model:
    """A model of this repository, with what is known of its heads: in transformers by its folder, else from scratch."""
    folder = _folder_of(name)
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


def load_folder(folder: Path, *, name: str, device: str = "auto", dtype: str | torch.dtype = "float32") -> Model:
    """Open a checkpoint folder in the transformer from scratch: one in the layout of BERT, GPT-2, Llama or BART.

    `name` is what to call it. Raises ModelLoadError for any other folder, or a broken one, and DeviceError.
    """
    try:
        family = read_config(folder).get("model_type")
    except UNREADABLE as error:
        says = worded(
            "{folder} has no {file} that can be read: {error}", folder=str(folder), file=CONFIG, error=str(error)
        )
        raise ModelLoadError(name, says) from error
    opened_by = SCRATCH_LAYOUTS.get(family) if isinstance(family, str) else None
    if opened_by is None:
        raise ModelLoadError(
            name,
            worded(
                "The model_type of {model} is {family}, and the transformer from scratch opens only the layouts of "
                "{layouts}. Open the folder by its path, and transformers will read it.",
                model=name,
                family=repr(family),
                layouts=", ".join(SCRATCH_LAYOUTS),
            ),
        )
    return opened_by(folder, name=name, device=device, dtype=dtype)


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
    return ALIASES.get(known, known)


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
    if source_of(name) is not None or is_embedded(name):
        return True
    return Path(name).is_dir() or cached_revision(name) is not None


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
