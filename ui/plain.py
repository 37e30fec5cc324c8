"""A reader's words in a place that shows Markdown."""

from __future__ import annotations

import string


def plain(text: str) -> str:
    """Text with a reader's words in it, for a place that shows Markdown: every sign stands for itself."""
    return "".join(f"\\{sign}" if sign in string.punctuation else sign for sign in text)


def marked(text: str) -> str:
    """The same in bold, for a word that a model has said."""
    return f"**{plain(text.strip())}**" if text.strip() else ""
