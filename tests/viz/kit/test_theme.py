"""Controls: one colour for those of Streamlit and of the viewer, in which words can be read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from viz.kit.theme import PALETTES, Theme

ROOT = Path(__file__).resolve().parents[3]
AA, GRAPHICS = 4.5, 3.0
"""The least contrast of text, and of a control with the page (WCAG 2.2, criteria 1.4.3 and 1.4.11)."""


def luminance(colour: str) -> float:
    channels = [value / 255 for value in bytes.fromhex(colour.removeprefix("#"))]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_control_has_streamlit_s_colour_and_is_seen_and_read(theme: Theme) -> None:
    streamlit = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"][theme]
    palette = PALETTES[theme]
    assert (streamlit["primaryColor"], streamlit["backgroundColor"]) == (palette.control, palette.ground)
    assert contrast(palette.control, "#ffffff") >= AA
    assert contrast(palette.control, palette.ground) >= GRAPHICS


def test_no_control_of_the_viewer_has_the_colour_of_a_bar() -> None:
    style = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "viz/viewer/frontend").glob("*.css"))
    pressed = re.findall(r"[^{}]*(?:button|select|input)[^{}]*\{[^}]*\}", style)
    assert pressed
    assert [rule for rule in pressed if "var(--bar)" in rule] == []
