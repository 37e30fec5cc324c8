"""Say what comes next, after every token of a text (Radford et al. 2018, section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedTokenizerBase

from models.checkpoints.gpt2 import save_gpt2
from models.checkpoints.llama import save_llama
from models.scratch.config import TransformerConfig
from models.scratch.gpt import LanguageModel
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import CLS_ID, OWN_SPECIALS, PAD_ID, SEP_ID
from models.training.tasks.frequencies import score_frequencies
from models.training.trainer.start import initialise
from models.training.trainer.task import Loss

START_ID, END_ID = CLS_ID, SEP_ID
"""A text begins with [CLS]; [SEP] stands where a document ends."""
MEASURED_ROWS, MEASURED_TOKENS, MEASURED_SEED = 64, 16_384, 20_261_121
"""So many rows of the longest kind are measured, fewer where they are more tokens than that."""
REPEATED_LEAST, REPEATED_MOST = 8, 128
"""So many random pieces are repeated."""
QUOTED_PART = 4
"""A row that quotes ends in a fourth part that has stood in it before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stretch of a run, before its iteration `until`: the lengths of rows that are drawn from, each alike."""

    until: float
    lengths: tuple[int, ...]


class NextTokenTask:
    """Learn to continue the text of a corpus, and of a `side` corpus in a share of the rows.

    A row is [CLS] and what follows the beginning of a sentence drawn at random, `n_tokens` in all, across the borders
    of documents; with several lengths each iteration draws one, and has the more rows the shorter it is. With `stages`
    the lengths change along the way. In a `quoted` share of the rows the end repeats, word for word, a part that stood
    anywhere before: what is found again there, heads learn to find. In a `repeated` share a stretch of random pieces
    stands twice or more: that asks for induction heads, which find by order alone (Olsson et al. 2022, "In-context
    Learning and Induction Heads").
    """

    def __init__(
        self,
        config: TransformerConfig,
        tokenizer: PreTrainedTokenizerBase,
        learned: Corpus,
        held_out: Corpus | None = None,
        *,
        n_tokens: tuple[int, ...] = (),
        stages: tuple[Stage, ...] = (),
        side: Corpus | None = None,
        side_share: float = 0.1,
        quoted: float = 0.0,
        repeated: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.tokenizer = tokenizer
        self.stages = stages or (Stage(until=float("inf"), lengths=n_tokens),)
        lengths = [length for stage in self.stages for length in stage.lengths]
        self.shortest, self.longest = min(lengths), max(lengths)
        self.side_share, self.quoted = side_share if side is not None else 0.0, quoted
        self.repeated, self.piece_counts = repeated, np.bincount(learned.ids, minlength=config.d_vocab)  # [d_vocab]
        self.learned, self.side = Stream(learned), None if side is None else Stream(side)
        self.held_out = None if held_out is None else Stream(held_out)
        self.model = LanguageModel(config)
        initialise(self.model, seed)

    def loss(self, iteration: int, *, rows: int, seed: int, device: torch.device) -> Loss:
        """Cross entropy of every token that follows another."""
        random = np.random.default_rng((seed, iteration))
        n_tokens = self._length(iteration, random)
        n_rows = max(1, rows * self.shortest // n_tokens)
        n_side = int(random.binomial(n_rows, self.side_share))
        ids = self.learned.rows(n_rows - n_side, n_tokens, random)  # [b, n_tokens]
        if self.side is not None and n_side:
            ids = np.concatenate((ids, self.side.rows(n_side, n_tokens, random)))  # [b, n_tokens]
        if self.quoted:
            quote_again(ids, self.quoted, random)
        drawn = repeat_random(ids, self.repeated, self.piece_counts, random) if self.repeated else None
        logits, asked = self._predict_next(ids, device, drawn)  # [n_asked, d_vocab], [n_asked]
        return Loss(
            total=functional.cross_entropy(logits, asked),
            n_asked=len(asked),
            n_right=int((logits.argmax(-1) == asked).sum()),
            n_tokens=int((ids != PAD_ID).sum()),
        )

    def measure(self, device: torch.device) -> dict[str, float]:
        """ "loss" and "accuracy" of a token, on the same rows every time, each with the "_baseline" of a guess that
        knows only how frequent the tokens are."""
        if self.held_out is None:
            return {}
        n_rows = min(MEASURED_ROWS, max(1, MEASURED_TOKENS // self.longest))
        ids = self.held_out.rows(n_rows, self.longest, np.random.default_rng(MEASURED_SEED))  # [n_rows, n_tokens]
        logits, asked = self._predict_next(ids, device)
        right = float((logits.argmax(-1) == asked).float().mean())
        loss_baseline, baseline = score_frequencies(self.piece_counts, asked)
        return {
            "loss": float(functional.cross_entropy(logits, asked)),
            "loss_baseline": loss_baseline,
            "accuracy": right,
            "accuracy_baseline": baseline,
        }

    def save(self, folder: Path, dtype: torch.dtype = torch.float16) -> None:
        """A checkpoint in the layout of a GPT-2, or of a Llama where positions are rotary."""
        save = save_llama if self.model.config.positions == "rotary" else save_gpt2
        save(self.model, folder, dtype, pad_id=PAD_ID, start_id=START_ID, end_id=END_ID)
        self.tokenizer.save_pretrained(folder)

    def _length(self, iteration: int, random: np.random.Generator) -> int:
        """How long the rows of an iteration are; with stages, the same for all workers of a run, so that none waits."""
        stage = next((stage for stage in self.stages if iteration < stage.until), self.stages[-1])
        shared = np.random.default_rng(iteration) if len(self.stages) > 1 else random
        return int(shared.choice(stage.lengths))

    def _predict_next(
        self, ids: NDArray[np.int64], device: torch.device, drawn: NDArray[np.bool_] | None = None
    ) -> tuple[Tensor, Tensor]:
        """Logits after every token that another follows, and those that follow; without padding and without the tokens
        `drawn` at random [b, n_tokens], of which nothing can be learned."""
        given = torch.from_numpy(ids).to(device)  # [b, n_tokens]
        follows = given[:, 1:].flatten()  # [b * (n_tokens - 1)]
        is_token = follows != PAD_ID
        if drawn is not None:
            is_token &= torch.from_numpy(~drawn[:, 1:]).to(device).flatten()  # [b * (n_tokens - 1)]
        last = self.model.decoder(given[:, :-1]).last.flatten(end_dim=1)  # [b * (n_tokens - 1), d_model]
        return self.model.lm_head(last[is_token]), follows[is_token]


class Stream:
    """A corpus end to end, with [SEP] after every document, and where its sentences begin."""

    def __init__(self, corpus: Corpus) -> None:
        document_ends = np.flatnonzero(np.diff(corpus.document_of, append=-1))  # last sentence of every document
        ends = corpus.sentence_starts[document_ends + 1]
        self.ids = np.insert(corpus.ids, ends, END_ID)
        self.starts = corpus.sentence_starts[:-1] + corpus.document_of - corpus.document_of[0]

    def rows(self, n: int, n_tokens: int, random: np.random.Generator) -> NDArray[np.int64]:
        """`n` rows of [CLS] and what follows [n, n_tokens]; where the corpus ends, padding."""
        ids = np.full((n, n_tokens), PAD_ID, dtype=np.int64)
        ids[:, 0] = START_ID
        for row, start in zip(ids, self.starts[random.integers(len(self.starts), size=n)], strict=True):
            text = self.ids[start : start + n_tokens - 1]
            row[1 : 1 + len(text)] = text
        return ids


def quote_again(ids: NDArray[np.int64], share: float, random: np.random.Generator) -> None:
    """Let the last part of some rows of [b, n_tokens] repeat a part of the same length from anywhere before it, but the
    [CLS] at their beginning. In place."""
    n_quoted = ids.shape[1] // QUOTED_PART
    latest = ids.shape[1] - 2 * n_quoted
    for row in ids:
        if random.random() < share and latest >= 1:
            start = int(random.integers(1, latest + 1))
            row[-n_quoted:] = row[start : start + n_quoted]


def repeat_random(
    ids: NDArray[np.int64], share: float, counts: NDArray[np.int64], random: np.random.Generator
) -> NDArray[np.bool_]:
    """Write a stretch of random pieces into some rows of [b, n_tokens] twice or more, at random distances. In place.

    Nothing but what stood before it says which piece comes next, so heads learn to find by that (Olsson et al. 2022).
    Returns where nothing says it [b, n_tokens]: the first stretch, and the first piece of every later one.
    """
    is_unsaid = np.zeros(ids.shape, dtype=np.bool_)  # [b, n_tokens]
    longest = min(REPEATED_MOST, (ids.shape[1] - 1) // 2)
    for row, unsaid in zip(ids, is_unsaid, strict=True):
        if random.random() >= share or longest < REPEATED_LEAST:
            continue
        stretch = draw_pieces(int(random.integers(REPEATED_LEAST, longest + 1)), counts, random)  # [length]
        first, *later = stretch_starts(len(stretch), len(row), random)
        for start in (first, *later):
            row[start : start + len(stretch)] = stretch
        unsaid[first : first + len(stretch)] = unsaid[later] = True
    return is_unsaid


def draw_pieces(n: int, counts: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
    """Draw `n` pieces: as often as they stand in a text, given how often each does [d_vocab], or all alike."""
    pieces = np.arange(OWN_SPECIALS.first_piece, len(counts))
    shares = counts[pieces] / counts[pieces].sum() if random.random() < 0.5 else None
    drawn: NDArray[np.int64] = random.choice(pieces, n, p=shares)
    return drawn


def stretch_starts(length: int, n_tokens: int, random: np.random.Generator) -> list[int]:
    """Draw where copies of a stretch begin in a row that has room for two after its first token: the first two
    anywhere, the others within a stretch's length of the one before."""
    first, second = np.sort(random.integers(1, n_tokens - 2 * length + 1, size=2))
    starts = [int(first), int(second) + length]
    while (start := starts[-1] + length + int(random.integers(0, length + 1))) + length <= n_tokens:
        starts.append(start)
    return starts
