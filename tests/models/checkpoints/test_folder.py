"""A checkpoint is opened with its own weights and none that were drawn, in every layout."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from models.opening.entries import ROOT
from models.opening.registry import REGISTRY, load

EMBEDDED = [name for name, entry in REGISTRY.items() if entry.is_embedded and "/" not in name]


@pytest.mark.parametrize("name", EMBEDDED)
def test_what_memory_held_before_does_not_matter_and_nothing_is_drawn(name: str) -> None:
    """All weights come from the files, so random ones need not be drawn first."""
    torch.manual_seed(0)
    before = torch.get_rng_state()
    first = load(name, device="cpu").model
    junk = [torch.full((size, 384), float("nan")) for size in (30_522, 8_192, 1_536, 512, 384)]
    del junk
    second = load(name, device="cpu").model
    assert torch.equal(torch.get_rng_state(), before)
    values = {**dict(first.named_parameters()), **dict(first.named_buffers())}
    again = {**dict(second.named_parameters()), **dict(second.named_buffers())}
    assert values.keys() == again.keys()
    for place, value in values.items():
        assert value.isfinite().all() or not value.is_floating_point(), place
        assert torch.equal(value, again[place]), place


def test_a_process_that_opens_models_does_not_load_the_compiler() -> None:
    """`torch._dynamo` takes as long to import as PyTorch itself. Weights drawn, or rotary frequencies computed, on the
    meta device import it, and so does transformers' configuration of a Llama."""
    question = (
        "import sys, models\n"
        "for name in ('mini-bert', 'mini-llama', 'translator-es'): models.load(name, device='cpu')\n"
        "sys.exit('torch._dynamo' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", question], cwd=ROOT, check=True)
