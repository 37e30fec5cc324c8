"""The notebooks as pages: each is run, and stands there with what came out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import plotly.graph_objects as go
from nbclient import NotebookClient
from plotly.offline import get_plotlyjs

FRAME = '<iframe src="{name}" class="cell" height="{height}" title="{title}"></iframe>'
TALL, LOW = 760, 420
"""Pixels of a cell with the viewer in it, and of any other one."""
FIGURE = "application/vnd.plotly.v1+json"
PLOTLY = "plotly.min.js"
LOADED = re.compile(r"""<script[^>]*\ssrc=["']https?://([\w.-]+)/""")
"""The host that an output loads a script from, as bertviz' own do."""


def write_notebooks(folder: Path, *, root: Path) -> list[tuple[str, str]]:
    """Run the notebooks of a folder, write a page beside each, and return the title and the file of each page.

    The links of the folder's README.md lead to the pages from then on.
    """
    contents = folder / "README.md"
    contents.write_text(contents.read_text(encoding="utf-8").replace(".ipynb)", ".md)"), encoding="utf-8")
    made = []
    for path in sorted(folder.glob("*.ipynb")):
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
            number += 1
            if FIGURE in data:
                yield _framed(_figure(data[FIGURE], folder), folder, f"{stem}-{number}.html")
            elif "text/html" in data:
                yield _framed(data["text/html"], folder, f"{stem}-{number}.html")
            elif text := output.get("text") or data.get("text/plain"):
                yield f"```text\n{text.rstrip()}\n```"


def _figure(told: dict[str, Any], folder: Path) -> str:
    """Return a figure as markup that takes plotly from a file beside it, which is written."""
    (folder / PLOTLY).write_text(get_plotlyjs(), encoding="utf-8")
    figure = go.Figure({"data": told["data"], "layout": told["layout"]})
    return str(figure.to_html(full_html=False, include_plotlyjs=PLOTLY))


def _framed(markup: str, folder: Path, name: str) -> str:
    """Write an output as a document of its own, and return the frame that shows it; or say why it is not shown."""
    if loaded := LOADED.search(markup):
        return f"*This output loads scripts from {loaded[1]}, so it is there only when you run the notebook.*"
    document = f'<!DOCTYPE html><meta charset="utf-8"><title>{name}</title><body style="margin: 0">{markup}'
    (folder / name).write_text(document, encoding="utf-8")
    return FRAME.format(name=name, height=TALL if "<iframe" in markup else LOW, title=name)
