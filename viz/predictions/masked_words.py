"""The predictions of an MLM head for a mask: bars, tables, and the reader's sentence with its masks filled.

Devlin et al. 2018, "BERT", section 3.1. A probability is that of the piece among the whole vocabulary, not among the
words that are shown: bars need not add up to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.answers import MaskedText
from models.values.arguments.check import check_arguments
from models.values.record import Token, word_ranges
from models.values.text.spelling import SpelledPiece, attach_spelling, content_of, readable
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.language import tr
from viz.kit.theme import Palette, Theme, nice_maximum, percentage
from viz.kit.tokens import escape, spelled_apart, texts_of_words, visible

LEAST_SHOWN = 1e-3
"""Less likely words are left out of the bars: an empty row says nothing. The table holds them."""
NEVER_FEWER = 2
BLANK = "___"
WORDS_BEFORE, WORDS_AFTER = 4, 2
LONGEST_PLACE = 36
"""The words and characters around a mask that name its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of a filled text. `text` is plain: NOT escaped for HTML or Markdown."""

    text: str
    is_filled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledText:
    """The reader's texts with the masks filled, in parts; `parts_b` is empty for a single text."""

    parts: tuple[Part, ...]
    parts_b: tuple[Part, ...] = ()

    @property
    def plain(self) -> str:
        """Sentence A as one string."""
        return "".join(part.text for part in self.parts)

    @property
    def plain_b(self) -> str:
        """Sentence B as one string, empty for a single text."""
        return "".join(part.text for part in self.parts_b)


class _Row(NamedTuple):
    """A piece at a mask, as the bars and the table show it."""

    rank: int
    word: str
    piece: str
    probability: float
    token_id: int


