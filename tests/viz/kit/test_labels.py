"""Labels are read in the reader's language, and nothing else is."""

from __future__ import annotations

from models.opening.registry import load
from models.values.labels import KNOWN_LABELS
from viz.kit.labels import answer_text, label_text
from viz.kit.language import read_in
from viz.predictions.judgements import text_label_table, text_labels


def test_praise_and_complaint_are_said_in_korean_and_other_labels_stay() -> None:
    with read_in("ko"):
        assert [label_text(label) for label in KNOWN_LABELS] == ["부정", "긍정"]
        assert label_text("Layer") == "Layer"
        assert answer_text("negative", "label") == "부정"
        assert answer_text("negative", "mask") == "negative"
    assert [label_text(label) for label in KNOWN_LABELS] == list(KNOWN_LABELS)


def test_figures_say_labels_in_korean_and_files_keep_those_of_the_model() -> None:
    labels = load("sentiment-ko").label_text("정말 재미있는 영화였다.")
    with read_in("ko"):
        shown = str(text_labels(labels).to_plotly_json())
        assert "긍정" in shown
        assert "positive" not in shown
        assert set(text_label_table(labels)["label"]) == {"negative", "positive"}
