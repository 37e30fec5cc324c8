"""Open the configuration, the tokenizer and the weights of one folder, or of one revision in the local cache."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn
from transformers import (
    AutoFeatureExtractor,
    AutoImageProcessor,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from models.checkpoints.device_faults import device_fault
from models.checkpoints.devices import PROCESSOR
from models.checkpoints.faults.folder import expect_checkpoint
from models.huggingface.checkpoint.download import (
    is_on_disk,
)
from models.huggingface.checkpoint.family import open_config
from models.huggingface.checkpoint.misfits import why_no_tokenizer
from models.huggingface.checkpoint.revisions import snapshot_folder
from models.huggingface.checkpoint.settings import expect_honoured, note_on_own_code
from models.huggingface.checkpoint.weights import OpenedWeights, open_weights
from models.huggingface.classes import (
    MODALITIES,
    AutoClass,
    auto_class_of,
    capabilities_of_class,
    class_of,
    is_causal,
    missing_weights_of,
    promised_capabilities,
)
from models.huggingface.config import has_decoder
from models.huggingface.refusals import (
    expect_few_forbidden,
    expect_numbers,
    expect_reader_of_text,
    without_package,
)
from models.model import (
    LABELS_OF_TEXTS,
    LABELS_OF_TOKENS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    NEXT_TOKENS,
    REPLACED_TOKENS,
    TRANSLATION,
)
from models.text.tokenizer.files import read_whole_texts
from models.values.errors import ModelLoadError
from models.values.wording import to_say, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedModel:
    """A model in evaluation mode, its tokenizer, and what sits on top of it: the LM heads, the NSP head and the
    classifiers whose weights the checkpoint really has.

    `untrained` are those that its configuration names, and whose weights it does not have.
    """

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    is_causal: bool
    has_mlm_head: bool
    has_nsp_head: bool
    has_discriminator: bool = False
    has_token_labels: bool = False
    has_text_labels: bool = False
    has_no_mask: bool = False
    """Whether it has an LM head for masked words that its tokenizer has no mask for."""
    has_lm_head: bool = False
    """Whether it says the next token: of a target, for an encoder-decoder."""
    untrained: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Notes on how it was opened, in sentences."""

    def without_random_weights(self) -> PreTrainedModel:
        """Return the model; only its body if it is an encoder and the checkpoint has no weights for what its class puts
        on top."""
        has_top = (
            self.has_mlm_head
            or self.has_nsp_head
            or self.has_discriminator
            or self.has_token_labels
            or self.has_text_labels
        )
        body = self.model.base_model
        is_kept = has_top or self.is_causal or self.model.config.is_encoder_decoder
        return self.model if is_kept or not isinstance(body, PreTrainedModel) else body


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedModality:
    """A model in evaluation mode that reads pictures or sounds, and what makes numbers of them."""

    model: PreTrainedModel
    processor: Any
    """Its image processor or feature extractor, a callable without types."""
    tokenizer: PreTrainedTokenizerBase | None
    """Of a model of sounds, whose decoder reads text."""
    notes: tuple[str, ...] = ()


