"""The viewer in the cell of a notebook: a picture, and over it a frame with the viewer, in few bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape as escape_attribute
from typing import Any

from models.values.arguments.bounds import Count
from models.values.arguments.check import check_arguments
from models.values.record import Recording
from viz.kit.declaring import takes_after
from viz.kit.language import language
from viz.kit.tokens import escape
from viz.painter.output import data_address, mime_bundle
from viz.painter.pictures import paint
from viz.viewer.choices import Choices, check_choices
from viz.viewer.html import FRONTEND, page_style, script_digest, sources_of, style, title_of
from viz.viewer.joining import constant, join_modules, without_comments
from viz.viewer.shortening import short_modules, squeezed_sheet
from viz.viewer.stored import stored_contents, stored_text

BOOT = FRONTEND / "cell" / "boot.js"
ENTRY, ENTRY_OF_SOURCES = "cell.js", "source_cell.js"
MOST_IN_ARCS = 128
"""Tokens that are still read as words under arcs."""


@dataclass(frozen=True, kw_only=True)
class FrameChoices(Choices):
    """The choices of the viewer in a frame."""

    height: Count = 720
    """In CSS pixels."""


@takes_after(Recording, FrameChoices)
@check_arguments
def notebook_html(recording: Recording, *, height: Count = 720, **choices: Any) -> str:
    """Return the viewer as markup for a cell of a notebook: a picture, and a frame with the viewer that covers it.

    Where no frame or no script is let in (a notebook that is not trusted, a page that shows the file alone), the
    picture is what is seen. The frame's document is an attribute, so nothing in it can end the frame; the frame is
    sandboxed, so that its script reaches neither the notebook nor its cookies. `height` is in CSS pixels. Raises what
    `viewer_html` raises.
    """
    chosen = check_choices(recording, choices)
    title, picture = title_of(recording), data_address(still_picture(recording, chosen))
    document = escape_attribute(_document(recording, chosen), quote=True)
    return (
        f'<div style="display: grid"><img src="{picture}" alt="{escape(title)}" '
        'style="grid-area: 1 / 1; max-width: 100%">'
        f'<iframe srcdoc="{document}" sandbox="allow-scripts allow-downloads" title="{escape(title)}" '
        f'style="grid-area: 1 / 1; position: relative; width: 100%; height: {height}px; border: 0"></iframe></div>'
    )


@check_arguments
def as_cell(recording: Recording, **choices: Any) -> dict[str, str]:
    """Return the outputs of a cell by their MIME types: the viewer as `notebook_html` makes it, and its picture, which
    is seen where no frame is let in."""
    return {"text/html": notebook_html(recording, **choices)} | still_picture(
        recording, check_choices(recording, choices)
    )


def still_picture(recording: Recording, chosen: Mapping[str, Any]) -> dict[str, str]:
    """Return the arcs of the chosen head, of a long text its map, by the MIME type of the picture. `chosen` are
    checked."""
    is_long = len(recording.of(chosen["kind"]).query_tokens) > MOST_IN_ARCS
    return mime_bundle(paint(recording, chosen, picture="map" if is_long else "arcs", theme="light"))


def _document(recording: Recording, chosen: Mapping[str, Any]) -> str:
    """Return the document of the frame: compressed scripts and numbers, and the script that unpacks them."""
    boot = f"\n{without_comments(BOOT.read_text(encoding='utf-8'))}"
    viewer, digest = _stored_viewer(ENTRY if recording.source is None else ENTRY_OF_SOURCES, language())
    policy = (
        f"default-src 'none'; script-src '{script_digest(boot)}' '{digest}'; "
        "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!DOCTYPE html><html lang="{language()}"><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<title>{escape(title_of(recording))}</title><body><main id="viewer"></main>'
        f'<script type="text/plain" id="code">{viewer}</script>'
        f'<script type="text/plain" id="numbers">{stored_text(stored_contents(recording, chosen))}</script>'
        f'<script type="module">{boot}</script>'
    )


@cache
def _stored_viewer(entry: str, _language: str) -> tuple[str, str]:
    """Return the viewer in the current language as it is stored, and its digest."""
    script = _viewer_script(entry)
    return stored_text(script.encode()), script_digest(script)


def _viewer_script(entry: str) -> str:
    """Return the viewer as a script that brings its style along, and leaves `openCell` behind."""
    modules = short_modules(sources_of(entry), entry)
    sheet = json.dumps(squeezed_sheet(f"{page_style()}\n{style(entry)}"))
    styled = f'document.head.append(Object.assign(document.createElement("style"), {{ textContent: {sheet} }}));'
    script = join_modules((entry,), modules.__getitem__)
    return f"{script}\n{styled}\nglobalThis.openCell = {constant(entry)}.openCell;\n"
