"""The width of a window is taken from a cookie that anybody may write."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ui.desk import windows


@pytest.mark.parametrize(
    ("told", "width"),
    [
        ("390", 390),
        ("1920", 1920),
        ("", None),
        ("0390", None),
        ("12", None),
        ("99999", None),
        ("-390", None),
        ("٣٩٠", None),
    ],
)
def test_a_width_of_three_or_four_digits_is_believed(
    monkeypatch: pytest.MonkeyPatch, told: str, width: int | None
) -> None:
    context = SimpleNamespace(cookies={windows.COOKIE: told})
    monkeypatch.setattr(windows, "st", SimpleNamespace(context=context))
    assert windows.window_width() == width
