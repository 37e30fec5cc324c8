r"""Train the upper half of headlight-bert on to tell whether B follows A, where A and B are of one book.

    python -m models.training.embedded.next_sentence --run RUN --start models/pretrained/headlight-bert \
        --corpus ../shared/corpus --parallel ../shared/parallel

Nothing is masked in these pairs, as nothing is when a page asks, and their loss counts in full: in the runs of
`models.training.embedded.headlight` it counted a fifth, and a quarter of the pieces was hidden. A little of all that
those read is read beside them. The same command starts and resumes (docs/headlight-bert.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch, draw_pair, pack
from models.training.embedded.headlight import (
    BESIDE_WORDS,
    HeadlightConfig,
    HeadlightTrainer,
    frequencies,
    open_sources,
    prepare,
    start_model,
)
from models.training.embedded.pretrain import train
from models.training.trainer.processes import ALONE, Worker, start_workers


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSentenceConfig(HeadlightConfig):
    """What an iteration reads: `clear_tokens` in pairs of one book that hide nothing, the next sentence of which is
    asked, and rows of everything else, the masks of which are."""

    pieces: int = 3_280_000
    pieces_per_batch: int = 5125
    clear_tokens: int = 4096
    lengths: tuple[int, ...] = (128, 128, 128, 256)
    """The longest row of the clear pairs, drawn for each iteration."""
    text_rows: int = 4
    """Rows of TEXT_TOKENS of the books, with masks."""
    everyday_rows: int = 26
    classroom_rows: int = 16
    which_noun_rows: int = 12
    sentence_rows: int = 6
    parts: int = 2
    next_sentence_weight: float = 1.0
    n_still: int = 3
    """How many layers, from the embeddings up, stay as they are, and so what their heads do."""
    learning_rate: float = 2e-4
    warmup_steps: int = 60
    decay: float = 1.0
    watch_every: int = 0


TEXT_TOKENS = 128


class NextSentenceTrainer(HeadlightTrainer):
    """Pairs of one book in one batch, and in others what keeps the rest of the model from being forgotten."""

    mix: NextSentenceConfig

    def batches(self, iteration: int) -> list[list[Batch]]:
        """The clear pairs; the text and everything short, of which the next sentence is not asked."""
        mix, random, books = self.mix, np.random.default_rng((self.mix.seed, iteration)), self.data.learned
        shared: dict[str, Any] = {"d_vocab": self.model.config.d_vocab, "special": books.special}
        n_tokens = int(random.choice(mix.lengths))
        clear = [
            draw_pair(books, random, n_tokens - BESIDE_WORDS, same_document=1.0)
            for _ in range(mix.clear_tokens // n_tokens)
        ]
        asked = pack(clear, random, mask_rate=0.0, **shared)
        text = [
            draw_pair(books, random, TEXT_TOKENS - BESIDE_WORDS, same_document=mix.same_document)
            for _ in range(mix.text_rows)
        ]
        shared["mask_rate"] = mix.mask_rate
        masked = [*pack(text, random, **shared), *pack(self.short_rows(random), random, parts=mix.parts, **shared)]
        return [[batch.to(self.device) for batch in batches] for batches in (asked, _without_labels(masked))]


def _without_labels(batches: Sequence[Batch]) -> list[Batch]:
    return [replace(batch, next_labels=torch.full_like(batch.next_labels, NO_LABEL)) for batch in batches]


def keep_still(model: PretrainingModel, n_layers: int) -> None:
    """Let the embeddings and the first layers learn nothing. Raises ValueError for more layers than there are."""
    if not 0 <= n_layers <= model.config.n_layers:
        raise ValueError(f"n_still is {n_layers}, expected 0 to {model.config.n_layers}, the layers of the model.")
    if n_layers:
        for part in (model.encoder.embeddings, *model.encoder.layers[:n_layers]):
            part.requires_grad_(False)


def run(folder: Path, start: Path, config: NextSentenceConfig, *, worker: Worker = ALONE) -> None:
    """Train to the end, or go on with it. Everything is opened here: each worker opens its own."""
    data, side = open_sources(folder)
    model = start_model(start, frequencies([data.learned, *side.values()], data.tokenizer.get_vocab_size()))
    keep_still(model, config.n_still)
    train(NextSentenceTrainer(config, model, data, torch.device("cpu"), worker, side=side), folder)


def main() -> None:
    """Read the command line and train."""
    given = NextSentenceConfig()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--start", type=Path, required=True, help="folder of the BERT to set out from")
    parser.add_argument("--corpus", type=Path, required=True, help="folder with the books and the web text")
    parser.add_argument("--parallel", type=Path, required=True, help="folder with the everyday sentences")
    parser.add_argument("--pieces", type=int, default=given.pieces, help="where the run ends")
    parser.add_argument("--processes", type=int, default=1, help="share the processor's work between so many")
    parser.add_argument("--seed", type=int, default=given.seed, help="another one draws other batches")
    parser.add_argument("--rate", type=float, default=given.learning_rate, help="the highest of the rates")
    arguments = parser.parse_args()
    prepare(arguments.run, arguments.corpus, arguments.parallel, arguments.start)
    config = NextSentenceConfig(pieces=arguments.pieces, seed=arguments.seed, learning_rate=arguments.rate)
    start_workers(run, (arguments.run, arguments.start, config), arguments.processes)


if __name__ == "__main__":
    main()
