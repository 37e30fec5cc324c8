"""The title of a picture is read on a telephone, too, and nothing stands on it."""

from __future__ import annotations

import plotly.graph_objects as go

from ui.widgets.pictures import BUTTONS_TALL, below_buttons, wrap_title
from viz.kit.theme import base_layout, sizes

LONG = "“umbrella” rather than “gloves”: which words mattered"


def figure(title: str, width: int) -> go.Figure:
    size = sizes(width)
    layout = base_layout("light", size, title=title)
    return go.Figure(layout=layout | {"width": width, "height": 200, "margin": {"t": 50}})


def test_a_long_title_is_broken_into_lines_of_readable_letters() -> None:
    drawn = figure(LONG, 330)
    wrap_title(drawn)
    assert drawn.layout.title.text.replace("<br>", " ") == LONG != drawn.layout.title.text
    assert drawn.layout.title.font.size == drawn.layout.font.size
    more = drawn.layout.height - 200
    assert drawn.layout.margin.t - 50 == more > 0, "the picture is as large as before"


def test_a_title_that_fits_stays_in_one_line() -> None:
    for text, width in ((LONG, 1200), ("Scores", 330)):
        drawn = figure(text, width)
        wrap_title(drawn)
        assert drawn.layout.title.text == text
        assert drawn.layout.height == 200


def test_pictures_beside_each_other_move_together() -> None:
    short, long = figure("Scores", 600), figure(LONG, 600)
    below_buttons(short, long)
    assert short.layout.title.pad.t == long.layout.title.pad.t == BUTTONS_TALL
    assert short.layout.height == long.layout.height
    alone = figure("Scores", 600)
    below_buttons(alone)
    assert alone.layout.height == 200
