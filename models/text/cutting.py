"""A text cleaned, and cut to what a model can read; a pair keeps as much of both as there is room for."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from models.text.pieces import encode, spell_mask
from models.text.tokenizer.normalizer_growth import MOST_NORMALIZED, most_characters
from models.values.errors import TextError
from models.values.wording import Message, join_sentences, to_say, worded

CHARACTERS_PER_TOKEN = 20
"""A text is cut to this many characters a token before it is tokenised: more than any real text needs."""

_CUT = to_say("{text} was cut after “… {words}”: {kept} of {all} tokens are kept.")
_CUT_FROM_MORE = to_say("{text} was cut after “… {words}”: {kept} of more than {all} tokens are kept.")


def is_readable(text: str) -> bool:
    """Whether there is anything to be seen in a text: no control characters, spaces and invisible signs alone."""
    return not all(
        _is_control(character) or character.isspace() or unicodedata.category(character) == "Cf" for character in text
    )


def _clean(text: str, name: str) -> str:
    """The text with control characters and lone surrogates as spaces, of the same length."""
    cleaned = "".join(" " if _is_control(character) else character for character in text)
    if not text:
        raise TextError(worded("{text} is empty. Type a few words.", text=name))
    if not cleaned.strip():
        raise TextError(worded("{text} contains only spaces or control characters. Type a few words.", text=name))
    if not is_readable(cleaned):
        raise TextError(worded("{text} contains only invisible characters. Type a few words.", text=name))
    return cleaned


def _is_control(character: str) -> bool:
    return character not in "\n\t" and unicodedata.category(character) in {"Cc", "Cs"}


def name_of(index: int, n_texts: int) -> Message:
    return worded("The text") if n_texts == 1 else worded("Sentence {letter}", letter="AB"[index])


@dataclass(frozen=True, slots=True, kw_only=True)
class CutText:
    """The part of a text that is kept, and its number of tokens; `n_tokens` is a lower bound if not
    `is_counted`."""

    kept: str
    is_cut: bool
    n_kept: int
    n_tokens: int
    is_counted: bool


def cut_to_fit(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], *, budget: int, max_tokens: int, is_target: bool
) -> list[CutText]:
    """Cut each text so that all of them together have at most `budget` tokens, the longest first."""

    def count(text: str) -> int:
        own = spell_mask(text, tokenizer).text
        return len(encode(tokenizer, own, add_special_tokens=False, is_target=is_target)["input_ids"])

    limit = min(max_tokens * CHARACTERS_PER_TOKEN, most_characters(tokenizer))
    if limit < 1:
        raise TextError(
            worded(
                "The tokenizer of this model can turn a single character into more than {most}, so Headlight does not "
                "read text with it. Choose another model.",
                most=f"{MOST_NORMALIZED:,}",
            )
        )
    names = [name_of(index, len(texts)) for index in range(len(texts))]
    readable = [_clean(_first_characters(text, limit), name) for text, name in zip(texts, names, strict=True)]
    counts = [count(text) for text in readable]
    rooms = _fair_rooms(counts, budget)
    cuts = []
    for text, part, n_tokens, room in zip(texts, readable, counts, rooms, strict=True):
        kept = part if n_tokens <= room else _longest_prefix(part, count, room)
        is_cut = len(kept) < len(text.rstrip())
        n_kept = count(kept) if is_cut else n_tokens
        cuts.append(
            CutText(kept=kept, is_cut=is_cut, n_kept=n_kept, n_tokens=n_tokens, is_counted=len(part) == len(text))
        )
    return cuts


def _first_characters(text: str, limit: int) -> str:
    """The first `limit` characters, those of leading space not counted."""
    n_leading = len(text) - len(text.lstrip())
    return text[: n_leading + limit]


def _fair_rooms(counts: Sequence[int], budget: int) -> list[int]:
    """How many tokens each text may have: a short one keeps all of its own, and the longer one takes the rest."""
    if len(counts) == 1:
        return [budget]
    a, b = counts
    if a <= budget // 2:
        return [a, budget - a]
    if b <= budget // 2:
        return [budget - b, b]
    return [budget - budget // 2, budget // 2]


def _longest_prefix(text: str, count: Callable[[str], int], room: int) -> str:
    """The longest beginning of `text` with at most `room` tokens, ending with a whole word where that is possible."""
    low, high = 0, len(text)  # the first `low` characters fit, the first `high` do not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if count(text[:middle]) <= room else (low, middle)
    whole = _before_last_space(text, low)
    return text[:whole] if whole and count(text[:whole]) <= room else text[:low]


def _before_last_space(text: str, end: int) -> int:
    """Step back from `end` to the end of the last whole word; 0 if that would lose more than a word's length."""
    if text[end : end + 1].isspace():
        return len(text[:end].rstrip())
    for start in range(end, max(0, end - 40), -1):
        if text[start - 1].isspace():
            return len(text[:start].rstrip())
    return 0


def note_of(cuts: Sequence[CutText], *, max_tokens: int) -> str:
    """Sentences that say what was cut, and where; empty if nothing was."""
    parts: list[str] = []
    for index, cut in enumerate(cuts):
        if not cut.is_cut:
            continue
        last_words = " ".join(cut.kept.split()[-4:])[-60:]
        parts.append(
            worded(
                _CUT if cut.is_counted else _CUT_FROM_MORE,
                text=name_of(index, len(cuts)),
                words=last_words,
                kept=f"{cut.n_kept:,}",
                all=f"{cut.n_tokens:,}",
            )
        )
    if not parts:
        return ""
    most = worded("This model reads at most {most} tokens, including special tokens.", most=f"{max_tokens:,}")
    return join_sentences(*parts, most)
