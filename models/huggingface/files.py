"""Find the files of a Hugging Face model and open them: configuration, weights, tokenizer.

Folder first, then the local cache, then the hub: a model that is on this disk needs no internet. Only safetensors are
opened, never a pickle, and no code of a repository is run. All files of a model are of one revision of its repository.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from logging import CRITICAL
from pathlib import Path
from threading import Lock
from typing import Any

import httpx2
import torch
import transformers
from huggingface_hub import constants, snapshot_download, try_to_load_from_cache
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    IncompleteSnapshotError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
)
from torch import nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_PRETRAINING_MAPPING_NAMES,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
    MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES,
    MODEL_MAPPING_NAMES,
)
from transformers.utils import logging

from models.checkpoints.sizes import WEIGHTS, expect_sizes
from models.huggingface.attention_interface import IMPLEMENTATION
from models.huggingface.download_bar import bar_that_tells
from models.huggingface.revisions import (
    CACHED_REVISIONS,
    MAIN,
    SAFETENSORS,
    cached_revision,
    converted_on_hub,
    files_on_hub,
    is_cached,
    keep_as_converted,
)
from models.tasks.capabilities import (
    LABELS_OF_TEXTS,
    LABELS_OF_TOKENS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    NEXT_TOKENS,
    REPLACED_TOKENS,
    TRANSLATION,
)
from models.text.patience import panics_as_errors, within
from models.text.tokenizer_files import read_whole_texts
from models.values.errors import HeadlightError, ModelLoadError, ModelNotFoundError, UnsupportedModelError

constants.HF_HUB_DISABLE_TELEMETRY = True

WITH_NEXT_SENTENCE = frozenset({"bert", "mobilebert", "megatron-bert"})
"""Families whose pretraining class has masked words and next sentence, where label 0 means "is next"."""
DISCRIMINATOR = "ElectraForPreTraining"
HEADS_BY_ENDING = {
    "ForPreTraining": (MASKED_WORDS, NEXT_SENTENCE, REPLACED_TOKENS),
    "ForMaskedLM": (MASKED_WORDS,),
    "ForNextSentencePrediction": (NEXT_SENTENCE,),
    "ForTokenClassification": (LABELS_OF_TOKENS,),
    "ForSequenceClassification": (LABELS_OF_TEXTS,),
}
"""The heads that a class may have, by how it is called."""
WITHOUT_INTERFACE = frozenset(
    {"xlnet", "deberta", "deberta-v2", "mpnet", "mamba", "mamba2", "rwkv", "reformer", "fnet"}
)
"""Families known to pass by transformers' attention interface, refused before their weights are read. The others are
found out by counting calls."""
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
FILES_TO_DOWNLOAD = (
    "*.json", "*.txt", "*.model", "*.spm", "*.codes", "*.tokenizer", "*.jinja", "model*.safetensors",
)  # fmt: skip
"""All that transformers may want: once they are here, it asks the hub for nothing more."""

OPENING_SECONDS, BYTES_A_SECOND = 120.0, 20e6
"""What it may take to open the files on this disk: so long, and longer where there are many bytes."""
MOST_FORBIDDEN = 10_000
"""Tokens that a checkpoint may forbid to write: each one costs time at every step."""
FORBIDDEN = ("bad_words_ids", "suppress_tokens", "begin_suppress_tokens")
READ_TEXT = "input_ids"
"""How transformers names what a model reads first of all, if that is text."""
OTHER_THAN_TEXT = {
    "image": "pictures", "pixel": "pictures", "video": "films", "videos": "films", "audio": "sounds",
    "time": "numbers over time", "states": "numbers over time",
}  # fmt: skip
"""What else models read, by the words of `input_modalities` and `main_input_name`."""

_loading = Lock()
"""transformers changes settings of the whole process while it opens a model (its log level, torch's initialisers)."""

AutoClass = type[
    AutoModel
    | AutoModelForCausalLM
    | AutoModelForMaskedLM
    | AutoModelForPreTraining
    | AutoModelForSeq2SeqLM
    | AutoModelForSequenceClassification
    | AutoModelForTokenClassification
]

CLASSES_OF_FAMILIES: dict[AutoClass, Mapping[str, str | Sequence[str]]] = {
    AutoModel: MODEL_MAPPING_NAMES,
    AutoModelForCausalLM: MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    AutoModelForMaskedLM: MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    AutoModelForPreTraining: MODEL_FOR_PRETRAINING_MAPPING_NAMES,
    AutoModelForSeq2SeqLM: MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    AutoModelForSequenceClassification: MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
    AutoModelForTokenClassification: MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES,
}
"""The class that each of them opens a family with, by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedModel:
    """A model in evaluation mode, its tokenizer, and the heads whose weights the checkpoint really has.

    `untrained` are those that its configuration names, and whose weights it does not have.
    """

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    is_causal: bool
    has_mask_head: bool
    has_next_sentence_head: bool
    has_replaced_head: bool = False
    has_token_labels: bool = False
    has_text_labels: bool = False
    has_writing_head: bool = False
    """Whether it says the next token: of a target, for an encoder-decoder."""
    untrained: tuple[str, ...] = ()


def open_files(
    source: str, *, name: str, local_files_only: bool, progress: Callable[[str], None] | None
) -> OpenedModel:
    """Open a folder or a Hugging Face id. Raises ModelNotFoundError, ModelLoadError, UnsupportedModelError."""
    tell = progress or _tell_nobody
    if _is_folder(source):
        tell(f"Opening {name}")
        return _opened(source, name)
    cached = cached_revision(source)
    if cached is not None:
        tell(f"Opening {name}")
        try:
            return _opened(source, name, cached)
        except ModelLoadError as error:
            is_half = isinstance(error.__cause__, OSError) or _is_half_downloaded(source, cached)
            if local_files_only or not is_half:
                raise  # otherwise fetch the rest
    if local_files_only:
        raise _not_cached(source, name, "and this call may not download it")
    tell(f"Looking for {name} on huggingface.co")
    revision = _revision_on_hub(source, name)
    tell(f"Downloading {name}")
    _download(source, name, revision, tell)
    tell(f"Opening {name}")
    return _opened(source, name, revision)


def _tell_nobody(_message: str) -> None:
    pass


def _revision_on_hub(source: str, name: str) -> str:
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
            f"{name!r} is neither a folder here nor a Hugging Face id such as google-bert/bert-base-uncased.",
        ) from error
    except RepositoryNotFoundError as error:
        raise ModelNotFoundError(
            name,
            f"{name!r} is not a folder on this machine, and huggingface.co has no such model. Check its spelling.",
        ) from error
    except HfHubHTTPError as error:
        raise ModelLoadError(
            name, f"huggingface.co cannot say whether it has {name}: {_first_line(error)} Try again later."
        ) from error
    except (httpx2.HTTPError, OSError) as error:
        raise _not_cached(source, name, "and huggingface.co cannot be reached") from error
    if revision is None:
        raise _without_safetensors(files, name)
    return revision


def _without_safetensors(files: frozenset[str], name: str) -> ModelLoadError:
    no_weights = f"{name} has no model.safetensors, the one form of weights that Headlight reads. Choose another."
    return ModelLoadError(name, no_weights if files.isdisjoint(PICKLES) else _pickle_message(name))


def _download(source: str, name: str, revision: str, tell: Callable[[str], None]) -> None:
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
            name, f"{name} could not be downloaded: {_first_line(error)} Try again, or choose an embedded model."
        ) from error
    if revision != MAIN:
        keep_as_converted(Path(snapshot))


def _not_permitted(name: str) -> ModelLoadError:
    return ModelLoadError(
        name, f"{name} needs its owner's permission on huggingface.co. Log in with `hf auth login`, or choose another."
    )


def _not_cached(source: str, name: str, why: str) -> ModelNotFoundError | ModelLoadError:
    if _has_only_pickle(source):
        return ModelLoadError(name, _pickle_message(name))
    return ModelNotFoundError(
        name,
        f"{name!r} is not a folder on this machine and not in the local cache, {why}: connect to the internet once to "
        "download it, or choose an embedded model.",
    )


def _is_folder(source: str) -> bool:
    return bool(source) and Path(source).is_dir()


def _is_half_downloaded(source: str, revision: str) -> bool:
    """Whether a download was broken off: the cache has a list of the repository's files, and not all of them."""
    try:
        snapshot_download(source, revision=revision, allow_patterns=list(FILES_TO_DOWNLOAD), local_files_only=True)
    except LocalEntryNotFoundError as error:
        return isinstance(error, IncompleteSnapshotError)
    return False


def _has_only_pickle(source: str) -> bool:
    return _has_any(source, PICKLES) and not _has_any(source, SAFETENSORS)


def _has_any(source: str, files: Sequence[str]) -> bool:
    """Whether the folder, or the local cache of the id, has one of `files`."""
    if _is_folder(source):
        return any((Path(source) / file).exists() for file in files)
    return any(is_cached(source, files, revision) for revision in CACHED_REVISIONS)


def _pickle_message(name: str) -> str:
    return (
        f"The weights of {name} are there only as pytorch_model.bin. That is a pickle, which can run code when it is "
        "opened, so Headlight reads model.safetensors only. Choose a model that has it, or convert this one."
    )


def _opened(source: str, name: str, revision: str = MAIN) -> OpenedModel:
    """What is on this disk, within a time; an opening that takes longer is left alone, and holds no other one up."""
    try:
        folder = _folder_of(source, revision)
        with panics_as_errors(), _loading, _quietly():
            expect_sizes(folder, name)
            return within(_seconds_to_open(folder), lambda: _open(source, name, revision))
    except HeadlightError:
        raise
    except TimeoutError:
        raise ModelLoadError(
            name, f"{name} could not be opened in {_seconds_to_open(folder):.0f} seconds: choose another model."
        ) from None
    except Exception as error:
        raise ModelLoadError(name, _why_unreadable(source, name, error)) from error


def _folder_of(source: str, revision: str) -> Path:
    """Where the files lie: the folder itself, or the one of the revision in the local cache."""
    found = None if _is_folder(source) else try_to_load_from_cache(source, "config.json", revision=revision)
    return Path(found).parent if isinstance(found, str) else Path(source)


def _seconds_to_open(folder: Path) -> float:
    return OPENING_SECONDS + sum(file.stat().st_size for file in folder.glob(WEIGHTS)) / BYTES_A_SECOND


def _why_unreadable(source: str, name: str, error: Exception) -> str:
    if _has_only_pickle(source):
        return _pickle_message(name)
    return f"{name} was found, but its files cannot be opened: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".") + "."


def _open(source: str, name: str, revision: str) -> OpenedModel:
    """What is on this disk, as a model; `local_files_only` keeps transformers from asking the hub all the same."""
    config = AutoConfig.from_pretrained(source, revision=revision, local_files_only=True, trust_remote_code=False)
    if config.model_type in WITHOUT_INTERFACE:
        raise unsupported(name, config.model_type)
    auto_class = _auto_class(config)
    _expect_reader_of_text(auto_class, config, name)
    tokenizer = _open_tokenizer(source, name, revision)
    model, missing_keys = _open_weights(auto_class, config, source, name, revision)
    _expect_numbers(model, name)
    _expect_few_forbidden(model, name)
    missing = _missing_of_heads(model, missing_keys, name)
    heads = _heads_of_class(auto_class, config)
    trained = {head for head in heads if not _missing_of_head(head, missing)}
    nn.Module.eval(model)
    return OpenedModel(
        model=model.requires_grad_(requires_grad=False),
        tokenizer=tokenizer,
        is_causal=_is_causal(config) and not config.is_encoder_decoder,
        has_mask_head=MASKED_WORDS in trained and tokenizer.mask_token_id is not None,
        has_next_sentence_head=NEXT_SENTENCE in trained,
        has_replaced_head=REPLACED_TOKENS in trained,
        has_token_labels=LABELS_OF_TOKENS in trained,
        has_text_labels=LABELS_OF_TEXTS in trained,
        has_writing_head=TRANSLATION in trained or NEXT_TOKENS in trained,
        untrained=tuple(head for head in heads if head in _named_heads(config) and head not in trained),
    )


def _open_tokenizer(source: str, name: str, revision: str) -> PreTrainedTokenizerBase:
    tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(
        source, revision=revision, local_files_only=True, trust_remote_code=False
    )
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):  # transformers makes up an empty one where there is none
        raise ModelLoadError(name, f"{name} has no tokenizer: its files are incomplete.")
    read_whole_texts(tokenizer)
    return tokenizer


