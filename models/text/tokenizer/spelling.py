"""How a tokenizer spells text, found by having it read pieces again: its own decoder says what its marks mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from transformers import PreTrainedTokenizerBase

from models.text.tokenizer.normalizer_growth import state_of
from models.text.tokenizer.patience import panics_as_errors
from models.values.text.spelling import LITERAL, Bytes, SpelledPiece, Spelling

_EURO = "€"
_EURO_IN_BYTES: dict[Bytes, tuple[str, ...]] = {"printable": ("âĤ¬",), "latin": ("â", "\x82", "¬")}
"""As GPT-2 and as ByT5 spell its bytes."""
_EURO_FALLING_BACK = ("<0xE2>", "<0x82>", "<0xAC>")
_SPACE, _INSIDE, _GOES_ON, _ENDS = "▁", "##", "@@", "</w>"
_REPLACEMENT = re.compile(r'"replacement":"([^"\\])"')
_known: WeakKeyDictionary[PreTrainedTokenizerBase, tuple[Spelling, frozenset[str]]] = WeakKeyDictionary()


def spelling_of_tokenizer(tokenizer: PreTrainedTokenizerBase) -> Spelling:
    """Return how a tokenizer spells text."""
    return _of(tokenizer)[0]


def literal_pieces(tokenizer: PreTrainedTokenizerBase) -> frozenset[str]:
    """Return the pieces that are text as they stand: those that were added, but for runs of spaces."""
    return _of(tokenizer)[1]


def spelled_pieces(pieces: Sequence[str], tokenizer: PreTrainedTokenizerBase) -> list[SpelledPiece]:
    """Return pieces that know how they are read."""
    spelling, literal = _of(tokenizer)
    return [SpelledPiece(piece, LITERAL if piece in literal else spelling) for piece in pieces]


def _of(tokenizer: PreTrainedTokenizerBase) -> tuple[Spelling, frozenset[str]]:
    if tokenizer not in _known:
        added = frozenset(str(piece) for piece in tokenizer.get_added_vocab() if str(piece).strip(_SPACE))
        _known[tokenizer] = _probe_spelling(tokenizer), added
    return _known[tokenizer]


def _probe_spelling(tokenizer: PreTrainedTokenizerBase) -> Spelling:
    """Return what the tokenizer's decoder does to marks, and what its model and its normalizer do where it has none."""
    model = getattr(getattr(tokenizer, "backend_tokenizer", None), "model", None)
    in_bytes: Bytes = next(
        (letters for letters, euro in _EURO_IN_BYTES.items() if _decode(tokenizer, euro) == _EURO), ""
    )
    if not in_bytes and _uses(tokenizer, '"ByteLevel"'):
        in_bytes = "printable"
    stand_apart = _decode(tokenizer, ("a", "b")) == "a b"
    ends = getattr(model, "end_of_word_suffix", None)
    if not ends and not stand_apart and _decode(tokenizer, (f"a{_ENDS}", "b")) == "a b":
        ends = _ENDS
    inside = getattr(model, "continuing_subword_prefix", None)
    if not inside and stand_apart and _decode(tokenizer, ("a", f"{_INSIDE}b")) == "ab":
        inside = _INSIDE
    space = "" if in_bytes else _space_mark(tokenizer)
    return Spelling(
        in_bytes=in_bytes,
        space=space,
        inside=inside or "",
        ends=ends or "",
        goes_on=_GOES_ON if _decode(tokenizer, (f"a{_GOES_ON}", "b")) == "ab" else "",
        falls_back=_decode(tokenizer, _EURO_FALLING_BACK) == _EURO or bool(getattr(model, "byte_fallback", False)),
        apart=stand_apart and not (in_bytes or space or ends),
    )


def _space_mark(tokenizer: PreTrainedTokenizerBase) -> str:
    """Return what stands for a space; another sign than "▁" where the settings of a `Metaspace` name one."""
    named = _REPLACEMENT.search(state_of(tokenizer, "pre_tokenizer"))
    mark = named[1] if named else _SPACE
    is_read = not named and _decode(tokenizer, ("a", f"{_SPACE}b")) == "a b"
    return mark if named or is_read or _uses(tokenizer, _SPACE) else ""


def _uses(tokenizer: PreTrainedTokenizerBase, sign: str) -> bool:
    """Return whether the settings of a tokenizer name something."""
    return any(sign in state_of(tokenizer, part) for part in ("normalizer", "pre_tokenizer", "decoder"))


def _decode(tokenizer: PreTrainedTokenizerBase, pieces: Sequence[str]) -> str:
    """Return the text of some pieces, without the space around it; nothing where the tokenizer cannot read them."""
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    try:
        with panics_as_errors():
            if backend is None:
                return tokenizer.convert_tokens_to_string(list(pieces)).strip()
            return str(backend.decoder.decode(list(pieces))).strip() if backend.decoder else " ".join(pieces)
    except (ArithmeticError, AttributeError, ImportError, LookupError, RuntimeError, TypeError, ValueError):
        return ""
