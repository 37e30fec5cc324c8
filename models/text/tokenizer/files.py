"""The tokenizer in a checkpoint folder of ours, or of a stranger: opened by transformers, held against the weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer, PreTrainedTokenizerBase, PreTrainedTokenizerFast

from models.text.tokenizer.patience import panics_as_errors
from models.values.errors import ModelLoadError
from models.values.wording import worded

_GENERAL = ("TokenizersBackend", "PreTrainedTokenizerFast")
"""The names, since version 5 of transformers and before, of the class that reads everything from tokenizer.json."""


def open_tokenizer(folder: Path, *, name: str, d_vocab: int) -> PreTrainedTokenizerBase:
    """The tokenizer of the model `name`, which knows `d_vocab` tokens. Raises ModelLoadError if there is none, if its
    files are broken, or if it gives other tokens."""
    try:
        with panics_as_errors():
            tokenizer: PreTrainedTokenizerBase = _class_named_in(folder).from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            )
            ids = set(tokenizer.get_vocab().values())
            n_special = len(set(tokenizer.all_special_ids))
            read_whole_texts(tokenizer)
    except Exception as error:
        says = worded(
            "{folder} has no tokenizer that transformers can open: {error}", folder=str(folder), error=str(error)
        )
        raise ModelLoadError(name, says) from error
    if len(ids) <= n_special:  # transformers makes up an empty one where there is none
        raise ModelLoadError(name, worded("{model} has no tokenizer: its files are incomplete.", model=str(folder)))
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


def _class_named_in(folder: Path) -> Any:
    """The class that opens a tokenizer. AutoTokenizer opens the model's configuration first, and that of a Llama
    imports PyTorch's compiler, which takes three seconds: the general class does not need it."""
    settings = folder / "tokenizer_config.json"
    named = json.loads(settings.read_text(encoding="utf-8")).get("tokenizer_class") if settings.is_file() else None
    return PreTrainedTokenizerFast if named in _GENERAL else AutoTokenizer


def read_whole_texts(tokenizer: PreTrainedTokenizerBase) -> None:
    """Clear the cutting and padding that the file of a tokenizer may ask for: `models/text/prepare.py` cuts.

    Any call does that. This one has nothing to read, so that it is too long for no model: with a sentence, a model of
    letters that reads 32 of them would have transformers warn of "indexing errors" each time that it is opened.
    """
    tokenizer("")


def token_ids(given: Any, *, d_vocab: int) -> frozenset[int]:
    """The ids of tokens as a configuration gives them: one, several, or none. Raises ValueError for what is none."""
    listed = [] if given is None else given if isinstance(given, list | tuple) else [given]
    if not all(isinstance(token_id, int) and 0 <= token_id < d_vocab for token_id in listed):
        raise ValueError(f"{given!r} was given for tokens, expected numbers from 0 to {d_vocab - 1}.")
    return frozenset(listed)
