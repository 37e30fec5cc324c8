"""Training lab: what a label is read from, chosen before a run, and compared with the other choice after it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lab import runs
from lab.data.given import take_labels
from lab.jobs.supervisor import Supervisor
from lab.limits import Limits
from lab.recipe import Recipe
from lab.runs import Run
from lab.uploads.checkpoints import model_name, zip_model
from lab.uploads.uploads import take_upload
from lab.work import carry_out
from models import load
from models.opening.folders import load_folder
from models.values.errors import ModelLoadError
from tests.lab.jobs import few_rows
from tests.ui.masked_words.test_page import said, whole
from tests.ui.test_pages import alone, figures, messages
from tests.ui.training_lab.test_page import LAB, button
from ui.training_lab import server as lab_server

ROWS = "".join(f"it was {word} number {n},{word}\n" for n in range(20) for word in ("good", "bad"))
RECIPE = Recipe(
    task="labels",
    name="tiny",
    n_layers=1,
    n_heads=2,
    d_model=16,
    d_ff=16,
    n_tokens=12,
    d_vocab=120,
    iterations=12,
    rows=8,
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def twins(place: Path) -> dict[str, Run]:
    """One that reads [CLS] and one that takes the mean; and a third that differs in its size as well."""
    made = {}
    for name, recipe in {
        "cls": RECIPE,
        "mean": replace(RECIPE, name="other", pooling="mean"),
        "wider": replace(RECIPE, pooling="mean", d_ff=32),
    }.items():
        run = runs.create(place, recipe, take_labels(ROWS))
        with few_rows():
            carry_out(run.folder, device="cpu", why_stop=lambda: "")
        made[name] = runs.find(place, run.id)
    return made


@pytest.fixture(autouse=True)
def lab(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(place))
    monkeypatch.setattr(Supervisor, "begin", lambda self: self)
    yield
    lab_server._SUPERVISORS.clear()


def test_the_choice_is_in_the_checkpoint_on_the_card_and_in_the_answer(twins: dict[str, Run]) -> None:
    for pooling, on_card in (("cls", "the state of `[CLS]`"), ("mean", "the mean of the states of all words")):
        run = twins[pooling]
        model = load(model_name(run), device="cpu")
        answer = model.label_text("it was good number 3")
        words = tuple(place for place, token in enumerate(answer.tokens) if not token.is_special)
        assert answer.read_from == ((0,) if pooling == "cls" else words)
        card = (run.folder / runs.MODEL / "README.md").read_text(encoding="utf-8")
        assert f"The label is read from {on_card}" in card
        assert ("Transformers opens its encoder alone" in card) is (pooling == "mean")


def test_a_twin_differs_in_this_choice_alone(twins: dict[str, Run]) -> None:
    cls, mean, wider = twins["cls"], twins["mean"], twins["wider"]
    assert runs.twin_of(cls, (cls, wider, mean)) == mean
    assert runs.twin_of(mean, (mean, cls)) == cls
    assert runs.twin_of(wider, (mean, cls)) is None
    assert runs.twin_of(cls, (replace(mean, status=replace(mean.status, state="stopped")),)) is None


def test_rows_that_differ_make_no_twins(twins: dict[str, Run], tmp_path: Path) -> None:
    other = runs.create(tmp_path, replace(RECIPE, pooling="mean"), take_labels(ROWS.replace("number", "nr")))
    done = replace(other, status=replace(other.status, state="done"))
    assert runs.twin_of(twins["cls"], (done,)) is None


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_a_run_and_its_twin_are_compared_from_their_records(twins: dict[str, Run], pooling: str) -> None:
    app = alone(LAB, run=twins[pooling].id)
    whole(app)
    shown = said(app).replace("\\", "")
    assert "rows, one leads to the label" in shown
    assert "rows lead to the label" in shown
    assert "With “[CLS]” alone, a word counts only if “[CLS]” looks at it." in shown
    assert "is part of the label anyway" in shown
    drawn = json.loads(figures(app)[-1])
    assert drawn["layout"]["title"]["text"] == "What the label is read from"
    assert len(drawn["layout"]["xaxis"]["ticktext"]) == 2
    assert not [each for each in app.button if "and compare" in each.label]


def test_another_sentence_is_compared_and_one_that_is_empty_is_said(twins: dict[str, Run]) -> None:
    app = alone(LAB, run=twins["cls"].id)

    def ask(text: str) -> None:
        next(field for field in app.text_input if field.label == "Sentence").set_value(text)
        button(app, "Show").click().run()
        whole(app)

    ask("bad bad good")
    assert "each counts for 1/3" in said(app).replace("\\", "")
    ask(" ")
    assert "only spaces" in messages(app)
    assert button(app, "Delete it")
    ask("[SEP]")
    assert "nothing but [SEP]" in messages(app)
    ask("</script><script>window.pwned=1</script> $x$ `c`")
    assert not messages(app)


def test_without_a_twin_one_is_offered_and_started(twins: dict[str, Run], place: Path) -> None:
    app = alone(LAB, run=twins["wider"].id)
    assert "With “[CLS]” alone" not in said(app).replace("\\", "")
    button(app, "and compare").click().run()
    whole(app)
    assert "Waiting, place 1" in messages(app)
    (started,) = [run for run in runs.all_runs(place) if run.state == "queued"]
    assert started.recipe == replace(RECIPE, name="tiny-cls", d_ff=32)
    assert runs.given_of(started) == runs.given_of(twins["wider"])
    runs.remove(started.folder)


def test_the_choice_is_part_of_the_recipe_that_is_started(place: Path) -> None:
    app = alone(LAB)
    assert not [each for each in app.button_group if each.key == "lab_pooling"]
    app.button_group(key="lab_task").set_value("labels").run()
    app.button_group(key="lab_pooling").set_value("mean").run()
    whole(app)
    button(app, "Start").click().run()
    whole(app)
    (started,) = [run for run in runs.all_runs(place) if run.state == "queued"]
    assert started.recipe is not None
    assert started.recipe.pooling == "mean"
    runs.remove(started.folder)


def test_it_goes_out_and_comes_back_and_a_bad_value_is_refused(twins: dict[str, Run], tmp_path: Path) -> None:
    limits = Limits(folder=tmp_path, parameters=100_000)
    run = take_upload([("model.zip", zip_model(twins["mean"]))], "again", limits)
    assert run.checkpoint is not None
    assert runs.find(tmp_path, run.id).checkpoint == run.checkpoint
    config = run.checkpoint / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"classifier_pooling": "max"}), encoding="utf-8")
    with pytest.raises(ModelLoadError, match="classifier_pooling is 'max'"):
        load_folder(run.checkpoint, name="bad", device="cpu")
