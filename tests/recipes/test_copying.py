"""The model that copies letters: its recipe is the lab's, and its card says what was measured of its snapshots."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np

from lab.blueprint import configuration
from lab.presets import PRESETS, QUICK
from lab.work import fit_config
from models.opening.entries import PRETRAINED, ROOT
from models.opening.folders import load_folder
from models.training.snapshots.over_time import measure_places, snapshots_of
from models.training.trainer.fit import METRICS
from recipes.translators.copying import (
    HELD_OUT,
    KEPT,
    LEARNED,
    LONGEST,
    SHORTEST,
    SIZES,
    TRAINING,
    copying_task,
    letter_rows,
    train_copier,
)
from tests.closeness import assert_close

FOLDER = ROOT / PRETRAINED / "copier"


def test_rows_of_letters_are_different_and_of_every_length() -> None:
    rows = letter_rows(200, seed=1)
    lengths = {len(row.split()) for row in rows}
    assert len(set(rows)) == 200
    assert lengths == set(range(SHORTEST, LONGEST + 1))
    assert rows == letter_rows(200, seed=1) != letter_rows(200, seed=2)


def test_sizes_and_training_are_those_of_copy_in_the_lab() -> None:
    recipe = PRESETS["copy"][QUICK]
    assert configuration(recipe, SIZES.d_vocab) == SIZES
    of_the_lab = fit_config(recipe)
    assert replace(of_the_lab, snapshots=0, measurements=TRAINING.measurements) == TRAINING


def test_a_training_leaves_its_snapshots_and_measures(tmp_path) -> None:
    few = replace(TRAINING, iterations=4, rows=4, measurements=2)
    measures = train_copier(tmp_path, few, (0, 2, 4))
    trajectory = snapshots_of(tmp_path)
    assert [snapshot.iteration for snapshot in trajectory.snapshots] == [0, 2, 4]
    assert [line["step"] for line in measures] == [0, 2, 4]
    assert_close(
        [snapshot.loss for snapshot in trajectory.snapshots],
        [line["held_out_loss"] for line in measures],
    )
    begun = load_folder(tmp_path / "step-000000", name="begun", device="cpu").record("a b c", "a b c")
    fresh = copying_task(seed=few.seed).model.parameters()
    assert begun.info.n_parameters == sum(weight.numel() for weight in fresh)


def test_the_table_of_the_card_is_that_of_the_checkpoints() -> None:
    lines = {line["step"]: line for line in map(json.loads, (FOLDER / METRICS).read_text().splitlines())}
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"^\| \d.*$", card, re.MULTILINE)
    ]
    assert [int(row[0]) for row in rows] == list(KEPT)
    for row in rows:
        line = lines[int(row[0])]
        measured = (line[f"held_out_{name}"] for name in ("loss", "accuracy", "exact_match"))
        assert row[1:5] == [f"{line['tokens']:,}", *(f"{value:.3f}" for value in measured)]
    held_out = letter_rows(LEARNED + HELD_OUT, seed=TRAINING.seed)[:HELD_OUT:8]
    for row in rows[::5]:
        model = load_folder(FOLDER / f"step-{int(row[0]):06d}", name="copier", device="cpu")
        shares = [measure_places(model.record(text, text).of("cross")).values[0, 0] for text in held_out]
        assert_close(np.mean(shares, axis=0), [float(cell) for cell in row[5:]], tolerance=0.03, magnitude=1.0)
