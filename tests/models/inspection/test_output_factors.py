"""The lengths of values after W_O: those of the library's `head_norms`, in every family; none where W_O is hidden."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from models.analysis.attribution.methods.norms import head_norms
from models.analysis.contrasts import contrast_of
from models.inspection.output_factors import find_factors
from models.inspection.probing.projections import linear_map
from models.model import Model
from models.recording.attention_call import AttentionCall
from models.recording.recorder import attend
from models.values.probing.contrast import Contrast
from tests.closeness import assert_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES
from tests.models.probed import TEXT, opened, question_to

OURS = {
    "mini-bert": "The man worked as a [MASK].",
    "mini-gpt": "The animal didn't cross the",
    "translator-es": "The red house is small.",
}


def ours(name: str) -> Model:
    return load(name)


def expect_the_lengths_of_the_library(model: Model, text: str, contrast: Contrast) -> None:
    recording, streams = model.record(text), model.answer_streams(text, contrast=contrast)
    for record in recording.attention:
        assert record.output_norms is not None
        stream = streams.of(record.kind)
        for layer, head in np.ndindex(record.n_layers, record.n_heads):
            expected = head_norms(record, stream.attention(record.kind, layer), head)
            found = record.weights(layer, head) * record.output_norms[layer, head]
            assert_close(found, expected)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_has_the_lengths_of_the_library(name: str) -> None:
    expect_the_lengths_of_the_library(opened(name), TEXT, question_to(name))


@pytest.mark.parametrize("name", OURS)
def test_scratch_models_have_them_in_all_kinds(name: str) -> None:
    model = ours(name)
    expect_the_lengths_of_the_library(model, OURS[name], contrast_of(model, OURS[name]))


class _Layer(nn.Module):
    """Four heads of size 4 over one sentence, and what stands between them and the residual stream."""

    def __init__(self, *after: nn.Module) -> None:
        super().__init__()
        self.after = nn.ModuleList(after)

    def forward(self, x: Tensor) -> Tensor:
        heads = x.view(1, -1, 4, 4).transpose(1, 2)  # [1, 4, n, 4]
        call = AttentionCall(kind="encoder", query=heads, key=heads, value=heads, bias=None, scale=0.5)
        mixed: Tensor = attend(call).transpose(1, 2).flatten(2)  # [1, n, 16]
        for module in self.after:
            mixed = module(mixed)
        return mixed


@pytest.mark.parametrize(
    ("between", "is_found"),
    [((), True), ((nn.Dropout(0.1),), True), ((nn.LayerNorm(16),), False), ((nn.GELU(),), False)],
)
def test_a_norm_or_a_gate_before_w_o_hides_it(between: tuple[nn.Module, ...], *, is_found: bool) -> None:
    torch.manual_seed(0)
    output = nn.Linear(16, 12)
    body = nn.Sequential(_Layer(*between, output).eval())
    found = find_factors(body, lambda copied: copied(torch.randn(1, 5, 16)))
    assert set(found) == ({"encoder"} if is_found else set())
    if is_found:
        values = np.random.default_rng(0).normal(size=(4, 7, 4)).astype(np.float32)
        lengths = np.linalg.norm(values @ found["encoder"][0], axis=-1)
        weight = output.weight.detach().numpy().T.reshape(4, 4, 12)
        assert_close(lengths, np.linalg.norm(values @ weight, axis=-1))


class _Other(nn.Linear):
    """A linear map of a class that nobody knows."""


@pytest.mark.parametrize("made", [nn.Linear, _Other, lambda given, gave: Conv1D(gave, given)])
def test_a_linear_map_is_read_or_asked_and_is_the_same(made: type[nn.Linear]) -> None:
    module = made(6, 4)
    weight, bias = linear_map(module, 6)
    probe = torch.randn(3, 6)
    assert_close(probe.numpy() @ weight + bias, module(probe).detach())
