"""What all pictures share with the pages."""

from __future__ import annotations

import tomllib
from pathlib import Path

from viz.theme import FONT


def test_pages_and_pictures_ask_for_the_same_fonts() -> None:
    settings = tomllib.loads(Path(".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["theme"]["font"] == settings["theme"]["headingFont"] == FONT
