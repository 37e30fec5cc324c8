"""Write a target for a source, token after token (Vaswani et al. 2017). Copying and reversing are the same task.

The decoder is shown the right target up to each token and asked for the next one ("teacher forcing"), so that all
tokens of a sentence are learned in one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedTokenizerBase

from models.checkpoints.bart import save_bart
from models.scratch.config import TransformerConfig
from models.scratch.encoder_decoder import EncoderDecoder
from models.training.corpora.vocabulary import CLS_ID, PAD_ID, SEP_ID
from models.training.tasks.rows import Ids, cut, padded
from models.training.trainer.start import initialise
from models.training.trainer.task import Loss

START_ID, END_ID = CLS_ID, SEP_ID
"""A target begins with [CLS] and ends, as a source does, with [SEP]."""
MEASURED_ROWS = 512
"""How many held-out pairs are measured at most."""
SOURCE_WORDS = "source-words.txt"
"""Beside a checkpoint: the words of the sources that it has learned from, one a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedPairs:
    """Pairs of texts as ids, padded: `source` [n, n_source] ends each with [SEP]; `target` [n, n_target] begins each
    with [CLS] and ends with [SEP]."""

    source: Ids
    target: Ids

    def __len__(self) -> int:
        return len(self.source)

    def rows(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Some rows, cut to the longest of them: (source [b, n_source], target [b, n_target])."""
        return cut(self.source[chosen]), cut(self.target[chosen])


class TranslationTask:
    """Learn pairs of sentences, some held out. `source_words` are written beside the checkpoint, if there are any."""

    def __init__(
        self,
        config: TransformerConfig,
        tokenizer: PreTrainedTokenizerBase,
        learned: EncodedPairs,
        held_out: EncodedPairs | None = None,
        *,
        seed: int = 0,
        source_words: Sequence[str] = (),
    ) -> None:
        self.tokenizer, self.learned, self.held_out = tokenizer, learned, held_out
        self.source_words = source_words
        self.model = EncoderDecoder(config)
        initialise(self.model, seed)

    def loss(self, iteration: int, *, rows: int, seed: int, device: torch.device) -> Loss:
        """Cross entropy of every token of the targets."""
        chosen = np.random.default_rng((seed, iteration)).integers(len(self.learned), size=rows)
        source, target = (part.to(device) for part in self.learned.rows(chosen))
        logits, asked = self._asked(source, target)  # [b, n_target - 1, d_vocab], [b, n_target - 1]
        is_token = asked != PAD_ID
        total = functional.cross_entropy(logits.flatten(end_dim=1), asked.flatten(), ignore_index=PAD_ID)
        return Loss(
            total=total, n_asked=int(is_token.sum()), n_right=int(((logits.argmax(-1) == asked) & is_token).sum()),
            n_tokens=int((source != PAD_ID).sum() + (target != PAD_ID).sum()),
        )  # fmt: skip

    def measure(self, device: torch.device) -> dict[str, float]:
        """ "loss" and "accuracy" of a token, and "exact_match": the share of targets that greedy writing gets right.

        It writes the target if and only if every token of it is the likeliest after those before it, so one pass over
        the right targets tells, without writing any.
        """
        if self.held_out is None:
            return {}
        loss, n_asked, n_right, n_exact = 0.0, 0, 0, 0
        n_rows = min(len(self.held_out), MEASURED_ROWS)
        for part in np.array_split(np.arange(n_rows), max(1, n_rows // 128)):
            source, target = (side.to(device) for side in self.held_out.rows(part))
            logits, asked = self._asked(source, target)
            is_token = asked != PAD_ID
            is_right = (logits.argmax(-1) == asked) | ~is_token
            loss += float(
                functional.cross_entropy(
                    logits.flatten(end_dim=1), asked.flatten(), ignore_index=PAD_ID, reduction="sum"
                )
            )
            n_asked += int(is_token.sum())
            n_right += int((is_right & is_token).sum())
            n_exact += int(is_right.all(dim=1).sum())
        return {"loss": loss / n_asked, "accuracy": n_right / n_asked, "exact_match": n_exact / n_rows}

    def save(self, folder: Path, dtype: torch.dtype = torch.float16) -> None:
        """A checkpoint in the layout of a BART."""
        save_bart(self.model, folder, dtype, start_id=START_ID, end_id=END_ID, pad_id=PAD_ID)
        self.tokenizer.save_pretrained(folder)
        if self.source_words:
            (folder / SOURCE_WORDS).write_text("\n".join(self.source_words) + "\n", encoding="utf-8")

    def _asked(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """Logits after every token of the targets, and the tokens that follow them."""
        mask = source != PAD_ID  # [b, n_source]
        output = self.model(source, target[:, :-1], None if bool(mask.all()) else mask)
        return output.logits, target[:, 1:].long()  # padding follows all tokens: no token sees it


def encode_pairs(
    tokenizer: PreTrainedTokenizerBase, sources: Sequence[str], targets: Sequence[str], *, max_tokens: int
) -> EncodedPairs:
    """The ids of pairs; a text longer than the positions loses its end."""
    source = [[*ids[: max_tokens - 1], END_ID] for ids in _ids(tokenizer, sources)]
    target = [[START_ID, *ids[: max_tokens - 1], END_ID] for ids in _ids(tokenizer, targets)]
    return EncodedPairs(source=padded(source), target=padded(target))


def _ids(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> list[list[int]]:
    """The ids of whole texts, which the caller cuts: a tokenizer that cuts writes that into its file."""
    encoded: list[list[int]] = tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
    return encoded
