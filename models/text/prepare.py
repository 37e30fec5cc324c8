"""From text to tokens, for every model: cleaned, cut to what the model can read, with whole words and character spans.

A *structural* token is one that the tokenizer added by itself ([CLS], [SEP], </s>): it has no span and no word, and
`Token.is_special` is true. A special token that a person typed ("[MASK]", "[SEP]") is text: it has a span and a word,
and is not `is_special`, so a picture that hides special tokens still shows the mask.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from transformers import BatchEncoding, PreTrainedTokenizerBase

from models.text.normalizer_growth import MOST_NORMALIZED, may_never_end, most_characters
from models.text.patience import PanicError, panics_as_errors, within
from models.values.errors import TextError
from models.values.record import Token

MASK = "[MASK]"
"""What a person types for a masked word, whichever model reads it."""
CHARACTERS_PER_TOKEN = 20
"""A text is cut to this many characters a token before it is tokenised: more than any real text needs."""

SECONDS_TO_READ = 10.0
"""The most that a tokenizer with a regular expression may take over a text: an ordinary one takes thousandths."""

ZERO_WIDTH_JOINER, ZERO_WIDTH_SPACE = "\u200d", "\u200b"
WORD_MARKS = ("▁", "Ġ")
"""How the pieces at the start of a word are spelled, by SentencePiece and by byte-level tokenizers."""
APOSTROPHES = frozenset("'\u2019")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedText:
    """What a model reads, and what a person is told about it.

    `input_ids` and `segment_ids` (token_type_ids, zeros where the tokenizer knows none) have one entry a token.
    `segment_b_start` is the index of the first token of sentence B. `note` says what was cut, empty if nothing was.
    """

    input_ids: tuple[int, ...]
    segment_ids: tuple[int, ...]
    tokens: tuple[Token, ...]
    segment_b_start: int | None
    note: str


def prepare(
    tokenizer: PreTrainedTokenizerBase,
    text: str,
    text_b: str | None = None,
    *,
    max_tokens: int,
    is_target: bool = False,
) -> PreparedText:
    """Turn one sentence, or a pair, into at most `max_tokens` tokens, special tokens counted.

    Control characters and lone surrogates become spaces, one for one, so every span is valid in the text as given.
    A text that is too long is cut at its end, the longer one of a pair first. An empty `text_b` means there is none.
    With `is_target`, a single text is read as a decoder's: in the language that a translation model writes.
    Raises TextError if a sentence has nothing to read, or if `max_tokens` leaves no room.
    """
    texts = (text,) if not text_b else (text, text_b)
    joined = len(texts) == 2 and not _separates_pairs(tokenizer)
    budget = max_tokens - tokenizer.num_special_tokens_to_add(pair=len(texts) == 2 and not joined) - joined
    if budget < len(texts):
        raise TextError(f"A limit of {max_tokens} tokens leaves no room for the text. Raise the limit.")
    cuts = _cut_to_fit(tokenizer, texts, budget=budget, max_tokens=max_tokens, is_target=is_target)
    spelled = [_spelled(cut.kept, tokenizer) for cut in cuts]
    pieces = _joined_pieces(tokenizer, spelled) if joined else _pieces(tokenizer, spelled, is_target=is_target)
    for index in range(len(texts)):
        if not any(piece.segment == index and not piece.is_structural for piece in pieces):
            raise TextError(f"{_name_of(index, len(texts))} has no character that this model can read.")
    tokens = _with_words(pieces, [cut.kept for cut in cuts])
    return PreparedText(
        input_ids=tuple(piece.token_id for piece in pieces),
        segment_ids=tuple(piece.segment_id for piece in pieces),
        tokens=tokens,
        segment_b_start=next(
            (i for i, token in enumerate(tokens) if token.segment == 1 and not token.is_special), None
        ),
        note=_note(cuts, max_tokens=max_tokens),
    )


def tokens_of_written(
    pieces: Sequence[str], is_special: Sequence[bool], *, inside: str | None = None, segment: int = 1
) -> tuple[Token, ...]:
    """Tokens for pieces that a decoder wrote by itself: no spans, words by the marks of the tokenizer.

    `inside` is how pieces inside a word begin, for a tokenizer that marks those ("##"); else words begin with a mark.
    """
    written = [
        _Piece(text=text, token_id=0, segment_id=0, segment=segment, span=None, is_structural=special)
        for text, special in zip(pieces, is_special, strict=True)
    ]
    return _with_words(written, ["", ""], inside=inside)


def mark_inside_words(tokenizer: PreTrainedTokenizerBase) -> str | None:
    """How pieces inside a word begin, "##" in WordPiece; None for tokenizers that mark where a word begins."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return getattr(getattr(backend, "model", None), "continuing_subword_prefix", None) or None


