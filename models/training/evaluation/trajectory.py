"""The checkpoints of one run from its start to its end, measured alike and put beside each other to be shipped.

    python -m models.training.evaluation.trajectory --run runs/tiny-bert --to models/pretrained/tiny-bert

Each is a whole checkpoint in a folder of its own; `trajectory.json` says how well it did on unseen text and where its
heads looked. Training dynamics in this form: Biderman et al. 2023, "Pythia", section 2.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from models.analysis import measure_heads
from models.checkpoints.bert import load_checkpoint
from models.opening.registry import load_folder
from models.training.corpora.data import TrainingData, prepare_data
from models.training.evaluation.baselines import count_bigrams
from models.training.evaluation.evaluate import evaluate
from models.training.evaluation.samples import sample_texts
from models.training.trainer.curriculum import TrainingConfig
from models.values.errors import ModelLoadError
from models.values.wording import worded

FILE = "trajectory.json"
TEXTS = 100
"""How many sentences of the held-out text the heads are measured on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One checkpoint of a run: after so many iterations and word pieces, its scores on unseen text, and its heads.

    `step` is the iteration: the file calls it so.

    Behind [MASK] `loss` is in nats, `top_1` and `top_5` are shares of right answers, as is `next_sentence`. `shares`
    holds [n_layers][n_heads] under the name of every measure of heads: `models.analysis`.
    """

    folder: str
    step: int
    pieces: int
    loss: float
    top_1: float
    top_5: float
    next_sentence: float
    shares: Mapping[str, Sequence[Sequence[float]]]

    def as_entry(self) -> dict[str, object]:
        """As it stands in the file: the measures beside the scores."""
        scores = asdict(self)
        shares = scores.pop("shares")
        return {**scores, **shares}


def iteration_of(folder: Path) -> int:
    """After how many iterations a checkpoint was written: its folder is named "step-NNNNNN"."""
    return int(folder.name.rpartition("-")[2])


def read_trajectory(folder: Path) -> tuple[Snapshot, ...]:
    """The snapshots in a folder, first to last. Raises ModelLoadError if there are none."""
    try:
        entries = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return tuple(map(_snapshot, entries))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelLoadError(
            str(folder),
            worded("{folder} does not hold the checkpoints of a run: {error}", folder=folder, error=error),
        ) from error


def _snapshot(entry: dict[str, Any]) -> Snapshot:
    """What is no score of an entry is a measure of heads."""
    scores = {field.name: entry.pop(field.name) for field in fields(Snapshot) if field.name != "shares"}
    return Snapshot(**scores, shares=entry)


def measure(folder: Path, data: TrainingData, texts: Iterable[str], *, pieces_per_iteration: int) -> Snapshot:
    """Measure one checkpoint, whose folder ends in its iteration. Raises ValueError if the run held no text out."""
    if data.held_out is None:
        raise ValueError("the run has no held-out text; name some with --held-out when pretraining.")
    model = load_checkpoint(folder).eval()
    counts = count_bigrams([data.learned], model.config.d_vocab)
    scores = evaluate(model, data.held_out, counts, n_tokens=model.config.max_tokens)
    recorder = load_folder(folder, name=folder.name, device="cpu")
    heads = measure_heads(recorder.record(text).of("encoder") for text in texts)
    behind_mask = scores.behind_mask.model
    iteration = iteration_of(folder)
    return Snapshot(
        folder=folder.name,
        step=iteration,
        pieces=iteration * pieces_per_iteration,
        loss=round(behind_mask.loss, 4),
        top_1=round(behind_mask.top_1, 4),
        top_5=round(behind_mask.top_5, 4),
        next_sentence=round(scores.next_sentence, 4),
        shares={measure.name: _rounded(heads.of(measure.name).tolist()) for measure in heads.measures},
    )


def write_trajectory(snapshots: Iterable[Snapshot], source: Path, target: Path) -> None:
    """Copy the checkpoints from `source` to `target`, and write what was measured beside them."""
    target.mkdir(parents=True, exist_ok=True)
    kept = list(snapshots)
    for snapshot in kept:
        shutil.copytree(source / snapshot.folder, target / snapshot.folder, dirs_exist_ok=True)
    lines = ",\n".join(json.dumps(snapshot.as_entry()) for snapshot in kept)
    (target / FILE).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _rounded(shares: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[round(share, 4) for share in heads] for heads in shares]


def main() -> None:
    """Read the command line, measure every snapshot of a run, ship them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="the folder of a run made with --snapshots")
    parser.add_argument("--to", type=Path, required=True, help="where the checkpoints are to be shipped")
    arguments = parser.parse_args()
    data = prepare_data(arguments.run, [], [], 0)
    if data.held_out is None:
        raise SystemExit("the run has no held-out text; name some with --held-out when pretraining.")
    texts = sample_texts(data.held_out, data.tokenizer, TEXTS)
    folders = sorted((arguments.run / "snapshots").iterdir())
    pieces = TrainingConfig().pieces_per_batch
    snapshots = [measure(folder, data, texts, pieces_per_iteration=pieces) for folder in folders]
    write_trajectory(snapshots, arguments.run / "snapshots", arguments.to)
    for snapshot in snapshots:
        sys.stdout.write(f"{snapshot.folder}: loss {snapshot.loss}, top-1 {snapshot.top_1}\n")


if __name__ == "__main__":
    main()
