"""The models by name: one line each. Anything that is not here is a Hugging Face id or a folder.

On a public server, set HEADLIGHT_CURATED_ONLY=1: then only the models listed here are opened, and no local folder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from models.checkpoints.card import read_card
from models.checkpoints.folder import CONFIG, UNREADABLE, read_config
from models.huggingface.model import load_huggingface
from models.huggingface.revisions import cached_revision
from models.opening.guest import GuestModel
from models.opening.restriction import is_restricted
from models.scratch_models.decoder import load_scratch_decoder
from models.scratch_models.encoder import load_scratch
from models.scratch_models.translator import load_scratch_translator
from models.text.unknown import MULTILINGUAL
from models.training.lab.uploads.checkpoints import folder_of, is_lab_name, is_uploaded
from models.values.answers import (
    AskedWord,
    JointFilling,
    LayerwisePrediction,
    MaskedText,
    ReplacedTokens,
    TextLabels,
    TokenLabels,
)
from models.values.errors import ModelLoadError, ModelNotAllowedError, ModelNotFoundError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.record import Kind, MaskPrediction, ModelInfo, Recording
from models.values.steps import LayerWalk, WhatIf
from models.values.writing import TokenGuesses, Writing

ROOT = Path(__file__).resolve().parents[2]
PRETRAINED = Path("models") / "pretrained"
DEFAULT_MODEL = "mini-bert"


class Model(Protocol):
    """What every model of ours can do, scratch or Hugging Face; the two adapters say what each raises."""

    info: ModelInfo

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """Run a text, or a pair, and keep everything."""

    def record_shuffled(
        self, text: str, text_b: str | None = None, *, with_positions: bool, seed: int = 0
    ) -> ShuffledPair:
        """The text as it is written and with its tokens shuffled, with positions or without."""

    def walk(
        self, text: str, text_b: str | None = None, *, kind: Kind = "encoder", layer: int, head: int,
        what_if: WhatIf | None = None,
    ) -> LayerWalk:  # fmt: skip
        """Every step of a layer for one head."""

    def positions(self) -> ModelPositions:
        """How the model tells positions apart."""

    def fill_mask(self, text: str, top_k: int = 5, text_b: str | None = None) -> tuple[MaskPrediction, ...]:
        """The best words for every [MASK]."""

    def next_sentence(self, text: str, text_b: str) -> float:
        """The probability that `text_b` follows `text`."""

    def masked_words(self, text: str, text_b: str | None = None) -> MaskedText:
        """The whole distribution of every [MASK]."""

    def predict_by_layer(self, text: str, mask: int = 0, text_b: str | None = None) -> LayerwisePrediction:
        """What the MLM head reads in the hidden state of one [MASK] after every layer."""

    def fill_jointly(
        self, text: str, text_b: str | None = None, progress: Callable[[int, int], None] | None = None
    ) -> JointFilling:
        """Every [MASK] filled, the surest first."""

    def ask_word(self, word: str) -> AskedWord:
        """How the vocabulary spells a word."""

    def find_replaced(self, text: str, text_b: str | None = None) -> ReplacedTokens:
        """For every token the probability that somebody replaced it."""

    def label_tokens(self, text: str, text_b: str | None = None) -> TokenLabels:
        """For every token the probabilities of the labels."""

    def label_text(self, text: str, text_b: str | None = None) -> TextLabels:
        """The probabilities of the labels of the text."""

    def translate(self, text: str, *, width: int = 1, length_penalty: float = 0.6) -> Writing:
        """What it writes for a source, greedily or with a beam search of that width."""

    def continue_text(
        self, text: str, *, n_new: int = 20, temperature: float = 1.0, top_k: int = 0, seed: int = 0
    ) -> Writing:
        """What it writes after a text; the temperature 0 takes the likeliest token, `top_k` 0 draws from all."""

    def guess_tokens(self, text: str) -> TokenGuesses:
        """Every token of a text, guessed from both sides, or from the tokens before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """A line of the picker."""

    name: str
    about: str
    is_embedded: bool = False
    """Whether it is part of this repository; the others are downloaded once, when somebody asks for them."""
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes of what it has learned to read, or MULTILINGUAL; empty where nobody knows."""
    made_for: str = ""
    """What its card says that it was made for, to be read after "made for"."""


def _embedded(name: str, about: str, *, folder: str | None = None) -> ModelEntry:
    """A model of this repository, with what its card says; `folder` is where it lies, if its name does not say so.

    The first language of a card is the one that is read: a translator has a second one, which it writes.
    """
    card = read_card(ROOT / PRETRAINED / (folder or name))
    return ModelEntry(name=name, about=about, is_embedded=True, languages=card.languages[:1], made_for=card.made_for)


def _present(*lines: tuple[str, str]) -> tuple[ModelEntry, ...]:
    """Entries for names and what they are, those whose folder is there: one may still be in training."""
    return tuple(
        _embedded(name, f"embedded, {about}") for name, about in lines if (ROOT / PRETRAINED / name / CONFIG).is_file()
    )


def _from_hub(name: str, about: str, *languages: str) -> ModelEntry:
    return ModelEntry(name=name, about=about, languages=languages)


REGISTRY: dict[str, ModelEntry] = {
    entry.name: entry
    for entry in (
        _embedded("mini-bert", "embedded, in our own encoder"),
        _embedded(f"{PRETRAINED.as_posix()}/mini-bert", "the same, in Hugging Face's", folder="mini-bert"),
        _embedded(
            f"{PRETRAINED.as_posix()}/tiny-bert/step-001708", "embedded, 2 layers of 4 heads", folder="tiny-bert"
        ),
        *_present(
            ("translator-es", "translates English to Spanish"),
            ("translator-ko", "translates English to Korean"),
            ("mini-gpt", "causal, in our own decoder"),
            ("sentiment", "tells praise from complaint"),
        ),
        _from_hub("google-bert/bert-base-uncased", "English, 110 million parameters", "en"),
        _from_hub("google-bert/bert-base-cased", "English, keeps capitals", "en"),
        _from_hub("google-bert/bert-large-uncased", "English, 340 million parameters", "en"),
        _from_hub("google-bert/bert-base-multilingual-cased", "104 languages, Korean too", MULTILINGUAL),
        _from_hub("klue/bert-base", "Korean", "ko"),
        _from_hub("klue/roberta-base", "Korean", "ko"),
        _from_hub("monologg/koelectra-base-v3-discriminator", "Korean, found replaced words", "ko"),
        _from_hub("distilbert/distilbert-base-uncased", "English, 6 layers, distilled", "en"),
        _from_hub("FacebookAI/roberta-base", "English, byte-level pieces", "en"),
        _from_hub("FacebookAI/xlm-roberta-base", "100 languages, Korean too", MULTILINGUAL),
        _from_hub("albert/albert-base-v2", "English, one layer used 12 times", "en"),
        _from_hub("google/electra-base-discriminator", "English, finds replaced words", "en"),
        _from_hub("answerdotai/ModernBERT-base", "English, rotary, local and global layers", "en"),
        _from_hub("openai-community/gpt2", "English, causal", "en"),
        _from_hub("Qwen/Qwen2.5-0.5B", "many languages, causal, grouped keys", MULTILINGUAL),
        _from_hub("skt/kogpt2-base-v2", "Korean, causal", "ko"),
        _from_hub("google-t5/t5-small", "encoder and decoder, relative positions", "en"),
        _from_hub("facebook/bart-base", "encoder and decoder", "en"),
        _from_hub("Helsinki-NLP/opus-mt-en-es", "translates English to Spanish", "en"),
        _from_hub("Helsinki-NLP/opus-mt-ko-en", "translates Korean to English", "ko"),
    )
}

SCRATCH_LAYOUTS: dict[str, Callable[..., Model]] = {
    "bert": load_scratch,
    "gpt2": load_scratch_decoder,
    "bart": load_scratch_translator,
}
"""What opens a folder in the transformer from scratch, by the model_type of its configuration."""

ALIASES: dict[str, str] = {name.rpartition("/")[2]: name for name, entry in REGISTRY.items() if not entry.is_embedded}
"""The short ids of old, "bert-base-uncased" and the like."""


def load(name: str, *, device: str = "auto", progress: Callable[[str], None] | None = None) -> Model:
    """Open a model by its name in the registry, its Hugging Face id or its folder.

    `device` is "auto", "cpu", "cuda" or "mps"; `progress` is told in a few words what is going on. Raises
    ModelNotFoundError, ModelLoadError, UnsupportedModelError or DeviceError.
    """
    name = canonical(name)
    if is_lab_name(name):
        folder = folder_of(name)
        return GuestModel(folder, name=name) if is_uploaded(name) else load_folder(folder, name=name, device=device)
    entry = REGISTRY.get(name)
    if entry is not None and entry.is_embedded:
        if "/" in name:
            return load_huggingface(str(ROOT / name), name=name, device=device)
        return load_folder(ROOT / PRETRAINED / name, name=name, device=device)
    return load_huggingface(name, device=device, progress=progress)


def load_folder(folder: Path, *, name: str, device: str = "auto") -> Model:
    """Open a checkpoint folder in the transformer from scratch: one in the layout of BERT, GPT-2 or BART.

    `name` is what to call it. Raises ModelLoadError for any other folder, or a broken one, and DeviceError.
    """
    try:
        family = read_config(folder).get("model_type")
    except UNREADABLE as error:
        raise ModelLoadError(name, f"{folder} has no {CONFIG} that can be read: {error}") from error
    opened_by = SCRATCH_LAYOUTS.get(family) if isinstance(family, str) else None
    if opened_by is None:
        raise ModelLoadError(
            name,
            f"The model_type of {name} is {family!r}, and the transformer from scratch opens only the layouts of "
            f"{', '.join(SCRATCH_LAYOUTS)}. Open the folder by its path to have transformers read it.",
        )
    return opened_by(folder, name=name, device=device)


def canonical(name: str) -> str:
    """The full name for what a person wrote: trimmed, short ids spelled out. Raises ModelNotFoundError if empty."""
    name = name.strip()
    if not name:
        raise ModelNotFoundError(
            name, "The name of the model is empty. Give a Hugging Face id such as google-bert/bert-base-uncased."
        )
    return ALIASES.get(name, name)


def entry_of(name: str) -> ModelEntry | None:
    """The line of a model, by its name or a short id of old; None for one that is not listed."""
    return REGISTRY.get(ALIASES.get(name.strip(), name.strip()))


def is_on_this_machine(name: str) -> bool:
    """Whether a model opens without the network: embedded, of the lab, a folder, or in the local cache of the hub.

    Asked anew each time, a few files looked for, so that it is right after a download.
    """
    entry = entry_of(name)
    if is_lab_name(name) or (entry is not None and entry.is_embedded):
        return True
    return Path(name).is_dir() or cached_revision(ALIASES.get(name, name)) is not None


def check_allowed(name: str) -> None:
    """Raise ModelNotAllowedError if this server is restricted to the curated list and `name` is not on it."""
    if is_restricted() and canonical(name) not in REGISTRY and not is_lab_name(name):
        raise ModelNotAllowedError(
            name, f"This server opens only the models of its list, and {name!r} is not on it. Choose one from the list."
        )
