"""What a device cannot do is said of the device, in every place where an error of a model becomes a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
import torch
from torch import nn

from models.checkpoints.device_faults import device_fault, is_memory_fault
from models.checkpoints.devices import pick_dtype
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import load
from models.values.errors import DeviceError, DeviceMemoryError, HeadlightError, UnsupportedModelError
from models.values.probing.contrast import Contrast
from tests.models.huggingface.families import FAMILIES, save

ON_CUDA = (
    "CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 79.15 GiB of which 512.00 MiB is "
    "free. Including non-PyTorch memory, this process has 78.60 GiB memory in use."
)
MEMORY = {
    "cuda": (torch.cuda.OutOfMemoryError(ON_CUDA), ("2.50 GiB", "512.00 MiB", "79.15 GiB")),
    "cuda of old": (
        torch.OutOfMemoryError(
            "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.79 GiB total capacity; 6.01 GiB already "
            "allocated; 10.88 MiB free; 6.06 GiB reserved in total by PyTorch)"
        ),
        ("20.00 MiB", "10.88 MiB", "7.79 GiB"),
    ),
    "mps": (
        RuntimeError(
            "MPS backend out of memory (MPS allocated: 5.30 GB, other allocations: 102.40 MB, max allowed: 5.44 GB). "
            "Tried to allocate 256.00 MB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper "
            "limit for memory allocations (may cause system failure)."
        ),
        ("256.00 MiB", "40.96 MiB", "5.44 GiB"),
    ),
    "xpu": (torch.OutOfMemoryError("XPU out of memory. Tried to allocate 1024.00 KiB."), ("1.00 MiB",)),
    "cublas": (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), ()),
    "driver": (RuntimeError("CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported"), ()),
    "processor": (
        RuntimeError(
            "[enforce fail at alloc_cpu.cpp:121] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
            "allocate 17179869184 bytes. Error code 12 (Cannot allocate memory)"
        ),
        ("16.00 GiB",),
    ),
    "numpy": (np._core._exceptions._ArrayMemoryError((1024, 1024, 128), np.dtype(np.float64)), ("1.00 GiB",)),
}
OTHER_FAULTS = {
    "operation": NotImplementedError(
        "The operator 'aten::_linalg_eigh.eigenvalues' is not currently implemented for the MPS device."
    ),
    "float64": TypeError("Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64."),
    "half": RuntimeError("\"baddbmm\" not implemented for 'Half'"),
    "kernel": RuntimeError("CUDA error: no kernel image is available for execution on the device"),
    "assert": RuntimeError("CUDA error: device-side assert triggered"),
    "cudnn": RuntimeError("cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"),
    "backend": NotImplementedError("Could not run 'aten::empty.memory_format' with arguments from the 'XPU' backend."),
}
TEXT = "The man had a red car."
BLAMES_THE_MODEL = ("on its own", "BERT", "transformers says", "damaged")


def raising(error: BaseException) -> Any:
    def hook(*_: object, **__: object) -> NoReturn:
        raise error

    return hook


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(FAMILIES["bert"], tmp_path_factory.mktemp("bert"))


@pytest.mark.parametrize("name", MEMORY)
def test_a_pass_that_runs_out_of_memory_says_so_with_its_sizes(tiny: Path, name: str) -> None:
    error, sizes = MEMORY[name]
    model = load_huggingface(str(tiny), name="tiny")
    model.model.get_submodule("bert.encoder.layer.1").register_forward_hook(raising(error))
    with pytest.raises(DeviceMemoryError) as told:
        model.record(TEXT)
    said = str(told.value)
    assert all(size in said for size in sizes), said
    assert "tiny" in said
    assert "half precision" in said
    assert not any(word in said for word in BLAMES_THE_MODEL), said
    assert is_memory_fault(error)


@pytest.mark.parametrize("name", OTHER_FAULTS)
def test_what_a_device_cannot_compute_is_said_of_the_device(tiny: Path, name: str) -> None:
    error = OTHER_FAULTS[name]
    model = load_huggingface(str(tiny), name="tiny")
    model.model.get_submodule("bert.embeddings").register_forward_hook(raising(error))
    with pytest.raises(DeviceError, match="device cpu") as told:
        model.record(TEXT)
    assert str(error).splitlines()[0].rstrip(".") in str(told.value)
    assert not isinstance(told.value, DeviceMemoryError)
    assert "BERT" not in str(told.value)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"),
        NotImplementedError('Module [Foo] is missing the required "forward" function'),
        ValueError("You have to specify either input_ids or inputs_embeds"),
        KeyError("memory"),
    ],
)
def test_what_a_model_cannot_do_is_still_said_of_the_model(tiny: Path, error: Exception) -> None:
    model = load_huggingface(str(tiny), name="tiny")
    model.model.get_submodule("bert.embeddings").register_forward_hook(raising(error))
    with pytest.raises(UnsupportedModelError, match="on its own"):
        model.record(TEXT)
    assert device_fault(error, "tiny", "cuda") is None


def test_the_cause_counts_where_an_error_was_wrapped() -> None:
    error = ValueError("The forward pass failed.")
    error.__cause__ = torch.OutOfMemoryError(ON_CUDA)
    fault = device_fault(error, "tiny", "cuda:1")
    assert isinstance(fault, DeviceMemoryError)
    assert "cuda:1" in str(fault)


def test_a_model_that_does_not_fit_when_it_is_opened_is_not_called_unreadable(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nn.Linear, "forward", raising(MEMORY["cuda"][0]))
    with pytest.raises(DeviceMemoryError, match="tiny"):
        load_huggingface(str(tiny), name="tiny")


@pytest.mark.parametrize("error", [MEMORY["processor"][0], MEMORY["numpy"][0], MemoryError()])
def test_files_that_do_not_fit_into_memory_are_not_called_damaged(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr("transformers.modeling_utils.PreTrainedModel.from_pretrained", raising(error))
    with pytest.raises(DeviceMemoryError, match=r"device cpu .*tiny"):
        load_huggingface(str(tiny), name="tiny")


WORDS: dict[str, tuple[object, ...]] = {
    "next_sentence": (TEXT, TEXT),
    "fill_mask": ("The [MASK] slept.",),
    "masked_words": ("The [MASK] slept.",),
    "predict_by_layer": ("The [MASK] slept.",),
    "fill_jointly": ("The [MASK] slept.",),
}
ASKED_OF = {
    "headlight-bert": (
        "record",
        "record_shuffled",
        "walk",
        "masked_words",
        "fill_mask",
        "predict_by_layer",
        "fill_jointly",
        "next_sentence",
        "guess_tokens",
        "answers_under",
        "gradients",
        "layer_inputs",
        "head_circuits",
        "answer_streams",
        "score_streams",
    ),
    "mini-llama": ("record", "walk", "continue_text", "time_writing", "guess_tokens", "answer_logits", "write_without"),
    "translator-es": ("record", "translate", "walk", "write_without"),
    "sentiment": ("label_text", "answer_logits"),
    "tagger": ("label_tokens",),
}
CONTRAST = Contrast(of="sentence", position=None, answer=0, rival=1)
CHOICES: dict[str, dict[str, Any]] = {
    "record_shuffled": {"with_positions": True},
    "walk": {"layer": 0, "head": 0},
    "write_without": {"heads": ()},
    **{question: {"text_b": TEXT, "contrast": CONTRAST} for question in ("gradients", "answer_streams")},
    "score_streams": {"place": ("encoder", 1, 0), "query": 2, "key": 1},
    "answers_under": {"text_b": TEXT, "contrast": CONTRAST, "changes": ()},
}


@pytest.mark.parametrize("name", ASKED_OF)
def test_every_question_to_a_model_of_ours_says_that_the_memory_did_not_suffice(name: str) -> None:
    model: Any = load(name, device="cpu")
    for module in model.model.modules():
        if isinstance(module, nn.Linear):
            module.register_forward_hook(raising(torch.OutOfMemoryError(ON_CUDA)))
    for question in ASKED_OF[name]:
        choices = dict(CHOICES.get(question, {}))
        if question == "walk":
            choices["kind"] = model.info.kinds[0]
        with pytest.raises(DeviceMemoryError, match=name):
            getattr(model, question)(*WORDS.get(question, (TEXT,)), **choices)


def test_a_batch_that_does_not_fit_says_so() -> None:
    model: Any = load("mini-bert", device="cpu")
    model.model.encoder.layers[0].register_forward_hook(raising(torch.OutOfMemoryError(ON_CUDA)))
    with pytest.raises(DeviceMemoryError, match="mini-bert"):
        model.record_all([model.prepare_together(TEXT), model.prepare_together(TEXT)])


def test_reading_states_with_the_lm_head_does_not_hide_that_the_memory_did_not_suffice(tiny: Path) -> None:
    model = load_huggingface(str(tiny), name="tiny")
    model.model.get_submodule("cls").register_forward_hook(raising(torch.OutOfMemoryError(ON_CUDA)))
    with pytest.raises(DeviceMemoryError):
        model.predict_by_layer("The [MASK] slept.")


def test_errors_of_ours_pass_as_they_are(tiny: Path) -> None:
    assert isinstance(load_huggingface(str(tiny)), HuggingFaceModel)
    with pytest.raises(HeadlightError) as told:
        load_huggingface(str(ROOT / PRETRAINED / "nothing"))
    assert not isinstance(told.value, DeviceError)


@pytest.mark.parametrize("name", ["int8", "double", "auto", ""])
def test_an_unknown_precision_is_a_sentence(name: str) -> None:
    with pytest.raises(DeviceError, match="bfloat16"):
        load("mini-bert", dtype=name)
    assert pick_dtype(torch.float16) is pick_dtype("float16") is pick_dtype("torch.float16") is torch.float16