def _open_weights(
    auto_class: AutoClass, config: PreTrainedConfig, source: str, name: str, revision: str
) -> tuple[PreTrainedModel, set[str]]:
    """The model, and the names of its weights that the checkpoint does not have."""
    try:
        opened: Any = auto_class.from_pretrained(
            source,
            revision=revision,
            config=config,
            attn_implementation=IMPLEMENTATION,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    except (KeyError, ValueError) as error:
        if f"'{IMPLEMENTATION}'" in str(error) or f'"{IMPLEMENTATION}"' in str(error):
            raise unsupported(name, config.model_type) from error
        raise
    model, report = opened
    return model, set(report["missing_keys"])


def _expect_numbers(model: PreTrainedModel, name: str) -> None:
    """Raise ModelLoadError if a weight is no finite number: one is enough to make every answer NaN."""
    for of, weight in model.named_parameters():
        if not weight.sum().isfinite() and not weight.isfinite().all():
            raise ModelLoadError(
                name, f"The weights of {name} are damaged: {of} holds values that are no finite numbers."
            )


def _expect_few_forbidden(model: PreTrainedModel, name: str) -> None:
    """Raise ModelLoadError if the checkpoint forbids more tokens than can be kept to at every step."""
    for field in FORBIDDEN:
        given = getattr(getattr(model, "generation_config", None), field, None) or ()
        n_ids = sum(len(each) if isinstance(each, list | tuple) else 1 for each in given)
        if n_ids > MOST_FORBIDDEN:
            raise ModelLoadError(
                name,
                f"The generation_config.json of {name} has {n_ids:,} tokens in {field}, expected at most "
                f"{MOST_FORBIDDEN:,}: writing with it would take for ever. Choose another model.",
            )


def _expect_reader_of_text(auto_class: AutoClass, config: PreTrainedConfig, name: str) -> None:
    """Raise UnsupportedModelError for a family that reads something else, or that has no class with a head to ask."""
    family = config.model_type
    named = CLASSES_OF_FAMILIES[auto_class].get(family) or MODEL_MAPPING_NAMES.get(family) or ""
    model_class = getattr(transformers, named if isinstance(named, str) else named[0], None)
    reads = _read_beside_text(model_class)
    if model_class is not None and (model_class.main_input_name != READ_TEXT or "text" not in _modalities(model_class)):
        raise UnsupportedModelError(
            name,
            f"{name} is of the family {family!r}, which {f'reads {reads}, not text' if reads else 'reads no text'}. "
            "Choose a model that reads text, such as BERT, GPT-2 or T5.",
        )
    if family not in CLASSES_OF_FAMILIES[auto_class]:
        raise UnsupportedModelError(
            name,
            f"{name} is of the family {family!r}, which transformers does not open with {auto_class.__name__}: it is "
            "made for another task than reading or writing text. Choose another model, such as BERT, GPT-2 or T5.",
        )


def _modalities(model_class: type[PreTrainedModel]) -> tuple[str, ...]:
    """What a class says that it reads, as transformers calls it: "text", "image", "audio"."""
    said: Any = model_class.input_modalities
    return (said,) if isinstance(said, str) else tuple(said or ("text",))


def _read_beside_text(model_class: type[PreTrainedModel] | None) -> str:
    """What a class reads that is no text, in words; empty if there is nothing, or nothing known."""
    if model_class is None:
        return ""
    said = (*_modalities(model_class), *model_class.main_input_name.split("_"))
    return " and ".join(dict.fromkeys(OTHER_THAN_TEXT[word] for word in said if word in OTHER_THAN_TEXT))


def failed(model: PreTrainedModel, name: str, error: Exception) -> UnsupportedModelError:
    """The error for a model whose own code could not read a text: `error` is what came out of it."""
    return not_alone(model, name, f"transformers says “{_first_line(error)}”")


def not_alone(model: PreTrainedModel, name: str, why: str) -> UnsupportedModelError:
    """The error for a model that cannot read a text by itself; `why` is half a sentence."""
    others = _read_beside_text(type(model))
    needs = f"it reads {others} beside text, and " if others else ""
    return UnsupportedModelError(
        name,
        f"{name} is of the family {model.config.model_type!r}, and cannot read a text by itself: {needs}{why}. Choose "
        "another model, such as BERT, GPT-2 or T5.",
    )


def unsupported(name: str, family: str) -> UnsupportedModelError:
    """The error for a family whose attention passes by the recorder."""
    return UnsupportedModelError(
        name,
        f"{name} is of the family {family!r}, whose attention cannot be recorded: it does not pass through "
        "transformers' attention interface, or computes something else. Choose another, such as BERT, GPT-2 or T5.",
    )


def _auto_class(config: PreTrainedConfig) -> AutoClass:
    """The class with the head for labels that the configuration names, or else with all heads that there may be."""
    if config.is_encoder_decoder:
        return AutoModelForSeq2SeqLM
    for head, auto_class, families in (
        (LABELS_OF_TOKENS, AutoModelForTokenClassification, MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES),
        (LABELS_OF_TEXTS, AutoModelForSequenceClassification, MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES),
    ):
        if head in _named_heads(config) and config.model_type in families:
            return auto_class
    if _is_causal(config):
        return AutoModelForCausalLM
    if config.model_type in WITH_NEXT_SENTENCE or _architecture(config) == DISCRIMINATOR:
        return AutoModelForPreTraining
    return AutoModelForMaskedLM if config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES else AutoModel


def _heads_of_class(auto_class: AutoClass, config: PreTrainedConfig) -> tuple[str, ...]:
    """The heads that we ask, of a model opened with `auto_class`."""
    if auto_class is AutoModelForPreTraining:
        return (REPLACED_TOKENS,) if _architecture(config) == DISCRIMINATOR else (MASKED_WORDS, NEXT_SENTENCE)
    heads: dict[AutoClass, tuple[str, ...]] = {
        AutoModelForMaskedLM: (MASKED_WORDS,),
        AutoModelForSeq2SeqLM: (TRANSLATION,),
        AutoModelForCausalLM: (NEXT_TOKENS,),
        AutoModelForTokenClassification: (LABELS_OF_TOKENS,),
        AutoModelForSequenceClassification: (LABELS_OF_TEXTS,),
    }
    return heads.get(auto_class, ())


def _named_heads(config: PreTrainedConfig) -> tuple[str, ...]:
    """The heads that the configuration says the checkpoint was saved with."""
    named = _architecture(config)
    return next((heads for ending, heads in HEADS_BY_ENDING.items() if named.endswith(ending)), ())


def _architecture(config: PreTrainedConfig) -> str:
    """The class that the checkpoint was saved from, empty if its configuration does not say."""
    return (config.architectures or [""])[0]


def _is_causal(config: PreTrainedConfig) -> bool:
    if getattr(config, "is_decoder", False) or _architecture(config).endswith(("ForCausalLM", "LMHeadModel")):
        return True
    family = config.model_type
    return family in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and family not in MODEL_FOR_MASKED_LM_MAPPING_NAMES


def _missing_of_heads(model: PreTrainedModel, keys: set[str], name: str) -> set[str]:
    """The missing weights of the heads. Raises ModelLoadError if the model itself lacks some: they would be random."""
    prefix = f"{model.base_model_prefix}." if model.base_model is not model else ""
    of_base = sorted(key for key in keys if key.startswith(prefix) and "pooler" not in key)
    of_base = [key for key in of_base if prefix or not key.startswith("lm_head")]
    if of_base:
        raise ModelLoadError(
            name, f"{name} lacks {len(of_base)} of its weights, the first is {of_base[0]}. Its files are incomplete."
        )
    return set(keys)


def _missing_of_head(head: str, missing: set[str]) -> set[str]:
    """Those of the missing weights that belong to a head."""
    if head == NEXT_SENTENCE:
        return _of_next_sentence(missing)
    return missing - _of_next_sentence(missing) if head == MASKED_WORDS else missing


def _of_next_sentence(keys: set[str]) -> set[str]:
    """The pooler belongs to the next-sentence head: nothing else uses it."""
    return {key for key in keys if "pooler" in key or "seq_relationship" in key}


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
