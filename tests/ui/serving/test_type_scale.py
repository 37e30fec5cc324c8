"""Pages are written in four sizes of letters, wherever a style stands."""

from __future__ import annotations

import re

from tests.browser.server import ROOT

SCALE = {"0.875rem", "1rem", "1.25rem", "1.5rem"}
"""Notes and controls, text, headings and what a class reads, the title of a page and sentences with an answer."""
OF_A_ROOM = "clamp(4rem,"
"""The letters of a room are as large as the window lets them."""
STYLES = [ROOT / "ui/serving/style.css", *(ROOT / "viz/viewer/frontend").glob("*.css"), *(ROOT / "ui").rglob("*.py")]


def test_every_style_of_a_page_keeps_to_the_scale() -> None:
    sizes = {
        (path.name, size)
        for path in STYLES
        for size in re.findall(r"font-size: ([^;!\s]+)", path.read_text(encoding="utf-8"))
    }
    assert {style for style in sizes if style[1] not in SCALE | {OF_A_ROOM}} == set()
    assert SCALE < {size for _, size in sizes}
