"""Escape readers' text for Markdown, and translate Headlight's messages."""

from __future__ import annotations

import re
import string

from viz.kit.language import shown

NOTHING_SEEN = ":gray[]"
"""Streamlit's Markdown for an empty coloured text: invisible, silent and not copied."""
_CONSTRUCTS = re.compile(r"(?<=:)(?=\S)|(?<=www)(?=\.)|(?=@)|(?<=[<>~-])(?=[=>-])", re.IGNORECASE)
"""The positions where text is split: in addresses (https://, www., name@host), shortcodes (:smile:) and arrows (->)."""


def plain(text: str) -> str:
    """Escape text for Markdown, so that every sign stands for itself; a `Message` is translated first.

    A backslash escapes Markdown's own signs. But addresses become links (GitHub Flavored Markdown, section 6.9, as
    remark-gfm does it), shortcodes emoji and icons, and "->" an arrow after unescaping: these are broken up by
    NOTHING_SEEN.
    """
    return NOTHING_SEEN.join(map(_escape, _CONSTRUCTS.split(shown(text))))


def in_bold(text: str) -> str:
    """Escape text, such as a predicted word, and make it bold.

    Asterisks between a sign and a letter, as after "5 %" and before a Korean particle, neither open nor close
    (CommonMark, section 6.2); between two signs they do.
    """
    word = text.strip()
    if not word:
        return ""
    before, after = ("" if end.isalnum() else NOTHING_SEEN for end in (word[0], word[-1]))
    return f"{before}**{plain(word)}**{after}"


def _escape(text: str) -> str:
    return "".join(f"\\{sign}" if sign in string.punctuation else sign for sign in text)
