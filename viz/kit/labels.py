"""Answers as a reader sees them: the labels of praise and complaint in the reader's language, all else as it is."""

from __future__ import annotations

from models.values.labels import KNOWN_LABELS
from models.values.probing.contrast import AnswerOf
from viz.kit.language import said
from viz.kit.tokens import spelled, visible


def label_text(label: str) -> str:
    """Return a label of a classifier as a reader sees it."""
    return said(KNOWN_LABELS[label]) if label in KNOWN_LABELS else visible(label)


def answer_text(answer: str, of: AnswerOf) -> str:
    """Return an answer of a model as a reader sees it: a label, or a word as it is spelled."""
    return label_text(answer) if of == "label" else spelled(answer)
