"""Read how the tests compare floating-point numbers, from their source: what `tests.closeness` should do instead.

The rule, by kind of number:

- Whatever floating-point arithmetic gives is compared by `assert_close` and what stands beside it in
  `tests.closeness`, relative to the largest magnitude. No other comparison with a tolerance is called, by whatever
  name. Which of two almost equal numbers comes first is left open: `assert_same_ranking`.
- A bound of a hundredth or more is no rounding error but a statement: a share of a drawn sample, a pixel, a loss
  after training. `pytest.approx(…, abs=0.02)` and `abs(y - middle) < 1` may make it, with the bound as a literal.
- A lower bound says that two results differ; it stands with whatever number is far from rounding.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

ALLOWED = "tests.closeness"
STATEMENT = 0.01
"""The smallest bound that says something about the world rather than about rounding."""
SMALLEST_LEVEL = 1e-3
"""Nothing is asserted to be below a smaller number than this but rounding errors."""
FOREIGN = frozenset(
    {
        "allclose",
        "assert_allclose",
        "isclose",
        "assert_almost_equal",
        "assert_approx_equal",
        "assertAlmostEqual",
        "assert_array_almost_equal",
        "assert_array_almost_equal_nulp",
        "assert_array_max_ulp",
        "assert_frame_equal",
        "assert_series_equal",
    }
)
OURS = frozenset({"assert_close", "assert_at_most", "assert_same_ranking", "is_close", "CloseTo"})
ROUNDINGS = frozenset({"round", "around", "round_"})
DECIMALS = 3
"""So many and more are not those of a share that people read."""
DISTANCES = frozenset({"abs", "fabs", "absolute", "abs_", "norm", "dist"})


def find_foreign_comparisons(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each comparison of floats that is not made by `tests.closeness`, and what to write instead."""
    tree = ast.parse(source)
    constants = _module_constants(tree)
    for node in ast.walk(tree):
        for advice in _advice_on(node, constants):
            yield getattr(node, "lineno", 0), advice


def _advice_on(node: ast.AST, constants: Mapping[str, float]) -> Iterator[str]:
    """Yield what is wrong with one node."""
    if isinstance(node, ast.ImportFrom) and node.module != ALLOWED:
        for alias in node.names:
            if alias.name in FOREIGN | OURS | {"approx"}:
                yield f"import {alias.name} of {ALLOWED if alias.name in OURS else 'nothing: use assert_close'}"
    elif isinstance(node, ast.Attribute) and node.attr in FOREIGN | OURS:
        yield f"{ast.unparse(node)}: use assert_close, or is_close where a difference is expected"
    elif isinstance(node, ast.Call) and _name(node.func) == "approx" and not _is_statement(node):
        yield f"approx without a literal bound of {STATEMENT} or more: use assert_close, or CloseTo inside of something"
    elif isinstance(node, ast.Compare):
        yield from _advice_on_bounds(node, constants)
        if any(map(_rounds, ast.walk(node))):
            yield f"{ast.unparse(node)}: two roundings of one number may differ: use assert_close, or CloseTo"


def _advice_on_bounds(node: ast.Compare, constants: Mapping[str, float]) -> Iterator[str]:
    """Yield what is wrong with `lower < upper`, for each pair of a comparison."""
    sides = [node.left, *node.comparators]
    for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
        if isinstance(operator, ast.Lt | ast.LtE):
            lower, upper = left, right
        elif isinstance(operator, ast.Gt | ast.GtE):
            lower, upper = right, left
        else:
            continue
        bounds = list(_numbers_in(upper, constants))
        if any(map(_has_slack, (lower, upper))):
            yield f"{ast.unparse(node)}: use assert_at_most"
        elif _is_distance(lower) and any(0 < bound < STATEMENT for bound in bounds):
            yield f"{ast.unparse(node)}: a distance below {min(bounds)} is a comparison: use assert_close"
        elif any(0 < bound < SMALLEST_LEVEL for bound in bounds) and not _is_constant(lower):
            yield f"{ast.unparse(node)}: use assert_close(…, 0, magnitude=…), or is_close"


def _has_slack(node: ast.AST) -> bool:
    """Whether a side of a comparison is a little more or less than something: `limit + 1e-6`, `-1e-9`."""
    for part in ast.walk(node):
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub):
            amounts = [part.left, part.right]
        elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub):
            amounts = [part.operand]
        else:
            continue
        if any(isinstance(amount, ast.Constant) and 0 < amount.value < SMALLEST_LEVEL for amount in amounts):
            return True
    return False


def _rounds(node: ast.AST) -> bool:
    """Whether something is rounded to three decimals or more, as a tolerance is written too."""
    if not isinstance(node, ast.Call) or _name(node.func) not in ROUNDINGS:
        return False
    own = node.args[int(isinstance(node.func, ast.Name)) :]  # round(x, 4), x.round(4)
    decimals = own[-1] if own else None
    return isinstance(decimals, ast.Constant) and isinstance(decimals.value, int) and decimals.value >= DECIMALS


def _is_statement(call: ast.Call) -> bool:
    """Whether a call of approx bounds by a literal of `STATEMENT` or more."""
    bounds = [keyword.value for keyword in call.keywords if keyword.arg in {"abs", "rel"}]
    return any(isinstance(bound, ast.Constant) and bound.value >= STATEMENT for bound in bounds)


def _is_distance(node: ast.AST) -> bool:
    """Whether something takes an absolute value or a norm."""
    return any(_name(call.func) in DISTANCES for call in ast.walk(node) if isinstance(call, ast.Call))


def _is_constant(node: ast.AST) -> bool:
    """Whether a side of a comparison is a number itself, as in `0 < bound`."""
    return isinstance(node, ast.Constant)


def _numbers_in(node: ast.AST, constants: Mapping[str, float]) -> Iterator[float]:
    """Yield the numbers of an expression: literals, and the module's own constants."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, int | float) and not isinstance(part.value, bool):
            yield part.value
        elif isinstance(part, ast.Name) and part.id in constants:
            yield constants[part.id]


def _module_constants(tree: ast.Module) -> dict[str, float]:
    """Return the numbers that a module gives names to."""
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, float)
    }


def _name(node: ast.AST) -> str:
    """Return the last name of `a.b.c`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def sources_of_tests(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield every module of tests but the one that compares, and its source."""
    for path in sorted((root / "tests").rglob("*.py")):
        if path != root / "tests" / "closeness.py":
            yield path, path.read_text(encoding="utf-8")
