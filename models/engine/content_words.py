"""How often a model finds the content words of texts, each masked alone: counts that merge, so that a corpus may be
read in any order, on any number of machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from models.engine.function_words import FUNCTION_WORDS
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.vocabulary import special_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentHits:
    """Of `n` content words, how many were the best guess, and how many one of the best five."""

    n: int = 0
    top_1: int = 0
    top_5: int = 0

    def __add__(self, other: ContentHits) -> ContentHits:
        """Both together."""
        return ContentHits(n=self.n + other.n, top_1=self.top_1 + other.top_1, top_5=self.top_5 + other.top_5)

    def shares(self) -> dict[str, float]:
        """The same as shares, with how many there were."""
        asked = max(self.n, 1)
        return {"n": self.n, "top_1": self.top_1 / asked, "top_5": self.top_5 / asked}


def content_words(model: PretrainingModel, tokenizer: Tokenizer, texts: Iterable[str]) -> dict[str, float]:
    """How often a content word of a text is the best guess, and one of the best five, each masked alone; and how many
    there were."""
    return content_hits(model, tokenizer, texts).shares()


@torch.inference_mode()
def content_hits(model: PretrainingModel, tokenizer: Tokenizer, texts: Iterable[str]) -> ContentHits:
    """The counts of some texts. A word of several pieces has them all masked, and counts if all are found.
    Texts that are longer than the model reads are passed over."""
    hits = ContentHits()
    mask, most = special_ids(tokenizer).mask, model.config.max_tokens
    for text in texts:
        encoding: Encoding = tokenizer.encode(text)
        if len(encoding) > most:
            continue
        for positions in content_positions(encoding):
            asked = torch.tensor([encoding.ids])  # [1, n_tokens]
            targets = asked[0, positions].clone()  # [n_masked]
            asked[0, positions] = mask
            matches = best_pieces(model, asked, positions, 5) == targets[:, None]  # [n_masked, 5]
            hits += ContentHits(n=1, top_1=int(matches[:, 0].all()), top_5=int(matches.any(dim=1).all()))
    return hits


def content_positions(encoding: Encoding) -> Iterator[list[int]]:
    """Where the pieces of each content word stand: words of letters alone that are no words of grammar."""
    words: dict[int, list[int]] = {}
    for position, word in enumerate(encoding.word_ids):
        if word is not None:
            words.setdefault(word, []).append(position)
    for positions in words.values():
        spelled = "".join(encoding.tokens[position].removeprefix("##") for position in positions)
        if spelled.isalpha() and spelled not in FUNCTION_WORDS:
            yield positions


def best_pieces(model: PretrainingModel, ids: Tensor, masked: Sequence[int], n: int) -> Tensor:
    """The `n` likeliest pieces behind some places of one text, ids [1, n_tokens]."""
    if model.mlm is None:
        raise ValueError("the checkpoint lacks its MLM head.")
    best: Tensor = model.mlm(model.encoder(ids).last[0, masked]).topk(n, dim=-1).indices  # [n_masked, n]
    return best
