"""The page "Class room": a picture of a class before a room is open, and its letters afterwards."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from streamlit.testing.v1 import AppTest

from ui.class_room.picture import LETTERS, WORDS, class_picture
from viz.kit.language import LANGUAGES, read_in
from viz.kit.theme import Theme

PAGE = Path(__file__).resolve().parents[3] / "pages" / "class_room.py"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_shows_the_wall_and_a_telephone(language: str, theme: Theme) -> None:
    with read_in(language):
        picture = ET.fromstring(class_picture(theme))
    wide, high = map(float, picture.attrib["viewBox"].split()[2:])
    words = [text.text for text in picture.iter() if text.tag.endswith("text")]
    assert words.count(LETTERS) == 1
    for word, _ in WORDS:
        assert words.count(word) == 2
    for shape in picture:
        assert 0 <= float(shape.attrib["x"]) <= wide
        assert 0 <= float(shape.attrib["y"]) <= high


def test_a_room_is_opened_and_closed() -> None:
    app = AppTest.from_file(str(PAGE), default_timeout=390).run()
    assert not app.exception
    assert len(app.get("image")) == 1
    (button,) = [button for button in app.button if button.label == "Open a room"]
    app = button.click().run()
    assert not app.exception
    assert not app.get("image")
    letters = [element.value for element in app.markdown if re.fullmatch("# [B-Z]{4}", element.value)]
    assert len(letters) == 1
    (button,) = [button for button in app.button if button.label == "Close the room"]
    app = button.click().run()
    assert len(app.get("image")) == 1
