"""The shipped checkpoints of one run: each opens in both implementations, and attention takes shape along the way."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from models.huggingface.model import load_huggingface
from models.opening.entries import PRETRAINED, ROOT
from models.scratch_models.encoder import load_scratch
from models.training.snapshots.trajectory import FILE, Snapshot, read_trajectory
from models.values.errors import ModelLoadError
from tests.closeness import assert_close

FOLDER = ROOT / PRETRAINED / "tiny-bert"
TEXT = "The old man sat by the fire, and the old dog lay at his feet."
SNAPSHOTS = read_trajectory(FOLDER)


def test_the_run_is_shipped_from_start_to_end_and_is_small() -> None:
    iterations = [snapshot.step for snapshot in SNAPSHOTS]
    assert len(iterations) >= 8
    assert iterations[0] == 0
    assert all(one < other for one, other in pairwise(iterations))
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} == {snapshot.folder for snapshot in SNAPSHOTS}
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 16_000_000


@pytest.mark.parametrize("snapshot", SNAPSHOTS, ids=lambda snapshot: snapshot.folder)
def test_every_checkpoint_opens_in_both_implementations(snapshot: Snapshot) -> None:
    folder = FOLDER / snapshot.folder
    ours = load_scratch(folder, name=snapshot.folder, device="cpu").record(TEXT)
    theirs = load_huggingface(str(folder), name=snapshot.folder).record(TEXT)
    assert ours.tokens == theirs.tokens
    assert_close(ours.hidden_states, theirs.hidden_states)
    assert np.shape(snapshot.shares["previous"]) == (ours.info.n_layers, ours.info.n_heads)


def test_it_learns_and_heads_take_shape() -> None:
    first, last = SNAPSHOTS[0], SNAPSHOTS[-1]
    d_vocab = json.loads((FOLDER / last.folder / "config.json").read_text())["vocab_size"]
    assert first.loss == pytest.approx(np.log(d_vocab), abs=0.3)
    assert first.top_1 < 0.05
    assert last.top_1 > 0.2
    rises = [other.loss - one.loss for one, other in pairwise(SNAPSHOTS) if other.loss >= one.loss]
    assert len(rises) <= 1  # on the plateau of a model that knows frequencies alone
    assert max(rises, default=0.0) < 0.01
    for name in ("previous", "next"):
        assert np.max(last.shares[name]) > 0.5
        assert np.max(last.shares[name]) > np.max(first.shares[name]) + 0.3


def test_what_is_written_beside_a_head_is_what_it_does() -> None:
    last = SNAPSHOTS[-1]
    record = load_scratch(FOLDER / last.folder, name="last", device="cpu").record(TEXT).of("encoder")
    layer, head = np.unravel_index(np.argmax(last.shares["previous"]), np.shape(last.shares["previous"]))
    before = np.diagonal(record.weights(int(layer), int(head)), offset=-1)[1:-1]
    assert before.mean() == pytest.approx(np.max(last.shares["previous"]), abs=0.25)


def test_a_folder_without_checkpoints_is_refused_in_words(tmp_path) -> None:
    with pytest.raises(ModelLoadError, match="checkpoints of a run"):
        read_trajectory(tmp_path)
    (tmp_path / FILE).write_text('[{"step": 1}]')
    with pytest.raises(ModelLoadError, match="checkpoints of a run"):
        read_trajectory(tmp_path)
