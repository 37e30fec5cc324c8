"""Let the last layers of headlight-ko go on learning where mostly particles are hidden, each in an else whole sentence.

    python -m recipes.korean.particles --body HEADLIGHT_KO --run RUN --seconds 3600

RUN has the text of the long run, as recipes.korean.train leaves it. The embeddings and the lower layers stay as they
are, so that what stands on them, sentiment-ko, stays true.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.checkpoints.bert import load_checkpoint
from models.training.trainer.optimizers import has_state
from models.training.trainer.start import fix_below
from recipes.korean.batches import Masking
from recipes.korean.measures import heads
from recipes.korean.questions import PARTICLES
from recipes.korean.sentiment import LAYERS
from recipes.korean.texts import PARALLEL, PROSE, REVIEWS, SENTENCES
from recipes.korean.train import KoreanTrainer, RunSettings, train

MIXTURE = {REVIEWS: 0.2, PROSE: 0.3, SENTENCES: 0.42, PARALLEL: 0.08}
"""More plain sentences and prose than in the long run: there particles are written."""
PARTICLE_RATE, OTHER_RATE = 0.4, 0.04
"""The part of the particles, and of everything else, that is hidden."""


def masking_rates(tokenizer: Tokenizer) -> NDArray[np.float64]:
    """Return how often each piece is hidden [d_vocab]."""
    rates = np.full(tokenizer.get_vocab_size(), OTHER_RATE)
    for particle in (particle for forms in PARTICLES.values() for particle in forms):
        rates[tokenizer.token_to_id(f"##{particle}") or 0] = PARTICLE_RATE
    return rates


def last_layers_trainer(body: Path, run: Path, settings: RunSettings) -> KoreanTrainer:
    """Return a trainer whose last layers and whose MLM head learn, but for the embeddings."""
    model = load_checkpoint(body).requires_grad_(True).train()
    fix_below(model.encoder, n_learning=LAYERS)
    heads(model)[1].requires_grad_(False)
    trainer = KoreanTrainer(settings, model, run)
    draws = trainer.draws
    draws.masking = Masking(
        rate=masking_rates(trainer.tokenizer),
        starts=draws.masking.starts,
        beginnings=draws.masking.beginnings,
        most=0.12,
    )
    draws.mixture = MIXTURE
    return trainer


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--body", type=Path, required=True, help="a checkpoint of headlight-ko")
    parser.add_argument("--run", type=Path, required=True, help="folder with the text; an unfinished run is resumed")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    settings = replace(RunSettings(decay=0.8, warmup=50), seconds=arguments.seconds, rate=arguments.rate)
    trainer = last_layers_trainer(arguments.body, arguments.run, settings)
    if has_state(arguments.run):
        trainer.resume()
    train(trainer)


if __name__ == "__main__":
    main()
