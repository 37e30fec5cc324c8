"""Token texts as people read them: spelled, with positions, escaped. Every token text passes here before it is shown.

A piece knows its own spelling (`models.values.text.spelling`). Nothing is added to a token: "##" appears where the
model's own vocabulary has it. Plotly reads a small HTML in labels, bidirectional controls can reorder a line: both are
defused.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from models.values.record import Token
from models.values.text.particles import Marking
from models.values.text.scripts import has_spaceless_script
from models.values.text.spelling import LITERAL, SpelledPiece, attach_spelling, content_of, text_of, text_of_word
from viz.kit.language import said, shown, to_say
from viz.kit.places import place_name

FILLER = "\ue000"
"""Stands for the width of a letter while lines are measured; a private-use character that occurs in no text."""
_TENTHS = {3: "ijlI.,:;'|!()[]·’‘“”", 4: "tfr-", 6: "bdghknopquEFLST", 7: "ABCDGHKNOQRUVXYZ", 9: "mwMW%@"}
_WIDTHS = {letter: width for width, letters in _TENTHS.items() for letter in letters}
"""The widths of letters that are not half as wide as their font, in tenths of it: those of Source Sans, rounded up."""

SHORT = 14
"""Columns that a label on an axis may take; a wide character (Korean, Chinese) takes two."""
UNMARKED_WORDS = to_say(
    "Scripts without spaces, such as Chinese, Japanese and Thai, do not mark their words: there each token stays by "
    "itself, with whole characters."
)
PARTICLES: dict[Marking, str] = {
    "subject": to_say("particle, marks the subject or what something becomes"),
    "object": to_say("particle, marks the object"),
    "topic": to_say("particle, marks the topic"),
    "adverbial": to_say("particle, marks an adverbial"),
    "companion": to_say("particle, marks who or what comes along"),
    "owner": to_say("particle, marks a noun that describes another"),
    "also": to_say("particle, means also"),
}
"""Words for the roles that Korean particles mark, by `models.values.text.particles`."""
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
_JOINERS = "\u200c\u200d"
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "$": "&#36;"})


def token_texts(tokens: Sequence[Token], *, limit: int | None = None) -> tuple[str, ...]:
    """Return a plain text for each token, with nothing invisible in it, at most `limit` columns wide. NOT escaped for
    HTML."""
    return tuple(shorten(visible(text_of(piece)), limit) for piece in _pieces(tokens))


def texts_of_words(tokens: Sequence[Token], words: Iterable[Sequence[int]]) -> list[str]:
    """Return a plain text for each word, of which the places of its tokens are given: bytes together, without the marks
    inside it. NOT escaped for HTML."""
    return [visible(text_of(text)) for text in merged_pieces(tokens, words)]


def particle_in_words(marking: Marking) -> str:
    """Return what a Korean particle marks, in words; empty for a piece that is none."""
    return said(PARTICLES[marking]) if marking else ""


def unmarked_words_note(texts: Iterable[str]) -> str:
    """Return a note on whole words if some are of a script without spaces; empty otherwise."""
    return said(UNMARKED_WORDS) if any(map(has_spaceless_script, texts)) else ""


def merged_pieces(tokens: Sequence[Token], words: Iterable[Sequence[int]]) -> list[str]:
    """Return the text of one token for each word."""
    pieces = _pieces(tokens)
    return [_merge_pieces([pieces[position] for position in word]) for word in words]


def _merge_pieces(pieces: Sequence[SpelledPiece]) -> SpelledPiece:
    """Merge the pieces of a word into one; a single unmarked piece stays."""
    if len(pieces) == 1 and not pieces[0].spelling.shows_mark(pieces[0]):
        return pieces[0]
    return SpelledPiece(text_of_word(pieces), LITERAL)


def token_labels(tokens: Sequence[Token], *, limit: int | None = SHORT) -> tuple[str, ...]:
    """Return labels for plotly or HTML: `token_texts`, escaped, each with its own writing direction."""
    return tuple(f"{_ISOLATE}{escape(text)}{_END_ISOLATE}" for text in token_texts(tokens, limit=limit))


def positioned_texts(tokens: Sequence[Token], positions: Sequence[int]) -> tuple[str, ...]:
    """Return plain texts that no two tokens share: "5 · the" begins with a digit, a place with the word for it. NOT
    escaped for HTML."""
    return tuple(
        place_name(token.place) if token.place else f"{position} · {text}"
        for token, position, text in zip(tokens, positions, token_texts(tokens), strict=True)
    )


def spelled(piece: str) -> str:
    """Return a single vocabulary piece as people read it: "Ġcat" is "cat", "##ing" stays. NOT escaped for HTML.

    Bytes that are only a part of a character are shown as numbers.
    """
    return visible(text_of(attach_spelling([piece])[0]))


def spelled_apart(pieces: Sequence[str]) -> tuple[str, ...]:
    """Apply `spelled` to the pieces of one picture; of two that look alike, the one with a leading space shows it."""
    read = attach_spelling(pieces)
    texts = [visible(text_of(piece)) for piece in read]
    marked = [content_of(piece).startswith(b" ") for piece in read]
    return tuple(
        f"␣{text}" if has_space and texts.count(text) > 1 and not text.startswith("␣") else text
        for text, has_space in zip(texts, marked, strict=True)
    )


def plain_label(text: str, *, limit: int | None = SHORT) -> str:
    """Return any untrusted text as a label for plotly or HTML: shortened, visible, escaped. A `Message` is
    translated."""
    return f"{_ISOLATE}{escape(shorten(visible(shown(text)), limit))}{_END_ISOLATE}"


def escape(text: str) -> str:
    """Escape text so that plotly and HTML show it literally: no tag, entity, link, quote or formula is left in it.

    Quotes are numbered because plotly does not know the names "&quot;" and "&apos;". A `Message` of the core is
    translated to the current language.
    """
    return shown(text).translate(_ENTITIES)


def shorten(text: str, limit: int | None) -> str:
    """Shorten a text to at most `limit` columns, the ellipsis included."""
    if limit is None or width(text) <= limit:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > limit - 1:
            break
        kept += character
    return kept + "…"


def width(text: str) -> int:
    """Return the columns that a text takes in a fixed-width font: 2 for wide East Asian characters, 0 for combining
    ones."""
    return sum(_columns(character) for character in text)


def pad_letters(text: str) -> str:
    """Return a text in which each letter is followed by as many fillers as it is wide, in tenths of its font, less
    one; spaces stay as they are, so that lines can be broken there."""
    wide = ((letter, 10 if width(letter) > 1 else _WIDTHS.get(letter, 5)) for letter in text)
    return "".join(letter if letter == " " else letter + FILLER * (tenths - 1) for letter, tenths in wide)


def visible(text: str) -> str:
    """Spell out every character of a text that is invisible or changes the direction."""
    if not text:
        return "∅"
    if text.isspace():
        text = text.replace(" ", "␣")
    elif text.isascii() and text.isprintable():
        return text
    spelled_out = "".join(
        character if _is_inner_joiner(text, index) else _visible_character(character)
        for index, character in enumerate(text)
    )
    return f"◌{spelled_out}" if unicodedata.category(spelled_out[0]) in {"Mn", "Me"} else spelled_out


def _pieces(tokens: Sequence[Token]) -> list[SpelledPiece]:
    """Return the texts of tokens as pieces with their spelling; special tokens are literal text."""
    read = iter(attach_spelling([token.text for token in tokens if not token.is_special]))
    return [SpelledPiece(token.text, LITERAL) if token.is_special else next(read) for token in tokens]


def _is_inner_joiner(text: str, index: int) -> bool:
    """Return whether a character is a joiner inside a text, as in emoji and Persian words; at an edge it only hides."""
    return text[index] in _JOINERS and 0 < index < len(text) - 1


def _visible_character(character: str) -> str:
    code, category = ord(character), unicodedata.category(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if category in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or character in _BLANK_LETTERS:
        return f"⟨U+{code:04X}⟩"
    return "␣" if category == "Zs" and character != " " else character


def _columns(character: str) -> int:
    if unicodedata.category(character) in {"Cf", "Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
