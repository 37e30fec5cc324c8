"""The notebooks as pages: each is run, and stands there with what came out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FRAME = '<iframe src="{name}" class="cell" height="{height}" title="{title}"></iframe>'
TALL, LOW = 760, 420
"""Pixels of a cell with the viewer in it, and of any other one."""


def write_notebooks(source: Path, folder: Path, *, root: Path) -> list[tuple[str, str]]:
    """Run the notebooks of a folder, write them as pages, and return the title and the file of each."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for path in sorted(source.glob("*.ipynb")):
        notebook: Any = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(root)}}).execute()
        page = "\n\n".join(_parts(notebook, folder, path.stem))
        (folder / f"{path.stem}.md").write_text(f"{page}\n", encoding="utf-8")
        made.append((page.partition("\n")[0].removeprefix("# "), f"{path.stem}.md"))
    return made


def _parts(notebook: Any, folder: Path, stem: str) -> Iterator[str]:
    number = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield cell.source
            continue
        yield f"```python\n{cell.source}\n```"
        for output in cell.outputs:
            data = output.get("data", {})
            if "text/html" in data:
                number += 1
                yield _framed(data["text/html"], folder, f"{stem}-{number}.html")
            elif text := output.get("text") or data.get("text/plain"):
                yield f"```text\n{text.rstrip()}\n```"


def _framed(markup: str, folder: Path, name: str) -> str:
    """Write an output as a document of its own, and return the frame that shows it."""
    document = f'<!DOCTYPE html><meta charset="utf-8"><title>{name}</title><body style="margin: 0">{markup}'
    (folder / name).write_text(document, encoding="utf-8")
    return FRAME.format(name=name, height=TALL if "<iframe" in markup else LOW, title=name)
