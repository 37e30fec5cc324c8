"""A reader's words in a place that shows Markdown, and ours in the reader's language."""

from __future__ import annotations

import re
import string

from viz.kit.language import shown

NOTHING_SEEN = ":gray[]"
"""Streamlit's Markdown for a coloured text without a letter in it: nothing is seen, read aloud or copied."""
_CONSTRUCTS = re.compile(r"(?<=:)(?=\S)|(?<=www)(?=\.)|(?=@)|(?<=[<>~-])(?=[=>-])", re.IGNORECASE)
"""The places where text is split: addresses (https://, www., name@host), shortcodes (:smile:), and arrows (->)."""


def plain(text: str) -> str:
    """Text with a reader's words in it, for a place that shows Markdown: every sign stands for itself.

    A backslash takes the meaning of a sign from Markdown itself. But addresses become links (GitHub Flavored Markdown,
    section 6.9, as remark-gfm does it), shortcodes emoji and icons, and "->" an arrow after all signs are text again;
    they are not found in text of two halves. What the core has said, a `Message`, is said in the reader's language.
    """
    return NOTHING_SEEN.join(map(_escaped, _CONSTRUCTS.split(shown(text))))


def marked(text: str) -> str:
    """Return the escaped text in bold, for a word predicted by a model.

    Asterisks between a sign and a letter, as after "5 %" and before a Korean particle, neither open nor close
    (CommonMark, section 6.2); between two signs they do.
    """
    word = text.strip()
    if not word:
        return ""
    before, after = ("" if end.isalnum() else NOTHING_SEEN for end in (word[0], word[-1]))
    return f"{before}**{plain(word)}**{after}"


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in string.punctuation else sign for sign in text)
