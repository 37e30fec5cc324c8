"""The counts of `tests.structure` on a house that can be counted by hand."""

from __future__ import annotations

from pathlib import Path

from tests.structure import look

SOURCES = {
    "models/__init__.py": "from models.one.first import run\n",
    "models/one/__init__.py": "",
    "models/one/first.py": "from models.one import second\nfrom models.two.third import go\n\n\ndef run():\n    go()\n",
    "models/one/second.py": "import models.two.third\nimport torch\n",
    "models/two/__init__.py": "",
    "models/two/third.py": "from ..errors import Error\n\n\ndef go(): pass\n",
    "models/errors.py": "class Error(Exception):\n    async def said(self):\n        return 1\n",
}


def test_rooms_arrows_and_lengths_are_those_that_one_counts_by_hand(tmp_path: Path) -> None:
    for name, source in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    found = look(tmp_path, "models")
    assert found.rooms == {"one", "two", "errors"}
    assert found.arrows == {("one", "two"), ("two", "errors")}
    assert look(tmp_path, "models/one").rooms == {"first", "second"}
    assert look(tmp_path, "models/one").arrows == {("first", "second")}
    assert found.n_modules == 7
    assert found.longest_module == 6
    assert found.lengths == (1, 2, 2)
