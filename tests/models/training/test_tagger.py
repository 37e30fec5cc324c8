"""The embedded tagger."""

from __future__ import annotations

import json

from models.checkpoints.on_body import PRETRAINED
from models.training.corpora.labelled_words import UNIVERSAL


def test_the_embedded_tagger_knows_the_universal_parts_of_speech() -> None:
    config = json.loads((PRETRAINED / "tagger" / "config.json").read_text(encoding="utf-8"))
    assert tuple(config["id2label"].values()) == UNIVERSAL
