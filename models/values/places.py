"""Places of tokens that are not text: patches of a picture, or frames of sound; and the picture or sound itself.

Dosovitskiy et al. 2021, "An Image is Worth 16x16 Words", section 3.1; Radford et al. 2023, "Robust Speech Recognition
via Large-Scale Weak Supervision", section 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_fields
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A rectangle of a picture: its row and column among the patches, and its sides in pixels of the `Image`, the right
    and the lower one exclusive. Raises RecordError if it has no area."""

    row: int
    column: int
    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        if not (self.left < self.right and self.top < self.bottom):
            given = (self.left, self.top, self.right, self.bottom)
            raise RecordError(f"a patch has the sides {given}, expected left < right and top < bottom.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioFrame:
    """A stretch of sound, in seconds from where the `Waveform` begins. Raises RecordError if it lasts no time."""

    start: float
    end: float

    def __post_init__(self) -> None:
        if not self.start < self.end:
            raise RecordError(f"a frame lasts from {self.start} to {self.end} s, expected start < end.")


SourcePlace = Patch | AudioFrame


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Image:
    """A picture as a person sees it: `pixels` [height, width, 3], red, green and blue, uint8.

    Raises RecordError, naming the field, for another shape or type.
    """

    pixels: NDArray[np.uint8]

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        fix_arrays(self, np.uint8, pixels=("height", "width", 3))
        if not self.pixels.size:
            raise RecordError("pixels is empty, expected at least one pixel.")

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Waveform:
    """A sound of one channel: `samples` [n_samples], float32 from -1 to 1, `rate` of them a second.

    Raises RecordError, naming the field, for another shape or type.
    """

    samples: NDArray[np.float32]
    rate: int

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        fix_arrays(self, np.float32, samples=("n_samples",))
        if not self.samples.size:
            raise RecordError("samples is empty, expected at least one sample.")
        if self.rate <= 0:
            raise RecordError(f"rate is {self.rate}, expected samples a second.")

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate
