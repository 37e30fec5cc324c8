"""A picture in its frame: the head above it, below it what was done to its numbers, and the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from models.values.record import AttentionRecord, Recording
from viz.attention.transform import Special, prepare
from viz.kit.language import said, tr
from viz.kit.parsing import MEAN
from viz.kit.theme import PALETTES, Palette, Theme
from viz.kit.tokens import visible
from viz.painter.arcs import draw_arcs
from viz.painter.drawing import Drawing, Label, transform, wrap
from viz.painter.maps import PicturePart, draw_map, draw_overview

PictureName = Literal["arcs", "map", "overview"]
WIDTH = 720.0
MARGIN, TITLE, NOTE, GAP, LEADING = 24.0, 22.0, 15.0, 14.0, 1.4


def paint(recording: Recording, chosen: Mapping[str, Any], *, picture: PictureName, theme: Theme) -> Drawing:
    """Return a picture of a head, or the overview of all, or of those that are chosen. `chosen` are checked choices of
    the viewer."""
    record, palette = recording.of(chosen["kind"]), PALETTES[theme]
    layer, head = chosen["layer"], None if chosen["head"] == MEAN else chosen["head"]
    if picture == "overview":
        part = draw_overview(record, palette, heads=_heads(record, chosen), width=WIDTH)
        return _frame_part(recording, part, palette, title=tr("All heads"), sums="")
    words = picture == "arcs" or bool(chosen.get("words"))
    special: Special = chosen.get("special", "shown")
    if picture == "arcs" or special == "margin":
        special = "shown"
    matrix = prepare(record, layer=layer, head=head, words=words, special=special)
    draw = draw_arcs if picture == "arcs" else draw_map
    name = tr("mean") if head is None else str(head)
    title = tr("Layer {layer} · Head {head}", layer=layer, head=name)
    return _frame_part(recording, draw(matrix, palette, width=WIDTH), palette, title=title, sums=matrix.note)


def _heads(record: AttentionRecord, chosen: Mapping[str, Any]) -> list[tuple[int, list[int]]]:
    if chosen.get("heads"):
        return [(chosen["layer"], list(chosen["heads"]))]
    return [(layer, list(range(record.n_heads))) for layer in range(record.n_layers)]


def _frame_part(recording: Recording, part: PicturePart, palette: Palette, *, title: str, sums: str) -> Drawing:
    info = recording.info
    notes = [
        f"{sums} {part.note}".strip(),
        *map(said, info.notes),
        tr("Model: {model}", model=visible(info.public_name)),
    ]
    lines = [line for note in notes for line in wrap(note, NOTE, WIDTH)]
    top = MARGIN + LEADING * TITLE + GAP
    bottom = top + part.height + GAP
    heading = Label(x=MARGIN, y=MARGIN + TITLE, text=title, size=TITLE, fill=palette.ink, bold=True)
    below = [
        Label(x=MARGIN, y=bottom + NOTE + number * LEADING * NOTE, text=line, size=NOTE, fill=palette.quiet)
        for number, line in enumerate(lines)
    ]
    return Drawing(
        width=WIDTH + 2 * MARGIN,
        height=bottom + len(lines) * LEADING * NOTE + MARGIN,
        ground=palette.ground,
        shapes=(heading, *(transform(shape, right=MARGIN, down=top) for shape in part.shapes), *below),
        title=f"{title} · {visible(info.public_name)}",
        description=" ".join(notes),
    )
