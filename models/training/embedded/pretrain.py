"""Pretrain the scratch encoder with masked words and next sentences (Devlin et al. 2018, section 3.1).

    python -m models.training.embedded.pretrain --text ../shared/corpus/gutenberg.txt.xz --run runs/mini-bert

Stops and resumes at will: a run continues from its last checkpoint, on the same data in the same order.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO, get_args

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from models.checkpoints.bert import save_checkpoint
from models.checkpoints.devices import pick_device
from models.scratch.config import PRESETS, TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch, Draw, draw_passage, draw_sentence, make_batches
from models.training.corpora.corpus import Corpus
from models.training.corpora.data import TrainingData, prepare_data
from models.training.corpora.repetition import RepetitionAids, RepetitionPlan, attention_of, rarity, teach_head
from models.training.corpora.vocabulary import save_tokenizer
from models.training.trainer.optimizers import (
    Optimizer,
    has_fast_bfloat16,
    has_state,
    load_state,
    make_optimizers,
    save_state,
    step_all,
)
from models.training.trainer.processes import ALONE, Crew, start_crew
from models.training.trainer.schedule import learning_rate, snapshot_steps
from models.training.trainer.start import initialise


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch of the run, up to `until` pieces of text: the lengths that a step draws from, and the masked part."""

    until: float
    lengths: tuple[int, ...]
    mask_rate: float


CURRICULUM = (
    Phase(until=1.0e6, lengths=(32,), mask_rate=0.30),
    Phase(until=3.0e6, lengths=(32, 64), mask_rate=0.25),
    Phase(until=math.inf, lengths=(64, 128, 128, 256), mask_rate=0.20),
)
"""Short and heavily masked first: a small model leaves the unigram plateau sooner that way. Then all lengths, mixed: a
sudden change of length undoes what the heads have learned."""
LAST_PHASE = Phase(until=math.inf, lengths=(64, 128, 256, 256), mask_rate=0.15)
"""While the learning rate falls."""

SAVE_EVERY = 300
"""Seconds between two checkpoints of a run."""
SHORT_TOKENS = 32
"""The longest row of a classroom passage, of which all are shorter, or of a single sentence."""
SHORT_PARTS = 3
"""How many batches of like length such rows are sorted into."""
_AIDS = "aids"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """How a run learns. `pieces` is its length in word pieces of text, `pieces_per_batch` the size of one step."""

    pieces: int = 60_000_000
    pieces_per_batch: int = 8192
    classroom_rows: int = 160
    """Rows of classroom passages in every step, beside the text."""
    sentence_rows: int = 64
    """Rows of one sentence of the text in every step: else only classroom passages would be short."""
    next_sentence_weight: float = 0.2
    """What a source's mean next-sentence loss counts beside that of the masks. At 1, the few pairs of a step drown the
    masks in noise, and learn no faster for it."""
    repetition: RepetitionPlan | None = None
    """The head that is taught what the two texts of a pair share, and from when on; None for no such help."""
    optimizer: Optimizer = "muon"
    """AdamW for everything, or Muon for the matrices inside the layers and AdamW for the rest."""
    looking: float = 1.0
    """What W_Q and W_K, which decide where the heads look, have of the learning rate of AdamW. Below 1 a run that sets
    out from a trained model keeps more of what its heads do."""
    learning_rate: float = 2e-3
    warmup_steps: int = 100
    decay: float = 0.4
    """The last part of the run, in which the learning rate falls to 0 along a line."""
    weight_decay: float = 0.01
    clip: float = 1.0
    seed: int = 0
    watch_every: int = 0
    """After how many steps `Trainer.watched` is asked and written down; 0 for never."""
    snapshots: int = 0
    """How many checkpoints to keep along the way, the first before the first step, the last at the end."""

    @property
    def steps(self) -> int:
        """How many optimizer steps the run has."""
        return self.pieces // self.pieces_per_batch

    def phase(self, step: int) -> Phase:
        """The stretch of the curriculum that a step belongs to. Only the last one depends on the length of the run."""
        seen = step * self.pieces_per_batch
        phase = next(phase for phase in CURRICULUM if seen < phase.until)
        return LAST_PHASE if phase is CURRICULUM[-1] and step >= (1 - self.decay) * self.steps else phase

    def rate(self, step: int) -> float:
        """The learning rate of a step: up over `warmup_steps`, level, then down to 0."""
        return learning_rate(
            step, steps=self.steps, peak=self.learning_rate, warmup_steps=self.warmup_steps, decay=self.decay
        )

    @property
    def repetition_step(self) -> int | None:
        """The step before which the head is taught, and from which on it is asked what the two texts share."""
        return None if self.repetition is None else self.repetition.after // self.pieces_per_batch

    def snapshot_steps(self) -> tuple[int, ...]:
        """Where the snapshots are, see `models.training.trainer.schedule`."""
        return snapshot_steps(self.steps, self.snapshots)