def as_opened(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    trained: Collection[str],
    *,
    has_lm_head: bool,
    untrained: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> OpenedModel:
    """Return a model as opened, with what of all that its class has on top is `trained`. The encoder of an
    encoder-decoder alone (T5) reads on its own from now on."""
    if model.config.is_encoder_decoder and not has_decoder(model):
        model.config.is_encoder_decoder = False
    return OpenedModel(
        model=model,
        tokenizer=tokenizer,
        is_causal=is_causal(model.config) and not model.config.is_encoder_decoder,
        has_mlm_head=MASKED_WORDS in trained and tokenizer.mask_token_id is not None,
        has_no_mask=MASKED_WORDS in trained and tokenizer.mask_token_id is None,
        has_nsp_head=NEXT_SENTENCE in trained,
        has_discriminator=REPLACED_TOKENS in trained,
        has_token_labels=LABELS_OF_TOKENS in trained,
        has_text_labels=LABELS_OF_TEXTS in trained,
        has_lm_head=has_lm_head,
        untrained=untrained,
        notes=notes,
    )


def folder_of(source: str, revision: str) -> Path:
    """Where the files lie: the folder itself, or the one of the revision in the local cache."""
    return Path(source) if is_on_disk(source) else snapshot_folder(source, revision) or Path(source)


def open_revision(source: str, name: str, revision: str) -> OpenedModel | OpenedModality:
    """Open the files on this disk as a model; `local_files_only` keeps transformers from asking the hub."""
    config = open_config(source, revision, name)
    try:
        opens = _open_modality if config.model_type in MODALITIES else _open_as
        return opens(config, source, name, revision)
    except ImportError as error:
        raise without_package(error, config, name) from error


def _open_as(config: PreTrainedConfig, source: str, name: str, revision: str) -> OpenedModel:
    """The model and the tokenizer of this configuration."""
    auto_class = auto_class_of(config)
    expect_reader_of_text(auto_class, config, name)
    folder = folder_of(source, revision)
    expect_checkpoint(folder, name)
    model_class = class_of(auto_class, config)
    expect_honoured(config, model_class, folder, name)
    tokenizer = _open_tokenizer(source, config, name, revision)
    weights = _open_checked_weights(auto_class, source, config, name, revision)
    model = weights.model
    missing = _missing_on_top(model, weights.missing, name)
    capabilities = capabilities_of_class(auto_class, config)
    trained = {capability for capability in capabilities if not missing_weights_of(capability, missing)}
    return as_opened(
        nn.Module.eval(model).requires_grad_(requires_grad=False),
        tokenizer,
        trained,
        has_lm_head=TRANSLATION in trained or NEXT_TOKENS in trained,
        untrained=tuple(name for name in capabilities if name in promised_capabilities(config) and name not in trained),
        notes=(*weights.notes, *note_on_own_code(model_class, folder)),
    )


def _open_modality(config: PreTrainedConfig, source: str, name: str, revision: str) -> OpenedModality:
    """The model of pictures or sounds of this configuration, its processor, and its tokenizer."""
    auto_class, folder = auto_class_of(config), folder_of(source, revision)
    expect_checkpoint(folder, name)
    is_written = bool(config.is_encoder_decoder)
    tokenizer = _open_tokenizer(source, config, name, revision) if is_written else None
    try:
        processor: Any = AutoFeatureExtractor if is_written else AutoImageProcessor
        processor = processor.from_pretrained(source, revision=revision, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise ModelLoadError(name, worded(_NO_PROCESSOR, model=name)) from error
    weights = _open_checked_weights(auto_class, source, config, name, revision)
    _missing_on_top(weights.model, weights.missing, name)
    return OpenedModality(
        model=nn.Module.eval(weights.model).requires_grad_(requires_grad=False),
        processor=processor,
        tokenizer=tokenizer,
        notes=weights.notes,
    )


_NO_PROCESSOR = to_say(
    "{model} has no preprocessor_config.json that can be read, which says how pictures or sounds become numbers. "
    "Copy or download all of its files anew, or choose another model."
)


def _open_checked_weights(
    auto_class: AutoClass, source: str, config: PreTrainedConfig, name: str, revision: str
) -> OpenedWeights:
    """Open the weights. Raises ModelLoadError for one that is no number, or settings that forbid too many tokens."""
    weights = open_weights(auto_class, source, config, folder_of(source, revision), name, revision=revision)
    expect_numbers(weights.model, weights.missing, name)
    expect_few_forbidden(weights.model, name)
    return weights


def _open_tokenizer(source: str, config: PreTrainedConfig, name: str, revision: str) -> PreTrainedTokenizerBase:
    folder = folder_of(source, revision)
    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(
            source, config=config, revision=revision, local_files_only=True, trust_remote_code=False
        )
    except ImportError:
        raise  # a package is missing
    except Exception as error:
        raise device_fault(error, name, PROCESSOR) or ModelLoadError(name, why_no_tokenizer(folder, name)) from error
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):  # transformers makes up an empty one where there is none
        raise ModelLoadError(name, why_no_tokenizer(folder, name))
    read_whole_texts(tokenizer)
    return tokenizer


def _missing_on_top(model: PreTrainedModel, keys: set[str], name: str) -> set[str]:
    """The missing weights on top. Raises ModelLoadError if the model itself lacks some: they would be random."""
    prefix = f"{model.base_model_prefix}." if model.base_model is not model else ""
    of_base = sorted(key for key in keys if key.startswith(prefix) and "pooler" not in key)
    of_base = [key for key in of_base if prefix or not key.startswith("lm_head")]
    if of_base:
        raise ModelLoadError(
            name,
            worded(
                "{model} lacks {n} of its weights (the first is {first}). Its files are incomplete.",
                model=name,
                n=len(of_base),
                first=of_base[0],
            ),
        )
    return set(keys)
