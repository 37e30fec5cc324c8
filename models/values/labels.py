"""The names of labels that readers know by a word of their own language."""

from __future__ import annotations

from collections.abc import Mapping

from models.values.wording import to_say

KNOWN_LABELS: Mapping[str, str] = {"negative": to_say("negative"), "positive": to_say("positive")}
"""The labels of classifiers of praise and complaint, and the words in their place. Files keep the model's own."""
