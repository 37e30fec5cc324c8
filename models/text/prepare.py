"""From text to tokens, for every model: cleaned, cut to what the model can read, with whole words and character spans.

A *structural* token is one that the tokenizer added by itself ([CLS], [SEP], </s>): it has no span and no word, and
`Token.is_special` is true. A special token that a person typed ("[MASK]", "[SEP]") is text: it has a span and a word,
and is not `is_special`, so a picture that hides special tokens still shows the mask.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from transformers import PreTrainedTokenizerBase

from models.text.cutting import CutText, cut_to_fit, name_of, note_of
from models.text.pieces import encode, joined_pieces, pieces_of, separates_pairs, spell_mask
from models.text.typed_specials import TypedText, drop_added_specials, note_of_specials
from models.values.errors import TextError
from models.values.record import Token
from models.values.text.words import Piece, with_words
from models.values.wording import join_sentences, worded

_VISIBLE = frozenset("LNPS")
"""Letters, numbers, punctuation and signs, as Unicode sorts characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedText:
    """A text as a model reads it, with a note for the person.

    `input_ids` and `segment_ids` (token_type_ids, zeros where the tokenizer knows none) have one entry a token.
    `segment_b_start` is the index of the first token of sentence B. `note` says what was cut and which
    special tokens were typed or left out, empty if there is nothing to say.
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
    before: str = "",
    skip: int = 0,
) -> PreparedText:
    """Turn one sentence, or a pair, into at most `max_tokens` tokens, special tokens counted.

    Control characters and lone surrogates become spaces, one for one, so every span is valid in the text as given.
    A text that is too long is cut at its end, the longer one of a pair first. With `is_target`, a single text is read
    as a decoder's, in the language that is written. What stands `before` the text was typed by nobody: its tokens are
    structural. The first `skip` characters are not read. Raises TextError if there is nothing to read, or no room.
    """
    typed = drop_added_specials(tokenizer, (text[skip:], *filter(None, [text_b])), is_target=is_target)
    typed[0] = replace(typed[0], start=typed[0].start + skip)
    texts = [part.text for part in typed]
    _expect_more_than_specials(typed)
    joined = len(texts) == 2 and not separates_pairs(tokenizer)
    n_before = len(encode(tokenizer, before, add_special_tokens=False)["input_ids"]) if before else 0
    budget = max_tokens - tokenizer.num_special_tokens_to_add(pair=len(texts) == 2 and not joined) - joined - n_before
    if budget < len(texts):
        raise TextError(worded("A limit of {n} tokens leaves no room for the text. Raise the limit.", n=max_tokens))
    cuts = cut_to_fit(tokenizer, texts, budget=budget, max_tokens=max_tokens, is_target=is_target)
    spelled = [spell_mask((before if number == 0 else "") + cut.kept, tokenizer) for number, cut in enumerate(cuts)]
    pieces = joined_pieces(tokenizer, spelled) if joined else pieces_of(tokenizer, spelled, is_target=is_target)
    pieces = [_after(piece, len(before)) for piece in pieces] if before else pieces
    _expect_pieces(pieces, len(texts))
    own = with_words(pieces, [cut.kept for cut in cuts])
    notes = note_of(cuts, max_tokens=max_tokens), note_of_specials(typed, pieces, tokenizer), _note_of_unread(own, cuts)
    return PreparedText(
        input_ids=tuple(piece.token_id for piece in pieces),
        segment_ids=tuple(piece.segment_id for piece in pieces),
        tokens=_in_given(own, typed),
        segment_b_start=_start_of_b(own),
        note=join_sentences(*notes),
    )


def _expect_pieces(pieces: Sequence[Piece], n_texts: int) -> None:
    """Raise TextError for a text that has no piece of its own."""
    for number in range(n_texts):
        if not any(piece.segment == number and not piece.is_structural for piece in pieces):
            name = name_of(number, n_texts)
            raise TextError(worded("{text} has no character that this model can read.", text=name))


def _note_of_unread(tokens: Sequence[Token], cuts: Sequence[CutText]) -> str:
    """Say which visible characters stand in no token, such as "▁", which SentencePiece takes for a space."""
    unread: dict[str, None] = {}
    for segment, cut in enumerate(cuts):
        spans = [(token.start, token.end) for token in tokens if token.segment == segment and token.start is not None]
        covered = {place for start, end in spans for place in range(start, end or start)}
        unread |= {
            character: None
            for place, character in enumerate(cut.kept)
            if place not in covered and unicodedata.category(character)[0] in _VISIBLE
        }
    left_out = worded(
        "The tokenizer of this model leaves out these characters: {characters}.", characters=" ".join(unread)
    )
    return left_out if unread else ""


def _start_of_b(tokens: Sequence[Token]) -> int | None:
    own = (position for position, token in enumerate(tokens) if token.segment == 1 and not token.is_special)
    return next(own, None)


def _after(piece: Piece, n_before: int) -> Piece:
    """The same piece, its span counted from the first of the text that was given; structural if it stands before it."""
    if piece.span is None or piece.segment != 0:
        return piece
    start, end = piece.span
    if start < end <= n_before or start == end < n_before:
        return replace(piece, span=None, is_structural=True)
    return replace(piece, span=(max(start - n_before, 0), end - n_before))


def _expect_more_than_specials(typed: Sequence[TypedText]) -> None:
    """Raise TextError for a text of which nothing is left without what the tokenizer adds itself."""
    for number, text in enumerate(typed):
        if text.left_out and not text.text:
            raise TextError(
                worded(
                    "{text} has nothing but {tokens}, which the model adds itself. Type a few words.",
                    text=name_of(number, len(typed)),
                    tokens=" ".join(dict.fromkeys(text.left_out)),
                )
            )


def _in_given(tokens: tuple[Token, ...], typed: Sequence[TypedText]) -> tuple[Token, ...]:
    """The same tokens with their spans in the texts as they were given."""
    if not any(part.start for part in typed):
        return tokens
    return tuple(
        token
        if token.start is None or token.end is None
        else replace(token, start=token.start + typed[token.segment].start, end=token.end + typed[token.segment].start)
        for token in tokens
    )
