"""From a text to pieces: what the tokenizer gives, with the characters of the text as it was typed that each covers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from transformers import BatchEncoding, PreTrainedTokenizerBase
from transformers.models.blenderbot_small.tokenization_blenderbot_small import BlenderbotSmallTokenizer

from models.text.alignment import align
from models.text.tokenizer.normalizer_growth import may_never_end
from models.text.tokenizer.patience import PanicError, panics_as_errors, within
from models.text.tokenizer.spelling import spelled_pieces
from models.values.answers import MASK
from models.values.errors import TextError
from models.values.text.spelling import LITERAL, Span, SpelledPiece, content_of
from models.values.text.words import Piece
from models.values.wording import worded

LINE, NEW_LINE = r"(?<=\S)\n", " __newln__ "
"""How BlenderbotSmall reads the end of a line, behind a word alone: its tokenizer has no offsets that would tell."""
SECONDS_TO_READ = 10.0
"""The most that a tokenizer with a regular expression may take over a text: an ordinary one takes thousandths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spelled:
    """A text with "[MASK]" as the tokenizer spells it; character i covers starts[i] to ends[i] of the text as given."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, span: Span) -> Span:
        """The span in the text as given, without the white space around it. An empty span stays empty."""
        start, end = span
        while end - start > 1 and self.text[start].isspace():
            start += 1
        while end - start > 1 and self.text[end - 1].isspace():
            end -= 1
        if start >= end:
            return (self.starts[start],) * 2 if start < len(self.text) else (len(self.text),) * 2
        return self.starts[start], self.ends[end - 1]


def spell_mask(text: str, tokenizer: PreTrainedTokenizerBase) -> _Spelled:
    """Spell "[MASK]" as the tokenizer does, and the end of a line where it has a word of its own for it."""
    own = tokenizer.mask_token
    words = {} if own is None or own == MASK else {re.escape(MASK): own}
    if isinstance(tokenizer, BlenderbotSmallTokenizer):
        words[LINE] = NEW_LINE
    return _spell_words(text, words)


def _spell_words(text: str, words: Mapping[str, str]) -> _Spelled:
    """Replace what the patterns find in a text by words of a tokenizer."""
    spelled, starts, ends = "", list[int](), list[int]()
    begin = 0
    found = sorted(
        (match.start(), match.end(), own) for wanted, own in words.items() for match in re.finditer(wanted, text)
    )
    for start, end, own in (*found, (len(text), len(text), "")):
        spelled += text[begin:start] + own
        starts += [*range(begin, start), *[start] * len(own)]
        ends += [*range(begin + 1, start + 1), *[end] * len(own)]
        begin = end
    return _Spelled(text=spelled, starts=starts, ends=ends)


def separates_pairs(tokenizer: PreTrainedTokenizerBase) -> bool:
    return tokenizer.num_special_tokens_to_add(pair=True) > tokenizer.num_special_tokens_to_add(pair=False)


def encode(
    tokenizer: PreTrainedTokenizerBase,
    text: str,
    text_b: str | None = None,
    *,
    add_special_tokens: bool = True,
    is_target: bool = False,
) -> BatchEncoding:
    """Encode without the tokenizer's own cutting and padding: those settings are shared by all threads.

    Raises TextError if the tokenizer breaks, or does not come to an end.
    """
    call = partial(_call_tokenizer, tokenizer, text, text_b, add_special_tokens=add_special_tokens, is_target=is_target)
    try:
        with panics_as_errors():
            return within(SECONDS_TO_READ, call) if may_never_end(tokenizer) else call()
    except PanicError as error:
        raise TextError(
            worded(
                "The tokenizer of this model fails on this text ({why}). Change the text, or choose another model.",
                why=str(error)[:120],
            )
        ) from error
    except TimeoutError as error:
        raise TextError(
            worded(
                "The tokenizer of this model did not finish this text within {seconds} seconds. Change the text, or "
                "choose another model.",
                seconds=f"{SECONDS_TO_READ:g}",
            )
        ) from error


def _call_tokenizer(
    tokenizer: PreTrainedTokenizerBase, text: str, text_b: str | None, *, add_special_tokens: bool, is_target: bool
) -> BatchEncoding:
    encoding: BatchEncoding = tokenizer(
        text=None if is_target else text,
        text_pair=text_b,
        text_target=text if is_target else None,
        add_special_tokens=add_special_tokens,
        padding=False,
        truncation=False,
        return_token_type_ids=True,
        return_special_tokens_mask=True,
        return_offsets_mapping=tokenizer.is_fast,
        verbose=False,
    )
    return encoding


def pieces_of(
    tokenizer: PreTrainedTokenizerBase, spelled: Sequence[_Spelled], *, is_target: bool = False
) -> list[Piece]:
    """The pieces of one text, or of a pair for which the tokenizer has a template."""
    encoding = encode(tokenizer, *[text.text for text in spelled], is_target=is_target)
    ids: list[int] = encoding["input_ids"]
    texts = spelled_pieces(tokenizer.convert_ids_to_tokens(ids), tokenizer)
    if tokenizer.is_fast:
        owners = encoding.sequence_ids(0)
        spans = _with_marks(encoding["offset_mapping"], owners, [text.text for text in spelled])
    else:
        owners = _owners(tokenizer, spelled, encoding, is_target=is_target)
        spans = _aligned_spans(texts, owners, [text.text for text in spelled], unknown=tokenizer.unk_token)
    segment_ids = encoding.get("token_type_ids") or [0] * len(ids)
    pieces: list[Piece] = []
    for position, owner in enumerate(owners):
        before = pieces[-1].segment if pieces else 0
        span = spans[position]
        pieces.append(
            Piece(
                text=texts[position] if owner is None else _mark_literal(texts[position], span, spelled[owner].text),
                token_id=ids[position],
                segment_id=segment_ids[position],
                segment=before if owner is None else owner,
                span=None if owner is None or span is None else _span_of(texts[position], span, spelled[owner]),
                is_structural=owner is None,
            )
        )
    return pieces


def _span_of(piece: str, span: Span, spelled: _Spelled) -> Span:
    """The span in the text as given; empty for a lone space, for which some tokenizers claim the letter after it."""
    start, end = spelled.original(span)
    is_blank = not content_of(piece).strip(b" ") and "▁" not in spelled.text[span[0] : span[1]]
    return (start, start) if is_blank and spelled.text[span[0] : span[1]].strip() else (start, end)


def _mark_literal(piece: SpelledPiece, span: Span | None, text: str) -> SpelledPiece:
    """The piece, as text where a person typed the sign that else stands for a space."""
    mark = piece.spelling.space
    return SpelledPiece(piece, LITERAL) if mark and span is not None and mark in text[slice(*span)] else piece


def joined_pieces(tokenizer: PreTrainedTokenizerBase, spelled: Sequence[_Spelled]) -> list[Piece]:
    """The pieces of a pair for a tokenizer without a separator (GPT-2): A, a space, B, read as one text."""
    a, b = spelled
    boundary = (a.ends[-1] if a.ends else 0) + 1
    starts = [*a.starts, boundary - 1, *(boundary + start for start in b.starts)]
    ends = [*a.ends, boundary, *(boundary + end for end in b.ends)]
    whole = _Spelled(text=f"{a.text} {b.text}", starts=starts, ends=ends)
    return [_of_sentence(piece, boundary) for piece in pieces_of(tokenizer, [whole])]


def _of_sentence(piece: Piece, boundary: int) -> Piece:
    """The same piece, its span counted from the start of its own sentence; B starts at the character `boundary`."""
    if piece.span is None or piece.span[0] < boundary - 1:
        return piece
    start, end = piece.span  # may begin with the space between A and B, which belongs to neither
    return Piece(
        text=piece.text,
        token_id=piece.token_id,
        segment_id=piece.segment_id,
        segment=1,
        span=(max(0, start - boundary), end - boundary),
        is_structural=piece.is_structural,
    )


def _owners(
    tokenizer: PreTrainedTokenizerBase, spelled: Sequence[_Spelled], encoding: BatchEncoding, *, is_target: bool
) -> list[int | None]:
    """Return which text each token comes from, None for a structural one, for tokenizers that do not say. Their own
    masks take a special token that was typed for one that was added (Marian)."""
    structural: list[int] = encoding["special_tokens_mask"]
    own = [
        [-1 - number] * len(encode(tokenizer, text.text, add_special_tokens=False, is_target=is_target)["input_ids"])
        for number, text in enumerate(spelled)
    ]
    untyped: Any = tokenizer
    marked: list[int] = untyped.build_inputs_with_special_tokens(*own)  # a number below 0 for each token of a text
    if len(marked) == len(structural):
        return [-1 - number if number < 0 else None for number in marked]
    owners: list[int | None] = []
    n_seen = 0
    for is_structural in structural:
        owners.append(None if is_structural else int(n_seen >= len(own[0])))
        n_seen += not is_structural
    return owners


def _with_marks(offsets: Sequence[Span], owners: Sequence[int | None], texts: Sequence[str]) -> list[Span | None]:
    """Return spans that take the accents and the Hangul vowels and finals after them: a tokenizer that composes such
    signs (Unicode Standard Annex 15, NFC) gives the span of the first one."""
    starts = {(owner, start) for owner, (start, _) in zip(owners, offsets, strict=True)}
    spans: list[Span | None] = []
    for owner, (start, stop) in zip(owners, offsets, strict=True):
        text, end = "" if owner is None else texts[owner], stop
        while start < end < len(text) and (owner, end) not in starts and _is_mark(text[end]):
            end += 1
        spans.append((start, end))
    return spans


def _is_mark(character: str) -> bool:
    """Return whether a character is composed with the one before it, also one of half a width, as in "ﾊﾟ"."""
    whole = unicodedata.normalize("NFKD", character)[0]
    return bool(unicodedata.combining(whole)) or "\u1160" <= whole <= "\u11ff"


def _aligned_spans(
    pieces: Sequence[str], owners: Sequence[int | None], texts: Sequence[str], *, unknown: str | None
) -> list[Span | None]:
    """Return spans for a tokenizer that gives none, by what its pieces spell."""
    spans: list[Span | None] = [None] * len(pieces)
    for number, text in enumerate(texts):
        places = [place for place, owner in enumerate(owners) if owner == number]
        for place, span in zip(places, align([pieces[place] for place in places], text, unknown=unknown), strict=True):
            spans[place] = span
    return spans