def begins_word(piece: str, inside: str | None) -> bool:
    """Whether a word begins with a piece that has no span; `inside` as in `tokens_of_written`."""
    return piece.startswith(WORD_MARKS) if inside is None else not piece.startswith(inside)


# -- cleaning ---------------------------------------------------------------------------------------------------------


def _cleaned(text: str, name: str) -> str:
    """The text with control characters and lone surrogates as spaces, of the same length."""
    cleaned = "".join(" " if _is_control(character) else character for character in text)
    if not text:
        raise TextError(f"{name} is empty. Type a few words.")
    if not cleaned.strip():
        raise TextError(f"{name} holds only spaces or control characters. Type a few words.")
    if all(character.isspace() or unicodedata.category(character) == "Cf" for character in cleaned):
        raise TextError(f"{name} holds only invisible characters. Type a few words.")
    return cleaned


def _is_control(character: str) -> bool:
    return character not in "\n\t" and unicodedata.category(character) in {"Cc", "Cs"}


def _name_of(index: int, n_texts: int) -> str:
    return "The text" if n_texts == 1 else f"Sentence {'AB'[index]}"


# -- cutting ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """What is kept of a text, and how many of its tokens that is; `n_tokens` is a lower bound if not `is_counted`."""

    kept: str
    is_cut: bool
    n_kept: int
    n_tokens: int
    is_counted: bool


def _cut_to_fit(
    tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], *, budget: int, max_tokens: int, is_target: bool
) -> list[_Cut]:
    """Cut each text so that all of them together have at most `budget` tokens, the longest first."""

    def count(text: str) -> int:
        own = _spelled(text, tokenizer).text
        return len(_encode(tokenizer, own, add_special_tokens=False, is_target=is_target)["input_ids"])

    limit = min(max_tokens * CHARACTERS_PER_TOKEN, most_characters(tokenizer))
    if limit < 1:
        raise TextError(
            f"The tokenizer of this model can make more than {MOST_NORMALIZED:,} characters of a single one. Headlight "
            "reads no text with it: choose another model."
        )
    names = [_name_of(index, len(texts)) for index in range(len(texts))]
    readable = [_cleaned(_first_characters(text, limit), name) for text, name in zip(texts, names, strict=True)]
    counts = [count(text) for text in readable]
    rooms = _fair_rooms(counts, budget)
    cuts = []
    for text, part, n_tokens, room in zip(texts, readable, counts, rooms, strict=True):
        kept = part if n_tokens <= room else _longest_prefix(part, count, room)
        is_cut = len(kept) < len(text.rstrip())
        n_kept = count(kept) if is_cut else n_tokens
        cuts.append(_Cut(kept=kept, is_cut=is_cut, n_kept=n_kept, n_tokens=n_tokens, is_counted=len(part) == len(text)))
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


def _note(cuts: Sequence[_Cut], *, max_tokens: int) -> str:
    """Sentences that say what was cut, and where; empty if nothing was."""
    parts = []
    for index, cut in enumerate(cuts):
        if not cut.is_cut:
            continue
        total = f"{cut.n_tokens:,}" if cut.is_counted else f"more than {cut.n_tokens:,}"
        last_words = " ".join(cut.kept.split()[-4:])[-60:]
        name = _name_of(index, len(cuts))
        parts.append(f"{name} was cut after “… {last_words}”: {cut.n_kept:,} of {total} tokens are kept.")
    if not parts:
        return ""
    return " ".join([*parts, f"This model reads at most {max_tokens:,} tokens, special tokens included."])


# -- tokenising -------------------------------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A token before its word is known; an empty span is a piece without a character of its own, such as "▁"."""

    text: str
    token_id: int
    segment_id: int
    segment: int
    span: Span | None
    is_structural: bool


