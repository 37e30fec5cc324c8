"""The modules of the browser side, joined into one script: one file in the place of sixty, also for documents opened
from disk, which may not import modules.

Each module becomes a function that gives its exports. They import and export in one form only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_IMPORT = re.compile(r'^import \{([\w\s,]+)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^\s*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)\n|[ ]+// [^\n]*$", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def join_modules(entries: Sequence[str], read: Callable[[str], str]) -> str:
    """Join all modules that the entries need, each once, in the order of their imports; `read` gives the source of a
    module by its name. Raises ValueError, naming them, for modules that import each other, and for one in another
    form."""
    return "\n".join(_as_function(name, read(name)) for name in modules_of(entries, read)).replace("</", "<\\/")


def modules_of(entries: Sequence[str], read: Callable[[str], str]) -> list[str]:
    """Return the names of all modules that the entries need, each once, in the order of their imports."""
    order: list[str] = []
    for entry in entries:
        _visit(entry, order, (), read)
    return order


def joined_module(entries: Sequence[str], read: Callable[[str], str]) -> str:
    """Join modules into one that exports each entry, with all its exports, by the name that `constant` gives it."""
    return f"{join_modules(entries, read)}\nexport {{ {', '.join(map(constant, entries))} }};\n"


def constant(name: str) -> str:
    """Return the name of a module among the others: "viewer.js" is viewer_js."""
    return re.sub(r"\W", "_", name)


def without_comments(script: str) -> str:
    """Return a script without its comments and indents: of the viewer two thirds of the bytes, compressed or not."""
    return _INDENT.sub("", _COMMENT.sub("", script))


def _visit(name: str, order: list[str], path: tuple[str, ...], read: Callable[[str], str]) -> None:
    """Append a module to the order after those that it imports."""
    if name in path:
        raise ValueError(f"Modules import each other in a circle: {' → '.join([*path, name])}.")
    for _, needed in _IMPORT.findall(read(name)):
        if needed not in order:
            _visit(needed, order, (*path, name), read)
    if name not in order:
        order.append(name)


def _as_function(name: str, source: str) -> str:
    """Return a module as a constant: its names are local, its exports are properties."""
    imports = [f"const {{{names}}} = {constant(needed)};" for names, needed in _IMPORT.findall(source)]
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    if other := _OTHER_FORM.search(body):
        raise ValueError(f"{name} imports or exports in a form that cannot be joined: {other[0]}")
    exports = ", ".join(_EXPORT.findall(source))
    return "\n".join(
        [f"const {constant(name)} = (() => {{", *imports, body.strip(), f"return {{ {exports} }};", "})();"]
    )
