"""The checkpoints of one run from its start to its end, measured alike and put beside each other to be shipped.

    python -m recipes.evaluation.trajectory --run runs/tiny-bert --to models/pretrained/tiny-bert

Each is a whole checkpoint in a folder of its own; `trajectory.json` says how well it did on unseen text and where its
heads looked. Training dynamics in this form: Biderman et al. 2023, "Pythia", section 2.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from models.analysis import measure_heads
from models.checkpoints.bert import load_checkpoint
from models.opening.folders import load_folder
from models.training.snapshots.trajectory import FILE, Snapshot, iteration_of
from recipes.corpora.data import TrainingData, prepare_data
from recipes.evaluation.baselines import count_bigrams
from recipes.evaluation.evaluate import evaluate
from recipes.evaluation.samples import sample_texts
from recipes.pretraining.curriculum import TrainingConfig

TEXTS = 100
"""How many sentences of the held-out text the heads are measured on."""


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
