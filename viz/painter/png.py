"""A drawing as a PNG file, rasterised by Pillow, at three dots a CSS pixel: a print of 16 cm at 300 dots an inch."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from viz.painter.drawing import BezierCurve, Boxes, Drawing, Label, Point, Strokes

SCALE = 3.0
LARGEST = 40e6
"""Dots in a file; a larger picture gets fewer of them a pixel."""
DOTS_PER_INCH = 300
FONTS = (
    *("NotoSansCJK-Regular.ttc", "malgun.ttf", "AppleSDGothicNeo.ttc", "NanumGothic.ttf"),
    *("msyh.ttc", "DejaVuSans.ttf"),
)
"""Files of fonts that systems have, those that can write Korean first. Pillow has one of its own for Latin letters."""
BOLD_BY = 0.035
"""Of the size of letters, how much thicker bold ones are drawn."""
POINTS = 48
"""Points of a curve."""


def png_of(drawing: Drawing, *, dots: float = SCALE) -> bytes:
    """Return a drawing as the content of a PNG file of so many `dots` a pixel."""
    scale = min(dots, (LARGEST / (drawing.width * drawing.height)) ** 0.5)
    size = (round(drawing.width * scale), round(drawing.height * scale))
    canvas = Image.new("RGB", size, drawing.ground)
    for shape in drawing.shapes:
        match shape:
            case Boxes():
                _fill(canvas, shape, scale)
            case BezierCurve():
                _stroke(canvas, [list(_points(shape))], shape, scale)
            case Strokes():
                _stroke(canvas, shape.paths, shape, scale)
            case Label():
                _write(canvas, shape, scale)
    content = io.BytesIO()
    canvas.save(content, "PNG", dpi=(DOTS_PER_INCH * scale / SCALE,) * 2)
    return content.getvalue()


def _fill(canvas: Image.Image, shape: Boxes, scale: float) -> None:
    brush = ImageDraw.Draw(canvas)
    for left, top, width, height in shape.boxes:
        right, bottom = round((left + width) * scale) - 1, round((top + height) * scale) - 1
        brush.rectangle((round(left * scale), round(top * scale), right, bottom), fill=shape.fill)


def _stroke(canvas: Image.Image, paths: Sequence[Sequence[Point]], shape: BezierCurve | Strokes, scale: float) -> None:
    """Draw lines through a mask of twice the size, so that their edges are smooth."""

    def draw(brush: ImageDraw.ImageDraw, left: float, top: float) -> None:
        half = shape.width * scale
        for path in paths:
            points = [(2 * (x * scale - left), 2 * (y * scale - top)) for x, y in path]
            brush.line(points, fill=255, width=max(round(2 * half), 1), joint="curve")
            for x, y in (points[0], points[-1]):
                brush.ellipse((x - half, y - half, x + half, y + half), fill=255)

    xs, ys = zip(*(point for path in paths for point in path), strict=True)
    room = shape.width + 2
    box = tuple(round(edge * scale) for edge in (min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room))
    _through_mask(canvas, (box[0], box[1], box[2], box[3]), shape.stroke, shape.opacity, draw)


def _points(shape: BezierCurve) -> Iterator[tuple[float, float]]:
    """Yield points along a Bézier curve."""
    ends = np.array([shape.start, *shape.pulls, shape.end])
    for t in np.linspace(0, 1, POINTS):
        shares = np.array([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3])
        x, y = (shares @ ends).tolist()
        yield x, y


def _through_mask(
    canvas: Image.Image,
    box: tuple[int, int, int, int],
    colour: str,
    opacity: float,
    draw: Callable[[ImageDraw.ImageDraw, float, float], None],
) -> None:
    left, top, right, bottom = box
    mask = Image.new("L", (2 * (right - left), 2 * (bottom - top)), 0)
    draw(ImageDraw.Draw(mask), left, top)
    smooth = mask.resize((right - left, bottom - top), Image.Resampling.LANCZOS)
    seen = smooth.point([round(value * opacity) for value in range(256)])
    canvas.paste(Image.new("RGB", seen.size, colour), (left, top), seen)


def _write(canvas: Image.Image, shape: Label, scale: float) -> None:
    font = _font(round(shape.size * scale))
    thick = round(shape.size * scale * BOLD_BY) if shape.bold else 0
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
    x, y = shape.x * scale, shape.y * scale
    if not shape.angle:
        brush = ImageDraw.Draw(canvas)
        brush.text((x, y), shape.text, font=font, fill=shape.fill, anchor=anchor, stroke_width=thick)
        return
    side = 2 * int(font.getlength(shape.text) + font.size)
    mask = Image.new("L", (side, side), 0)
    ImageDraw.Draw(mask).text((side / 2, side / 2), shape.text, font=font, fill=255, anchor=anchor)
    turned = mask.rotate(-shape.angle, Image.Resampling.BICUBIC)
    ink = Image.new("RGB", turned.size, shape.fill)
    canvas.paste(ink, (round(x - side / 2), round(y - side / 2)), turned)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return letters of a size: of the first font that this system has."""
    for name in FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
