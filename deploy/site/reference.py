"""The reference: a page for each public module, from the signatures and docstrings of what it exports."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import models
import viz
from models import analysis

MODULES: dict[str, ModuleType] = {"headlights": models, "headlights.viz": viz, "headlights.analysis": analysis}


def reference_pages() -> Iterator[tuple[str, str]]:
    """Yield every page of the reference as the name of its file and its Markdown."""
    listed = "\n".join(f"- [{title}]({_file(title)})" for title in MODULES)
    yield "index.md", f"# Reference\n\nMade from the docstrings of what is public.\n\n{listed}\n"
    for title, module in MODULES.items():
        entries = "\n".join(_entry(name, getattr(module, name)) for name in sorted(module.__all__))
        about = _paragraphs(module.__doc__)
        yield _file(title), f"# {title}\n\n{about}\n\n{entries}"


def _file(title: str) -> str:
    return f"{title.replace('.', '-')}.md"


def _entry(name: str, value: Any) -> str:
    """Return the section of one name: what it is called with, what it says of itself, and its public methods."""
    parts = [f"## `{name}`", _signature(name, value), _paragraphs(inspect.getdoc(value))]
    if inspect.isclass(value):
        parts += [_fields(value), *_methods(value)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _signature(name: str, value: Any) -> str:
    if not callable(value) or (inspect.isclass(value) and (is_dataclass(value) or issubclass(value, Exception))):
        return ""
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        return ""
    written = re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", signature.replace("'", ""))
    return f"```python\n{name}{written}\n```"


def _paragraphs(text: str | None) -> str:
    """Return a docstring as Markdown: its own line breaks stay only where lines are set in."""
    cleaned = inspect.cleandoc(text or "")
    blocks = []
    for block in cleaned.split("\n\n"):
        is_set_in = any(line.startswith("    ") for line in block.splitlines())
        blocks.append(f"```text\n{block}\n```" if is_set_in else _plain(" ".join(block.split())))
    return "\n\n".join(blocks)


def _plain(text: str) -> str:
    """Escape what would be a mark of Markdown or HTML outside of code."""
    return "".join(
        part
        if part.startswith("`")
        else part.replace("<", "&lt;").replace("[", "\\[").replace("*", "\\*").replace("_", "\\_")
        for part in re.split(r"(`[^`]*`)", text)
    )


def _fields(kind: type) -> str:
    if not is_dataclass(kind):
        return ""
    return "Fields: " + ", ".join(f"`{field.name}`" for field in fields(kind) if not field.name.startswith("_"))


def _methods(kind: type) -> Iterator[str]:
    for name, member in vars(kind).items():
        if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
            continue
        documented = inspect.getdoc(member) or ""
        written = _signature(name, member) if inspect.isfunction(member) else ""
        yield "\n\n".join(part for part in (f"### `{kind.__name__}.{name}`", written, _paragraphs(documented)) if part)
