"""Cleaning of all kinds of data: decoding bytes, removing odd characters, holding out a part."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from lab.limits import MEGABYTE
from models.analysis.over_texts import encodings
from models.values.errors import LabError
from models.values.wording import to_say, worded, worded_n

TableRow = tuple[str, ...]
"""The sentences of a document; a text and its label, or the labels of its words; a source and its target."""
HELD_OUT = 0.1
MOST_CONTROLS = 0.01
"""The share of control characters above which data are not text."""


def decode(content: bytes, *, most_bytes: int) -> str:
    """Return the text of a file in UTF-8, or in another encoding that its bytes tell. Raises LabError for anything
    else, or too much."""
    expect_size(len(content), most_bytes)
    if (form := encodings.form_of(content)) is not None:
        raise LabError(
            worded(
                "The file is {form}, and not text. Save what it holds as text in UTF-8 (in Excel: “CSV UTF-8”) and "
                "upload that.",
                form=form,
            )
        )
    try:
        return encodings.decode(content)
    except UnicodeDecodeError as error:
        raise LabError(
            worded(
                "The file is not UTF-8: byte {at} does not fit. Save it as UTF-8 (in Excel: “CSV UTF-8”) and upload it "
                "again.",
                at=f"{error.start:,}",
            )
        ) from error


def expect_size(n_bytes: int, most_bytes: int) -> None:
    """Raise LabError for more than this server takes."""
    if n_bytes > most_bytes:
        raise LabError(
            worded(
                "You gave {given} MB, and this server takes at most {most} MB. Use part of it: for a model of this "
                "size, a few hundred kilobytes are enough.",
                given=f"{n_bytes / MEGABYTE:,.1f}",
                most=f"{most_bytes / MEGABYTE:,.1f}",
            )
        )


def clean_text(text: str) -> tuple[str, list[str]]:
    """Return the text with one form for every character and line end, and without hidden ones. Raises LabError."""
    if not text.strip():
        raise LabError(to_say("There is no text, or only spaces. Paste some text, upload a file, or use the sample."))
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    kept = lines.translate(_HIDDEN)
    hidden = len(lines) - len(kept)
    controls = len(lines) - len(lines.translate(_CONTROLS))  # Khmer and Thai have invisible signs between words
    if controls > MOST_CONTROLS * len(lines) + 20:
        raise LabError(
            worded(
                "{hidden} of {all} characters are control characters, so this is not plain text. Was it saved by a "
                "word processor? Save it as plain text in UTF-8.",
                hidden=f"{controls:,}",
                all=f"{len(lines):,}",
            )
        )
    removed = worded_n(
        "{count} hidden character removed.", "{count} hidden characters removed.", hidden, count=f"{hidden:,}"
    )
    return unicodedata.normalize("NFC", kept), [removed] if hidden else []


def _hidden_characters() -> dict[int, None]:
    """Control characters but tab and new line, marks of direction and of byte order, and halves of characters."""
    directions = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
    return dict.fromkeys({*_CONTROLS, *directions, 0x00AD, 0x200B, 0x2060, 0xFEFF})


_CONTROLS = dict.fromkeys(
    code for code in (*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)) if chr(code) not in "\t\n"
)
_HIDDEN = _hidden_characters()


def split_rows(
    rows: Sequence[TableRow], key: Callable[[TableRow], str]
) -> tuple[tuple[TableRow, ...], tuple[TableRow, ...]]:
    """(learned, held out) in their order: the tenth with the smallest hashes is held out, at least one row."""
    n_held_out = max(1, round(HELD_OUT * len(rows)))
    smallest = sorted(range(len(rows)), key=lambda index: _digest(key(rows[index])))[:n_held_out]
    held = set(smallest)
    return (
        tuple(row for index, row in enumerate(rows) if index not in held),
        tuple(row for index, row in enumerate(rows) if index in held),
    )


def shuffle_rows(rows: Iterable[TableRow]) -> tuple[TableRow, ...]:
    """Return rows in a pseudorandom order, so that the first of them are a mixed sample."""
    return tuple(sorted(rows, key=lambda row: _digest("\n".join(row))))


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def quote_labels(labels: Sequence[str], most: int = 5) -> str:
    """Return the first labels in quotes, and how many more there are."""
    shown = ", ".join(f"“{label}”" for label in labels[:most])
    return worded("{some} and {n} more", some=shown, n=len(labels) - most) if len(labels) > most else shown
