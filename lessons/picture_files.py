"""A picture in a lesson: the bytes of a small file, written as text (a "data:" URL, RFC 2397)."""

from __future__ import annotations

import base64
import binascii
import re
from io import BytesIO
from itertools import product

from PIL import Image, UnidentifiedImageError

from models.values.wording import worded

MOST_BYTES_OF_PICTURE = 24_000
LONGEST_PICTURE = 40 + 4 * (MOST_BYTES_OF_PICTURE + 2) // 3
"""The most characters of a picture as text."""
WIDEST, MOST_PIXELS = 900, 50_000_000
"""The widest that a picture is made, and the most pixels of a file that is opened: small files may unpack for ever."""
QUALITIES = (85, 70, 55, 40, 25)
"""The qualities that are tried until a picture is small enough."""
FORMATS = ("PNG", "JPEG", "WEBP")
_DATA = re.compile(r"data:image/(?:png|jpeg|webp);base64,([A-Za-z0-9+/=]+)")


def read_picture(text: str) -> bytes:
    """Return the bytes of a picture. Raises ValueError for anything but a whole PNG, JPEG or WebP file."""
    parts = _DATA.fullmatch("".join(text.split()))
    try:
        raw = base64.b64decode(parts[1], validate=True) if parts else b""
        _open(raw).load()
    except (binascii.Error, ValueError, OSError, SyntaxError):
        raise ValueError(worded("expected a picture, PNG, JPEG or WebP, as text. “Make a lesson” writes it.")) from None
    return raw


def write_picture(raw: bytes) -> str:
    """Return a picture as text, made as small as it has to be. Raises ValueError for a file that is none."""
    try:
        opened = _open(raw)
        opened.thumbnail((WIDEST, WIDEST))
        picture = opened.convert("RGBA" if opened.has_transparency_data else "RGB")
    except (ValueError, OSError, SyntaxError):
        raise ValueError(worded("This file is no picture that can be read. Give a PNG, JPEG or WebP file.")) from None
    for shrunk, quality in product((1, 2, 4), QUALITIES):
        file = BytesIO()
        size = max(1, picture.width // shrunk), max(1, picture.height // shrunk)
        picture.resize(size).save(file, "WEBP", quality=quality)
        if file.tell() <= MOST_BYTES_OF_PICTURE:
            return "data:image/webp;base64," + base64.b64encode(file.getvalue()).decode()
    raise ValueError(worded("This picture cannot be made small enough. Give a simpler one."))


def _open(raw: bytes) -> Image.Image:
    try:
        picture = Image.open(BytesIO(raw), formats=FORMATS)
    except (UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise ValueError(str(error)) from error
    if picture.width * picture.height > MOST_PIXELS:
        raise ValueError(str(picture.size))
    return picture
