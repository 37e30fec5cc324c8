"""What docs/library.md shows of the analyses runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.loaded import load

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "library.md"


def test_the_example_of_the_guide_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```python\n(from models\.analysis.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "corpus.txt").write_text("The cat sat.\nIt rained.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(example, {"model": load("mini-bert", device="cpu")})
    assert "random orders" in capsys.readouterr().out
