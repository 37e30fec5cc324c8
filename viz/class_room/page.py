"""The page of a room, for telephones and for the projector: markup, styles and one module; no Streamlit, nothing from
elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from viz.kit.language import language, tr
from viz.kit.theme import DARK, FONT, LIGHT, Palette
from viz.kit.tokens import escape

FRONTEND = Path(__file__).with_name("frontend")
ROOM_MODULES = {file.name: file.read_text(encoding="utf-8") for file in sorted(FRONTEND.iterdir())}
"""The browser side by the names of its files."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'"
)
"""The Content-Security-Policy of the page (level 3)."""


def room_page(
    *,
    letters: str,
    is_open: bool,
    is_projector: bool,
    frontend: str,
    addresses: Mapping[str, str],
    widths: Sequence[int],
) -> str:
    """Return the whole document in the current language. `letters` are the code of a room, perhaps of none; `frontend`
    is where the scripts are, and `addresses` are those of the room's `socket`, its `stage`, all `rooms`, and the one to
    type on another computer, `where`. `widths` are those for which the stage draws pages, in CSS pixels."""
    told = {
        "letters": letters,
        "open": is_open,
        "projector": is_projector,
        "widths": list(widths),
        "language": language(),
        **addresses,
    }
    title = tr("Room {letters}", letters=letters) if is_open else tr("A class")
    without = tr("A room needs JavaScript.")
    contents = json.dumps(told).replace("<", "\\u003c")
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin">'
        f"<title>{escape(title)} · Headlight</title>"
        f'<link rel="stylesheet" href="{frontend}/viewer.css"><link rel="stylesheet" href="{frontend}/room.css">'
        f'<link rel="stylesheet" href="{frontend}/room_question.css">'
        f"<style>{_colours()}</style></head>\n"
        f'<body class="{"projector" if is_projector else "student"}"><main id="room"></main>'
        f"<noscript>{escape(without)}</noscript>"
        f'<script type="application/json" id="contents">{contents}</script>'
        f'<script type="module" src="{frontend}/room.js"></script></body></html>\n'
    )


def _colours() -> str:
    return (
        f"body {{ font-family: {FONT}; {_of(LIGHT)} }} @media (prefers-color-scheme: dark) {{ body {{ {_of(DARK)} }} }}"
    )


def _of(palette: Palette) -> str:
    names = {"ground": palette.ground, "ink": palette.ink, "quiet": palette.quiet, "accent": palette.control}
    return " ".join(f"--{name}: {code};" for name, code in names.items())
