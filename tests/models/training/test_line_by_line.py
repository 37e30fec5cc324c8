"""A training that computes attention line by line learns from the same outputs as with PyTorch's kernel."""

from __future__ import annotations

import pytest
import torch

from models.scratch.attention import Kind, attention_function
from models.training.trainer.line_by_line import attending_line_by_line
from models.values.record import KINDS
from tests.closeness import assert_close
from tests.models.scratch.test_attention import BIASES, N_KEY, arrays


@pytest.mark.parametrize("bias", ["no mask", "padding"])
@pytest.mark.parametrize("n_query", [N_KEY, 3, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_the_outputs_are_those_of_the_kernel(kind: Kind, n_query: int, bias: str) -> None:
    kernel = attention_function.get()
    given = {"kind": kind, **arrays(n_query), "bias": BIASES[bias](n_query), "scale": 0.25, "dropout": 0.0}
    with attending_line_by_line():
        lines = attention_function.get()
        assert lines is not kernel
        assert_close(lines(**given), kernel(**given))
        half = {name: value.bfloat16() if name in {"query", "key", "value"} else value for name, value in given.items()}
        assert lines(**half).dtype == torch.bfloat16
    assert attention_function.get() is kernel
