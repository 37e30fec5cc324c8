"""The finding in a text, computed as the pages do it."""

from __future__ import annotations

from models.analysis.one_text.standing_out import stands_out
from models.opening.registry import DEFAULT_MODEL
from models.values.record import AttentionRecord
from models.values.results.finding import Finding
from models.values.text.english import is_english
from tests.loaded import load
from ui.widgets.atlases import embedded_atlas


def expected_finding(text: str, model: str = DEFAULT_MODEL, kind: str = "") -> tuple[Finding | None, AttentionRecord]:
    """Return the finding in a text, of the model's first kind of attention or of another one, and its record."""
    recording = load(model, device="cpu").record(text)
    record = recording.of(kind or recording.kinds[0])
    labels = load("tagger", device="cpu").label_tokens(text)
    parts_of_speech = labels if is_english(labels.tokens) else None
    return stands_out(record, embedded_atlas(model, record.kind), parts_of_speech), record
