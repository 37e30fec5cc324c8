"""Training lab in Korean: sentences that are here, a table of the reader's, and the model that it starts from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lab import runs
from lab.data.given import take_labels
from lab.jobs.supervisor import Supervisor
from lab.presets import QUICK, SMALL, presets_for
from lab.recipe import Recipe
from lab.uploads.checkpoints import PREFIX
from models.analysis.over_texts.corpus import SAMPLE_KOREAN, sample_for
from models.opening.registry import languages_of
from tests.ui.masked_words.test_page import said, whole
from tests.ui.test_pages import alone
from tests.ui.training_lab.test_page import LAB, button, tables
from ui.training_lab import server as lab_server
from ui.training_lab.source import register_lab
from ui.widgets.notes import what_it_is_for
from viz.kit.language import read_in

NSMC = "id\tdocument\tlabel\n" + "".join(
    f'{n}{label}\t"{n}번째 영화"는 {word}\t{label}\n' for n in range(20) for word, label in (("좋다", 1), ("별로다", 0))
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A lab of its own, whose jobs wait: no process is started."""
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(tmp_path))
    monkeypatch.setattr(Supervisor, "begin", lambda self: self)
    yield tmp_path
    lab_server._SUPERVISORS.clear()


def started(folder: Path) -> Recipe:
    (run,) = runs.all_runs(folder)
    assert run.recipe is not None
    assert runs.given_of(run) is not None
    return run.recipe


def test_in_korean_it_offers_korean_sentences_and_starts_from_the_model_that_reads_them(folder: Path) -> None:
    app = alone(LAB, lang="ko")
    with read_in("ko"):  # a choice is sent by its label
        app.button_group(key="lab_task").set_value("labels").run()
    whole(app)
    assert app.button_group(key="lab_source").value == "korean"
    assert app.button_group(key="lab_body").value == "headlight-ko"
    assert "마지막 2개 층만 더 학습" in said(app)
    preset = presets_for("labels", "headlight-ko")[SMALL]
    assert app.number_input(key="lab_labels_headlight-ko_iterations").value == preset.iterations
    assert not [field for field in app.number_input if field.key.endswith("_d_model")]
    assert "15,601,538" in tables(app)
    with read_in("ko"):
        button(app, "시작").click().run()
    whole(app)
    assert started(folder).body == "headlight-ko"


@pytest.mark.parametrize("body", ["headlight-ko", ""])
def test_a_run_reads_what_the_model_reads_that_it_started_from(folder: Path, body: str) -> None:
    recipe = replace(presets_for("labels", body)[SMALL], name="reviews")
    run = lab_server.supervisor().start(recipe, take_labels(NSMC))
    name = f"{PREFIX}{run.name}-{run.id}"
    register_lab()
    assert languages_of(name) == languages_of("headlight-ko")[: bool(body)]
    assert (sample_for(languages_of(name)) == SAMPLE_KOREAN) == bool(body)
    with read_in("ko"):
        says = what_it_is_for(name)
    assert ("headlight-ko 모델을 이어서 학습한 모델" in says) == bool(body)


def test_a_table_of_nsmc_is_recognised_and_random_weights_remain_a_choice(folder: Path) -> None:
    app = alone(LAB)
    app.button_group(key="lab_task").set_value("labels").run()
    assert app.button_group(key="lab_source").value == "sample"
    assert not [group for group in app.button_group if group.key == "lab_body"]
    app.button_group(key="lab_source").set_value("paste").run()
    app.text_area(key="lab_text_labels").set_value(NSMC)
    button(app, "Use this text").click().run()
    whole(app)
    assert "in the form of NSMC" in said(app)
    assert "20 negative" in " ".join(each.value for each in app.success)
    app.button_group(key="lab_body").set_value("").run()
    whole(app)
    assert app.number_input(key="lab_labels_d_model").value == presets_for("labels")[QUICK].d_model
    button(app, "Start").click().run()
    whole(app)
    assert started(folder).body == ""
