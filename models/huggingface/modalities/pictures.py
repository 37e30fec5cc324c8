"""A vision transformer: a picture is cut into patches, each is a token, and [CLS] stands before them.

Dosovitskiy et al. 2021, "An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale", section 3.1.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch

from models.huggingface.modalities.model import ModalityModel
from models.huggingface.network import PassArguments
from models.huggingface.recorded import Tokens
from models.values.arguments.check import check_arguments
from models.values.places import Image, Patch
from models.values.record import Recording, Token


class PictureModel(ModalityModel):
    """A `ViTModel` of transformers: it reads [CLS], then the patches row by row."""

    @check_arguments
    def record(self, source: str | Image, text_b: str | None = None) -> Recording:
        """Run a picture of any size and return queries, keys and values of every attention layer.

        Its patches are in the proportions of what the model reads. Raises UnsupportedModelError for a text.
        """
        if isinstance(source, str) or text_b is not None:
            raise self.refuse_text()
        pixel_values = self.processor(images=np.array(source.pixels), return_tensors="pt")["pixel_values"]
        return self.record_pass({"pixel_values": pixel_values}, self._tokens(source), source)

    def sample(self) -> tuple[PassArguments, Tokens]:
        height, width = _pair(self.config.image_size)
        noise = torch.randn(1, self.config.num_channels, height, width, generator=torch.Generator().manual_seed(0))
        return {"pixel_values": noise}, self._tokens(Image(pixels=np.zeros((height, width, 3), np.uint8)))

    def _tokens(self, image: Image) -> Tokens:
        (height, width), (tall, wide) = _pair(self.config.image_size), _pair(self.config.patch_size)
        return {"encoder": (Token(text="[CLS]", is_special=True), *patch_tokens(image, height // tall, width // wide))}


def patch_tokens(image: Image, n_rows: int, n_columns: int) -> tuple[Token, ...]:
    """Return a token for each patch of a picture, row by row: "(2, 5)" is in row 2 and column 5, counted from 0."""
    lines = [round(row * image.height / n_rows, 6) for row in range(n_rows + 1)]
    columns = [round(column * image.width / n_columns, 6) for column in range(n_columns + 1)]
    return tuple(
        Token(
            text=f"({row}, {column})",
            place=Patch(row=row, column=column, left=left, top=top, right=right, bottom=bottom),
        )
        for row, (top, bottom) in enumerate(pairwise(lines))
        for column, (left, right) in enumerate(pairwise(columns))
    )


def _pair(size: int | tuple[int, int] | list[int]) -> tuple[int, int]:
    """Return height and width, of which a configuration may give one for both."""
    height, width = (size, size) if isinstance(size, int) else size
    return height, width
