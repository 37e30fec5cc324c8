"""Train headlight-ko, a BERT that reads Korean.

    python -m recipes.korean.train --run RUN --korean ../shared/korean --parallel ../shared/parallel --body FOLDER

The same command starts and resumes, on whichever device; SIGTERM or Ctrl+C saves first. On a GPU add --device cuda
--bfloat16 --batch 16. The rate is level until --pieces and --decay let it fall. What the run reads, and how it came to
be so, stands in recipes/korean/README.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, get_args

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from models.checkpoints.bert import save_checkpoint
from models.checkpoints.devices import pick_device
from models.scratch.pretraining import PretrainingModel
from models.training.trainer.fit import evaluating
from models.training.trainer.optimizers import Optimizer, has_state, load_state, make_optimizers, save_state, update_all
from models.values.errors import DeviceError
from recipes.korean.batches import Masking, PackedBatch
from recipes.korean.data import STARTS, TOKENIZER, beginnings_of_words, kinds_of_pieces, open_texts, prepare
from recipes.korean.draws import Draws
from recipes.korean.measures import Measures
from recipes.korean.packed import Replayed, losses
from recipes.korean.start import frequencies, start_from_body, start_from_nothing
from recipes.korean.vocabulary import reading_tokenizer

MASK_RATE = 0.2
SAVE_EVERY = 300.0
"""Seconds between two savings of the state."""
LOG_EVERY = 25
MODEL, PID = "model", "pid"
PROCESSOR = torch.device("cpu")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How a run learns; `pieces` is where it ends, and the rate falls over its last part `decay`."""

    pieces: int = 400_000_000
    seconds: float = math.inf
    """How long it takes at most: the rate falls with the time where that is further on than the pieces."""
    decay: float = 0.0
    optimizer: Optimizer = "adamw"
    rate: float = 3e-4
    embedding_rate: float = 2e-3
    warmup: int = 200
    weight_decay: float = 0.01
    clip: float = 1.0
    next_sentence_weight: float = 0.1
    particle_lines: float = 0.4
    """The part of the lines in which mostly particles are hidden."""
    seed: int = 0
    measure_every: int = 250_000
    """How many pieces lie between two measurements."""
    batch: int = 1
    """How many times as many pieces an iteration learns from, and a pass reads, as on two cores."""
    bfloat16: bool = False
    """Whether products are computed in bfloat16; weights and their sums stay in float32 (Micikevicius et al. 2018)."""
    measured: float = 1.0
    """How much held-out text is asked, as `Measures.scale`."""

    def falling(self, progress: float) -> float:
        """Return the part of the highest rate that is left after a part of the run."""
        return max(0.0, min(1.0, (1 - progress) / self.decay)) if self.decay else 1.0