def _spelled(text: str, tokenizer: PreTrainedTokenizerBase) -> _Spelled:
    own = tokenizer.mask_token
    if own is None or own == MASK or MASK not in text:
        return _Spelled(text=text, starts=range(len(text)), ends=range(1, len(text) + 1))
    starts: list[int] = []
    ends: list[int] = []
    parts = text.split(MASK)
    for index, part in enumerate(parts):
        at = ends[-1] if ends else 0
        starts += range(at, at + len(part))
        ends += range(at + 1, at + len(part) + 1)
        if index < len(parts) - 1:
            at += len(part)
            starts += [at] * len(own)
            ends += [at + len(MASK)] * len(own)
    return _Spelled(text=own.join(parts), starts=starts, ends=ends)


def _separates_pairs(tokenizer: PreTrainedTokenizerBase) -> bool:
    return tokenizer.num_special_tokens_to_add(pair=True) > tokenizer.num_special_tokens_to_add(pair=False)


def _encode(
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

    def encoded() -> BatchEncoding:
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

    try:
        with panics_as_errors():
            return within(SECONDS_TO_READ, encoded) if may_never_end(tokenizer) else encoded()
    except PanicError as error:
        raise TextError(
            f"The tokenizer of this model breaks on this text ({str(error)[:120]}). Change the text, or choose another "
            "model."
        ) from error
    except TimeoutError as error:
        raise TextError(
            f"The tokenizer of this model does not come to an end with this text within {SECONDS_TO_READ:g} seconds. "
            "Change the text, or choose another model."
        ) from error


def _pieces(
    tokenizer: PreTrainedTokenizerBase, spelled: Sequence[_Spelled], *, is_target: bool = False
) -> list[_Piece]:
    """The pieces of one text, or of a pair for which the tokenizer has a template."""
    encoding = _encode(tokenizer, *[text.text for text in spelled], is_target=is_target)
    ids: list[int] = encoding["input_ids"]
    texts = list(tokenizer.convert_ids_to_tokens(ids))
    if tokenizer.is_fast:
        owners = encoding.sequence_ids(0)
        spans: list[Span | None] = [tuple(offsets) for offsets in encoding["offset_mapping"]]
    else:
        owners = _owners(tokenizer, spelled, encoding["special_tokens_mask"])
        spans = _searched_spans(texts, owners, [text.text for text in spelled])
    segment_ids = encoding.get("token_type_ids") or [0] * len(ids)
    pieces: list[_Piece] = []
    for position, owner in enumerate(owners):
        before = pieces[-1].segment if pieces else 0
        span = spans[position]
        pieces.append(
            _Piece(
                text=texts[position],
                token_id=ids[position],
                segment_id=segment_ids[position],
                segment=before if owner is None else owner,
                span=None if owner is None or span is None else _span_of(texts[position], span, spelled[owner]),
                is_structural=owner is None,
            )
        )
    return pieces


def _span_of(piece: str, span: Span, spelled: _Spelled) -> Span:
    """The span in the text as given; empty for a lone "▁", for which some tokenizers claim the letter after it."""
    start, end = spelled.original(span)
    return (start, start) if not piece.strip("▁") and spelled.text[span[0] : span[1]].strip() else (start, end)


def _joined_pieces(tokenizer: PreTrainedTokenizerBase, spelled: Sequence[_Spelled]) -> list[_Piece]:
    """The pieces of a pair for a tokenizer without a separator (GPT-2): A, a space, B, read as one text."""
    a, b = spelled
    boundary = (a.ends[-1] if a.ends else 0) + 1
    starts = [*a.starts, boundary - 1, *(boundary + start for start in b.starts)]
    ends = [*a.ends, boundary, *(boundary + end for end in b.ends)]
    whole = _Spelled(text=f"{a.text} {b.text}", starts=starts, ends=ends)
    return [_of_sentence(piece, boundary) for piece in _pieces(tokenizer, [whole])]


def _of_sentence(piece: _Piece, boundary: int) -> _Piece:
    """The same piece, its span counted from the start of its own sentence; B starts at the character `boundary`."""
    if piece.span is None or piece.span[0] < boundary - 1:
        return piece
    start, end = piece.span  # may begin with the space between A and B, which belongs to neither
    return _Piece(
        text=piece.text,
        token_id=piece.token_id,
        segment_id=piece.segment_id,
        segment=1,
        span=(max(0, start - boundary), end - boundary),
        is_structural=piece.is_structural,
    )


def _owners(
    tokenizer: PreTrainedTokenizerBase, spelled: Sequence[_Spelled], structural: Sequence[int]
) -> list[int | None]:
    """Which text each token comes from, None for a structural one, for tokenizers that do not say."""
    n_first = len(_encode(tokenizer, spelled[0].text, add_special_tokens=False)["input_ids"])
    owners: list[int | None] = []
    n_seen = 0
    for is_structural in structural:
        owners.append(None if is_structural else int(n_seen >= n_first))
        n_seen += not is_structural
    return owners


def _searched_spans(pieces: Sequence[str], owners: Sequence[int | None], texts: Sequence[str]) -> list[Span | None]:
    """Spans for a tokenizer that gives none: each piece is looked for just after the one before; None if not there."""
    cursors = [0] * len(texts)
    spans: list[Span | None] = []
    for piece, owner in zip(pieces, owners, strict=True):
        if owner is None:
            spans.append(None)
            continue
        wanted, text, at = piece.lstrip("▁"), texts[owner], cursors[owner]
        next_word = len(text) - len(text[at:].lstrip())  # a lone "▁" stands before it
        start = text.find(wanted, at, at + 4 * len(wanted) + 40) if wanted else next_word
        spans.append((start, start + len(wanted)) if start >= 0 else None)
        cursors[owner] = start + len(wanted) if start >= 0 else at
    return spans


# -- words ------------------------------------------------------------------------------------------------------------


def _with_words(pieces: Sequence[_Piece], texts: Sequence[str], *, inside: str | None = None) -> tuple[Token, ...]:
    """The tokens, with words counted from 0 over both texts in the order in which they are read."""
    starts = [_word_starts(text) for text in texts]
    words: list[int | None] = []
    last: object = None
    word = -1
    for index, piece in enumerate(pieces):
        if piece.is_structural:
            words.append(None)
            continue
        before = pieces[index - 1] if index else None
        here: object = None
        if piece.span is None:
            here = ("piece", index) if begins_word(piece.text, inside) else None
        elif not _overlap(before, piece):
            here = _word_key(index, piece.segment, piece.span, texts[piece.segment], starts[piece.segment])
        if word < 0 or (here is not None and here != last):
            word, last = word + 1, here
        words.append(word)
    return tuple(_token(piece, word) for piece, word in zip(pieces, words, strict=True))


def _overlap(before: _Piece | None, piece: _Piece) -> bool:
    """Whether two pieces share a character, as the bytes of one do."""
    if before is None or before.segment != piece.segment or before.span is None or piece.span is None:
        return False
    return piece.span[0] < before.span[1]


def _word_key(index: int, segment: int, span: Span, text: str, starts: Sequence[int]) -> object:
    """Something equal for the pieces of one word."""
    start, end = span
    characters = text[start:end]
    if "\n" in characters and characters.isspace():
        return "line", index
    is_blank = not characters.strip()  # a lone "▁" or "Ġ" belongs to the word that it stands before
    return segment, bisect_right(starts, end if is_blank else start)


def _token(piece: _Piece, word: int | None) -> Token:
    start, end = piece.span if piece.span is not None else (None, None)
    return Token(
        text=piece.text, start=start, end=end, word=word, segment=piece.segment, is_special=piece.is_structural
    )


def _word_starts(text: str) -> list[int]:
    """Where the words of a text start: runs of letters, digits and marks; every other visible character is a word.

    An apostrophe between letters belongs to its word ("didn't"). A Chinese character is a word by itself, as in BERT.
    A joined emoji is one word.
    """
    starts = []
    base = " "  # the last character that is not a mark, a joiner, or an apostrophe inside a word
    is_glued = False
    for index, character in enumerate(text):
        if _joins(character) and not base.isspace():
            is_glued = character == ZERO_WIDTH_JOINER
            continue
        if character in APOSTROPHES and _is_letter(base) and _is_letter(text[index + 1 : index + 2]):
            continue
        continues = is_glued or (_is_letter(base) and _is_letter(character))
        if not character.isspace() and not continues:
            starts.append(index)
        base, is_glued = character, False
    return starts


def _joins(character: str) -> bool:
    """Marks, joiners, and the skin tones of emoji never start a word."""
    is_skin_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    return is_skin_tone or (
        character != ZERO_WIDTH_SPACE and unicodedata.category(character) in {"Mn", "Mc", "Me", "Cf"}
    )


def _is_letter(character: str) -> bool:
    """Whether it is a letter, digit or "_"; not so an ideograph, nor the empty string."""
    is_ideograph = "\u3400" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"
    return character == "_" or (character != "" and not is_ideograph and unicodedata.category(character)[0] in "LN")
