"""A vision transformer: a picture is cut into patches, each is a token, and [CLS] stands before them.

Dosovitskiy et al. 2021, "An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale", section 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch

from models.huggingface.modalities.model import ModalityModel, ModelArguments, expect_shape
from models.values.arguments.check import check_arguments
from models.values.places import Image, Patch
from models.values.record import Array, Kind, Recording, Token

CLS = "[CLS]"


class PictureModel(ModalityModel):
    """A `ViTModel` of transformers, or one that reads as it does: [CLS], then the patches row by row."""

    @check_arguments
    def record(self, pixel_values: Array, image: Image) -> Recording:
        """Run one picture and keep everything.

        `pixel_values` [n_channels, height, width] is what the model reads, as its image processor makes it; `image` the
        same picture to look at, of any size: patches are cut out of it in the same proportions. Raises RecordError for
        pixel values of another shape than the model reads.
        """
        expected = (self._n_channels, *_pair(self.model.config.image_size))
        expect_shape("pixel_values", pixel_values, expected)
        return self._recorded(_given(pixel_values), self._tokens(image), image)

    def _trial(self) -> tuple[ModelArguments, Mapping[Kind, tuple[Token, ...]]]:
        height, width = _pair(self.model.config.image_size)
        noise = np.random.default_rng(0).normal(size=(self._n_channels, height, width))
        return _given(noise.astype(np.float32)), self._tokens(Image(pixels=np.zeros((height, width, 3), np.uint8)))

    @property
    def _n_channels(self) -> int:
        return int(self.model.config.num_channels)

    def _tokens(self, image: Image) -> Mapping[Kind, tuple[Token, ...]]:
        """[CLS] and a token a patch."""
        sides = zip(_pair(self.model.config.image_size), _pair(self.model.config.patch_size), strict=True)
        n_rows, n_columns = (side // of_patch for side, of_patch in sides)
        return {"encoder": (Token(text=CLS, is_special=True), *patch_tokens(image, n_rows, n_columns))}


def patch_tokens(image: Image, n_rows: int, n_columns: int) -> tuple[Token, ...]:
    """A token for each patch of a picture, row by row: "(2, 5)" is in row 2 and column 5, both counted from 0."""
    tall, wide = image.height / n_rows, image.width / n_columns
    return tuple(
        Token(
            text=f"({row}, {column})",
            place=Patch(
                row=row,
                column=column,
                left=column * wide,
                top=row * tall,
                right=(column + 1) * wide,
                bottom=(row + 1) * tall,
            ),
        )
        for row in range(n_rows)
        for column in range(n_columns)
    )


def _given(pixel_values: Array) -> ModelArguments:
    return {"pixel_values": torch.from_numpy(pixel_values.copy())[None]}  # [1, n_channels, height, width]


def _pair(size: int | tuple[int, int] | list[int]) -> tuple[int, int]:
    """Height and width, of which a configuration may give one for both."""
    height, width = (size, size) if isinstance(size, int) else size
    return height, width
