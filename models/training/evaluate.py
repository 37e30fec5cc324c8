"""How well a checkpoint does on text that it never saw, beside guessing by frequency alone.

    python -m models.training.evaluate --run runs/mini-bert --checkpoint models/pretrained/mini-bert

Masks and pairs are drawn as in training, with a seed of their own, so two checkpoints see the same questions.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from models.scratch.checkpoint import load_checkpoint
from models.scratch.heads import PretrainingModel
from models.training.batches import Batch, make_batch
from models.training.corpus import Corpus
from models.training.data import prepare_data

SEED = 1_000_003
"""Far from the seeds of training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Accuracies (0 to 1) and losses in nats. `unigram_*` is what the frequencies of the training text alone give."""

    n_masks: int
    mlm_loss: float
    mlm_top_1: float
    mlm_top_5: float
    n_pairs: int
    nsp_accuracy: float
    unigram_loss: float
    unigram_top_1: float
    unigram_top_5: float


@torch.inference_mode()
def evaluate(
    model: PretrainingModel, held_out: Corpus, learned: Corpus, *, n_batches: int = 64, batch_size: int = 32,
    n_tokens: int = 128,
) -> Scores:  # fmt: skip
    """Ask `n_batches` x `batch_size` pairs of `held_out`; `learned` gives the frequencies of the baseline."""
    d_vocab = model.config.d_vocab
    frequencies = unigram_log_probabilities(learned, d_vocab)  # [d_vocab]
    totals = np.zeros(6)
    n_masks = n_right = 0
    for step in range(n_batches):
        batch = make_batch(
            held_out, batch_size=batch_size, n_tokens=n_tokens, mask_rate=0.15, d_vocab=d_vocab, seed=SEED, step=step
        )
        mlm, nsp = _logits(model, batch)
        guesses = (mlm.log_softmax(dim=-1), frequencies.expand(len(batch.targets), -1))
        totals += [value for guess in guesses for value in _sums(guess, batch.targets)]
        n_masks += len(batch.targets)
        n_right += int((nsp.argmax(dim=-1) == batch.next_labels).sum())
    loss, top_1, top_5, unigram_loss, unigram_top_1, unigram_top_5 = (float(total / n_masks) for total in totals)
    return Scores(
        n_masks=n_masks, mlm_loss=loss, mlm_top_1=top_1, mlm_top_5=top_5,
        n_pairs=n_batches * batch_size, nsp_accuracy=n_right / (n_batches * batch_size),
        unigram_loss=unigram_loss, unigram_top_1=unigram_top_1, unigram_top_5=unigram_top_5,
    )  # fmt: skip


def unigram_log_probabilities(corpus: Corpus, d_vocab: int) -> Tensor:
    """The logarithm of how often each piece occurs, one added to every count [d_vocab]."""
    counts = np.bincount(corpus.ids, minlength=d_vocab) + 1.0
    return torch.from_numpy(np.log(counts / counts.sum())).float()


def _logits(model: PretrainingModel, batch: Batch) -> tuple[Tensor, Tensor]:
    last = model.encoder(batch.input_ids, batch.segment_ids, batch.mask).last  # [b, n_tokens, d_model]
    if model.mlm is None or model.nsp is None:
        raise ValueError("the checkpoint lacks its MLM or NSP head.")
    return model.mlm(last.flatten(end_dim=1)[batch.masked]), model.nsp(last)  # [n_masked, d_vocab], [b, 2]


def _sums(log_probabilities: Tensor, targets: Tensor) -> tuple[float, float, float]:
    """Over all masks: summed loss, how often the best guess was right, how often one of the best five was."""
    found = log_probabilities.topk(5, dim=-1).indices == targets[:, None]  # [n_masked, 5]
    loss = -log_probabilities.gather(1, targets[:, None]).sum()
    return float(loss), float(found[:, 0].sum()), float(found.sum())


def main() -> None:
    """Read the command line, evaluate, write the scores as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="the folder of the run, with its held-out text")
    parser.add_argument(
        "--checkpoint", type=Path, required=True, help="a folder with config.json and model.safetensors"
    )
    arguments = parser.parse_args()
    model = load_checkpoint(arguments.checkpoint)
    data = prepare_data(arguments.run, [], [], model.config.d_vocab)
    if data.held_out is None:
        parser.error(f"{arguments.run} has no held-out text; name some with --held-out when pretraining.")
    sys.stdout.write(json.dumps(asdict(evaluate(model, data.held_out, data.learned)), indent=2) + "\n")


if __name__ == "__main__":
    main()