class KoreanTrainer:
    """A model, its optimizer, and how many iterations and pieces it has behind it."""

    def __init__(
        self, settings: RunSettings, model: PretrainingModel, folder: Path, device: torch.device = PROCESSOR
    ) -> None:
        self.settings, self.model, self.folder, self.device = settings, model.to(device), folder, device
        texts, starts = open_texts(folder), np.load(folder / STARTS)
        self.tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        masking = Masking(
            rate=MASK_RATE,
            starts=starts,
            beginnings=beginnings_of_words(self.tokenizer),
            particle_lines=settings.particle_lines,
            particles=kinds_of_pieces(self.tokenizer) >= 0,
        )
        self.draws = Draws(texts, masking, seed=settings.seed, batch=settings.batch)
        self.optimizers = make_all_optimizers(model, settings)
        self.measures = Measures(texts, self.tokenizer, scale=settings.measured)
        self.iteration = self.pieces = 0
        self.seconds = 0.0
        self.replayed: Replayed | None = None

    @property
    def progress(self) -> float:
        """The part of the run that is behind it, 0 to 1, of its pieces or of its time."""
        return min(1.0, max(self.pieces / self.settings.pieces, self.seconds / self.settings.seconds))

    def iterate(self, batch: PackedBatch | None = None) -> Tensor:
        """Learn from the batch of an iteration, drawn now unless it is given; return both losses [2], in nats."""
        settings, batch = self.settings, batch or self.draws[self.iteration]
        torch.manual_seed(settings.seed + self.iteration)  # dropout, as after a resume
        losses = self._gradients(batch)
        nn.utils.clip_grad_norm_(self.model.parameters(), settings.clip)
        with self._quickly():
            update_all(self.optimizers, self.rate)
        self.iteration += 1
        self.pieces += batch.n_pieces
        return losses

    @property
    def rate(self) -> float:
        """The learning rate of the next iteration."""
        settings = self.settings
        return settings.rate * settings.falling(self.progress) * min(1.0, (self.iteration + 1) / settings.warmup)

    def _gradients(self, batch: PackedBatch) -> Tensor:
        weight = self.settings.next_sentence_weight
        if self.device.type == "cuda":
            self.replayed = self.replayed or Replayed(self.model, batch.to(self.device), weight)
            return self.replayed.gradients(batch)
        self.model.zero_grad(set_to_none=True)
        with self._quickly():
            mlm, nsp = losses(self.model, batch.to(self.device))
        torch.autograd.backward(mlm + weight * nsp)
        return torch.stack((mlm, nsp)).detach()

    def _quickly(self) -> torch.autocast:
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.settings.bfloat16)

    def save(self, name: str = "state") -> None:
        """Write the whole state; the old one stays whole until the new one is there."""
        metadata = {
            "step": str(self.iteration),
            "pieces": str(self.pieces),
            "seconds": str(self.seconds),
            "settings": json.dumps(asdict(self.settings)),
        }
        save_state(self.folder, self.model, self.optimizers, metadata, name)

    def resume(self) -> None:
        """Continue from what `save` wrote, on this device or another."""
        metadata = load_state(self.folder, self.model, self.optimizers, self.device)
        self.iteration, self.pieces = int(metadata["step"]), int(metadata["pieces"])
        self.seconds = float(metadata["seconds"])


def make_all_optimizers(model: PretrainingModel, settings: RunSettings) -> list[torch.optim.Optimizer]:
    """Return Muon and AdamW, or AdamW with one rate for the embeddings of the pieces and another for everything else.

    The model is on its device.
    """
    embeddings = [model.encoder.embeddings.token.weight]
    body = [weight for weight in model.parameters() if weight is not embeddings[0]]
    groups: Sequence[dict[str, Any]] = (
        {"params": embeddings, "share": settings.embedding_rate / settings.rate, "weight_decay": settings.weight_decay},
        {
            "params": [weight for weight in body if weight.dim() > 1],
            "share": 1.0,
            "weight_decay": settings.weight_decay,
        },
        {"params": [weight for weight in body if weight.dim() == 1], "share": 1.0, "weight_decay": 0.0},
    )
    device = embeddings[0].device
    if settings.optimizer == "muon":
        rates = {"learning_rate": settings.rate, "weight_decay": settings.weight_decay}
        return make_optimizers(model, optimizer="muon", device=device, **rates)
    is_fused = device.type in {"cpu", "cuda"}
    return [torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.98), fused=is_fused)]


class Stopped:
    """Remember that SIGTERM or Ctrl+C was sent, so that an iteration ends before the state is saved."""

    def __init__(self) -> None:
        self.asked = False
        for sent in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sent, self._ask)

    def _ask(self, *_: object) -> None:
        self.asked = True


def train(trainer: KoreanTrainer, loaders: int = 0) -> None:
    """Train to the end of the run, or until it is stopped; the state is saved in either case."""
    stopped, saved, began = Stopped(), time.monotonic(), (time.monotonic(), trainer.pieces)
    settings, drawn = trainer.settings, trainer.draws.ahead(trainer.iteration, loaders)
    begun = time.monotonic() - trainer.seconds
    while trainer.progress < 1 and not stopped.asked:
        before = trainer.pieces
        if trainer.iteration == 0:
            measure(trainer)
        rate, found = trainer.rate, trainer.iterate(next(drawn))
        trainer.seconds = time.monotonic() - begun
        if trainer.iteration % LOG_EVERY == 0:
            mlm, nsp = found.tolist()
            speed = (trainer.pieces - began[1]) / (time.monotonic() - began[0])
            logged = {"step": trainer.iteration, "pieces": trainer.pieces, "mlm_loss": mlm, "nsp_loss": nsp}
            write_line(trainer.folder / "metrics.jsonl", {**logged, "rate": rate, "speed": speed})
            began = time.monotonic(), trainer.pieces
        if before // settings.measure_every != trainer.pieces // settings.measure_every:
            measure(trainer)
        if time.monotonic() - saved > SAVE_EVERY:
            trainer.save()
            saved = time.monotonic()
    trainer.save()
    if trainer.progress >= 1:
        measure(trainer)
        export(trainer)


