"""docs/add-a-page.md, followed word for word: its code becomes a page that opens, in a copy of this repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.browser.server import ROOT

GUIDE = ROOT / "docs" / "add-a-page.md"
BLOCK = re.compile(r"^ *```python\n(?P<code>.*?)^ *```$", re.MULTILINE | re.DOTALL)
COPIED = ("ui", "pages", "viz", "docs")
OPEN = """
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

manifest_scanner.scan_component_manifests = list  # no package brings a component to these pages
app = AppTest.from_file("ui/script.py", default_timeout=390).run()
app.switch_page("../pages/received.py").run()
app.select_slider(key="layer").set_value(4).run()
said = [element.value for element in (*app.error, *app.exception)]
(chart,) = app.get("plotly_chart")
print(said, app.title[0].value, "Layer 4" in (chart.proto.spec or chart.proto.figure.spec))
print(app.query_params["layer"])
"""


def blocks() -> dict[str, str]:
    """The code of the guide by the place that its first line names."""
    codes = [dedent(found["code"]) for found in BLOCK.finditer(GUIDE.read_text(encoding="utf-8"))]
    return {code.split("\n", 1)[0].removeprefix("# "): code.split("\n", 1)[1] for code in codes}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """This repository, in which files may be written."""
    for name in COPIED:
        # with what Python has compiled, which is valid there, too, but not what it is writing at this moment
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.pyc.*"))
    (tmp_path / "models").symlink_to(ROOT / "models", target_is_directory=True)
    return tmp_path


def follow(place: str, code: str, folder: Path) -> None:
    """Do what the guide says with a piece of code."""
    file, _, where = place.partition(", ")
    path = folder / file
    if not where:
        path.parent.mkdir(exist_ok=True)
        assert not path.exists()
        path.write_text(code, encoding="utf-8")
        return
    mark = {"before PAGES": "PAGES = (", "the last of PAGES": ")\n\n\ndef run_chosen_page"}[where]
    text = path.read_text(encoding="utf-8")
    assert text.count(mark) == 1
    path.write_text(text.replace(mark, f"{code.strip()}\n{mark}"), encoding="utf-8")


def test_the_guide_makes_a_page_that_opens(copy: Path) -> None:
    for place, code in blocks().items():
        follow(place, code, copy)
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", OPEN], cwd=copy, check=True, capture_output=True, encoding="utf-8"
    )
    assert said.stdout.splitlines() == ["[] Received True", "4"]
