"""The wheel: hatchling's hook, which lays the folders of the repository into the package `headlights`.

    pip wheel . --no-deps
    pip wheel deploy/weights/en --no-deps    # weights that it is too small for, as two wheels of files

In the repository `models/`, `viz/` and the others stand at the top, and import each other by these names. In the
package they are `headlights.models`, `headlights.viz`: imports, and dotted names in strings, are rewritten on the way.
A project with a `models/` of its own is not touched, and does not touch us.
"""

from __future__ import annotations

import ast
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "headlights"
PARTS = ("models", "viz", "ui", "lab", "lessons", "pages", "serving")
"""The folders of the repository that become subpackages."""
BESIDE = ("app.py", "locale", ".streamlit/config.toml", "docs/glossary.md", "docs/glossary.ko.md", "LICENSE")
"""Files and folders that are read at the same path below the package."""
SMALL = ("copier", "mini-bert", "sentiment", "tagger")
"""The embedded models whose weights come with the wheel; of the others everything but the weights does."""
WEIGHTS = ".safetensors"
LEFT_OUT = ("__pycache__", "*.pyc", "*.po", "demos")
DOTTED = re.compile(r"([a-z_]+)(\.\w+)+")


class WheelHook(BuildHookInterface[Any]):
    """Lay out the package before hatchling packs it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files of the package. Raises ValueError for an editable installation."""
        if version == "editable":
            raise ValueError(
                "Headlight cannot be installed as editable: the package is made from folders at the top of the "
                "repository. In a clone use it where it is: python run.py, or import from its folder."
            )
        self._staged = tempfile.TemporaryDirectory(prefix="headlights-wheel-")
        package = Path(self._staged.name) / PACKAGE
        lay_out(Path(self.root), package)
        build_data["force_include"][str(package)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was laid out."""
        self._staged.cleanup()


def lay_out(root: Path, package: Path) -> None:
    """Copy the repository into a package, its modules with the names that they have there."""
    shutil.copytree(root / PACKAGE, package, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for part in PARTS:
        shutil.copytree(root / part, package / part, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for name in BESIDE:
        source, target = root / name, package / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(*LEFT_OUT))
        else:
            shutil.copyfile(source, target)
    pretrained = package / "models" / "pretrained"
    for file in pretrained.rglob(f"*{WEIGHTS}"):
        if file.relative_to(pretrained).parts[0] not in SMALL:
            file.unlink()
    for module in package.rglob("*.py"):
        module.write_text(renamed(module.read_text(encoding="utf-8"), root), encoding="utf-8")


def renamed(source: str, root: Path) -> str:
    """Return a module with the names of the package: in its imports, and in strings that name a module of ours."""
    lines = source.splitlines(keepends=True)
    for line, column, old, new in sorted(_changes(ast.parse(source), root), reverse=True):
        at = len(lines[line - 1].encode()[:column].decode())
        found = lines[line - 1].index(old, at)
        lines[line - 1] = lines[line - 1][:found] + new + lines[line - 1][found + len(old) :]
    return "".join(lines)


def _changes(tree: ast.Module, root: Path) -> Iterator[tuple[int, int, str, str]]:
    """Yield what to exchange in a module: line, column after which it stands, and the old and new words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_ours(node.module or ""):
            yield node.lineno, node.col_offset, f"from {node.module}", f"from {PACKAGE}.{node.module}"
        elif isinstance(node, ast.Import):
            yield from _changes_of_import(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _names_module(node.value, root):
            yield node.lineno, node.col_offset, node.value, f"{PACKAGE}.{node.value}"


def _changes_of_import(node: ast.Import) -> Iterator[tuple[int, int, str, str]]:
    """Yield the change of `import models`, the only form without a dot or an `as` that binds the same name."""
    for alias in node.names:
        if not _is_ours(alias.name):
            continue
        if "." in alias.name and alias.asname is None:
            raise ValueError(
                f"line {node.lineno}: import {alias.name} binds {alias.name.split('.')[0]}; use from … import"
            )
        parent, _, last = f"{PACKAGE}.{alias.name}".rpartition(".")
        if len(node.names) > 1:
            raise ValueError(f"line {node.lineno}: one import a line")
        yield node.lineno, node.col_offset, f"import {alias.name}", f"from {parent} import {last}"


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PARTS


def _names_module(text: str, root: Path) -> bool:
    """Return whether a string is the dotted name of a module of ours, or of something in one."""
    if not DOTTED.fullmatch(text) or not _is_ours(text):
        return False
    parts = text.split(".")
    return any(
        (path := root.joinpath(*parts[:n])).is_dir() or path.with_suffix(".py").is_file()
        for n in range(2, len(parts) + 1)
    )