def measure(trainer: KoreanTrainer) -> None:
    """Write down what the model knows of held-out text."""
    with evaluating(trainer.model):
        found = {"step": trainer.iteration, "pieces": trainer.pieces, **trainer.measures.measure(trainer.model)}
        write_line(trainer.folder / "measured.jsonl", {**found, "guesses": trainer.measures.guesses(trainer.model)})


def write_line(path: Path, numbers: Mapping[str, Any]) -> None:
    """Add a line to a file of measurements."""
    with path.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({**numbers, "time": time.time()}, ensure_ascii=False) + "\n")


def export(trainer: KoreanTrainer) -> None:
    """Write a checkpoint that opens everywhere, in half precision, with its tokenizer."""
    save_checkpoint(trainer.model, trainer.folder / MODEL, torch.float16)
    reading_tokenizer(trainer.tokenizer, trainer.model.config.max_tokens).save_pretrained(trainer.folder / MODEL)


def run(folder: Path, body: Path | None, settings: RunSettings, device: str, loaders: int) -> None:
    """Start a run, or go on with it."""
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    frequency = frequencies(open_texts(folder), tokenizer.get_vocab_size())
    model = start_from_nothing(frequency) if body is None else start_from_body(body, tokenizer, frequency)
    trainer = KoreanTrainer(settings, model, folder, pick_device(device))
    if has_state(folder):
        trainer.resume()
    train(trainer, loaders)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--korean", type=Path, help="folder with reviews, prose and sentences")
    parser.add_argument("--parallel", type=Path, help="folder with eng-kor.tsv.xz")
    parser.add_argument("--tokenizer", type=Path, help="tokenizer.json of recipes.korean.vocabulary")
    parser.add_argument("--body", type=Path, help="checkpoint whose body the run begins with; else from nothing")
    parser.add_argument("--pieces", type=int, default=RunSettings().pieces, help="where the run ends")
    parser.add_argument("--seconds", type=float, default=math.inf, help="how long it takes at most")
    parser.add_argument("--decay", type=float, default=0.0, help="the last part of it, in which the rate falls to 0")
    parser.add_argument("--optimizer", choices=get_args(Optimizer), default="adamw")
    parser.add_argument("--rate", type=float, default=RunSettings().rate, help="the highest rate of the body")
    parser.add_argument("--embedding-rate", type=float, default=RunSettings().embedding_rate, help="with adamw")
    parser.add_argument("--particle-lines", type=float, default=RunSettings().particle_lines)
    parser.add_argument("--measure-every", type=int, default=RunSettings().measure_every, help="in pieces")
    parser.add_argument("--device", default="cpu", help='"cpu", "cuda" or "mps"')
    parser.add_argument("--bfloat16", action="store_true", help="compute products in bfloat16")
    parser.add_argument("--batch", type=int, default=1, help="learn from so many times as many pieces an iteration")
    parser.add_argument("--loaders", type=int, default=0, help="draw batches ahead in so many processes")
    parser.add_argument("--threads", type=int, default=1, help="on a processor")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.batch < 1:
        parser.error(f"--batch is {arguments.batch}, expected 1 or more.")
    try:
        pick_device(arguments.device)
    except DeviceError as error:
        parser.error(str(error))
    arguments.run.mkdir(parents=True, exist_ok=True)
    (arguments.run / PID).write_text(str(os.getpid()), encoding="utf-8")
    if not (arguments.run / TOKENIZER).exists():
        if None in (arguments.korean, arguments.parallel, arguments.tokenizer):
            parser.error("a new run needs --korean, --parallel and --tokenizer.")
        prepare(arguments.run, arguments.korean, arguments.parallel, arguments.tokenizer)
    torch.set_num_threads(arguments.threads)
    names = [field.name for field in fields(RunSettings) if hasattr(arguments, field.name)]
    settings = RunSettings(**{name: getattr(arguments, name) for name in names})
    run(arguments.run, arguments.body, settings, arguments.device, arguments.loaders)


if __name__ == "__main__":
    main()
