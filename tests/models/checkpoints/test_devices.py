"""A model runs on a device that is not the processor, and comes back to the processor where that device cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from models.checkpoints.devices import joined_place, put_on, split_place
from models.huggingface.model import load_huggingface
from models.opening.registry import load
from models.scratch.rotary import rotary_frequencies
from models.values.errors import DeviceError, DeviceMemoryError
from models.values.record import Recording
from tests.models.fake_device import NAME, fake_device
from tests.models.huggingface.families import FAMILIES, save
from tests.models.same_recordings import expect_same_recording

TEXT = "The animal didn't cross the street because it was too tired."
ON_THE_DEVICE = ("bert", "esm", "t5")
"""Scales in the queries, rotary and relative positions, an encoder beside a decoder."""
NORM = {"layer_norm", "native_layer_norm"}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: save(FAMILIES[name], tmp_path_factory.mktemp(name)) for name in ON_THE_DEVICE}


def expect_same(found: Recording, expected: Recording) -> None:
    """But for the name of the device."""
    object.__setattr__(found, "info", expected.info)
    expect_same_recording(found, expected)


@pytest.mark.parametrize("name", ON_THE_DEVICE)
def test_a_device_without_float64_gives_what_the_processor_gives(folders: dict[str, Path], name: str) -> None:
    expected = load_huggingface(str(folders[name]), name="tiny")
    with fake_device():
        model = load_huggingface(str(folders[name]), name="tiny", device=NAME)
        assert model.info.device.startswith(NAME)
        found = model.record(TEXT)
    expect_same(found, expected.record(TEXT))


@pytest.mark.parametrize("name", ["mini-bert", "mini-llama"])
def test_models_of_ours_run_there(name: str) -> None:
    expected = load(name, device="cpu").record("The man has a car.")
    with fake_device():
        model = load(name)
        assert model.info.device.startswith(NAME)
        found = model.record("The man has a car.")
    expect_same(found, expected)


def test_auto_goes_back_to_the_processor_where_the_memory_does_not_suffice(folders: dict[str, Path]) -> None:
    for name in (str(folders["bert"]), "mini-bert"):
        with fake_device(n_bytes=20_000):
            model = load(name)
            with pytest.raises(DeviceMemoryError, match=f"device {NAME}"):
                load(name, device=NAME)
            assert model.info.device == "cpu"
            (note,) = model.info.notes
            assert NAME in note
            assert "processor" in note
            assert "free" in note
            found = model.record(TEXT)
        expect_same(found, load(name, device="cpu").record(TEXT))


def test_auto_goes_back_to_the_processor_where_an_operation_is_missing(folders: dict[str, Path]) -> None:
    for name in (str(folders["bert"]), "mini-bert", "mini-gpt"):
        with fake_device(lacks=NORM):
            model = load(name)
            with pytest.raises(DeviceError, match="layer_norm"):
                load(name, device=NAME)
            assert model.info.device == "cpu"
            assert "layer_norm" in model.info.notes[0]
            assert model.record("The man has a car.").info.device == "cpu"


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_goes_to_the_device_and_comes_back(folders: dict[str, Path], dtype: str) -> None:
    for name in (str(folders["bert"]), "mini-bert"):
        with fake_device():
            model = load(name, dtype=dtype)
            assert (model.info.device.partition(":")[0], model.info.dtype) == (NAME, dtype)
            assert model.record(TEXT).hidden_states.dtype == "float32"
        with fake_device(lacks=NORM):
            model = load(name, dtype=dtype)
        assert (model.info.device, model.info.dtype, len(model.info.notes)) == ("cpu", dtype, 1)
        assert model.record(TEXT).info.dtype == dtype


def test_a_machine_without_another_device_has_nothing_to_note() -> None:
    assert load("mini-bert").info.notes == ()


def test_layers_are_copied_one_by_one() -> None:
    text = " ".join(["The old man walked to the small house."] * 12)
    with fake_device() as device:
        model: Any = load("mini-bert")
        model.record(text)
        device.largest = 0
        recording = model.record(text)
        inner = 4 * len(recording.tokens) * model.info.d_ff
        assert 0 < device.largest <= inner, "some layers lay side by side on the device"
    assert recording.hidden_states.nbytes > inner


def test_rotary_angles_stay_exact_where_weights_do_not() -> None:
    with_angles = torch.nn.Module()
    with_angles.register_buffer("frequencies", rotary_frequencies(32))
    with_angles.register_buffer("original_inv_freq", rotary_frequencies(32))
    with_angles.wo = torch.nn.Linear(3, 3)
    with_angles.wi = torch.nn.Linear(3, 3)
    put_on(with_angles, torch.device("cpu"), torch.float16, exact={"wo"})
    kept = {name: tensor.dtype for name, tensor in (*with_angles.named_parameters(), *with_angles.named_buffers())}
    assert {name for name, dtype in kept.items() if dtype == torch.float32} == {
        "frequencies",
        "original_inv_freq",
        "wo.weight",
        "wo.bias",
    }


@pytest.mark.parametrize("place", [("cuda", "float32"), ("cuda:1", "bfloat16"), ("auto", "float16")])
def test_a_place_is_a_device_and_a_precision(place: tuple[str, str]) -> None:
    assert split_place(joined_place(*place)) == place
