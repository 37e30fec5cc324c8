"""Tokens, the kinds of attention between them, and the type of all arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_fields
from models.values.errors import RecordError
from models.values.places import SourcePlace
from models.values.wording import to_say

Array = NDArray[np.float32]
Kind = Literal["encoder", "decoder", "cross"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_KIND_NAMES: dict[str, str] = {"encoder": to_say("encoder"), "decoder": to_say("decoder"), "cross": to_say("cross")}


def kind_name(kind: str) -> str:
    """Return the name of a kind of attention, or of a stack, for a sentence; it is translated where that is shown."""
    return _KIND_NAMES.get(kind, kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of text as the model reads it; or, with a `place`, of a picture or of sound.

    `text` is the tokenizer's own spelling ("##ing", "Ġthe", "▁the"). `start` and `end` are character offsets into the
    text that it came from, end exclusive; a special token that the user did not type has none. `segment` says which
    text: 0 for sentence A, 1 for sentence B. Pieces of one word share `word`, counted over both texts; a special token
    has none.
    """

    text: str
    start: int | None = None
    end: int | None = None
    word: int | None = None
    segment: int = 0
    is_special: bool = False
    place: SourcePlace | None = None
    """Where it stands in the `source` of the recording, if it is a patch or a frame: `text` is then a short name."""

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
