"""How an encoder is pretrained: what its batches are drawn from as it goes on, and how fast it learns."""

from __future__ import annotations

import math
from dataclasses import dataclass

from models.training.trainer.optimizers import Optimizer
from models.training.trainer.schedule import learning_rate, snapshot_iterations
from recipes.corpora.repetition import RepetitionPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch of the run, up to `until` pieces of text: the lengths to draw from, and the masked part."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """How a run learns. `pieces` is its length in word pieces of text, `pieces_per_batch` the size of one iteration."""

    pieces: int = 60_000_000
    pieces_per_batch: int = 8192
    classroom_rows: int = 160
    """Rows of classroom passages in every iteration, beside the text."""
    sentence_rows: int = 64
    """Rows of one sentence of the text in every iteration: else only classroom passages would be short."""
    next_sentence_weight: float = 0.2
    """What a source's mean next-sentence loss counts beside that of the masks. At 1, the few pairs of an iteration
    drown the masks in noise, and learn no faster for it."""
    repetition: RepetitionPlan | None = None
    """The head that is taught what the two texts of a pair share, and from when on; None for no such help."""
    optimizer: Optimizer = "muon"
    """AdamW for everything, or Muon for the matrices inside the layers and AdamW for the rest."""
    looking: float = 1.0
    """What W_Q and W_K, which decide where the heads look, have of the learning rate of AdamW. Below 1 a run that sets
    out from a trained model keeps more of what its heads do."""
    learning_rate: float = 2e-3
    warmup_steps: int = 100
    """Iterations in which the rate rises; the states on disk have this name."""
    decay: float = 0.4
    """The last part of the run, in which the learning rate falls to 0 along a line."""
    weight_decay: float = 0.01
    clip: float = 1.0
    seed: int = 0
    watch_every: int = 0
    """After how many iterations `Pretrainer.watched` is asked and written down; 0 for never."""
    snapshots: int = 0
    """How many checkpoints to keep along the way, the first before the first iteration, the last at the end."""

    @property
    def iterations(self) -> int:
        """How many iterations the run has, each one change of the weights."""
        return self.pieces // self.pieces_per_batch

    def phase(self, iteration: int) -> Phase:
        """The stretch of the curriculum at an iteration. Only the last one depends on the length of the run."""
        seen = iteration * self.pieces_per_batch
        phase = next(phase for phase in CURRICULUM if seen < phase.until)
        return LAST_PHASE if phase is CURRICULUM[-1] and iteration >= (1 - self.decay) * self.iterations else phase

    def rate(self, iteration: int) -> float:
        """The learning rate of an iteration: up over the warm-up, level, then down to 0."""
        return learning_rate(
            iteration,
            iterations=self.iterations,
            peak=self.learning_rate,
            warmup_iterations=self.warmup_steps,
            decay=self.decay,
        )

    @property
    def repetition_iteration(self) -> int | None:
        """The iteration before which the head is taught, and from which on it is asked what the two texts share."""
        return None if self.repetition is None else self.repetition.after // self.pieces_per_batch

    def snapshot_iterations(self) -> tuple[int, ...]:
        """Where the snapshots are, see `models.training.trainer.schedule`."""
        return snapshot_iterations(self.iterations, self.snapshots)
