"""Measure induction as Olsson et al. 2022 do: how far a head looks from a random piece to what followed it before.

    python -m recipes.evaluation.repeated_pieces models/pretrained/mini-llama --head 4 3

Random pieces stand twice, one after the other, so that nothing but their order leads from a piece to what followed it
("In-context Learning and Induction Heads", section "Defining Induction Heads": prefix matching, and copying).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from models.checkpoints.llama import load_llama
from models.recording.attention_call import output_and_weights
from models.recording.recorder import recording
from models.scratch.gpt import LanguageModel
from models.training.corpora.vocabulary import OWN_SPECIALS

SEED = 20_261_125
LENGTHS = (25, 50, 100)
"""How many random pieces stand before they come again."""
ROWS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedPieces:
    """The prefix matching of every head [n_layers, n_heads], and the loss in nats of the pieces that stand for the
    first time and of those that come again, with the share of the latter whose best guess was right."""

    matching: NDArray[np.float64]
    first_loss: float
    repeated_loss: float
    repeated_right: float

    def best_head(self) -> tuple[int, int, float]:
        """Return the layer and head that match best, and how well."""
        layer, head = np.unravel_index(int(self.matching.argmax()), self.matching.shape)
        return int(layer), int(head), float(self.matching.max())


def draw_repeated(n_rows: int, length: int, d_vocab: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw rows [CLS] x_1 .. x_n x_1 .. x_n of pieces that are all equally likely [n_rows, 1 + 2 * length]."""
    drawn = random.integers(OWN_SPECIALS.first_piece, d_vocab, (n_rows, length))  # [n_rows, length]
    return np.hstack((np.full((n_rows, 1), OWN_SPECIALS.cls), drawn, drawn))


@torch.inference_mode()
def measure_length(model: LanguageModel, ids: NDArray[np.int64]) -> RepeatedPieces:
    """Measure rows in which the second half repeats the first [n_rows, 1 + 2 * length]."""
    length = ids.shape[1] // 2
    given = torch.from_numpy(ids)  # [n_rows, 1 + 2 * length]
    with recording() as calls:
        decoded = model.decoder(given)
    query = torch.arange(length + 1, 2 * length)  # the last piece is followed by nothing
    weights = torch.stack([output_and_weights(call)[1] for call in calls])  # [n_layers, n_rows, n_heads, n, n]
    matching = weights[..., query, query - length + 1].mean(dim=(1, 3))  # [n_layers, n_heads]
    logits, asked = model.lm_head(decoded.last)[:, :-1], given[:, 1:]  # [n_rows, 2 * length, d_vocab]
    losses = functional.cross_entropy(logits.transpose(1, 2), asked, reduction="none")  # [n_rows, 2 * length]
    right = logits.argmax(dim=-1) == asked  # [n_rows, 2 * length]
    return RepeatedPieces(
        matching=matching.double().numpy(),
        first_loss=float(losses[:, :length].mean()),
        repeated_loss=float(losses[:, length + 1 :].mean()),
        repeated_right=float(right[:, length + 1 :].float().mean()),
    )


def measure_repeated(
    model: LanguageModel, lengths: tuple[int, ...] = LENGTHS, n_rows: int = ROWS
) -> dict[int, RepeatedPieces]:
    """Measure rows of every length, always the same ones."""
    random = np.random.default_rng(SEED)
    return {n: measure_length(model, draw_repeated(n_rows, n, model.config.d_vocab, random)) for n in lengths}


def repeated_table(measured: Mapping[int, RepeatedPieces], layer: int, head: int) -> list[str]:
    """Write the numbers of a model, and of one head beside its best, as rows of a Markdown table."""
    columns = (
        "random pieces, twice",
        "best head of all",
        "its prefix matching",
        f"Layer {layer} · Head {head}",
        "best guess right",
        "loss in nats, first time / again",
    )
    rows = [f"| {' | '.join(columns)} |", "|" + " --- |" * len(columns)]
    for length, found in measured.items():
        best_layer, best_head, matching = found.best_head()
        rows.append(
            f"| {length} | Layer {best_layer} · Head {best_head} | {matching:.2f} | {found.matching[layer, head]:.2f} "
            f"| {found.repeated_right:.3f} | {found.first_loss:.2f} / {found.repeated_loss:.2f} |"
        )
    return rows


def main() -> None:
    """Read the command line and print the table of a model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="the folder of a Llama")
    parser.add_argument("--head", type=int, nargs=2, default=(0, 0), help="the layer and head to show beside the best")
    arguments = parser.parse_args()
    rows = repeated_table(measure_repeated(load_llama(arguments.model)), *arguments.head)
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
