"""Tokens for pieces of text that a model does not know."""

from __future__ import annotations

UNKNOWN_TOKENS = frozenset({"[UNK]", "<unk>"})
"""The tokens that tokenizers put where they have no piece."""
