"""Read the 200 pairs, and ask a checkpoint whether B follows A."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.engine.function_words import FUNCTION_WORDS
from models.scratch.pretraining import IS_NEXT, PretrainingModel
from models.training.corpora.batches import pack
from models.training.corpora.vocabulary import special_ids

FILE = Path(__file__).parent / "pairs.tsv"
ROWS_AT_ONCE = 25
_FOLLOWS = "follows"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortPair:
    """Two short texts, and of which `kind` they are: whether B follows A, and whether they share a content word."""

    kind: str
    first: str
    second: str

    @property
    def follows(self) -> bool:
        """Whether B is the continuation of A."""
        return self.kind.startswith(_FOLLOWS)


def read_short_pairs(path: Path = FILE) -> list[ShortPair]:
    """Read the pairs of a table with the columns kind, first and second."""
    with path.open(encoding="utf-8", newline="") as rows:
        return [ShortPair(**row) for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)]


def content_stems(text: str) -> frozenset[str]:
    """Collect the content words of a text, without the endings of plurals and of verbs."""
    words = re.findall(r"[a-z]+", text.lower())
    return frozenset(_stem(word) for word in words if word not in FUNCTION_WORDS)


def _stem(word: str) -> str:
    for ending in ("ies", "ing", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


README_EXAMPLE = ("He went to the door.", "He opened it.")
"""Asked in README; it is not learned either."""
_ALIKE = 0.6
"""Content words in common, of all of two pairs, from which on one is taken for a copy of the other."""


def is_near_copy(first: str, second: str) -> bool:
    """Tell whether two texts come near one of the 200 pairs, or README's, by their content words."""
    words = content_stems(first) | content_stems(second)
    return any(len(words & asked) >= _ALIKE * len(words | asked) for asked in _asked_words())


@cache
def _asked_words() -> tuple[frozenset[str], ...]:
    asked = [(pair.first, pair.second) for pair in read_short_pairs()]
    return tuple(content_stems(first) | content_stems(second) for first, second in [*asked, README_EXAMPLE])


@torch.inference_mode()
def probability_of_next(
    model: PretrainingModel, tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]
) -> NDArray[np.float64]:
    """Compute how likely B follows A, of whole pairs [n_pairs]. Raises ValueError for a model without an NSP head."""
    if model.nsp is None:
        raise ValueError("the checkpoint lacks its NSP head.")
    random, special, found = np.random.default_rng(0), special_ids(tokenizer), []
    for at in range(0, len(pairs), ROWS_AT_ONCE):
        rows = [
            (_pieces(first, tokenizer), _pieces(second, tokenizer), IS_NEXT)
            for first, second in pairs[at : at + ROWS_AT_ONCE]
        ]
        (batch,) = pack(rows, random, mask_rate=0.0, d_vocab=model.config.d_vocab, special=special)
        logits = model.nsp(model.encoder(batch.input_ids, batch.segment_ids, batch.mask).last)  # [b, 2]
        found.append(logits.softmax(dim=-1)[:, IS_NEXT].double().numpy())
    return np.concatenate(found)


def _pieces(text: str, tokenizer: Tokenizer) -> NDArray[np.int32]:
    return np.array(tokenizer.encode(text, add_special_tokens=False).ids, dtype=np.int32)
