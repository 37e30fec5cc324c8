"""The snapshots of a training that somebody brings back: they come along, and none is believed."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from lab import runs
from lab.data.own_text import own_texts
from lab.uploads.checkpoints import is_of_upload, zip_model
from lab.uploads.snapshots import MOST, WEIGHTS, check_snapshots, name_of_snapshot, name_of_weights
from lab.uploads.uploads import take_upload
from lab.work import carry_out
from models.opening.folders import load_folder
from models.opening.guest import GuestModel
from models.training.snapshots.over_time import read_with, snapshots_of
from models.values.errors import LabError
from tests.lab.test_uploads import LIMITS, TINY, Files, zipped


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> runs.Run:
    made = runs.create(tmp_path_factory.mktemp("lab"), replace(TINY, iterations=40, snapshots=5), None)
    carry_out(made.folder, device="cpu", why_stop=lambda: "")
    return runs.find(made.folder.parent, made.id)


@pytest.fixture(scope="module")
def files(run: runs.Run) -> Files:
    with zipfile.ZipFile(io.BytesIO(zip_model(run))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def back(files: Files, tmp_path_factory: pytest.TempPathFactory) -> runs.Run:
    """The run as it comes back, with more in the folder of a snapshot than there was."""
    name = Path(snapshots(files)[0])
    config = json.dumps({"model_type": "evil", "auto_map": {"x": "y"}}).encode()
    given = files | {str(name.with_name("config.json")): config, str(name.with_name("run.sh")): b"rm"}
    folder = tmp_path_factory.mktemp("back")
    return take_upload([("model.zip", zipped(given))], "", replace(LIMITS, folder=folder))


def snapshots(files: Files) -> list[str]:
    return [name for name in files if name_of_snapshot(name)]


def refused(files: Files, folder: Path, says: str) -> None:
    with pytest.raises(LabError, match=says):
        take_upload([("model.zip", zipped(files))], "", replace(LIMITS, folder=folder))
    assert not [*folder.iterdir()]


def test_a_model_brought_back_has_its_snapshots(run: runs.Run, back: runs.Run) -> None:
    own, theirs = (snapshots_of(each.folder).snapshots for each in (run, back))
    assert [each.iteration for each in theirs] == [each.iteration for each in own]
    assert len(own) > 3
    assert [each.loss for each in theirs] == [each.loss for each in own]
    for one, other in zip(own, theirs, strict=True):
        first, second = (
            load_folder(Path(each.folder), name="x", device="cpu").translate("a b c").recording for each in (one, other)
        )
        np.testing.assert_array_equal(first.of("cross").weights(0, 0), second.of("cross").weights(0, 0))
    assert all(is_of_upload(Path(each.folder)) for each in theirs)
    assert not any(is_of_upload(Path(each.folder)) for each in own)


def test_a_task_that_makes_its_own_rows_has_them_to_read_after_it_has_come_back(
    run: runs.Run, back: runs.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = []
    for each in (run, back):
        monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(each.folder.parent))
        texts.append([own.text for own in own_texts(each.id)])
    assert texts[0] == texts[1] != []


def test_one_process_reads_with_one_snapshot_after_another(run: runs.Run) -> None:
    first, *_, last = (Path(each.folder) for each in snapshots_of(run.folder).snapshots)
    guest = GuestModel(first, name="a stranger's")
    try:
        for folder in (last, first):
            guest.turn_to(folder)
            here = read_with(load_folder(folder, name="here", device="cpu"), "a b c", "a b")
            there = read_with(guest, "a b c", "a b")
            assert there.written == here.written
            for one, other in zip(here.shares, there.shares, strict=True):
                np.testing.assert_array_equal(one.values, other.values)
    finally:
        guest.close()


def test_a_snapshot_of_another_shape_is_refused(files: Files, tmp_path: Path) -> None:
    name = snapshots(files)[1]
    tensors = load_tensors(files[name])
    wider = {key: np.concatenate([value, value]) for key, value in tensors.items()}
    fewer = dict(list(tensors.items())[1:])
    for weights in (wider, fewer):
        refused(files | {name: save_tensors(weights)}, tmp_path, "other weights than the model")
    refused(files | {name: b"\x80\x04K\x01."}, tmp_path, "empty or cut short")


def test_numbers_that_are_none_are_refused(files: Files, tmp_path: Path) -> None:
    name = snapshots(files)[0]
    tensors = load_tensors(files[name])
    broken = {key: np.full_like(value, np.nan) if "weight" in key else value for key, value in tensors.items()}
    refused(files | {name: save_tensors(broken)}, tmp_path, "not finite numbers")


def test_more_snapshots_than_a_training_keeps_are_refused(files: Files) -> None:
    weights = files[snapshots(files)[0]]
    model = {Path(name).name: content for name, content in files.items() if not name_of_snapshot(name)}
    some = {name_of_weights(iteration): weights for iteration in range(MOST + 1)}
    with pytest.raises(LabError, match=f"{MOST + 1} snapshots, expected at most {MOST}"):
        check_snapshots(model | some, LIMITS)


def test_snapshots_that_take_too_much_are_refused(files: Files) -> None:
    model = {Path(name).name: content for name, content in files.items() if not name_of_snapshot(name)}
    large = model | {"tokenizer.json": b" " * LIMITS.model_bytes}
    check_snapshots(large, LIMITS)
    with pytest.raises(LabError, match="snapshots take 32 MB"):
        check_snapshots(large | {name_of_weights(0): model[WEIGHTS]}, LIMITS)


def test_of_a_snapshot_nothing_but_weights_is_taken(back: runs.Run) -> None:
    model = (back.folder / runs.MODEL / "config.json").read_bytes()
    for folder in runs.snapshots_of(back.folder):
        assert (folder / "config.json").read_bytes() == model
        assert not (folder / "run.sh").exists()


def test_the_same_iteration_twice_is_refused(files: Files, tmp_path: Path) -> None:
    name = snapshots(files)[0]
    refused(files | {name.replace("step-0", "step-00"): files[name]}, tmp_path, "Two files are called snapshots/step")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/snapshots/step-000010/model.safetensors", "snapshots/step-000010/model.safetensors"),
        ("SNAPSHOTS/STEP-10/MODEL.SAFETENSORS", "snapshots/step-000010/model.safetensors"),
        ("model.safetensors", ""),
        ("step-000010/model.safetensors", ""),
        ("snapshots/step-1234567890/model.safetensors", ""),
        ("snapshots/step-x/model.safetensors", ""),
    ],
)
def test_a_snapshot_is_known_by_its_place(path: str, name: str) -> None:
    assert name_of_snapshot(path) == name


def test_what_does_not_fit_an_upload_is_not_packed(run: runs.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_LAB_PARAMETERS", "0")
    room = 32 * 2**20
    model = sum(path.stat().st_size for path in (run.folder / runs.MODEL).iterdir())
    assert model * (len(runs.snapshots_of(run.folder)) + 1) < room
    monkeypatch.setattr("lab.limits.MEGABYTE", 3 * model // 32 + 1)
    with zipfile.ZipFile(io.BytesIO(zip_model(run))) as archive:
        packed = [name.split("/")[2] for name in archive.namelist() if name_of_snapshot(name)]
    whole = [folder.name for folder in runs.snapshots_of(run.folder)]
    assert packed == [whole[0], whole[-1]]
