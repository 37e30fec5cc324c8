"""A notebook on the site: what comes out of its cells stands there, each output in a frame of its own."""

from __future__ import annotations

from pathlib import Path

import nbformat

from deploy.site.notebooks import PLOTLY, write_notebooks

CELLS = (
    "print('a < b')",
    "from IPython.display import HTML\nHTML('<b>bold</b>')",
    "HTML('<script src=\"https://cdn.example/x.js\"></script>')",
    "import plotly.graph_objects as go\ngo.Figure(go.Bar(y=[1, 2]))",
)


def test_every_kind_of_output_is_shown(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_markdown_cell("# Title"), *map(nbformat.v4.new_code_cell, CELLS)]
    nbformat.write(notebook, tmp_path / "one.ipynb")
    (tmp_path / "README.md").write_text("# All\n\n[One](one.ipynb)\n", "utf-8")
    assert write_notebooks(tmp_path, root=tmp_path) == [("Title", "one.md")]
    assert "[One](one.md)" in (tmp_path / "README.md").read_text("utf-8")
    page = (tmp_path / "one.md").read_text("utf-8")
    assert "```text\na < b\n```" in page
    frames = sorted(path.name for path in tmp_path.glob("*.html"))
    assert len(frames) == 2
    assert all(f'<iframe src="{name}"' in page for name in frames)
    texts = [(tmp_path / name).read_text("utf-8") for name in frames]
    assert "loads scripts from cdn.example, " in page
    assert "<b>bold</b>" in texts[0]
    assert f'src="{PLOTLY}"' in texts[1]
    assert (tmp_path / PLOTLY).stat().st_size > 1_000_000
