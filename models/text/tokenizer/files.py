"""The tokenizer in a checkpoint folder of ours, or of a stranger: opened by transformers, held against the weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transformers import (
    CONFIG_MAPPING,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedTokenizerBase,
    PreTrainedTokenizerFast,
)
from transformers.tokenization_utils_base import VERY_LARGE_INTEGER

from models.text.tokenizer.patience import panics_as_errors
from models.values.errors import ModelLoadError
from models.values.wording import Message, worded

SAMPLING = ("dropout", "alpha", "nbest_size")
"""The settings by which the models of the library tokenizers draw pieces at random: BPE's, and Unigram's."""

_GENERAL = ("TokenizersBackend", "PreTrainedTokenizerFast")
"""The names, since version 5 of transformers and before, of the class that reads everything from tokenizer.json."""


def open_tokenizer(folder: Path, *, name: str, d_vocab: int) -> PreTrainedTokenizerBase:
    """The tokenizer of the model `name`, which knows `d_vocab` tokens. Raises ModelLoadError if there is none, if its
    files are broken, or if it gives other tokens."""
    try:
        with panics_as_errors():
            tokenizer = _opened(folder)
            ids = set(tokenizer.get_vocab().values())
            n_special = len(set(tokenizer.all_special_ids))
            read_whole_texts(tokenizer)
    except Exception as error:
        raise ModelLoadError(name, no_tokenizer(str(folder))) from error
    if len(ids) <= n_special:  # transformers makes up an empty one where there is none
        raise ModelLoadError(name, no_tokenizer(str(folder)))
    if max(ids) >= d_vocab:
        raise ModelLoadError(
            name,
            worded(
                "The tokenizer of {model} has a token number {number}, but the model knows only {known}: the two do "
                "not belong together.",
                model=name,
                number=max(ids),
                known=d_vocab,
            ),
        )
    return tokenizer


def _opened(folder: Path) -> PreTrainedTokenizerBase:
    """The tokenizer of a folder. AutoTokenizer opens the model's configuration first, and that of a Llama imports
    PyTorch's compiler, which takes three seconds: the general class does not need it."""
    settings = folder / "tokenizer_config.json"
    named = json.loads(settings.read_text(encoding="utf-8")).get("tokenizer_class") if settings.is_file() else None
    here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    opened: PreTrainedTokenizerBase = (
        PreTrainedTokenizerFast.from_pretrained(folder, **here)
        if named in _GENERAL
        else AutoTokenizer.from_pretrained(folder, config=_config_of_family(folder), **here)
    )
    return opened


def no_tokenizer(model: str) -> Message:
    """The sentence for a folder whose tokenizer is not there, or cannot be opened."""
    return worded(
        "{model} has no tokenizer that can be opened: its files are incomplete, or of another model. Copy "
        "tokenizer.json, or the vocabulary (such as vocab.txt), from the model that it was trained from.",
        model=model,
    )


def _config_of_family(folder: Path) -> PreTrainedConfig | None:
    """The configuration by which transformers chooses the class of a tokenizer. Its numbers are no matter of a
    tokenizer, so those of the family stand in the place of the file's. Raises OSError and ValueError."""
    given = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    family, named = given.get("model_type"), {"tokenizer_class": given.get("tokenizer_class")}
    return CONFIG_MAPPING[family].from_dict(named) if family in CONFIG_MAPPING else None


def read_whole_texts(tokenizer: PreTrainedTokenizerBase) -> None:
    """Clear what the files of a tokenizer may ask for: cutting and padding (`models/text/prepare.py` cuts), pieces that
    are drawn at random, and a limit that is no number of tokens.

    Any call clears the first two. This one has nothing to read, so that it is too long for no model: with a sentence, a
    model of letters that reads 32 of them would have transformers warn of "indexing errors" each time.
    """
    limit: Any = tokenizer.model_max_length
    if not isinstance(limit, int | float) or not limit > 0:
        tokenizer.model_max_length = VERY_LARGE_INTEGER
    _stop_sampling(tokenizer)
    tokenizer("")


def _stop_sampling(tokenizer: PreTrainedTokenizerBase) -> None:
    """Have a tokenizer cut a text into the same pieces each time. Drawing them is for training (Kudo 2018, "Subword
    Regularization"; Provilkov et al. 2020, "BPE-Dropout")."""
    model = getattr(getattr(tokenizer, "backend_tokenizer", None), "model", None)
    for name in SAMPLING:
        if getattr(model, name, None) is not None:
            setattr(model, name, None)
    for part in vars(tokenizer).values():
        for processor in (part, getattr(part, "_processor", None)):
            if getattr(processor, "_enable_sampling", False):
                vars(processor)["_enable_sampling"] = False


def token_ids(given: Any, *, d_vocab: int) -> frozenset[int]:
    """The ids of tokens as a configuration gives them: one, several, or none. Raises ValueError for what is none."""
    listed = [] if given is None else given if isinstance(given, list | tuple) else [given]
    if not all(type(token_id) is int and 0 <= token_id < d_vocab for token_id in listed):
        raise ValueError(f"{str(given)[:80]} was given for tokens, expected numbers from 0 to {d_vocab - 1}.")
    return frozenset(listed)
