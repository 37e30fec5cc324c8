"""A large value is printed in a notebook as one line."""

from __future__ import annotations

import pytest

from models.opening.registry import load
from viz import head_view

LINE = 160


@pytest.fixture(scope="module")
def values() -> dict[str, object]:
    translator = load("translator-es")
    writing = translator.translate("The girl has a red skirt.")
    recording = writing.recording
    return {
        "info": translator.info,
        "writing": writing,
        "recording": recording,
        "record": recording.of("cross"),
        "view of bertviz": head_view(recording.of("encoder")),
    }


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("info", ("translator-es", "3 layers × 8 heads", "parameters")),
        ("writing", ("translator-es", "La niña tiene una falda roja.")),
        ("recording", ("encoder 3 layers × 8 heads", "decoder", "cross")),
        ("record", ("cross 3 layers × 8 heads", "tokens")),
        ("view of bertviz", ("view of bertviz", "characters")),
    ],
)
def test_a_value_says_in_a_line_what_it_is(values: dict[str, object], name: str, says: tuple[str, ...]) -> None:
    line = repr(values[name])
    assert len(line) < LINE + 60 * (name == "recording")
    assert "\n" not in line
    assert all(part in line for part in says)
