"""A picture to send: a sentence with its arcs, one line of text and where it is from, in the shape that chats show; as
the viewer makes it (frontend/card.js)."""

from __future__ import annotations

from models.values.record import AttentionRecord
from viz.attention.transform import prepare
from viz.kit.theme import PALETTES, Palette
from viz.painter.arcs import draw_arcs
from viz.painter.drawing import Drawing, DrawnShape, Label, cut_to_width, text_width, transform
from viz.painter.maps import PicturePart

WIDTH, HEIGHT = 1200.0, 630.0
"""As Open Graph recommends."""
EDGE, ROOM = 48.0, 430.0
LARGEST, SMALLEST, QUIET = 40.0, 20.0, 24.0
SCALES = (2.6, 2.2, 1.8, 1.5, 1.2, 1.0, 0.8)


def draw_card(record: AttentionRecord, *, layer: int, head: int, query: int | None, tells: str, source: str) -> Drawing:
    """Return the picture of a head on a light ground: the arcs of the word of a token `query`, of all words for None;
    `tells` is the line below them, `source` what they come from."""
    palette, room = PALETTES["light"], WIDTH - 2 * EDGE
    matrix = prepare(record, layer=layer, head=head, words=True)
    parts = ((draw_arcs(matrix, palette, width=room / scale, of_word=query), scale) for scale in SCALES)
    part, scale = next(((part, scale) for part, scale in parts if scale * part.height <= ROOM), (None, 1.0))
    arcs = () if part is None else _arcs(part, scale)
    return Drawing(
        width=WIDTH,
        height=HEIGHT,
        ground=palette.ground,
        shapes=(*arcs, *_lines(tells, source, palette)),
        title=tells,
        description=source,
    )


def _arcs(part: PicturePart, scale: float) -> tuple[DrawnShape, ...]:
    down = EDGE + (ROOM - scale * part.height) / 2
    return tuple(transform(shape, right=EDGE, down=down, scale=scale) for shape in part.shapes)


def _lines(tells: str, source: str, palette: Palette) -> tuple[Label, Label]:
    room = WIDTH - 2 * EDGE
    size = max(min(LARGEST, LARGEST * room / max(text_width(tells, LARGEST), 1)), SMALLEST)
    said = cut_to_width(tells, size, room)
    return (
        Label(x=EDGE, y=HEIGHT - 120, text=said, size=size, fill=palette.ink, bold=True),
        Label(x=EDGE, y=HEIGHT - 56, text=cut_to_width(source, QUIET, room), size=QUIET, fill=palette.quiet),
    )
