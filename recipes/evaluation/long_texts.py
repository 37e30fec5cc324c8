"""How well a causal model reads a long text: by the place in it, and whether it finds again what stood far back.

A piece that is rare in the language but has stood in the text before is likely a name; a model that looks back gives it
a smaller loss than the first time (Olsson et al. 2022, "In-context Learning and Induction Heads", section 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from models.scratch.gpt import LanguageModel
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import PAD_ID
from models.training.tasks.next_token import Stream

SEED = 20_261_123
ROWS = 16
FREQUENT = 1000
"""So many of the most frequent pieces of the learned text are none that a reader would look for."""
NEAR = 512
"""Two pages of a book are about so many pieces: what last stood farther back is far."""
LOGITS_AT_ONCE = 1024


@dataclass(slots=True, kw_only=True)
class NextScores:
    """Sums over asked pieces; `loss` and `right` as means come from `as_means`."""

    n: int = 0
    loss: float = 0.0
    right: int = 0

    def add(self, losses: NDArray[np.float32], right: NDArray[np.bool_]) -> None:
        self.n += len(losses)
        self.loss += float(losses.sum(dtype=np.float64))
        self.right += int(right.sum())

    def as_means(self) -> dict[str, float]:
        """How many there were, the mean loss in nats, and the share whose best guess was right."""
        return {"n": self.n, "loss": self.loss / max(1, self.n), "right": self.right / max(1, self.n)}


@torch.inference_mode()
def next_losses(model: LanguageModel, ids: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The loss of every piece but the first of one row [n_tokens], and whether it was the best guess
    [n_tokens - 1]."""
    given = torch.from_numpy(ids[None])  # [1, n_tokens]
    states, follows = model.decoder(given[:, :-1]).last[0], given[0, 1:]  # [n_tokens - 1, d_model], [n_tokens - 1]
    losses, right = [], []
    for start in range(0, len(states), LOGITS_AT_ONCE):
        asked = follows[start : start + LOGITS_AT_ONCE]  # [n]
        logits = model.lm_head(states[start : start + LOGITS_AT_ONCE])  # [n, d_vocab]
        losses.append(functional.cross_entropy(logits, asked, reduction="none"))  # [n]
        right.append(logits.argmax(dim=-1) == asked)  # [n]
    return torch.cat(losses).numpy(), torch.cat(right).numpy()


def read_long_texts(
    model: LanguageModel, held_out: Corpus, learned: Corpus, *, n_tokens: int, n_rows: int = ROWS, parts: int = 8
) -> dict[str, dict[str, float]]:
    """Scores by the place in rows of `n_tokens`, in `parts` that double in length up to the whole, and of rare pieces:
    the first time, again within NEAR pieces, and again after more. Always the same rows."""
    text, random = Stream(held_out), np.random.default_rng(SEED)
    edges = [1, *(n_tokens >> part for part in range(parts - 1, -1, -1) if n_tokens >> part > 1)]
    spans = {f"{first} to {end - 1}": (first, end) for first, end in pairwise(edges)}
    scores = {name: NextScores() for name in (*spans, "rare, first time", "rare, again near", "rare, again far")}
    is_rare = rare_pieces(learned, model.config.d_vocab)
    for ids in text.rows(n_rows, n_tokens, random):
        losses, right = next_losses(model, ids)
        is_text = ids[1:] != PAD_ID
        place = np.arange(1, n_tokens)
        for span, (first, end) in spans.items():
            here = is_text & (place >= first) & (place < end)
            scores[span].add(losses[here], right[here])
        back = steps_back(ids)[1:]  # 0 where a piece stands for the first time
        of_kind = {"first time": back == 0, "again near": (back > 0) & (back <= NEAR), "again far": back > NEAR}
        for kind, holds in of_kind.items():
            here = is_text & holds & is_rare[ids[1:]]
            scores[f"rare, {kind}"].add(losses[here], right[here])
    return {name: found.as_means() for name, found in scores.items()}


def rare_pieces(learned: Corpus, d_vocab: int) -> NDArray[np.bool_]:
    """Which pieces are not among the FREQUENT most frequent ones, nor special [d_vocab]."""
    counts = np.bincount(learned.ids, minlength=d_vocab)
    is_rare = np.ones(d_vocab, dtype=np.bool_)
    is_rare[np.argsort(-counts, kind="stable")[:FREQUENT]] = False
    is_rare[: learned.special.first_piece] = False
    return is_rare


def steps_back(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many places before each piece the same one stood last [n_tokens]; 0 where it stands for the first time."""
    last: dict[int, int] = {}
    back = np.zeros(len(ids), dtype=np.int64)
    for place, piece in enumerate(ids.tolist()):
        back[place] = place - last[piece] if piece in last else 0
        last[piece] = place
    return back
