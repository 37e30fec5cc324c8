"""Every error that a person reads is made of a sentence that can be translated."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from tests.language.catalogues import ROOT

FOLDERS = ("models", "viz", "ui")
DEVELOPERS = {
    ("models/values", "RecordError"): "the names of fields and their shapes, for whoever makes the value",
    ("models/checkpoints/on_body.py", "ModelLoadError"): "a command for developers says it",
    ("models/analysis", "RecordError"): "the names of fields and their shapes, for whoever makes the value",
    ("viz/writing", "RecordError"): "the names of fields and their shapes, for whoever makes the value",
    ("models/analysis", "SelectionError"): "pages bring every choice into the bounds of the record before they ask",
    ("viz", "SelectionError"): "pages bring every choice into the bounds of the record before they ask",
}
"""Where an error of a class is read by developers alone, and why."""
ROOT_CLASS, OF_MODELS, OF_LESSONS = "HeadlightError", "ModelError", "LessonError"


@cache
def sources() -> dict[str, tuple[ast.AST, ...]]:
    """The nodes of all modules by their paths, parsed when the first test asks."""
    return {
        path.relative_to(ROOT).as_posix(): tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


@cache
def classes_under(name: str) -> set[str]:
    """The classes of a tree, by their names, from all modules."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for nodes in sources().values()
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }
    found = {name}
    while more := {each for each, above in bases.items() if above & found} - found:
        found |= more
    return found


class Module:
    """A module, to look up what its names stand for."""

    def __init__(self, nodes: tuple[ast.AST, ...]) -> None:
        self.values: dict[str, list[ast.expr]] = defaultdict(list)
        for node in nodes:
            if isinstance(node, ast.FunctionDef):
                self.values[node.name] += [
                    each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value is not None
                ]
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.values[target.id].append(node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                self.values[node.target.id].append(node.value)

    def is_plain(self, says: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a text is, or may be, put together here without a template that can be translated."""
        match says:
            case ast.Constant(value=str(text)):
                return bool(text)
            case ast.JoinedStr() | ast.Call(func=ast.Attribute(attr="format" | "join" | "replace" | "strip")):
                return True
            case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
                parts = [one, other]
            case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)) if name not in seen:
                parts, seen = self.values.get(name, []), seen | {name}
            case ast.Subscript(value=table):
                parts = [table]
            case ast.Dict(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                pass
            case _:
                parts = []
        return any(self.is_plain(each, seen) for each in parts)


def messages(call: ast.Call, name: str) -> Iterator[ast.expr]:
    """What an error says, in the call that makes it."""
    if name == OF_LESSONS:
        yield from (given.elts[1] for given in call.args if isinstance(given, ast.Tuple))
    elif name in classes_under(OF_MODELS):
        yield from call.args[1:]
    else:
        yield from call.args


def untranslated(path: str) -> Iterator[tuple[int, str]]:
    """(line, class) of each error of a module that says plain text."""
    calls = [
        (node, node.func.id)
        for node in sources()[path]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in classes_under(ROOT_CLASS)
    ]
    module = Module(sources()[path] if calls else ())
    for call, name in calls:
        if any(module.is_plain(says) for says in messages(call, name)):
            yield call.lineno, name


def test_every_error_says_a_sentence_that_can_be_translated() -> None:
    def is_allowed(path: str, name: str) -> bool:
        return any(name == error and (path == place or path.startswith(f"{place}/")) for place, error in DEVELOPERS)

    left = [(path, line, name) for path in sources() for line, name in untranslated(path) if not is_allowed(path, name)]
    assert left == []


@pytest.mark.parametrize(("place", "name"), DEVELOPERS)
def test_no_exception_is_left_over(place: str, name: str) -> None:
    paths = [path for path in sources() if path == place or path.startswith(f"{place}/")]
    assert name in {found for path in paths for _, found in untranslated(path)}
