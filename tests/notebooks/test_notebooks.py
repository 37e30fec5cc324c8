"""The notebooks run from top to bottom, and each shows what it speaks of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LIMIT = 1_500_000
"""Bytes of a notebook with all its outputs."""


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelManager]:
    """A kernel for all notebooks: to import torch for each takes most of the time."""
    manager = KernelManager()
    manager.start_kernel(cwd=str(ROOT))
    yield manager
    manager.shutdown_kernel(now=True)


def test_there_are_six() -> None:
    assert [path.stem.partition("-")[0] for path in NOTEBOOKS] == list("123456")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(path: Path) -> None:
    """An output is that of the code as it is now: it is made when a reader runs the notebook, or the site is built."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(nbformat.from_dict(notebook))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in code if cell["outputs"] or cell["execution_count"]] == []
    assert notebook["cells"][0]["cell_type"] == "markdown"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_the_viewer(path: Path, kernel: KernelManager) -> None:
    notebook: Any = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))  # the names of the notebook before
    client = NotebookClient(notebook, km=kernel, timeout=300)
    client.execute()
    client.kc.stop_channels()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert [output for output in outputs if output.output_type == "error"] == []
    shown = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert any("<iframe srcdoc=" in markup and "data:image/svg+xml" in markup for markup in shown)
    assert len(nbformat.writes(notebook).encode()) < LIMIT
