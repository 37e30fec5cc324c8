"""What stands for a piece of text that a model does not know."""

from __future__ import annotations

UNKNOWN_TOKENS = frozenset({"[UNK]", "<unk>"})
"""What tokenizers put where they have no piece."""
