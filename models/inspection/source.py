"""Find the lines of the transformer from scratch that take a step of a layer, in the code that runs.

No line numbers are stored: a step names its function and what the statement looks like (the name it assigns, the call
it contains). Code that moves is found again; code that is gone raises.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from models.recording import attention_call
from models.scratch import attention, decoder, encoder, layers, rotary
from models.scratch.config import NormKind
from models.values.record import Kind
from models.values.steps import StepName

Norm = Literal["post", "pre"]
Function = Callable[..., Any]
Fits = Callable[[ast.AST], bool]
"""A test of whether a step looks for a statement."""

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLines:
    """Some neighbouring lines of a file: `path` from the root of the repository, `first_line` counted from 1."""

    path: str
    first_line: int
    code: str

    @property
    def last_line(self) -> int:
        return self.first_line + self.code.count("\n")


@cache
def source_of_step(
    name: StepName,
    *,
    norm: Norm = "post",
    kind: Kind = "encoder",
    norm_kind: NormKind = "layer",
    gated: bool = False,
    soft_capped: bool = False,
    has_sinks: bool = False,
) -> tuple[SourceLines, ...]:
    """Return the lines that take a step, the most important ones first.

    `norm` chooses between the two orders of a layer, and `kind` the layer: of the encoder, of the decoder, or the cross
    attention of the decoder. `norm_kind` is its norm; the rest says whether its feed-forward network has a gate, and
    its attention a soft cap or sinks, which the textbook leaves out.
    Raises LookupError if the code no longer holds such a statement.
    """
    layer = _Layer(norm=norm, kind=kind, norm_kind=norm_kind, gated=gated, soft_capped=soft_capped, has_sinks=has_sinks)
    return _SOURCES[name](layer)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    """A layer with its order of norms, seen from one of its attentions."""

    norm: Norm
    kind: Kind
    norm_kind: NormKind = "layer"
    gated: bool = False
    soft_capped: bool = False
    has_sinks: bool = False

    @property
    def attends(self) -> Function:
        """The function with the attention and its residual connection."""
        of_kind: dict[Kind, Function] = {
            "encoder": encoder.EncoderLayer.forward,
            "decoder": decoder.DecoderLayer.forward,
            "cross": decoder.CrossAttention.forward,
        }
        return of_kind[self.kind]

    @property
    def feeds_forward(self) -> Function:
        """The function with the feed-forward network and its residual connection."""
        return encoder.EncoderLayer.forward if self.kind == "encoder" else decoder.DecoderLayer.forward

    @property
    def norms(self) -> SourceLines:
        """The lines of the norm."""
        return _whole(layers.layer_norm if self.norm_kind == "layer" else _method(layers.RMSNorm, "forward"))


def _embeddings(_: _Layer) -> tuple[SourceLines, ...]:
    return (_statements(encoder.Embeddings.forward, _assigns("x"), _holds_assignment("x")),)


def _embedding_norm(layer: _Layer) -> tuple[SourceLines, ...]:
    return _statements(encoder.Embeddings.forward, _calls("norm")), layer.norms


def _attention_norm(layer: _Layer) -> tuple[SourceLines, ...]:
    return *_attention_residual(layer), layer.norms


def _projections(_: _Layer) -> tuple[SourceLines, ...]:
    forward, split = (_method(attention.MultiHeadAttention, name) for name in ("forward", "_split_heads"))
    return _statements(forward, _assigns("read"), _calls("_split_heads")), _whole(split)


def _rotation(_: _Layer) -> tuple[SourceLines, ...]:
    turns = _statements(attention.MultiHeadAttention.forward, _tests("angles"))
    return turns, _whole(rotary.rotate), _whole(rotary.rotary_angles), _whole(rotary.rotary_frequencies)


def _grouping(_: _Layer) -> tuple[SourceLines, ...]:
    shares = _statements(attention.MultiHeadAttention.forward, _calls("_repeat"))
    return shares, _whole(_method(attention.MultiHeadAttention, "_repeat"))


def _scores(_: _Layer) -> tuple[SourceLines, ...]:
    return (_statements(attention.attention, _multiplies(ast.MatMult)),)


def _scaling(layer: _Layer) -> tuple[SourceLines, ...]:
    cap = (_whole(attention_call.cap_scores),) if layer.soft_capped else ()
    return _statements(attention.attention, _multiplies(ast.Mult)), *cap


def _mask(layer: _Layer) -> tuple[SourceLines, ...]:
    causal = (_whole(attention.causal_mask),) if layer.kind == "decoder" else ()
    return _statements(attention.attention, _tests("bias")), *causal, _whole(attention.mask_to_bias)


def _softmax(layer: _Layer) -> tuple[SourceLines, ...]:
    sinks = (_whole(attention_call.share_beside_sinks),) if layer.has_sinks else ()
    return _statements(attention.attention, _calls("softmax")), *sinks


def _weighted_sum(_: _Layer) -> tuple[SourceLines, ...]:
    return (_statements(attention.attention, _returns(ast.MatMult)),)


def _concatenation(_: _Layer) -> tuple[SourceLines, ...]:
    return (_whole(_method(attention.MultiHeadAttention, "_merge")),)


def _output_projection(_: _Layer) -> tuple[SourceLines, ...]:
    return (_statements(attention.MultiHeadAttention.forward, _calls("output")),)


def _attention_residual(layer: _Layer) -> tuple[SourceLines, ...]:
    return (_statements(layer.attends, _calls("attention"), branch=layer.norm),)


def _feed_forward(layer: _Layer) -> tuple[SourceLines, ...]:
    network = layers.GatedFeedForward.forward if layer.gated else layers.FeedForward.forward
    return _statements(network, _calls("activation"), _calls("contract")), _whole(layers.activation)


def _gate(_: _Layer) -> tuple[SourceLines, ...]:
    return (_statements(layers.GatedFeedForward.forward, _calls("gate"), _calls("expand")),)


def _feed_forward_norm(layer: _Layer) -> tuple[SourceLines, ...]:
    return *_feed_forward_residual(layer), layer.norms


def _feed_forward_residual(layer: _Layer) -> tuple[SourceLines, ...]:
    return (_statements(layer.feeds_forward, _calls("feed_forward"), branch=layer.norm),)


_SOURCES: dict[StepName, Callable[[_Layer], tuple[SourceLines, ...]]] = {
    "embeddings": _embeddings,
    "embedding_norm": _embedding_norm,
    "attention_norm": _attention_norm,
    "projections": _projections,
    "rotation": _rotation,
    "grouping": _grouping,
    "scores": _scores,
    "scaling": _scaling,
    "mask": _mask,
    "softmax": _softmax,
    "weighted_sum": _weighted_sum,
    "concatenation": _concatenation,
    "output_projection": _output_projection,
    "attention_residual": _attention_residual,
    "feed_forward_norm": _feed_forward_norm,
    "gate": _gate,
    "feed_forward": _feed_forward,
    "feed_forward_residual": _feed_forward_residual,
}


def _method(owner: type, name: str) -> Function:
    """Return a method of a class, by its name."""
    method: Function | None = vars(owner).get(name)
    if method is None:
        raise LookupError(f"{owner.__name__} no longer has a method {name}.")
    return method


def _whole(function: Function) -> SourceLines:
    """Return a function from its first line to its last."""
    lines, first = inspect.getsourcelines(function)
    return _lines(function, "".join(lines), first)


def _statements(function: Function, *wanted: Fits, branch: Norm | None = None) -> SourceLines:
    """Return the lines from the first to the last statement that fits one of `wanted`.

    `branch` keeps to one side of every `if self.pre_norm` of the function. Raises LookupError if no statement fits one.
    """
    lines, first = inspect.getsourcelines(function)
    definition = ast.parse(textwrap.dedent("".join(lines))).body[0]
    body = definition.body if isinstance(definition, ast.FunctionDef) else []
    body = body if branch is None else _side(body, branch)
    matches = [[statement for statement in body if fits(statement)] for fits in wanted]
    if not all(matches):
        raise LookupError(f"{function.__qualname__} no longer holds a statement that a step of a layer looks for.")
    begin = min(statement.lineno for statements in matches for statement in statements)
    end = max(statement.end_lineno or statement.lineno for statements in matches for statement in statements)
    return _lines(function, "".join(lines[begin - 1 : end]), first + begin - 1)


def _lines(function: Function, code: str, first_line: int) -> SourceLines:
    path = Path(inspect.getsourcefile(function) or "").resolve().relative_to(_ROOT)
    return SourceLines(path=path.as_posix(), first_line=first_line, code=textwrap.dedent(code).rstrip("\n"))


def _side(body: list[ast.stmt], branch: Norm) -> list[ast.stmt]:
    """Return the statements of a layer for one order of its norms."""
    branches = [node for node in body if isinstance(node, ast.If) and "pre_norm" in _attributes(node.test)]
    if not branches:
        raise LookupError("the layer no longer asks for its order of norms.")
    return [statement for node in branches for statement in (node.body if branch == "pre" else node.orelse)]


def _assigns(name: str) -> Fits:
    """Match the statement `name = ...`."""
    return lambda statement: isinstance(statement, ast.Assign) and name in _targets(statement)


def _holds_assignment(name: str) -> Fits:
    """Match an `if` with `name = ...` inside."""
    assigns = _assigns(name)
    return lambda statement: isinstance(statement, ast.If) and any(map(assigns, ast.walk(statement)))


def _calls(name: str) -> Fits:
    """Match a statement, but no block, that calls `name(...)` or `something.name(...)`."""

    def fits(statement: ast.AST) -> bool:
        calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call))
        return not isinstance(statement, ast.If) and any(_callee(call) == name for call in calls)

    return fits


def _multiplies(operator: type[ast.operator]) -> Fits:
    """Match an assignment that multiplies, with `@` or with `*`, and not inside a block."""
    return lambda statement: isinstance(statement, ast.Assign) and operator in _operators(statement)


def _returns(operator: type[ast.operator]) -> Fits:
    """Match the `return` of a product."""
    return lambda statement: isinstance(statement, ast.Return) and operator in _operators(statement)


def _tests(name: str) -> Fits:
    """Match an `if` that tests `name`."""
    return lambda statement: isinstance(statement, ast.If) and name in _names(statement.test)


def _targets(statement: ast.Assign) -> set[str]:
    return {target.id for target in statement.targets if isinstance(target, ast.Name)}


def _callee(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _operators(statement: ast.AST) -> set[type[ast.operator]]:
    return {type(node.op) for node in ast.walk(statement) if isinstance(node, ast.BinOp)}


def _names(node: ast.expr) -> set[str]:
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


def _attributes(node: ast.expr) -> set[str]:
    return {child.attr for child in ast.walk(node) if isinstance(child, ast.Attribute)}
