"""Counts of the house beside its rooms: its lines, its names, its docstrings."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PRODUCT = ("app.py", "run.py", "pages", "ui", "lab", "lessons", "viz", "models", "serving")
"""Python that a user runs."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MOST_ROOMS, LONGEST_FILE, LONGEST_FUNCTION = 16, 300, 40
FEW_WORDS = 4
PARTICIPLE = re.compile(
    r"^_?(?!(?:bed|embed|feed|need|seed|shed|speed)$)(?:[a-z]+ed|told|said|heard|kept|made|found|given|taken|drawn|written|shown|"
    r"known|seen|left|meant|held|sent|brought|built|done|laid|lost|paid|spelled|spoken|thought|understood|worn|woken)$"
)
"""Names of functions that are one participle: they say neither what is done nor to what.

A verb with its object (`find_replaced`) and a predicate (`is_cached`) say it, and so do verbs whose participle is
spelled like the imperative (`read`, `run`).
"""
VAGUE = ("found", "each", "at")
ADAPTERS = ("HuggingFaceModel", "ScratchTranslator", "ScratchModel")


@dataclass(frozen=True)
class Source:
    """A Python file of the product."""

    path: Path
    text: str

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Return every node of the file."""
        return list(ast.walk(ast.parse(self.text)))

    @property
    def n_lines(self) -> int:
        """Return how many lines the file has."""
        return len(self.text.splitlines())

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Yield every function and method."""
        yield from (node for node in self.nodes if isinstance(node, FUNCTIONS))

    def docstrings(self) -> Iterator[tuple[bool, str]]:
        """Yield for every docstring whether what it explains is public, and its text."""
        for node in self.nodes:
            if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)) and (text := ast.get_docstring(node)):
                yield not getattr(node, "name", "").startswith("_"), text


def sources_of(root: Path, parts: Iterable[str] = PRODUCT) -> list[Source]:
    """Read the Python files of some parts of a checkout."""
    paths = (path for part in parts for path in [root / part, *sorted((root / part).rglob("*.py"))])
    return [Source(path, path.read_text(encoding="utf-8")) for path in paths if path.suffix == ".py" and path.is_file()]


def ancestors(sources: Iterable[Source], name: str) -> set[str]:
    """Return the names of all classes above one, `object` and `Generic` apart, as far as their bases are written."""
    bases = {
        node.name: [re.split(r"[\[.]", ast.unparse(base))[0] for base in node.bases]
        for source in sources
        for node in source.nodes
        if isinstance(node, ast.ClassDef)
    }
    above: set[str] = set()
    todo = [name]
    while todo:
        for base in bases.get(todo.pop(), []):
            if base not in above and base != "Generic":
                above.add(base)
                todo.append(base)
    return above


def crowded_folders(sources: Iterable[Source]) -> dict[str, int]:
    """Return the folders with more than MOST_ROOMS rooms: modules, and folders of modules. A script of `pages` is a
    page of the app, and no room."""
    rooms: dict[Path, set[str]] = {}
    for source in sources:
        if source.path.name != "__init__.py":
            rooms.setdefault(source.path.parent, set()).add(source.path.name)
        rooms.setdefault(source.path.parent.parent, set()).add(source.path.parent.name)
    return {
        folder.as_posix(): len(names)
        for folder, names in rooms.items()
        if len(names) > MOST_ROOMS and folder.name != "pages"
    }


def stores(sources: Iterable[Source]) -> Counter[str]:
    """Return how often each name of a variable is written to."""
    return Counter(
        node.id
        for source in sources
        for node in source.nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )


def counts(root: Path) -> dict[str, int | str]:
    """Return every count of a checkout, in words and as a number."""
    sources = sources_of(root)
    functions = [function for source in sources for function in source.functions()]
    docstrings = [docstring for source in sources for docstring in source.docstrings()]
    stored = stores(sources)
    return {
        "lines of Python that the product needs": sum(source.n_lines for source in sources),
        "of them in models/": sum(source.n_lines for source in sources_of(root, ["models"])),
        "definitions of `record`": sum(function.name == "record" for function in functions),
        "ancestors of " + ", ".join(ADAPTERS): ", ".join(str(len(ancestors(sources, name))) for name in ADAPTERS),
        "docstrings that begin with “What”": sum(text.startswith("What") for _, text in docstrings),
        "docstrings of public names with at most four words": sum(
            is_public and len(text.split()) <= FEW_WORDS for is_public, text in docstrings
        ),
        "functions whose name is one participle": sum(bool(PARTICIPLE.match(function.name)) for function in functions),
        "stores of `found`, `each`, `at`": ", ".join(str(stored[name]) for name in VAGUE),
        f"folders with more than {MOST_ROOMS} rooms": len(crowded_folders(sources)),
        f"files over {LONGEST_FILE} lines": sum(source.n_lines > LONGEST_FILE for source in sources),
        f"functions over {LONGEST_FUNCTION} lines": sum(
            (function.end_lineno or function.lineno) - function.lineno + 1 > LONGEST_FUNCTION for function in functions
        ),
        "`# fmt: skip`": sum(source.text.count("# fmt: " + "skip") for source in sources),
        "requirement files": len([*root.glob("requirements*"), *root.glob("constraints*"), *root.glob("*.lock")]),
    }
