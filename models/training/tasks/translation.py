"""Write a target for a source, token after token (Vaswani et al. 2017). Copying and reversing are the same task.

The decoder is shown the right target up to each token and asked for the next one ("teacher forcing"), so that all
tokens of a sentence are learned in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedTokenizerBase

from models.checkpoints.bart import save_bart
from models.scratch.config import TransformerConfig
from models.scratch.encoder_decoder import EncoderDecoder
from models.training.corpora.learned_sources import LearnedSources
from models.training.corpora.vocabulary import CLS_ID, PAD_ID, SEP_ID
from models.training.tasks.rows import Ids, pad_rows, trim_rows
from models.training.trainer.line_by_line import attending_line_by_line
from models.training.trainer.start import initialise
from models.training.trainer.task import Loss

START_ID, END_ID = CLS_ID, SEP_ID
"""A target begins with [CLS] and ends, as a source does, with [SEP]."""
MEASURED_ROWS = 512
"""How many held-out pairs are measured at most."""
SHORT = 128
"""Up to so many tokens, all weights of a batch at once take less room than the rest of a layer."""


class Pairs(Protocol):
    """The rows that a batch is drawn from."""

    def draw_pairs(self, random: np.random.Generator, n: int) -> tuple[Ids, Ids]:
        """`n` pairs at random, padded, as `EncodedPairs` has them: (source [n, n_source], target [n, n_target])."""


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
        return trim_rows(self.source[chosen]), trim_rows(self.target[chosen])

    def draw_pairs(self, random: np.random.Generator, n: int) -> tuple[Ids, Ids]:
        """`n` rows at random; one may come twice."""
        chosen = random.integers(len(self), size=n)
        return self.source[chosen], self.target[chosen]


class TranslationTask:
    """Learn pairs of sentences, some held out; what is known of the `sources` is written beside the checkpoint.

    With `smoothing` the right token shall have that much less than all of the probability, the others what is left
    (Szegedy et al. 2016; Vaswani et al. 2017, section 5.4). A batch is sorted by length into `parts`, so that few
    tokens are padding.
    """

    def __init__(
        self,
        config: TransformerConfig,
        tokenizer: PreTrainedTokenizerBase,
        learned: Pairs,
        held_out: EncodedPairs | None = None,
        *,
        seed: int = 0,
        sources: LearnedSources | None = None,
        smoothing: float = 0.0,
        parts: int = 1,
    ) -> None:
        self.tokenizer, self.learned, self.held_out = tokenizer, learned, held_out
        self.sources, self.smoothing, self.parts = sources, smoothing, parts
        self.model = EncoderDecoder(config)
        initialise(self.model, seed)

    def loss(self, iteration: int, *, rows: int, seed: int, device: torch.device) -> Loss:
        """Cross entropy of every token of the targets."""
        drawn = self.learned.draw_pairs(np.random.default_rng((seed, iteration)), rows)
        losses: list[Tensor] = []
        n_asked = n_right = 0
        for source, target in _alike(*drawn, self.parts):
            with _attending(device, max(source.shape[1], target.shape[1])):
                logits, asked = self._predict_targets(source.to(device), target.to(device))  # [b, n, d_vocab], [b, n]
            losses.append(_sum_losses(logits, asked, self.smoothing))
            is_token = asked != PAD_ID  # [b, n]
            n_asked += int(is_token.sum())
            n_right += int((is_token & _is_likeliest(logits.detach(), asked)).sum())
        return Loss(
            total=torch.stack(losses).sum() / n_asked,
            n_asked=n_asked,
            n_right=n_right,
            n_tokens=sum(int((side != PAD_ID).sum()) for side in drawn),
        )

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
            logits, asked = self._predict_targets(source, target)
            is_token = asked != PAD_ID
            is_right = (logits.argmax(-1) == asked) | ~is_token
            loss += float(_sum_losses(logits, asked))
            n_asked += int(is_token.sum())
            n_right += int((is_right & is_token).sum())
            n_exact += int(is_right.all(dim=1).sum())
        return {"loss": loss / n_asked, "accuracy": n_right / n_asked, "exact_match": n_exact / n_rows}

    def save(self, folder: Path, dtype: torch.dtype = torch.float16) -> None:
        """A checkpoint in the layout of a BART."""
        save_bart(self.model, folder, dtype, start_id=START_ID, end_id=END_ID, pad_id=PAD_ID)
        self.tokenizer.save_pretrained(folder)
        if self.sources is not None:
            self.sources.save(folder)

    def _predict_targets(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """Logits after every token of the targets, and the tokens that follow them."""
        mask = source != PAD_ID  # [b, n_source]
        output = self.model(source, target[:, :-1], None if bool(mask.all()) else mask)
        return output.logits, target[:, 1:].long()  # padding follows all tokens: no token sees it


def _attending(device: torch.device, n_tokens: int) -> AbstractContextManager[None]:
    """How attention is computed quickest: on a processor, for rows as short as sentences, line by line."""
    is_quicker = device.type == "cpu" and n_tokens <= SHORT
    return attending_line_by_line() if is_quicker else nullcontext()


def _sum_losses(logits: Tensor, asked: Tensor, smoothing: float = 0.0) -> Tensor:
    """The cross entropy of tokens [b, n_tokens], summed, padding left out."""
    return functional.cross_entropy(
        logits.flatten(end_dim=1), asked.flatten(), ignore_index=PAD_ID, label_smoothing=smoothing, reduction="sum"
    )


def _is_likeliest(logits: Tensor, asked: Tensor) -> Tensor:
    """Whether no logit is larger than that of the token asked for [b, n_tokens]; quicker than to find the largest."""
    return logits.gather(-1, asked[..., None])[..., 0] >= logits.amax(-1)


def _alike(source: Ids, target: Ids, parts: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The rows of a batch in `parts` of like length, cut: (source [b, n_source], target [b, n_target])."""
    lengths = [(ids != PAD_ID).sum(axis=1) for ids in (source, target)]  # [n], [n]
    for chosen in np.array_split(np.argsort(lengths[0] + lengths[1], kind="stable"), min(parts, len(source))):
        yield trim_rows(source[chosen]), trim_rows(target[chosen])


def encode_pairs(
    tokenizer: PreTrainedTokenizerBase, sources: Sequence[str], targets: Sequence[str], *, max_tokens: int
) -> EncodedPairs:
    """The ids of pairs; a text longer than the positions loses its end."""
    source = [[*ids[: max_tokens - 1], END_ID] for ids in _ids(tokenizer, sources)]
    target = [[START_ID, *ids[: max_tokens - 1], END_ID] for ids in _ids(tokenizer, targets)]
    return EncodedPairs(source=pad_rows(source), target=pad_rows(target))


def _ids(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> list[list[int]]:
    """The ids of whole texts, which the caller cuts: a tokenizer that cuts writes that into its file."""
    encoded: list[list[int]] = tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
    return encoded
