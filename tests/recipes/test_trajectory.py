"""The snapshots of a run are measured, copied and put on the card."""

from __future__ import annotations

from models.analysis import head_measures
from models.opening.entries import PRETRAINED, ROOT
from models.training.snapshots.trajectory import read_trajectory
from recipes.evaluation.card import score_tables
from recipes.evaluation.trajectory import write_trajectory

FOLDER = ROOT / PRETRAINED / "tiny-bert"
SNAPSHOTS = read_trajectory(FOLDER)


def test_snapshots_are_copied_with_their_measures(tmp_path) -> None:
    write_trajectory(SNAPSHOTS[:2], FOLDER, tmp_path / "shipped")
    assert read_trajectory(tmp_path / "shipped") == SNAPSHOTS[:2]
    assert (tmp_path / "shipped" / SNAPSHOTS[1].folder / "model.safetensors").exists()


def test_the_card_shows_every_measure_once() -> None:
    scores = {"n": 1200, "loss": 3.5, "top_1": 0.4, "top_5": 0.6}
    others = {"n": 1200, "loss": 6.5, "top_1": 0.1, "top_5": 0.2}
    report = {
        "unseen text, 64 tokens": {
            "behind_mask": {"model": scores, "unigram": others, "bigram": others},
            "as_trained": {"model": scores | {"top_1": 0.5}, "unigram": others, "bigram": others},
            "kept": {"n": 120, "loss": 0.1, "top_1": 0.95, "top_5": 1.0},
            "kept_adds": 0.095,
            "n_pairs": 2048,
            "next_sentence": 0.75,
            "next_sentence_unmasked": 0.8,
            "shared_pieces": 0.7,
        },
        "content words, each masked alone": {"n": 1234, "top_1": 0.09, "top_5": 0.22},
        "classroom, the words that are decided": {"all": 0.5, "colours": 0.75, "sums": 0.25},
        "heads": {measure.name: {"strongest (layer, head, share)": [0, 3, 0.9]} for measure in head_measures()},
    }
    tables = score_tables("tiny", report)
    assert "| unseen text, 64 tokens (1,200 masks): best guess right | 0.400 | 0.100 | 0.100 |" in tables
    assert "| unseen text, 64 tokens | 0.500 | 0.100 | 0.100 | 0.095 (right 0.950) |" in tables
    assert "| 1,234 words | 0.090 | 0.220 |" in tables
    assert "| unseen text, 64 tokens (2,048 pairs) | 0.750 | 0.800 | 0.700 |" in tables
    assert tables.index("colours") < tables.index("all families") < tables.index("sums")
    assert "| the next token | Layer 0 · Head 3 | 0.90 |" in tables
