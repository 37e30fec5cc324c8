"""Every step of a layer shows the lines of the scratch implementation that take it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from models.inspection import source
from models.inspection.source import Norm, source_of_step
from models.values.record import KINDS, Kind
from models.values.steps import STEP_NAMES, StepName

ROOT = Path(__file__).resolve().parents[3]
HOLDS: dict[StepName, tuple[str, ...]] = {
    "embeddings": ("self.token(", "self.position", "self.segment("),
    "embedding_norm": ("self.norm(x)", "nn.LayerNorm("),
    "attention_norm": ("self.attention_norm(", "nn.LayerNorm("),
    "projections": ("self.query(x)", "self.key(read)", "self.value(read)", "def _split_heads("),
    "rotation": (
        "if angles is not None:",
        "def rotate(",
        "first * cos - second * sin",
        "1.0 / base ** (pair / d_head)",
    ),
    "grouping": ("self._repeat(key)", "repeat_interleave("),
    "scores": ("scores = query @ key.transpose(",),
    "scaling": ("scores * scale",),
    "mask": ("scores + bias", "-math.inf"),
    "softmax": ("weights = scores.softmax(",),
    "weighted_sum": ("dropout(weights", "@ value"),
    "concatenation": ("def _merge(", ".flatten("),
    "output_projection": ("self.output(",),
    "attention_residual": ("x +", "self.attention("),
    "feed_forward_norm": ("self.feed_forward_norm(", "nn.LayerNorm("),
    "gate": ("self.activation(self.gate(x))", "gate * self.expand(x)"),
    "feed_forward": ("self.activation(self.expand(x))", "self.contract("),
    "feed_forward_residual": ("x +", "self.feed_forward("),
}
MUST_NOT_HOLD: dict[StepName, str] = {"scores": "scale", "scaling": "@", "mask": "softmax", "softmax": "bias"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("name", STEP_NAMES)
def test_every_step_finds_its_lines_where_it_says(name: StepName, norm: Norm, kind: Kind) -> None:
    found = source_of_step(name, norm=norm, kind=kind)
    code = "\n".join(lines.code for lines in found)
    holds = ("self.norm(", "nn.LayerNorm(") if kind == "cross" and name == "attention_norm" else HOLDS[name]
    assert all(part in code for part in holds)
    assert MUST_NOT_HOLD.get(name, "\0") not in code
    for lines in found:
        file = (ROOT / lines.path).read_text(encoding="utf-8").splitlines()
        there = file[lines.first_line - 1 : lines.last_line]
        assert [line.strip() for line in there] == [line.strip() for line in lines.code.splitlines()]
        ast.parse(f"def whole():\n    {lines.code.replace(chr(10), chr(10) + '    ')}")


def test_the_equation_is_read_from_the_textbook_in_its_order() -> None:
    steps: tuple[StepName, ...] = ("scores", "scaling", "mask", "softmax", "weighted_sum")
    found = [source_of_step(name)[0] for name in steps]
    assert {lines.path for lines in found} == {"models/scratch/attention.py"}
    assert [lines.first_line for lines in found] == sorted(lines.first_line for lines in found)
    assert found[-1].last_line - found[0].first_line < 14


@pytest.mark.parametrize("name", ["attention_residual", "feed_forward_residual"])
def test_the_order_of_the_norms_chooses_the_line(name: StepName) -> None:
    post, pre = (source_of_step(name, norm=norm)[0].code for norm in ("post", "pre"))
    assert post.startswith(f"x = self.{name.replace('residual', 'norm')}(x + ")
    assert pre.startswith("x = x + ")


def test_the_kind_of_norm_and_a_gate_choose_the_lines() -> None:
    for name in ("embedding_norm", "attention_norm", "feed_forward_norm"):
        code = source_of_step(name, norm="pre", norm_kind="rms")[-1].code
        assert "torch.rsqrt(mean_square" in code
        assert "nn.LayerNorm(" not in code
    gated, plain = (source_of_step("feed_forward", gated=gated)[0].code for gated in (True, False))
    assert "self.activation(self.gate(x))" in gated
    assert "self.gate" not in plain
    assert all("self.contract(inner)" in code for code in (gated, plain))


def test_what_the_textbook_leaves_out_is_shown_beside_it_where_a_layer_has_it() -> None:
    steps: tuple[StepName, ...] = ("scaling", "softmax")
    plain = [source_of_step(name) for name in steps]
    capped, beside_sinks = (source_of_step(name, soft_capped=True, has_sinks=True) for name in steps)
    assert [capped[:1], beside_sinks[:1]] == plain
    assert "torch.tanh(scores / soft_cap) * soft_cap" in capped[1].code
    assert "(scores.logsumexp(dim=-1, keepdim=True) - sinks).sigmoid()" in beside_sinks[1].code


def test_every_kind_of_attention_shows_its_own_layer() -> None:
    encoder, decoder, cross = (source_of_step("attention_residual", kind=kind)[0] for kind in KINDS)
    assert encoder.path == "models/scratch/encoder.py"
    assert decoder.path == cross.path == "models/scratch/decoder.py"
    assert "cache=own" in decoder.code
    assert "memory=unread" in cross.code
    hidden = ["causal" in "".join(lines.code for lines in source_of_step("mask", kind=kind)) for kind in KINDS]
    assert hidden == [False, True, False]
    after = [source_of_step("feed_forward_residual", norm=norm, kind="cross")[0] for norm in ("post", "pre")]
    assert all(lines.path == "models/scratch/decoder.py" for lines in after)
    assert after[0].code.startswith("x = self.feed_forward_norm(x + ")
    assert after[1].code.startswith("x = x + ")


def test_code_that_is_gone_is_an_error() -> None:
    def changed(scores: object) -> object:
        return scores

    with pytest.raises(LookupError, match="no longer holds"):
        source._statements(changed, source._calls("softmax"))
    with pytest.raises(LookupError, match="no longer has"):
        source._method(Path, "_merge")
