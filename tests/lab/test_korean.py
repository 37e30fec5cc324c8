"""Classifiers of Korean texts: tables as NSMC has them, and a training that starts from headlight-ko's body."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lab import runs
from lab.assemble import assemble, body_for, vocabulary_size
from lab.blueprint import LEARNING_LAYERS, body_folder, configuration, count_parameters
from lab.data.given import Given, take_labels
from lab.data.samples import korean_reviews, sample, take
from lab.metrics import progress_of, read_curves
from lab.presets import SMALL, presets_for
from lab.recipe import BODIES, Recipe, read_recipe
from lab.uploads.checkpoints import model_name
from lab.work import carry_out
from models import load
from models.checkpoints.bert import load_checkpoint
from models.values.errors import LabError
from recipes.evaluation.bag_of_words import BagOfWords

ODD = (
    ("1001", '"시작부터 끝까지 손에 땀을 쥐었다', "1"),
    ("1002", '포스터만 보고 "명작"인 줄 알았다...', "0"),
    ("1003", '"정말" 따뜻한 영화, 또 보고 싶다;', "1"),
    ("1004", "", "1"),
    ("1005", "   ", "0"),
    ("1006", "'뻔하다' 못해 졸리다 ㅠㅠ", "0"),
)
PLAIN = tuple(
    (str(n), f"{n}번째로 본 {word} 영화", label) for n in range(20) for word, label in (("좋은", "1"), ("나쁜", "0"))
)
HEADER = "id\tdocument\tlabel"
LEAST_RIGHT = 0.65
"""Chance is 0.5; 0.82 and more was measured after 60 to 80 iterations."""


def nsmc(*lines: str, end: str = "\n") -> str:
    rows = ["\t".join(row) for row in (*ODD, *PLAIN)]
    return "".join(f"{line}{end}" for line in (HEADER, *rows, *lines))


def rows_of(given: Given) -> set[tuple[str, ...]]:
    return {*given.learned, *given.held_out}


@pytest.mark.parametrize("front", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_of_nsmc_is_read_without_questions(front: str, end: str) -> None:
    given = take_labels(front + nsmc("1007", "1008\t점수가 없는 줄", end=end))
    names = {"0": "negative", "1": "positive"}
    assert rows_of(given) == {(text, names[label]) for _, text, label in (*ODD, *PLAIN) if text.strip()}
    said = " ".join(given.notes)
    assert "the label 0 was read as negative, 1 as positive" in said
    assert "2 rows with an empty cell were left out" in said
    assert "2 rows without two columns were left out" in said
    assert body_for("labels", given) == "headlight-ko"


def test_zeros_and_ones_of_other_tables_keep_their_names() -> None:
    other = take_labels(nsmc().replace(HEADER, "no\tdocument\tlabel"))
    assert {label for _, label in rows_of(other)} == {"0", "1"}
    third = take_labels(nsmc("1009\t모르겠다\t2"))
    assert {label for _, label in rows_of(third)} == {"0", "1", "2"}


def test_the_sentences_are_balanced_and_single_words_do_not_decide() -> None:
    given = take("labels", korean_reviews())
    assert Counter(label for _, label in rows_of(given)) == {"positive": 200, "negative": 200}
    (texts, labels), (asked, right) = (zip(*rows, strict=True) for rows in (given.learned, given.held_out))
    for reach in (1, 2):
        judge = BagOfWords(reach)
        judge.fit(list(texts), [label == "positive" for label in labels])
        assert judge.accuracy(list(asked), [label == "positive" for label in right]) < LEAST_RIGHT


def test_a_training_starts_from_the_body_that_reads_its_texts() -> None:
    korean, english = take("labels", korean_reviews()), take("labels", sample("labels"))
    assert body_for("labels", korean) == "headlight-ko"
    assert body_for("labels", english) == body_for("masked", korean) == body_for("labels", None) == ""
    mixed = replace(korean, learned=tuple((f"{text} (ok, 2nd visit)", label) for text, label in korean.learned))
    assert body_for("labels", mixed) == "headlight-ko"


def test_a_recipe_keeps_its_body_and_counts_what_learns() -> None:
    for recipe in presets_for("labels", "headlight-ko").values():
        assert read_recipe(recipe.to_json()) == recipe
        assert vocabulary_size(recipe, None) == recipe.d_vocab == configuration(recipe, 1).d_vocab
        task = assemble(recipe, take("labels", korean_reviews()))
        weights = list(task.model.parameters())
        assert count_parameters(recipe, recipe.d_vocab) == sum(weight.numel() for weight in weights)
        assert count_parameters(recipe, recipe.d_vocab, learning=True) == sum(
            weight.numel() for weight in weights if weight.requires_grad
        )
    with pytest.raises(LabError, match="Only a classifier of texts"):
        Recipe(task="masked", body=BODIES[1])


def test_a_short_training_learns_on_the_body_and_its_model_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(tmp_path))
    recipe = replace(presets_for("labels", "headlight-ko")[SMALL], iterations=24, rows=16, snapshots=2)
    made = runs.create(tmp_path, recipe, take("labels", korean_reviews()))
    carry_out(made.folder, device="cpu", why_stop=lambda: "")
    run = runs.find(tmp_path, made.id)
    assert run.state == "done", run.status
    reached = progress_of(read_curves(run.folder / runs.METRICS), recipe.iterations)
    assert reached.held_out["accuracy"] > LEAST_RIGHT
    body, trained = (
        load_checkpoint(body_folder("headlight-ko")).encoder,
        load_checkpoint(run.folder / runs.MODEL).encoder,
    )
    same = [
        all(
            torch.equal(one.half(), other.half())
            for one, other in zip(mine.parameters(), theirs.parameters(), strict=True)
        )
        for mine, theirs in zip((trained.embeddings, *trained.layers), (body.embeddings, *body.layers), strict=True)
    ]
    assert same == [True] * (len(same) - LEARNING_LAYERS) + [False] * LEARNING_LAYERS
    assert "headlight-ko" in (run.folder / runs.MODEL / "README.md").read_text(encoding="utf-8")
    model = load(model_name(run), device="cpu")
    assert [token.text for token in model.record("학교에서는").tokens][1:3] == ["학교", "##에서"]
    for text, label in (
        ("정말 재미있고 감동적인 영화였다.", "positive"),
        ("정말 지루하고 재미없는 영화였다.", "negative"),
    ):
        answer = model.label_text(text)
        assert answer.labels[int(answer.probabilities.argmax())] == label
