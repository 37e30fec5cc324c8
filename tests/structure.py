"""How the house is built, in numbers: rooms and the arrows between them, modules, functions and their lengths, tests.

    python -m tests.structure               # as it stands
    python -m tests.structure 443d742       # as it stood in a commit

A room is what lies directly in models/, viz/ or ui/, a folder or a module; an arrow goes from one room to another if
something in the first imports something in the second. A function is as long as it is written, from `def` to its last
line. docs/architecture.md has the table.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from statistics import quantiles

from tests.counts import FUNCTIONS, counts

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("models", "viz", "ui")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """One of the three folders: `arrows` are pairs of its rooms, `lengths` those of its functions, in lines."""

    name: str
    rooms: frozenset[str]
    arrows: frozenset[tuple[str, str]]
    n_modules: int
    longest_module: int
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One source: the modules and names that it imports, its classes, aliases and type variables, and the lengths of
    its functions, in lines."""

    imports: tuple[str, ...]
    types: tuple[str, ...]
    lengths: tuple[int, ...]


@cache
def read_module(source: str, package: tuple[str, ...]) -> Module:
    """Parse a source once for all that is asked about it; a relative import, from `package`, is made absolute."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, FUNCTIONS)]
    return Module(
        imports=tuple(_imports(nodes, package)),
        types=tuple(_types(tree.body)),
        lengths=tuple((node.end_lineno or node.lineno) - node.lineno + 1 for node in functions),
    )


def imported(source: str, package: tuple[str, ...]) -> tuple[str, ...]:
    """Return every module and name that a source imports, with dots."""
    return read_module(source, package).imports


def _types(statements: Iterable[ast.stmt]) -> Iterator[str]:
    for node in statements:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            targets = (target.id for target in node.targets if isinstance(target, ast.Name))
            yield from (target for target in targets if target[0].isupper() and not target.isupper())


def _imports(nodes: Iterable[ast.AST], package: tuple[str, ...]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


@cache
def look(root: Path, name: str) -> Folder:
    """Count one folder of a checkout; `name` may be a path, such as ui/heads."""
    prefix = f"{name.replace('/', '.')}."
    files = {file: file.read_text(encoding="utf-8") for file in sorted((root / name).rglob("*.py"))}
    room_of = {file: file.relative_to(root / name).with_suffix("").parts[0] for file in files}
    rooms = frozenset(room_of.values()) - {"__init__"}
    modules = {file: read_module(source, file.relative_to(root).parts[:-1]) for file, source in files.items()}
    arrows = {
        (room_of[file], room)
        for file, module in modules.items()
        for imported_name in module.imports
        if imported_name.startswith(prefix)
        and (room := imported_name.removeprefix(prefix).split(".")[0]) != room_of[file]
        and {room_of[file], room} <= rooms
    }
    return Folder(
        name=name,
        rooms=rooms,
        arrows=frozenset(arrows),
        n_modules=len(files),
        longest_module=max(len(source.splitlines()) for source in files.values()),
        lengths=tuple(sorted(length for module in modules.values() for length in module.lengths)),
    )


def n_tests(root: Path) -> int:
    """How many test functions are written; pytest makes more of them where they have parameters."""
    sources = [file.read_text(encoding="utf-8") for file in (root / "tests").rglob("test_*.py")]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, FUNCTIONS)]
    return sum(node.name.startswith("test_") for node in nodes)


def table(root: Path) -> str:
    """The numbers of a checkout, as a table in Markdown."""
    lines = ["| folder | rooms | arrows | modules | longest | functions | p90 | longest |", f"|{' --- |' * 8}"]
    for folder in (look(root, name) for name in FOLDERS):
        found = (
            len(folder.rooms),
            len(folder.arrows),
            folder.n_modules,
            folder.longest_module,
            len(folder.lengths),
            round(quantiles(folder.lengths, n=10)[-1]),
            folder.lengths[-1],
        )
        lines.append(f"| {folder.name}/ | {' | '.join(format(each, ',') for each in found)} |")
    counted = [
        f"| {name} | {number:,} |" if isinstance(number, int) else f"| {name} | {number} |"
        for name, number in counts(root).items()
    ]
    return "\n".join([*lines, "", f"Test functions: {n_tests(root):,}", "", "| counted | |", "| --- | --- |", *counted])


def main() -> None:
    """Read the command line and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", help="a commit to look at, instead of the files as they are")
    commit = parser.parse_args().commit
    if commit is None:
        print(table(ROOT))  # noqa: T201 - that is what it is for
        return
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
        print(table(Path(folder)))  # noqa: T201


if __name__ == "__main__":
    main()