def losses(model: PretrainingModel, batch: Batch, aids: RepetitionAids | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """(MLM loss, NSP loss, loss of the `aids`), summed over the masked pieces, the labelled pairs, and the rows.

    The first two are in nats.

    The MLM head runs on the masked positions alone.
    """
    encoded = model.encoder(batch.input_ids, batch.segment_ids, batch.mask)
    if model.mlm is None or model.nsp is None:
        raise ValueError("the model to be trained lacks its MLM or NSP head.")
    at_masks = encoded.last.flatten(end_dim=1)[batch.masked]  # [n_masked, d_model]
    mlm = functional.cross_entropy(model.mlm(at_masks), batch.targets, reduction="sum")
    nsp = functional.cross_entropy(model.nsp(encoded.last), batch.next_labels, ignore_index=NO_LABEL, reduction="sum")
    return mlm, nsp, mlm.new_zeros(()) if aids is None else aids(encoded.hidden_states, batch)


class Trainer:
    """A model, its optimizers and the step that they have reached; one of a crew, or alone."""

    def __init__(
        self, config: TrainingConfig, model: PretrainingModel, data: TrainingData, device: torch.device,
        crew: Crew = ALONE,
    ) -> None:  # fmt: skip
        self.config, self.model, self.data, self.device, self.crew = config, model.to(device), data, device, crew
        self.step = 0
        self.optimizers = make_optimizers(
            model, optimizer=config.optimizer, learning_rate=config.learning_rate, weight_decay=config.weight_decay,
            device=device, looking=config.looking,
        )  # fmt: skip
        self.aids: RepetitionAids | None = None
        self.learning = nn.ModuleDict(dict(model.named_children()))
        if config.repetition:
            rare = rarity(data.learned, model.config.d_vocab)
            self.aids = RepetitionAids(model.config.d_model, rare, data.learned.special).to(device)
            self.learning[_AIDS] = self.aids
            self.optimizers.append(torch.optim.AdamW(self.aids.parameters(), lr=config.learning_rate))
        self.bfloat16 = has_fast_bfloat16(device)

    def train_step(self) -> dict[str, float]:
        """Learn from the batches of one step; returns what there is to log: losses in nats, mean per question (the next
        sentence: of the text alone).

        The pairs of each source, text or classroom, weigh the same in all, however many they are.
        """
        sources = self.batches(self.step)
        rate = self.config.rate(self.step)
        begins = self.config.repetition_step
        aids = None if begins is None or self.step < begins else self.aids
        self.learning.zero_grad(set_to_none=True)
        # dropout, the same after a resume, another one in each process
        torch.manual_seed((self.config.seed + self.step) * self.crew.size + self.crew.rank)
        n_masks = sum(len(batch.targets) for batches in sources for batch in batches)
        totals = {"mlm_loss": 0.0, "nsp_loss": 0.0}
        for number, batches in enumerate(sources):
            n_pairs = max(1, sum(int((batch.next_labels != NO_LABEL).sum()) for batch in batches))
            is_text = number == 0
            for batch in map(self.crew.part, batches):
                with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.bfloat16):
                    mlm, nsp, aid = losses(self.model, batch, aids if is_text else None)
                torch.autograd.backward(mlm / n_masks + (self.config.next_sentence_weight * nsp + aid) / n_pairs)
                totals["mlm_loss"] += mlm.item() / n_masks
                totals["nsp_loss"] += nsp.item() / n_pairs if is_text else 0.0
        totals = self.crew.add_up(self.learning.parameters(), totals)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip, error_if_nonfinite=True)
        step_all(self.optimizers, rate)
        self.step += 1
        return {"step": self.step, "pieces": self.step * self.config.pieces_per_batch, **totals, "rate": rate}

    def teach(self, plan: RepetitionPlan) -> float:
        """Teach the head of the plan, and forget how its old weights were moving. Returns the weight that lies on the
        same piece in the other text, of tokens that have one."""
        found = [
            on_same
            for on_same, _ in teach_head(
                self.model, self.data.learned, layer=plan.layer, head=plan.head, steps=plan.steps, seed=self.config.seed
            )
        ]
        attention = attention_of(self.model, plan.layer)
        d_head = self.model.config.d_model // self.model.config.n_heads
        for weight in (*attention.query.parameters(), *attention.key.parameters()):
            moved = [value for optimizer in self.optimizers for value in optimizer.state.get(weight, {}).values()]
            for value in moved:
                if value.shape == weight.shape:
                    value[plan.head * d_head : (plan.head + 1) * d_head] = 0
        return found[-1]

    def save(self, folder: Path, name: str = "state") -> None:
        """Write the whole state; the old one stays whole until the new one is. Of a crew, one writes."""
        if not self.crew.leads:
            return
        metadata = {"step": str(self.step), "config": json.dumps(asdict(self.config))}
        save_state(folder, self.learning, self.optimizers, metadata, name)

    def resume(self, folder: Path) -> None:
        """Continue from what `save` wrote there."""
        self.step = int(load_state(folder, self.learning, self.optimizers, self.device, may_lack=_AIDS)["step"])

    def watched(self) -> dict[str, Any]:
        """What else there is to be written down of the model now and then, beside the losses: of this kind, nothing."""
        return {}

    def batches(self, step: int) -> list[list[Batch]]:
        """The text of a step, single sentences of it, and classroom passages."""
        config, phase = self.config, self.config.phase(step)
        fitting = [length for length in phase.lengths if length <= self.model.config.max_tokens]
        lengths = fitting or [self.model.config.max_tokens]
        n_tokens = int(np.random.default_rng((config.seed, step, 1)).choice(lengths))
        shared: dict[str, Any] = {"mask_rate": phase.mask_rate, "d_vocab": self.model.config.d_vocab, "step": step}
        text = make_batches(
            self.data.learned, batch_size=max(1, config.pieces_per_batch // n_tokens), n_tokens=n_tokens,
            seed=config.seed, **shared,
        )  # fmt: skip
        sources = [text]
        shared |= {"parts": SHORT_PARTS, "n_tokens": min(SHORT_TOKENS, self.model.config.max_tokens)}
        short: tuple[tuple[Corpus | None, int, Draw], ...] = (
            (self.data.classroom, config.classroom_rows, draw_passage),
            (self.data.learned, config.sentence_rows, draw_sentence),
        )
        for number, (corpus, rows, draw) in enumerate(short, start=1):
            if corpus is not None and rows:
                sources.append(make_batches(corpus, batch_size=rows, draw=draw, seed=config.seed + number, **shared))
        return [[batch.to(self.device) for batch in batches] for batches in sources]


def run(
    folder: Path, data: TrainingData, model_config: TransformerConfig, config: TrainingConfig, device: torch.device,
    *, crew: Crew = ALONE,
) -> None:  # fmt: skip
    """Train to the end, with a progress bar and a metrics file. A stop saves what was learned; the next run resumes."""
    model = PretrainingModel(model_config)
    initialise(model, config.seed)
    train(Trainer(config, model, data, device, crew), folder)


def train(trainer: Trainer, folder: Path) -> None:
    """Train to the end; see `run`."""
    if has_state(folder):
        trainer.resume(folder)
    try:
        _train(trainer, folder)
    finally:
        trainer.save(folder)
    if trainer.crew.leads:
        export(trainer.model, trainer.data, folder / "model")


def _train(trainer: Trainer, folder: Path) -> None:
    config, leads, saved = trainer.config, trainer.crew.leads, time.monotonic()
    done = trainer.step * config.pieces_per_batch
    snapshots = config.snapshot_steps() if leads else ()
    decays_from = round((1 - config.decay) * config.steps)
    with (
        (folder / "metrics.jsonl" if leads else Path(os.devnull)).open("a", encoding="utf-8") as metrics,
        (folder / "watched.jsonl" if leads else Path(os.devnull)).open("a", encoding="utf-8") as watched,
        tqdm(total=config.pieces, initial=done, unit="piece", unit_scale=True, disable=not leads) as bar,
    ):
        while trainer.step < config.steps:
            if trainer.step in snapshots:
                export(trainer.model, trainer.data, _snapshot(folder, trainer.step))
            if trainer.step == decays_from:
                trainer.save(folder, "before-decay")  # a longer run may set out from here
            if config.repetition and trainer.step == config.repetition_step:
                bar.set_postfix(repeated=f"{trainer.teach(config.repetition):.3f}")
            if leads and config.watch_every and trainer.step % config.watch_every == 0:
                _write(watched, {"step": trainer.step, **trainer.watched()})
            logged = trainer.train_step()
            bar.update(config.pieces_per_batch)
            if trainer.step % 20 == 0:
                bar.set_postfix(mlm=f"{logged['mlm_loss']:.3f}", nsp=f"{logged['nsp_loss']:.3f}")
                _write(metrics, logged)
            if time.monotonic() - saved > SAVE_EVERY:
                trainer.save(folder)
                saved = time.monotonic()
    if trainer.step in snapshots:
        export(trainer.model, trainer.data, _snapshot(folder, trainer.step))


def _write(lines: TextIO, found: Mapping[str, Any]) -> None:
    lines.write(json.dumps({**found, "time": time.time()}) + "\n")
    lines.flush()


def _snapshot(folder: Path, step: int) -> Path:
    return folder / "snapshots" / f"step-{step:06d}"


def export(model: PretrainingModel, data: TrainingData, folder: Path) -> None:
    """Write the finished checkpoint: half-precision weights, configuration and tokenizer."""
    save_checkpoint(model, folder, torch.float16)
    save_tokenizer(data.tokenizer, folder, model.config.max_tokens)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="text files, plain or .xz")
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--held-out", nargs="*", default=[], help="titles of documents never to train on")
    parser.add_argument("--preset", choices=PRESETS, default="mini-bert")
    parser.add_argument("--pieces", type=int, default=TrainingConfig().pieces, help="length of the run in word pieces")
    parser.add_argument("--passages", type=int, default=4000, help="classroom passages of every family; 0 for none")
    parser.add_argument("--optimizer", choices=get_args(Optimizer), default=TrainingConfig().optimizer)
    parser.add_argument(
        "--decay", type=float, default=TrainingConfig().decay, help="the last part of the run, in which the rate falls"
    )
    parser.add_argument("--snapshots", type=int, default=0, help="how many checkpoints to keep along the way")
    parser.add_argument(
        "--repetition", type=int, nargs=3, metavar=("LAYER", "HEAD", "AFTER"),
        help="teach this head which pieces stand in both texts of a pair, after so many pieces of text",
    )  # fmt: skip
    parser.add_argument("--processes", type=int, default=1, help="share the processor's work between so many")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.processes > 1 and arguments.device not in ("auto", "cpu"):
        parser.error(f"--processes {arguments.processes} shares a processor, but --device asks for {arguments.device}.")
    config = PRESETS[arguments.preset]
    data = prepare_data(arguments.run, arguments.text, arguments.held_out, config.d_vocab, passages=arguments.passages)
    training = TrainingConfig(
        pieces=arguments.pieces,
        seed=arguments.seed,
        optimizer=arguments.optimizer,
        snapshots=arguments.snapshots,
        decay=arguments.decay,
        repetition=None
        if arguments.repetition is None
        else RepetitionPlan(**dict(zip(("layer", "head", "after"), arguments.repetition, strict=True))),
    )
    device = pick_device(arguments.device if arguments.processes == 1 else "cpu")
    start_crew(run, (arguments.run, data, config, training, device), arguments.processes)


if __name__ == "__main__":
    main()
