"""Tokens for the axes of attention that somebody has: of strings, of positions, or of the patches of a picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from models.values.errors import ArgumentError, RecordError
from models.values.places import Image, Patch
from models.values.record import Token
from models.values.text.spelling import SpelledPiece, attach_spelling
from models.values.text.words import tokens_of_written
from models.values.wording import worded
from viz.given.arrays import to_array

SPECIAL = re.compile(
    r"\[(CLS|SEP|PAD|BOS|EOS)\]|</?s>|<(pad|bos|eos|cls|sep|start_of_turn|end_of_turn)>|<\|[^|]{1,40}\|>|<｜[^｜]{1,40}｜>"
)
"""How tokenizers write the tokens that mark the beginning and the end of a text, or fill it up."""
SHOWN = 4
"""So many tokens are quoted in a message."""


def text_tokens(texts: Sequence[str], *, sentence_b_start: int | None = None) -> tuple[Token, ...]:
    """Return tokens for the pieces of a tokenizer, in its own spelling, with their words."""
    is_special = [SPECIAL.fullmatch(text) is not None for text in texts]
    return _in_two_sentences(
        tokens_of_written(_spell_pieces(texts, is_special), is_special, segment=0), sentence_b_start
    )


def _in_two_sentences(tokens: tuple[Token, ...], sentence_b_start: int | None) -> tuple[Token, ...]:
    """Return tokens of which those from a position on are of sentence B; None leaves them as they are."""
    if sentence_b_start is None:
        return tokens
    if not 0 < sentence_b_start < len(tokens):
        raise RecordError(
            worded(
                "sentence_b_start is {start}, expected the position of the first token of sentence B, from 1 to "
                "{last}.",
                start=sentence_b_start,
                last=len(tokens) - 1,
            )
        )
    return (*tokens[:sentence_b_start], *(replace(token, segment=1) for token in tokens[sentence_b_start:]))


def _spell_pieces(texts: Sequence[str], is_special: Sequence[bool]) -> list[str]:
    """Return pieces that know how they are read, going by the marks in them; those without any are words."""
    plain = [text for text, special in zip(texts, is_special, strict=True) if not special]
    if not plain:
        return list(texts)
    spelling = attach_spelling(plain)[0].spelling
    if any(text.endswith("@@") for text in plain):
        spelling = replace(spelling, goes_on="@@")
    has_marks = spelling.in_bytes or spelling.space or spelling.ends or spelling.goes_on
    spelling = spelling if has_marks else replace(spelling, apart=True)
    return [text if special else SpelledPiece(text, spelling) for text, special in zip(texts, is_special, strict=True)]


def numbered_tokens(n: int, *, sentence_b_start: int | None = None) -> tuple[Token, ...]:
    """Return tokens without a text: their positions."""
    tokens = tuple(Token(text=str(position), word=position) for position in range(n))
    return _in_two_sentences(tokens, sentence_b_start)


def patch_tokens(
    n: int, grid: tuple[int, int], image: Image | None, texts: Sequence[str] | None = None
) -> tuple[Token, ...]:
    """Return tokens for the patches of a picture, row by row, after the special tokens that stand before them.

    Without a picture the sides of a patch are shares of one. Raises RecordError if there are fewer tokens than patches.
    """
    n_rows, n_columns = grid
    n_before = n - n_rows * n_columns
    if min(grid) < 1 or n_before < 0:
        raise RecordError(
            worded(
                "grid is {rows} rows × {columns} columns, {patches} patches, but the attention has {n} tokens. "
                "Expected as many patches as tokens, less the special tokens before them.",
                rows=n_rows,
                columns=n_columns,
                patches=n_rows * n_columns,
                n=n,
            )
        )
    height, width = (1, 1) if image is None else (image.height, image.width)
    before = [Token(text="[CLS]" if place == 0 else f"[{place}]", is_special=True) for place in range(n_before)]
    patches = [
        Token(
            text=f"({row}, {column})",
            place=Patch(
                row=row,
                column=column,
                left=width * column / n_columns,
                top=height * row / n_rows,
                right=width * (column + 1) / n_columns,
                bottom=height * (row + 1) / n_rows,
            ),
        )
        for row in range(n_rows)
        for column in range(n_columns)
    ]
    tokens = (*before, *patches)
    return tokens if texts is None else tuple(map(_with_text, tokens, texts))


def _with_text(token: Token, text: str) -> Token:
    return replace(token, text=text)


def expect_number(texts: Sequence[str], n: int, *, axis: str, name: str) -> None:
    """Raise RecordError unless there are as many tokens as an axis is long."""
    if not len(texts) and n:
        raise RecordError(
            worded(
                "{name} is empty, but the attention has {n} {axis}. Give the text of every token; without any, their "
                "positions are shown.",
                name=name,
                n=n,
                axis=axis,
            )
        )
    if len(texts) != n:
        quoted = ", ".join([*map(repr, texts[:SHOWN]), *(["…"] if len(texts) > SHOWN else [])])
        raise RecordError(
            worded(
                "{name} has {given} tokens ({quoted}), but the attention has {n} {axis}. Give every token that the "
                "model read, special tokens such as [CLS] included; if some are padding, give mask= as well.",
                name=name,
                given=len(texts),
                quoted=quoted,
                n=n,
                axis=axis,
            )
        )


def as_image(picture: Any, grid: tuple[int, int] | None) -> Image | None:
    """Return a picture as a person sees it, of an array [height, width, 3], [height, width] or [height, width, 4], of
    whole numbers to 255 or shares to 1, which may have a batch axis of one, or of a picture of Pillow. Raises
    ArgumentError for any other, and for one whose patches are not known."""
    if picture is None:
        return None
    if grid is None:
        raise ArgumentError(worded("An image needs grid=(rows, columns): how many patches it was cut into."))
    if isinstance(picture, Image):
        return picture
    pixels = to_array(np.asarray(picture.convert("RGB")) if hasattr(picture, "convert") else picture, "image")
    if pixels.ndim == 4 and len(pixels) == 1:
        pixels = pixels[0]
    if pixels.ndim == 3 and pixels.shape[0] == 3 and pixels.shape[2] not in (3, 4):
        pixels = pixels.transpose(1, 2, 0)  # [3, height, width], as torch has it
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or not pixels.size:
        raise ArgumentError(
            worded(
                "image has the shape {shape}, expected [height, width, 3]: red, green and blue.",
                shape=list(pixels.shape),
            )
        )
    least, most = float(pixels.min()), float(pixels.max())
    if not (least >= 0 and most <= 255):
        raise ArgumentError(
            worded(
                "image has values from {least} to {most}, expected 0 to 255, or 0 to 1. Give the picture as it was "
                "before it was normalised for the model.",
                least=f"{least:.3g}",
                most=f"{most:.3g}",
            )
        )
    whole = pixels[..., :3] * (255 if most <= 1 else 1)
    return Image(pixels=np.round(whole).astype(np.uint8))
