"""Attention over time: runs on disk, whole or half written; what snapshots make of a sentence; heads that change."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from models.analysis import find_changes, measure_heads
from models.analysis.changes import stretches
from models.opening.folders import load_folder
from models.scratch_models.encoder import load_scratch
from models.text.cutting import is_readable
from models.training.snapshots.over_time import (
    CROSS_PLACES,
    MOST_SNAPSHOTS,
    embedded_runs,
    is_whole,
    measure_places,
    read_snapshot,
    snapshots_of,
)
from models.values.errors import HeadlightError, ModelLoadError, RecordError, SelectionError, TextError
from models.values.history import ATTENDS, IGNORES, History, RunSnapshot, SnapshotReading, Trajectory, history_of
from tests.closeness import CloseTo, assert_close
from tests.models.huggingface.families import FAMILIES, save
from viz.kit.demos.records import random_record, tokens_of
from viz.training.over_time.demo import history as made_up

TINY = embedded_runs()[0].folder
TEXT = "The old man sat by the [MASK], and the old dog lay at his feet."
STEPS = (0, 359, 604, 1708)


def test_the_places_of_cross_attention_are_its_two_diagonals() -> None:
    record = random_record(tokens=tokens_of("[CLS] a b c"), key_tokens=tokens_of("d e f g h [SEP]"))
    same, mirrored = (measure_places(record).of(measure.name) for measure in CROSS_PLACES)
    words = [position for position, token in enumerate(record.key_tokens) if not token.is_special]
    n = min(record.n_query, len(words))
    for layer, head in np.ndindex(record.n_layers, record.n_heads):
        weights = record.weights(layer, head)
        assert_close(same[layer, head], weights[range(n), words[:n]].mean())
        assert_close(mirrored[layer, head], weights[range(n), words[::-1][:n]].mean())


@pytest.fixture(scope="module")
def read() -> History:
    """The embedded run with a sentence."""
    run = snapshots_of(TINY)
    return History(trajectory=run, readings=tuple(read_snapshot(Path(one.folder), TEXT) for one in run.snapshots))


def a_run(folder: Path, iterations: tuple[int, ...], *, inner: str = "snapshots") -> Path:
    """A run of the training lab with the embedded checkpoints of these iterations."""
    for iteration in iterations:
        shutil.copytree(TINY / f"step-{iteration:06d}", folder / inner / f"step-{iteration:06d}")
    return folder


# -- changes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([0.1, 0.1, 0.6, 0.7], [(1, 2, True)]),
        ([0.1, 0.2, 0.3, 0.45, 0.52], [(1, 4, True)]),
        ([0.1, 0.6, 0.2, 0.1, 0.7], [(0, 1, True), (1, 2, False), (3, 4, True)]),
        ([0.8, 0.6, 0.2], [(1, 2, False)]),
        ([0.2, np.nan, 0.5], [(0, 2, True)]),
        ([0.24, 0.26, 0.24, 0.26, 0.3], []),
        ([0.45, 0.51, 0.49, 0.51, 0.26], []),
        ([0.6, 0.7, 0.9], []),
        ([0.25, 0.9], []),
        ([0.1, 0.49, 0.1, 0.49], []),
        ([0.9], []),
        ([], []),
    ],
)
def test_a_change_leads_from_below_a_quarter_to_a_half_or_back_and_nothing_else_is_one(shares, expected) -> None:
    assert list(stretches(np.array(shares, dtype=np.float32))) == expected


def test_noise_and_slow_drift_make_no_change() -> None:
    generator = np.random.default_rng(0)
    for centre in (0.1, 0.3, 0.45, 0.5, 0.8):
        wobble = centre + generator.uniform(-0.12, 0.12, size=(200, 12)).astype(np.float32)
        assert not [change for series in wobble for change in stretches(series)]
    assert not list(stretches(np.linspace(0.1, 0.49, 30, dtype=np.float32)))


def test_every_change_is_one_of_more_than_a_quarter_between_snapshots_in_order() -> None:
    series = np.random.default_rng(1).uniform(size=(300, 10)).astype(np.float32)
    found = [(one, change) for one in series for change in stretches(one)]
    assert len(found) > 300
    for shares, (start, end, is_towards) in found:
        before, after = (shares[start], shares[end]) if is_towards else (shares[end], shares[start])
        assert start < end
        assert before < IGNORES < ATTENDS <= after


def test_the_changes_of_a_made_up_run_are_those_that_were_made() -> None:
    found = {
        (change.layer, change.head, change.measure.name, change.is_towards)
        for change in find_changes(made_up(), "encoder")
    }
    assert found == {(0, 1, "previous", True), (1, 2, "next", True), (1, 0, "same", True)}


def test_the_embedded_run_has_a_head_that_begins_to_attend_to_the_previous_token(read: History) -> None:
    changes = find_changes(read, "encoder")
    first = changes[0]
    assert (first.measure.name, first.is_towards) == ("previous", True)
    assert first.sentence == (
        f"Layer {first.layer} · Head {first.head} begins to look at the previous token between iterations "
        f"{first.start_iteration:,} and {first.end_iteration:,}: {first.start_share:.0%} → "
        f"{first.end_share:.0%}."
    )
    weights = read.last.recording.of("encoder").weights(first.layer, first.head)
    assert np.diagonal(weights, offset=-1)[1:-1].mean() > 0.5
    at_first = read.readings[0].recording.of("encoder").weights(first.layer, first.head)
    assert np.diagonal(at_first, offset=-1)[1:-1].mean() < 0.25


def test_changes_on_unseen_text_are_those_of_the_shares_that_were_shipped(read: History) -> None:
    changes = find_changes(read, "encoder", unseen=True)
    shipped = json.loads((TINY / "trajectory.json").read_text())
    for change in changes:
        before, after = (
            shipped[at][change.measure.name][change.layer][change.head] for at in (change.start, change.end)
        )
        assert (change.start_share, change.end_share) == CloseTo((before, after))
        low, high = sorted((before, after))
        assert low < IGNORES < ATTENDS <= high
    assert "previous" in {change.measure.name for change in changes}


# -- numbers ----------------------------------------------------------------------------------------------------------


def test_shares_are_the_measures_of_the_same_snapshot(read: History) -> None:
    for at, iteration in enumerate(read.iterations):
        if iteration in STEPS:
            record = load_scratch(Path(read.snapshots[at].folder), name="x", device="cpu").record(TEXT).of("encoder")
            expected = measure_heads([record])
            for measure in read.measures("encoder"):
                shares = read.shares("encoder", measure.name)[at]
                assert_close(shares, expected.of(measure.name))
    with pytest.raises(SelectionError, match="not measured"):
        read.shares("cross", "previous")


def test_predictions_are_the_model_s_own(read: History) -> None:
    for snapshot, reading in list(zip(read.snapshots, read.readings, strict=True))[:: len(read.iterations) - 1]:
        own = load_scratch(Path(snapshot.folder), name="x", device="cpu").fill_mask(TEXT, top_k=4)
        assert reading.answer is not None
        assert reading.answer.positions == (own[0].position,)
        assert reading.answer.best(0, 4) == own[0].choices


def test_a_decoder_is_measured_without_the_next_token_and_with_the_first() -> None:
    tokens = tuple(replace(token, is_special=False) for token in random_record().key_tokens)
    record = random_record(tokens=tokens, causal=True)
    shares = measure_heads([record])
    assert [measure.name for measure in shares.measures] == ["previous", "same", "first"]
    weights = np.stack([record.layer_weights(layer) for layer in range(record.n_layers)])
    assert_close(shares.values[2], weights[..., 0].mean(axis=-1))


def test_a_run_of_causal_models_says_how_it_goes_on(tmp_path: Path) -> None:
    reading = read_snapshot(save(FAMILIES["gpt2"], tmp_path), "the animal was tired")
    assert reading.recording.kinds == ("decoder",)
    assert reading.answer is not None
    assert reading.answer.question == "next"
    assert reading.answer.positions == (len(reading.recording.tokens) - 1,)
    assert 0 < reading.answer.best(0, 1)[0].probability <= 1


def test_a_translator_reads_the_same_target_at_every_snapshot(tmp_path: Path) -> None:
    config = FAMILIES["bart"].config()
    config.decoder_layers = config.encoder_layers
    torch.manual_seed(0)
    folder = save(FAMILIES["bart"], tmp_path, model=FAMILIES["bart"].model_class(config).eval())
    own = read_snapshot(folder, "the animal was tired")
    given = read_snapshot(folder, "the animal was tired", "he bought bread")
    assert own.written == given.written
    assert {shares.kind for shares in given.shares} == {"encoder", "decoder", "cross"}
    assert "encoder" in {shares.kind for shares in own.shares}  # it writes nothing: no word piece in its decoder
    words = [token.text for token in given.recording.of("cross").query_tokens]
    assert any("bread" in word for word in words) or len(words) > 3
    assert words != [token.text for token in own.recording.of("cross").query_tokens]


def test_a_snapshot_that_writes_nothing_that_can_be_seen_reads_its_own_text(tmp_path: Path) -> None:
    config = FAMILIES["bart"].config()
    config.decoder_layers = config.encoder_layers
    torch.manual_seed(0)
    folder = save(FAMILIES["bart"], tmp_path, model=FAMILIES["bart"].model_class(config).eval())
    invisible = "\x13\x13 \u200b"
    assert not is_readable(invisible)
    assert is_readable("\x13a")
    own = load_folder(folder, name="own", device="cpu").record("the animal was tired")
    given = read_snapshot(folder, "the animal was tired", invisible).recording
    assert given.of("cross").query_tokens == own.of("cross").query_tokens


# -- runs on disk -----------------------------------------------------------------------------------------------------


def test_the_embedded_run_comes_with_what_was_measured(read: History) -> None:
    run = read.trajectory
    assert run.snapshots[0].tokens == 0
    assert_close(run.snapshots[-1].loss, 4.0085)
    assert [point.unseen for point in run.curve] == [snapshot.loss for snapshot in run.snapshots]
    assert read.shares("encoder", "previous", unseen=True).shape == (len(run.snapshots), 2, 4)
    assert not run.note


def test_a_run_of_the_lab_is_read_with_its_metrics(tmp_path: Path) -> None:
    folder = a_run(tmp_path, STEPS)
    lines = [
        {"step": 10, "tokens": 100, "loss": 7.5, "accuracy": 0.1},
        {"step": 359, "tokens": 3590, "loss": 5.0, "accuracy": 0.2, "held_out_loss": 5.5, "held_out_accuracy": 0.15},
        {"step": 600, "tokens": 6000, "loss": 4.0, "accuracy": 0.3},
    ]
    text = "\n".join([*map(json.dumps, lines), "not json", '{"loss": 1}', '{"step": 605, "loss": 3'])
    (folder / "metrics.jsonl").write_text(text)
    run = snapshots_of(folder, name="mine")
    assert run.name == "mine"
    assert [snapshot.iteration for snapshot in run.snapshots] == list(STEPS)
    assert [snapshot.loss for snapshot in run.snapshots] == [None, 5.5, 4.0, 4.0]
    assert [snapshot.accuracy for snapshot in run.snapshots] == [None, 0.15, 0.3, 0.3]
    assert [snapshot.tokens for snapshot in run.snapshots] == [0, 3590, 6000, 6000]
    assert [(point.iteration, point.training, point.unseen) for point in run.curve] == [
        (10, 7.5, None),
        (359, 5.0, 5.5),
        (600, 4.0, None),
    ]
    assert not run.unseen


def test_snapshots_that_are_not_written_to_the_end_are_left_out_and_said(tmp_path: Path) -> None:
    folder = a_run(tmp_path, STEPS)
    weights = folder / "snapshots" / "step-000604" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    (folder / "snapshots" / "step-001708" / "config.json").unlink()
    shutil.copytree(folder / "snapshots" / "step-000359", folder / "snapshots" / ".step-000400")
    (folder / "snapshots" / "step-000500").mkdir()
    run = snapshots_of(folder)
    assert [snapshot.iteration for snapshot in run.snapshots] == [0, 359]
    assert "3 snapshots" in run.note


@pytest.mark.parametrize("content", [b"", b"\x00" * 4, b"\xff" * 16, b"\x02" + b"\x00" * 7 + b"{}", b"{}" * 20])
def test_what_is_no_weights_file_is_not_whole(tmp_path: Path, content: bytes) -> None:
    folder = a_run(tmp_path, (0,)) / "snapshots" / "step-000000"
    assert is_whole(folder)
    (folder / "model.safetensors").write_bytes(content)
    assert not is_whole(folder)


@pytest.mark.parametrize("made", ["nothing", "empty"])
def test_a_run_without_snapshots_is_an_error_in_words(tmp_path: Path, made: str) -> None:
    folder = tmp_path / "mine"
    if made == "empty":
        (folder / "snapshots").mkdir(parents=True)
    with pytest.raises(ModelLoadError, match="no snapshots yet"):
        snapshots_of(folder)


def test_of_very_many_snapshots_some_are_read_the_ends_among_them(tmp_path: Path) -> None:
    source = TINY / "step-000000"
    for iteration in range(60):
        place = tmp_path / "snapshots" / f"step-{iteration:06d}"
        place.mkdir(parents=True)
        for file in ("config.json", "model.safetensors"):
            (place / file).symlink_to(source / file)
    run = snapshots_of(tmp_path)
    iterations = [snapshot.iteration for snapshot in run.snapshots]
    assert len(iterations) == MOST_SNAPSHOTS
    assert (iterations[0], iterations[-1]) == (0, 59)
    assert "of 60" in run.note


def test_a_snapshot_that_cannot_be_opened_is_left_out(read: History) -> None:
    readings: list[SnapshotReading | None] = [*read.readings]
    readings[3] = None
    kept = history_of(read.trajectory, readings)
    assert len(kept.readings) == len(kept.trajectory.unseen) == len(read.readings) - 1
    assert read.iterations[3] not in kept.iterations
    assert "1 of 10" in kept.trajectory.note
    with pytest.raises(RecordError, match="no snapshots"):
        history_of(read.trajectory, [None] * len(readings))


def test_a_checkpoint_without_a_tokenizer_is_an_error_of_ours(tmp_path: Path) -> None:
    folder = a_run(tmp_path, (0,)) / "snapshots" / "step-000000"
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(HeadlightError):
        read_snapshot(folder, TEXT)


def test_snapshots_out_of_order_are_refused() -> None:
    with pytest.raises(RecordError, match="expected them to rise"):
        Trajectory(name="x", snapshots=(RunSnapshot(folder="a", iteration=2), RunSnapshot(folder="b", iteration=2)))


def test_long_and_empty_sentences() -> None:
    folder = TINY / "step-000000"
    reading = read_snapshot(folder, "word " * 400)
    assert len(reading.recording.tokens) == 128
    assert "128" in reading.recording.note
    with pytest.raises(TextError):
        read_snapshot(folder, "  ")
    assert read_snapshot(folder, "no mask").answer is None