@check_arguments
def word_bars(
    masked: MaskedText,
    *,
    mask: int,
    top_k: int,
    asked: Sequence[int] = (),
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the `top_k` likeliest words for a mask, the likeliest on top, down to LEAST_SHOWN; `asked` pieces are
    highlighted, with ranks.

    Asked pieces that are not among them follow under a line. Raises SelectionError for a mask out of range.
    """
    palette = style.PALETTES[theme]
    n_best = max(min(top_k, int((masked.of(mask) >= np.log(LEAST_SHOWN)).sum())), min(NEVER_FEWER, top_k))
    n_best = min(n_best, len(masked.vocabulary))
    rows = _rows(masked, mask, n_best, asked)
    bars = [
        _bar(masked, row, place, is_below=place >= n_best, is_asked=row.token_id in asked, palette=palette)
        for place, row in enumerate(rows)
    ]
    note = tr("Probability among all {n} words and pieces that the model knows.", n=f"{len(masked.vocabulary):,}")
    if asked:
        orange = tr("Orange: the word that was asked for.")
        note = f"{note} {orange}"
    figure = lying_bars(
        bars,
        scale=Scale(high=nice_maximum(max(row.probability for row in rows)), title=tr("probability")),
        title=tr("What fits: {place}", place=escape(place_of_mask(masked, mask))),
        note=note,
        theme=theme,
        width=width,
    )
    if len(bars) > n_best:
        line = {"color": palette.border, "width": 1}
        start = -figure.layout.margin.l / (figure.layout.width - figure.layout.margin.l - figure.layout.margin.r)
        figure.add_shape(type="line", xref="paper", x0=start, x1=1, y0=n_best - 0.33, y1=n_best - 0.33, line=line)
    return figure


def place_of_mask(masked: MaskedText, mask: int) -> str:
    """Return a few words around a mask, without signs: "… because ___ was too …". Plain text, NOT escaped."""
    position, ranges = masked.positions[mask], word_ranges(masked.tokens)
    texts, firsts = texts_of_words(masked.tokens, ranges), [masked.tokens[tokens[0]] for tokens in ranges]
    at = next(index for index, tokens in enumerate(ranges) if position in tokens)
    rest = range(ranges[at].start, position), range(position + 1, ranges[at].stop)  # beside the mask
    texts[at] = BLANK.join(texts_of_words(masked.tokens, [part])[0] if part else "" for part in rest)
    in_sentence = [
        index
        for index, (text, token) in enumerate(zip(texts, firsts, strict=True))
        if index == at or (token.segment == firsts[at].segment and not token.is_special and any(map(str.isalnum, text)))
    ]
    middle = in_sentence.index(at)
    first, last = max(middle - WORDS_BEFORE, 0), min(middle + WORDS_AFTER + 1, len(in_sentence))
    while last - first > 1:
        words = _joined_words(masked.tokens, texts, in_sentence[first:last])
        place = " ".join(["…"] * (first > 0) + [words] + ["…"] * (last < len(in_sentence)))
        if len(place) <= LONGEST_PLACE:
            return place
        first, last = (first + 1, last) if first < middle else (first, last - 1)
    return BLANK


def _joined_words(tokens: Sequence[Token], texts: Sequence[str], places: Sequence[int]) -> str:
    """Return some words with spaces between them, but for words that touch in the text, as "학교[MASK]"."""
    ranges, joined = word_ranges(tokens), ""
    for before, place in pairwise([-1, *places]):
        start = tokens[ranges[place].start].start
        touches = place == before + 1 and start is not None and tokens[ranges[before].stop - 1].end == start
        joined += texts[place] if touches or not joined else f" {texts[place]}"
    return joined


def _bar(masked: MaskedText, row: _Row, place: int, *, is_below: bool, is_asked: bool, palette: Palette) -> Bar:
    """Return the bar of a word; with `is_below` it is under the line, with its rank."""
    share, rank = percentage(row.probability), f"{row.rank:,}"
    return Bar(
        place=place + (0.35 if is_below else 0),
        label=row.word,
        value=row.probability,
        text=tr("{share} · rank {rank}", share=share, rank=rank) if is_below else share,
        hover=(
            row.word,
            tr("probability {number}", number=percentage(row.probability)),
            tr("rank {rank} of {all}", rank=rank, all=f"{len(masked.vocabulary):,}"),
            tr("piece {piece}", piece=row.piece),
        ),
        colour=palette.accent if is_asked else palette.bar,
        is_called=is_asked,
    )


def word_table(masked: MaskedText, *, mask: int, top_k: int, asked: Sequence[int] = ()) -> pd.DataFrame:
    """Return the columns rank, word, piece (the tokenizer's spelling), probability: the `top_k` likeliest, then the
    asked ones."""
    rows = _rows(masked, mask, top_k, asked)
    return pd.DataFrame(rows, columns=_Row._fields).drop(columns="token_id")


def all_masks_table(masked: MaskedText, *, top_k: int) -> pd.DataFrame:
    """Return `word_table` for every mask, one below the other; the first columns are the mask, from 0, and its
    position."""
    tables = []
    for mask, position in enumerate(masked.positions):
        table = word_table(masked, mask=mask, top_k=top_k)
        table.insert(0, "mask", mask)
        table.insert(1, "position", position)
        tables.append(table)
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def filled_sentence(text: str, text_b: str | None, masked: MaskedText, pieces: Mapping[int, str]) -> FilledText:
    """Replace each mask of the reader's texts at a position of `pieces` by that piece.

    "##x" joins the word before it; a vocabulary that marks spaces says itself where one belongs. A mask without a
    piece stays as it was typed.
    """
    return FilledText(
        parts=_fill_masks(text, 0, masked, pieces), parts_b=_fill_masks(text_b, 1, masked, pieces) if text_b else ()
    )


def _fill_masks(text: str, segment: int, masked: MaskedText, pieces: Mapping[int, str]) -> tuple[Part, ...]:
    """Return the parts of one text: the stretches between the masks, and the pieces that fill them."""
    spelled = dict(zip(pieces, attach_spelling(list(pieces.values()), masked.vocabulary), strict=True))
    parts: list[Part] = []
    done, joins = 0, False
    for run in _runs(segment, masked, spelled):
        start, end = masked.tokens[run[0]].start or 0, masked.tokens[run[-1]].end or 0
        word = readable(b"".join(content_of(spelled[position]) for position in run))
        span = text[start:end]  # some tokenizers let a mask take the space before it
        between = text[done:start] + span[: len(span) - len(span.lstrip())]
        is_first = not parts and not between.strip()
        if not is_first and (joins or _follows(spelled[run[0]], word)):
            between = between.rstrip() if between.strip() or not joins else ""
        elif word.startswith(" ") and not is_first and not between[-1:].isspace():
            between += " "
        parts += [Part(text=between, is_filled=False), Part(text=_show_invisible(word.strip(" ")), is_filled=True)]
        done, joins = end - (len(span) - len(span.rstrip())), _goes_on(spelled[run[-1]])
    rest = text[done:].lstrip() if joins else text[done:]
    return tuple(part for part in (*parts, Part(text=rest, is_filled=False)) if part.text)


def _follows(piece: SpelledPiece, word: str) -> bool:
    """Return whether a piece continues the word before it."""
    spelling = piece.spelling
    tells_spaces = bool(spelling.in_bytes or spelling.space) and not spelling.ends
    if spelling.inside and spelling.shows_mark(piece):
        return piece.startswith(spelling.inside)
    return tells_spaces and not word.startswith(" ")


def _goes_on(piece: SpelledPiece) -> bool:
    """Return whether a piece is continued by the next one."""
    spelling = piece.spelling
    if spelling.ends:
        return not piece.endswith(spelling.ends)
    return bool(spelling.goes_on) and piece.endswith(spelling.goes_on)


def _runs(segment: int, masked: MaskedText, pieces: Mapping[int, SpelledPiece]) -> list[list[int]]:
    """Return the masks to fill, in reading order; for byte pieces, adjacent masks form one run, as a character may span
    them."""
    runs: list[list[int]] = []
    for position in sorted(set(pieces) & set(masked.positions)):
        token, piece = masked.tokens[position], pieces[position]
        if token.segment != segment or token.start is None:
            continue
        touches = bool(runs) and masked.tokens[runs[-1][-1]].end == token.start
        in_bytes = bool(piece.spelling.in_bytes) or piece.spelling.falls_back
        if in_bytes and touches and not content_of(piece).startswith(b" "):
            runs[-1].append(position)
        else:
            runs.append([position])
    return runs


def _show_invisible(word: str) -> str:
    """Return a word with invisible characters made visible; a blank that the model proposes, such as a line break, is
    kept."""
    return word if word.isspace() or not word else visible(word)


def _rows(masked: MaskedText, mask: int, top_k: int, asked: Sequence[int]) -> list[_Row]:
    """Return the likeliest pieces, ties in the order of the vocabulary, then the asked ones that are not among them."""
    best = [int(token_id) for token_id in np.argsort(-masked.of(mask), kind="stable")[:top_k]]
    beside = [token_id for token_id in dict.fromkeys(asked) if token_id not in best]
    ids = best + sorted(beside, key=lambda token_id: masked.rank(mask, token_id))
    pieces = [masked.vocabulary[token_id] for token_id in ids]
    words = spelled_apart(pieces)
    return [
        _Row(
            rank=masked.rank(mask, token_id),
            word=word,
            piece=visible(piece),
            probability=masked.choice(mask, token_id).probability,
            token_id=token_id,
        )
        for token_id, piece, word in zip(ids, pieces, words, strict=True)
    ]


if __name__ == "__main__":
    from viz.kit.demos.answers import masked_text
    from viz.kit.demos.records import VOCABULARY

    word_bars(masked_text(), mask=0, top_k=5, asked=[VOCABULARY.index("banana")]).show()
