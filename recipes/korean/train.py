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
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn

from models.checkpoints.bert import save_checkpoint
from models.checkpoints.devices import pick_device
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch
from models.training.trainer.optimizers import has_state, load_state, save_state, update_all
from models.training.trainer.processes import ALONE, Worker, start_workers
from models.values.errors import DeviceError
from recipes.korean.batches import Masking, RunPhase, draw_rows, pack_rows
from recipes.korean.data import STARTS, TOKENIZER, beginnings_of_words, open_texts, prepare
from recipes.korean.measures import Measures
from recipes.korean.packed import losses
from recipes.korean.start import frequencies, start_from_body, start_from_nothing
from recipes.korean.texts import PROSE
from recipes.korean.vocabulary import reading_tokenizer

PHASES = (
    RunPhase(until=1.5e6, windows=(32,), pieces=800, mask_rate=0.25),
    RunPhase(until=4e6, windows=(32, 64), pieces=1200, mask_rate=0.20),
    RunPhase(until=math.inf, windows=(64, 64, 128), pieces=2000, mask_rate=0.20),
)
"""Short and small first, which leaves the plateau of mere frequencies sooner."""
LAST_MASK_RATE = 0.15
"""While the rate falls: as it will be asked."""
TOKENS = 2048
"""The largest batch of rows of like length, padding included."""
SAVE_EVERY = 300.0
"""Seconds between two savings of the state."""
LOG_EVERY = 25
MODEL, PID = "model", "pid"
PROCESSOR = torch.device("cpu")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How a run learns; `pieces` is where it ends, and the rate falls over its last part `decay`."""

    pieces: int = 400_000_000
    decay: float = 0.0
    rate: float = 3e-4
    embedding_rate: float = 2e-3
    warmup: int = 200
    weight_decay: float = 0.01
    clip: float = 1.0
    next_sentence_weight: float = 0.1
    seed: int = 0
    measure_every: int = 250_000
    """How many pieces lie between two measurements."""
    batch: int = 1
    """How many times as many pieces an iteration learns from, and a pass reads, as on two cores."""
    bfloat16: bool = False
    """Whether products are computed in bfloat16; weights and their sums stay in float32 (Micikevicius et al. 2018)."""
    measured: float = 1.0
    """How much held-out text is asked, as `Measures.scale`."""

    def falling(self, pieces: int) -> float:
        """Return the part of the highest rate that is left after so many pieces."""
        return max(0.0, min(1.0, (self.pieces - pieces) / (self.decay * self.pieces))) if self.decay else 1.0


class KoreanTrainer:
    """A model, its optimizer, and how many iterations and pieces it has behind it."""

    def __init__(
        self,
        settings: RunSettings,
        model: PretrainingModel,
        folder: Path,
        worker: Worker = ALONE,
        device: torch.device = PROCESSOR,
    ) -> None:
        self.settings, self.model, self.folder, self.worker = settings, model.to(device), folder, worker
        self.device = device
        self.texts, self.starts = open_texts(folder), np.load(folder / STARTS)
        self.tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self.beginnings = beginnings_of_words(self.tokenizer)
        self.optimizers: list[torch.optim.Optimizer] = [make_optimizer(model, settings)]
        self.measures = Measures(self.texts, self.starts, self.tokenizer, scale=settings.measured)
        self.iteration = self.pieces = 0

    def batches(self) -> list[Batch]:
        """Draw the batches of this iteration."""
        random = np.random.default_rng((self.settings.seed, self.iteration))
        phase = next(phase for phase in PHASES if self.pieces < phase.until)
        window = int(random.choice(phase.windows))
        rows = draw_rows(self.texts, random, window=window, pieces=phase.pieces * self.settings.batch)
        falls = self.settings.falling(self.pieces) < 1
        rate = LAST_MASK_RATE if falls else phase.mask_rate
        masking = Masking(rate=rate, starts=self.starts, beginnings=self.beginnings)
        tokens = TOKENS * self.settings.batch
        return pack_rows(rows, random, special=self.texts[PROSE].special, masking=masking, tokens=tokens)

    def iterate(self, *, stop: bool = False) -> dict[str, float]:
        """Learn from the batches of one iteration; return its losses, and whether a worker is to stop."""
        settings, batches = self.settings, self.batches()
        rate = settings.rate * settings.falling(self.pieces) * min(1.0, (self.iteration + 1) / settings.warmup)
        n_masks = sum(len(batch.targets) for batch in batches)
        n_pairs = max(1, sum(int((batch.next_labels != NO_LABEL).sum()) for batch in batches))
        totals = {"mlm_loss": 0.0, "nsp_loss": 0.0, "stop": float(stop)}
        self.model.zero_grad(set_to_none=True)
        for batch in batches:
            with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=settings.bfloat16):
                mlm, nsp = losses(self.model, self.worker.part(batch).to(self.device))
            torch.autograd.backward(mlm / n_masks + settings.next_sentence_weight * nsp / n_pairs)
            totals["mlm_loss"] += mlm.item() / n_masks
            totals["nsp_loss"] += nsp.item() / n_pairs
        totals = self.worker.all_reduce(self.model.parameters(), totals)
        nn.utils.clip_grad_norm_(self.model.parameters(), settings.clip, error_if_nonfinite=True)
        update_all(self.optimizers, rate)
        self.iteration += 1
        self.pieces += count_pieces(batches)
        return {"step": self.iteration, "pieces": self.pieces, **totals, "rate": rate}

    def save(self, name: str = "state") -> None:
        """Write the whole state; the old one stays whole until the new one is there."""
        if self.worker.leads:
            metadata = {
                "step": str(self.iteration),
                "pieces": str(self.pieces),
                "settings": json.dumps(asdict(self.settings)),
            }
            save_state(self.folder, self.model, self.optimizers, metadata, name)

    def resume(self) -> None:
        """Continue from what `save` wrote, on this device or another."""
        metadata = load_state(self.folder, self.model, self.optimizers, self.device)
        self.iteration, self.pieces = int(metadata["step"]), int(metadata["pieces"])


def make_optimizer(model: PretrainingModel, settings: RunSettings) -> torch.optim.Optimizer:
    """Return AdamW with one rate for the embeddings of the pieces and another for everything else."""
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
    device = embeddings[0].device.type
    return torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.98), fused=device in {"cpu", "cuda"})


def count_pieces(batches: Sequence[Batch]) -> int:
    """Count the tokens of some batches but for padding and the special ones at the ends."""
    return sum(
        int((batch.input_ids != 0).sum()) - 2 * len(batch.next_labels) - int((batch.next_labels != NO_LABEL).sum())
        for batch in batches
    )


class Stopped:
    """Remember that SIGTERM or Ctrl+C was sent, so that an iteration ends before the state is saved."""

    def __init__(self) -> None:
        self.asked = False
        for sent in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sent, self._ask)

    def _ask(self, *_: object) -> None:
        self.asked = True


def train(trainer: KoreanTrainer) -> None:
    """Train to the end of the run, or until it is stopped; the state is saved in either case."""
    stopped, saved, began = Stopped(), time.monotonic(), (time.monotonic(), trainer.pieces)
    settings, lead = trainer.settings, trainer.worker.leads
    while trainer.pieces < settings.pieces:
        before = trainer.pieces
        if trainer.iteration == 0 and lead:
            measure(trainer)
        logged = trainer.iterate(stop=stopped.asked)
        if lead and trainer.iteration % LOG_EVERY == 0:
            seconds = time.monotonic() - began[0]
            write_line(trainer.folder / "metrics.jsonl", {**logged, "speed": (trainer.pieces - began[1]) / seconds})
            began = time.monotonic(), trainer.pieces
        if settings.decay and before < (1 - settings.decay) * settings.pieces <= trainer.pieces:
            trainer.save("before-decay")
        if lead and before // settings.measure_every != trainer.pieces // settings.measure_every:
            measure(trainer)
        if logged["stop"]:
            break
        if time.monotonic() - saved > SAVE_EVERY:
            trainer.save()
            saved = time.monotonic()
    trainer.save()
    if lead and trainer.pieces >= settings.pieces:
        measure(trainer)
        export(trainer)


def measure(trainer: KoreanTrainer) -> None:
    """Write down what the model knows of held-out text."""
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


def run(
    folder: Path, body: Path | None, settings: RunSettings, threads: int, device: str, *, worker: Worker = ALONE
) -> None:
    """Start a run, or go on with it; every worker opens everything for itself."""
    torch.set_num_threads(threads)
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    frequency = frequencies(open_texts(folder), tokenizer.get_vocab_size())
    model = start_from_nothing(frequency) if body is None else start_from_body(body, tokenizer, frequency)
    trainer = KoreanTrainer(settings, model, folder, worker, pick_device(device))
    if has_state(folder):
        trainer.resume()
    train(trainer)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--korean", type=Path, help="folder with reviews, prose and sentences")
    parser.add_argument("--parallel", type=Path, help="folder with eng-kor.tsv.xz")
    parser.add_argument("--tokenizer", type=Path, help="tokenizer.json of recipes.korean.vocabulary")
    parser.add_argument("--body", type=Path, help="checkpoint whose body the run begins with; else from nothing")
    parser.add_argument("--pieces", type=int, default=RunSettings().pieces, help="where the run ends")
    parser.add_argument("--decay", type=float, default=0.0, help="the last part of it, in which the rate falls to 0")
    parser.add_argument("--rate", type=float, default=RunSettings().rate, help="the highest rate of the body")
    parser.add_argument("--embedding-rate", type=float, default=RunSettings().embedding_rate)
    parser.add_argument("--processes", type=int, default=1, help="share every batch between so many processes")
    parser.add_argument("--threads", type=int, default=1, help="of each process")
    parser.add_argument("--device", default="cpu", help='"cpu", "cuda" or "mps"')
    parser.add_argument("--bfloat16", action="store_true", help="compute products in bfloat16")
    parser.add_argument("--batch", type=int, default=1, help="learn from so many times as many pieces an iteration")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.batch < 1:
        parser.error(f"--batch is {arguments.batch}, expected 1 or more.")
    if arguments.processes > 1 and arguments.device != "cpu":
        parser.error("--processes shares batches between cores: leave it out on another device than the processor.")
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
    settings = RunSettings(
        pieces=arguments.pieces,
        decay=arguments.decay,
        rate=arguments.rate,
        embedding_rate=arguments.embedding_rate,
        seed=arguments.seed,
        batch=arguments.batch,
        bfloat16=arguments.bfloat16,
    )
    given = arguments.run, arguments.body, settings, arguments.threads, arguments.device
    start_workers(run, given, arguments.processes)


if __name__ == "__main__":
    main()
