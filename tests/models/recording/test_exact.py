"""What is found by comparing numbers is computed in float32, and leaves the settings of torch as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
import torch
from torch import nn

from models.huggingface.model import load_huggingface
from models.recording.exact import counterpart, exact_copy, exact_products
from tests.models.huggingface.families import FAMILIES, save

BACKENDS: Any = torch.backends
NEWER = (BACKENDS.cuda.matmul, BACKENDS.mkldnn.matmul, BACKENDS.cudnn.conv, BACKENDS.cudnn.rnn)


def settings() -> list[object]:
    older: list[object] = []
    for read in (torch.get_float32_matmul_precision, lambda: BACKENDS.cudnn.allow_tf32):
        try:
            older.append(read())
        except RuntimeError:
            older.append("set by their newer names")
    return [*older, *(each.fp32_precision for each in NEWER)]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    newer, convolutions = [each.fp32_precision for each in NEWER], BACKENDS.cudnn.allow_tf32
    yield
    for each, precision in zip(NEWER, newer, strict=True):
        each.fp32_precision = precision
    torch.set_float32_matmul_precision("highest")
    BACKENDS.cudnn.allow_tf32 = convolutions


def by_newer_names() -> None:
    for each in NEWER[:2]:
        each.fp32_precision = "tf32"


WAYS: dict[str, Callable[[], object]] = {
    "as torch begins": lambda: None,
    "high": lambda: torch.set_float32_matmul_precision("high"),
    "medium": lambda: torch.set_float32_matmul_precision("medium"),
    "of old": lambda: setattr(BACKENDS.cuda.matmul, "allow_tf32", True),
    "convolutions": lambda: setattr(BACKENDS.cudnn, "allow_tf32", False),
    "by newer names": by_newer_names,
}


@pytest.mark.parametrize("way", WAYS)
def test_products_are_exact_inside_and_as_before_outside(way: str) -> None:
    WAYS[way]()
    before = settings()
    with exact_products(), exact_products():
        assert not {"tf32", "bf16"} & {str(each.fp32_precision) for each in NEWER}
    assert settings() == before


def test_the_last_of_two_threads_puts_the_settings_back() -> None:
    torch.set_float32_matmul_precision("high")
    both, seen = Barrier(2), list[str]()

    def one(first_out: bool) -> None:
        with exact_products():
            both.wait(timeout=10)
            if first_out:
                return
            both.wait(timeout=10)
            seen.append(torch.get_float32_matmul_precision())

    threads = [Thread(target=one, args=(first_out,)) for first_out in (True, False)]
    for thread in threads:
        thread.start()
    threads[0].join(timeout=10)
    both.wait(timeout=10)
    threads[1].join(timeout=10)
    assert seen == ["highest"]
    assert torch.get_float32_matmul_precision() == "high"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(FAMILIES["bert"], tmp_path_factory.mktemp("bert"))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_model_is_tried_with_exact_products(tiny: Path, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_float32_matmul_precision("medium")
    seen = set[tuple[str, torch.dtype]]()
    own = nn.Linear.forward

    def forward(self: nn.Linear, given: torch.Tensor) -> torch.Tensor:
        seen.add((torch.get_float32_matmul_precision(), given.dtype))
        return own(self, given)

    monkeypatch.setattr(nn.Linear, "forward", forward)
    model = load_huggingface(str(tiny), name="tiny", dtype=dtype)
    last_pass = {("medium", torch.bfloat16)} if dtype == "bfloat16" else set()
    assert seen - last_pass == {("highest", torch.float32)}
    seen.clear()
    model.walk("The man slept.", layer=0, head=0)
    assert seen == {("highest", torch.float32)}
    assert torch.get_float32_matmul_precision() == "medium"


def test_a_copy_in_float32_shares_what_the_model_shares_and_leaves_the_model_alone() -> None:
    embedding = nn.Embedding(5, 4)
    unembedding = nn.Linear(4, 5, bias=False)
    unembedding.weight = embedding.weight
    norm = nn.BatchNorm1d(4)
    model = nn.Sequential(embedding, unembedding, norm).to(torch.bfloat16)
    copied = exact_copy(model)
    assert {each.dtype for each in copied.parameters()} == {torch.float32}
    assert {each.dtype for each in model.parameters()} == {torch.bfloat16}
    assert copied[0].weight is copied[1].weight
    assert copied[2].running_mean.dtype == torch.float32
    assert copied[2].num_batches_tracked.dtype == torch.int64
    assert counterpart(copied, model, unembedding) is copied[1]
    assert exact_copy(copied) is copied
