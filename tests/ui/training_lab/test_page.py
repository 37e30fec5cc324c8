"""The page "Training lab": the questions before a run, the run itself, and what a reader may do wrong."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import runs
from lab.data.given import Given
from lab.jobs.supervisor import Supervisor
from lab.jobs.waiting import note_expected
from lab.live.observation import Observation
from lab.presets import BERT_EXERCISE, PRESETS, QUICK
from lab.questions import JudgedPair, JudgedText, JudgedWord, MaskedWord, Results, WrittenText
from lab.recipe import Recipe, TaskName
from lab.runs import Run, Status
from lab.uploads.checkpoints import model_name
from lab.work import carry_out
from models.opening.restriction import CURATED_ONLY
from models.values.errors import LabError
from models.values.record import Token
from tests.ui.masked_words.test_page import said, whole
from tests.ui.test_pages import ROOT, alone, figures, messages
from ui.training_lab import server as lab_server
from ui.training_lab.run import PACKED
from ui.training_lab.words import STATE_NAMES

LAB = "pages/training_lab.py"
TINY = Recipe(
    task="copy", name="tiny", n_layers=1, n_heads=2, d_model=8, d_ff=8, n_tokens=8, d_vocab=64, iterations=12, rows=2
)
HOSTILE = "</script><script>window.pwned=1</script> $x$ `c` ![i](http://h/p.png)"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A lab of its own, whose jobs wait: no process is started."""
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(tmp_path))
    monkeypatch.setattr(Supervisor, "begin", lambda self: self)
    yield tmp_path
    lab_server._SUPERVISORS.clear()


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Run:
    made = runs.create(tmp_path_factory.mktemp("lab"), TINY, None)
    carry_out(made.folder, device="cpu", why_stop=lambda: "")
    return runs.find(made.folder.parent, made.id)


def finished(folder: Path, task: TaskName, results: Results) -> Run:
    """A run that is over, with these answers."""
    made = runs.create(folder, PRESETS[task][QUICK], Given(learned=(), held_out=()))
    results.save(made.folder / runs.RESULTS)
    lines = [
        {"step": at, "loss": 1 / at, "accuracy": 0.5, "seconds": at, "tokens": 9 * at, "rate": 0.1}
        for at in range(1, 20)
    ]
    (made.folder / runs.METRICS).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    runs.write_status(made.folder, Status(state="done", since=1.0))
    return runs.find(folder, made.id)


def button(app: AppTest, label: str):
    return next(each for each in app.button if label in each.label)


def saved_files(app: AppTest) -> list[str]:
    """The addresses of the files that "Save" offers."""
    return [part.proto.url for part in app.get("download_button") if part.proto.label == "Save"]


def tables(app: AppTest) -> str:
    return " ".join(each.value.to_string() for each in (*app.table, *app.dataframe))


def sketches(app: AppTest) -> list[str]:
    """The names of the pictures that move while it learns."""
    return [drawing["alt"] for drawing in drawings(app)]


def drawings(app: AppTest) -> list[dict[str, str]]:
    return [json.loads(part.proto.json) for part in app.get("bidi_component") if "learning-" in part.proto.id]


def progress(app: AppTest) -> str:
    return " ".join(element.proto.text for element in app.get("progress")).replace("*", "").replace("\\", "")


def learning(folder: Path, recipe: Recipe, observation: Observation | None) -> Run:
    """A run that has just been seen so."""
    run = runs.create(folder, recipe, Given(learned=(), held_out=()))
    runs.write_status(run.folder, Status(state="running", since=1.0, message="Training"))
    if observation is not None:
        see(run, observation)
    return runs.find(folder, run.id)


def see(run: Run, observation: Observation) -> None:
    observation.save(run.folder / runs.LIVE)
    line = {"step": observation.iteration, "loss": 1.0, "accuracy": 0.5, "seconds": 1, "tokens": 9, "rate": 0.1}
    with (run.folder / runs.METRICS).open("a", encoding="utf-8") as metrics:
        metrics.write(json.dumps(line) + "\n")


LETTERS = tuple(Token(text=letter) for letter in "blc")
BLURRED = Observation(
    iteration=3,
    text="b l c",
    written="u u u u",
    expected="b l c",
    kind="cross",
    layer=0,
    head=1,
    query_tokens=LETTERS,
    key_tokens=LETTERS,
    weights=np.full((3, 3), 1 / 3, dtype=np.float32),
)


def test_it_opens_with_a_recipe_and_its_arithmetic_for_every_task() -> None:
    app = alone(LAB)
    whole(app)
    assert "128,000" in tables(app)  # 32 rows x 8 tokens x 2 x 250 iterations
    (more,) = (each for each in app.expander if each.table)
    assert not [each for each in more.button if "Start" in each.label]
    for task, words in (
        ("reverse", "backwards"),
        ("masked", "sentences in"),
        ("labels", "positive"),
        ("translate", "pairs"),
        ("next", "sentences"),
        ("words", "part of speech"),
    ):
        app.button_group(key="lab_task").set_value(task).run()
        whole(app)
        assert words in said(app) + " ".join(each.value for each in app.success).replace("\\", "")
        assert "6 × parameters × tokens" in tables(app)


def test_everyday_sentences_are_offered_to_translators_alone_and_say_whose_they_are(folder: Path) -> None:
    app = alone(LAB)
    app.button_group(key="lab_task").set_value("labels").run()
    assert "everyday" not in app.button_group(key="lab_source").options
    app.button_group(key="lab_task").set_value("translate").run()
    app.button_group(key="lab_source").set_value("everyday").run()
    whole(app)
    assert "tatoeba.org" in said(app)
    button(app, "Start").click().run()
    (started,) = runs.all_runs(folder)
    given = runs.given_of(started)
    assert given is not None
    assert any("CC BY 2.0" in note for note in given.notes)


def test_numbers_of_ones_own_change_the_arithmetic_and_impossible_ones_are_said() -> None:
    app = alone(LAB)
    app.number_input(key="lab_copy_iterations").set_value(1000).run()
    assert "512,000" in tables(app)
    app.number_input(key="lab_copy_n_heads").set_value(3).run()
    assert "multiple of 3" in messages(app)
    assert not [each for each in app.button if "Start" in each.label]
    app.button_group(key="lab_preset_copy").set_value("A minute").run()
    whole(app)
    assert not app.error
    assert app.number_input(key="lab_copy_n_heads").value == PRESETS["copy"]["A minute"].n_heads


def test_a_start_queues_a_run_whose_address_brings_it_back(folder: Path) -> None:
    app = alone(LAB)
    app.text_input(key="lab_name_copy").set_value("My <b>first</b> one")
    button(app, "Start").click().run()
    whole(app)
    (run,) = runs.all_runs(folder)
    assert run.name == "my-b-first-b-one"
    assert run.recipe == replace(PRESETS["copy"][QUICK], name=run.name)
    assert "Waiting, place 1 in the queue" in messages(app)
    assert app.query_params["run"] in (run.id, [run.id])
    again = alone(LAB, run=run.id)
    assert "Waiting, place 1" in messages(again)
    button(again, "Stop").click().run()
    whole(again)
    assert "Taken out of the queue" in messages(again)
    button(again, "Resume").click().run()
    assert "Waiting, place 1" in messages(again)


def test_pasted_text_is_checked_kept_and_trained_on(folder: Path) -> None:
    app = alone(LAB)
    app.button_group(key="lab_task").set_value("labels").run()
    app.button_group(key="lab_source").set_value("paste").run()
    assert button(app, "Start").disabled
    for text, expected in (
        ("", "Nothing was pasted"),
        ("".join(f"text {n},same\n" for n in range(40)), "two different labels"),
        (HOSTILE, "No line of the table has two columns"),
    ):
        app.text_area(key="lab_text_labels").set_value(text)
        button(app, "Use this text").click().run()
        whole(app)
        assert expected in messages(app)
        assert button(app, "Start").disabled
    rows = "".join(f"it was {word} number {n},{word}\n" for n in range(20) for word in ("good", "bad"))
    app.text_area(key="lab_text_labels").set_value(rows)
    button(app, "Use this text").click().run()
    whole(app)
    assert "40 rows: 20 good, 20 bad." in " ".join(each.value for each in app.success).replace("\\", "")
    button(app, "Start").click().run()
    (run,) = runs.all_runs(folder)
    given = runs.given_of(run)
    assert given is not None
    assert len(given.learned) + len(given.held_out) == 40


def test_a_finished_run_shows_curves_answers_and_links(trained: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(trained.folder.parent))
    app = alone(LAB, run=trained.id)
    whole(app)
    drawn = " ".join(figures(app))
    assert "Loss" in sketches(app)
    assert "Cross-attention · Layer 0 · Head" in " ".join(sketches(app))
    assert "Right answers" in drawn
    assert "expected" in tables(app)
    assert "✗ wrong" in tables(app)
    assert "Done: 12 iterations" in progress(app)
    assert "Iteration 12:" in said(app)
    assert not saved_files(app)
    button(app, "Download the model").click().run()
    (address,) = saved_files(app)
    app.run()  # as the list of trainings does again and again
    assert saved_files(app) == [address]
    _, content = app.session_state[PACKED]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {f"{trained.name}/model.safetensors", f"{trained.name}/README.md"} <= set(archive.namelist())
    name = model_name(trained)
    other = alone("pages/attention.py", model=name)
    whole(other)
    assert not other.error
    assert figures(other)
    assert "trained in the lab" in str(
        [one for one in other.selectbox(key="model").options if one.split(" ")[0].endswith("tiny")]
    )


def test_answer_and_attention_are_shown_while_it_learns(folder: Path) -> None:
    run = learning(folder, TINY, BLURRED)
    app = alone(LAB, run=run.id)
    whole(app)
    assert "b l c → :orange-background[u u u u]" in said(app)
    assert "Iteration 3: it should be **b l c**." in said(app)
    assert "iteration 3 of 12" in progress(app)
    assert sketches(app) == ["Loss", "Cross-attention · Layer 0 · Head 1"]
    assert not figures(app)
    before = [drawing["svg"] for drawing in drawings(app)]
    see(run, replace(BLURRED, iteration=9, written="b l c", weights=np.eye(3, dtype=np.float32)))
    app.run()
    assert "b l c → :green-background[b l c]" in said(app)
    assert "Iteration 9: **right.**" in said(app)
    after = [drawing["svg"] for drawing in drawings(app)]
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_a_run_that_begins_shows_nothing_of_another_one(folder: Path) -> None:
    learning(folder, TINY, BLURRED)
    app = alone(LAB, run=learning(folder, TINY, None).id)
    whole(app)
    assert not sketches(app)
    assert "b l c" not in said(app)


@pytest.mark.parametrize(
    ("task", "text", "written", "expected"),
    [
        (
            "masked",
            "The [MASK] saw the [MASK].",
            "dog cat",
            "The :orange-background[dog] saw the :orange-background[cat].",
        ),
        ("next", "Once upon", "a time", "Once upon :orange-background[a time]"),
        ("labels", "It was good", "", "It was good → :orange-background[–]"),
        ("words", "It was", "PRON " * 40, "PRON …]"),
    ],
)
def test_an_answer_stands_where_its_task_has_it(
    folder: Path, task: TaskName, text: str, written: str, expected: str
) -> None:
    observation = replace(BLURRED, text=text, written=written, expected=HOSTILE)
    app = alone(LAB, run=learning(folder, PRESETS[task][QUICK], observation).id)
    whole(app)
    assert expected in said(app)
    assert all(part in "".join(said(app).split(":gray[]")) for part in ("window.pwned=1", "$x$"))


def test_its_snapshots_are_offered_over_time(trained: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(trained.folder.parent))
    app = alone(LAB, run=trained.id)
    button(app, "See it over time").click().run()
    whole(app)
    assert app.selectbox(key="history").value == f"tiny ({trained.id[:4]})"
    assert figures(app)
    assert "No share of attention rises" in said(app) or "begins to attend" in said(app)
    state = app.session_state
    shown = {"encoder": "previous next same special", "decoder": "previous same special first"}
    assert state["habit"] in shown.get(state["kind"], "same-place mirrored")


def test_answers_of_every_task_are_shown_as_text(folder: Path) -> None:
    masked = Results(
        masked=(MaskedWord(text=f"[MASK] {HOSTILE}", mask=0, true="the", guess=HOSTILE, probability=0.5, rank=3),),
        judged=(JudgedPair(first="A b.", second=HOSTILE, follows=True, probability=0.75),),
    )
    app = alone(LAB, run=finished(folder, "masked", masked).id)
    whole(app)
    assert "Hidden words: 0 of 1 right" in said(app).replace("*", "")
    assert "Is next: 1 of 1 right" in said(app).replace("*", "")
    labelled = Results(
        labels=("<b>up", "down"),
        confusion=((3, 1), (0, 2)),
        wrong=(JudgedText(text=HOSTILE, label="<b>up", said="down", probability=0.9),),
    )
    app = alone(LAB, run=finished(folder, "labels", labelled).id)
    whole(app)
    assert "5 of 6" in said(app)
    assert "Which label became which" in " ".join(figures(app))
    assert "<b>up" not in figures(app)[-1]
    word = JudgedWord(sentence=HOSTILE, word=HOSTILE, label="<b>up", said="down", probability=0.9, usual="<b>up")
    words = Results(labels=("<b>up", "down"), confusion=((0, 1), (0, 0)), words=(word,))
    app = alone(LAB, run=finished(folder, "words", words).id)
    whole(app)
    assert "0 of 1 right" in said(app).replace("*", "")
    assert "gets 1 right" in said(app)
    assert "<b>up" not in figures(app)[-1]
    continued = Results(continued=(WrittenText(source="Once upon", expected="a time", written=f"Once upon {HOSTILE}"),))
    app = alone(LAB, run=finished(folder, "next", continued).id)
    whole(app)
    assert "a time" in said(app)


@pytest.mark.parametrize(
    ("state", "message", "expected", "resumable"),
    [
        ("killed", "The process was ended.", "Stopped from outside at iteration 0 of", True),
        ("failed", f"It crashed: {HOSTILE}", "It crashed", False),
        ("stopped", "You stopped it.", "You stopped it", True),
    ],
)
def test_a_run_that_ended_early_says_why(
    folder: Path, state: runs.State, message: str, expected: str, resumable: bool
) -> None:
    run = runs.create(folder, TINY, None)
    runs.write_status(run.folder, Status(state=state, since=1.0, message=message))
    app = alone(LAB, run=run.id)
    whole(app)
    assert expected in messages(app)
    assert any("Resume" in each.label for each in app.button) is resumable


@pytest.mark.parametrize("identifier", ["0" * 20, "../../etc", "<script>", "A" * 20])
def test_a_link_to_no_run_is_said_or_dropped(identifier: str) -> None:
    app = alone(LAB, run=identifier)
    whole(app)
    assert button(app, "Start")
    assert ("no such run" in messages(app)) is (identifier == "0" * 20)


def test_a_deleted_run_is_gone(folder: Path) -> None:
    run = runs.create(folder, TINY, None)
    runs.write_status(run.folder, Status(state="stopped", since=1.0))
    app = alone(LAB, run=run.id)
    button(app, "Delete it").click().run()
    whole(app)
    assert not runs.all_runs(folder)
    assert button(app, "Start")


def test_strangers_see_only_what_they_started_or_were_sent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runs.create(folder, TINY, None)
    assert "tiny" in str([each.options for each in alone(LAB).selectbox])
    monkeypatch.setenv(CURATED_ONLY, "1")
    lab_server._SUPERVISORS.clear()
    assert "tiny" not in str([each.options for each in alone(LAB).selectbox])
    assert "Waiting" in messages(alone(LAB, run=run.id))


def test_a_public_server_says_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CURATED_ONLY, "1")
    app = alone(LAB)
    app.button_group(key="lab_preset_copy").set_value(BERT_EXERCISE).run()
    whole(app)
    assert "this server trains at most 5,000,000" in messages(app)
    monkeypatch.setenv("HEADLIGHT_LAB", "off")
    assert "switched off" in messages(alone(LAB))
    monkeypatch.setenv("HEADLIGHT_LAB", "perhaps")
    assert "HEADLIGHT_LAB" in messages(alone(LAB))


def test_one_stranger_does_not_fill_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CURATED_ONLY, "1")
    app = alone(LAB)
    for _ in range(lab_server.MOST_UNFINISHED):
        button(app, "Start").click().run()
        app.selectbox(key="run").set_value("").run()
    button(app, "Start").click().run()
    assert "the most for one person" in messages(app)


def another_reader(monkeypatch: pytest.MonkeyPatch, address: str = "192.0.2.7") -> None:
    """From now on readers come from elsewhere."""
    monkeypatch.setattr(lab_server, "client_of_session", lambda: address)
    monkeypatch.setattr(lab_server, "is_this_computer", lambda: False)


def test_a_run_belongs_to_the_browser_that_started_it(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    another_reader(monkeypatch)
    mine = alone(LAB)
    button(mine, "Start").click().run()
    (run,) = runs.all_runs(folder)
    assert run.owner
    assert button(mine, "Stop")
    other = alone(LAB)
    assert not other.selectbox
    linked = alone(LAB, run=run.id)
    assert "Waiting, place 1 in the queue" in messages(linked)
    assert not [each for each in linked.button if each.label in ("Stop", "Delete it")]
    runs.write_status(run.folder, Status(state="stopped", since=0.0))
    linked = alone(LAB, run=run.id)
    assert not [each for each in linked.button if each.label in ("Resume", "Delete it")]
    assert "Delete it" in [each.label for each in mine.run().button]
    monkeypatch.setattr(lab_server, "is_this_computer", lambda: True)
    teacher = alone(LAB)
    assert any(run.id[:4] in option for option in teacher.selectbox(key="run").options)
    teacher = teacher.selectbox(key="run").set_value(run.id).run()
    assert "Delete it" in [each.label for each in teacher.button]


def test_a_teacher_sees_the_trainings_of_the_class(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    another_reader(monkeypatch)
    monkeypatch.setattr(lab_server, "browser_of_session", lambda: "a student's browser")
    button(alone(LAB), "Start").click().run()
    (run,) = runs.all_runs(folder)
    monkeypatch.setattr(lab_server, "browser_of_session", lambda: "a teacher's browser")
    assert not alone(LAB).selectbox
    monkeypatch.setattr(lab_server, "browsers_of_class", lambda: {"a student's browser": "blue otter", "another": ""})
    teacher = alone(LAB)
    (row,) = teacher.dataframe[0].value.to_dict("records")
    assert (row["Student"], row["Training"], row["Task"]) == ("blue otter", run.name, "Copy")
    assert row["State"] == STATE_NAMES[run.state]
    assert any(run.id[:4] in option for option in teacher.selectbox(key="run").options)
    teacher = teacher.selectbox(key="run").set_value(run.id).run()
    assert not [each for each in teacher.button if each.label in ("Stop", "Delete it")]


def test_a_reload_finds_the_trainings_of_its_browser(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    another_reader(monkeypatch)
    monkeypatch.setattr(lab_server, "browser_of_session", lambda: "one browser")
    button(alone(LAB), "Start").click().run()
    (run,) = runs.all_runs(folder)
    assert any(run.id[:4] in option for option in alone(LAB).selectbox(key="run").options)
    monkeypatch.setattr(lab_server, "browser_of_session", lambda: "another browser")
    assert not alone(LAB).selectbox


def test_thirty_at_once_wait_with_their_place_and_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    another_reader(monkeypatch)

    def started(number: int) -> str:
        monkeypatch.setattr(lab_server, "browser_of_session", lambda: f"browser {number}")
        app = alone(LAB)
        button(app, "Start").click().run()
        assert not app.error
        return messages(app)

    first = started(1)
    assert "Waiting, place 1 in the queue" in first
    assert "It begins in about" not in first
    for number in range(2, 30):  # as their pages do
        run = lab_server.supervisor().start(PRESETS["copy"][QUICK], None, client=f"client {number}")
        note_expected(run, 20.0)
    last = started(30)
    assert "Waiting, place 30 in the queue" in last
    assert "It begins in about" in last


def test_a_recipe_is_a_link_that_everybody_trains(folder: Path) -> None:
    app = alone(LAB)
    assert "recipe" not in app.query_params
    app = app.segmented_control(key="lab_task").set_value("reverse").run()
    app = app.segmented_control(key="lab_preset_reverse").set_value("A minute").run()
    app.text_input(key="lab_name_reverse").set_value("ours")
    app = app.number_input(key="lab_reverse_n_heads").set_value(2).run()
    link = app.query_params["recipe"]
    student = alone(LAB, recipe=link if isinstance(link, str) else link[0])
    assert not student.error
    button(student, "Start").click().run()
    (run,) = runs.all_runs(folder)
    assert run.recipe == replace(PRESETS["reverse"]["A minute"], n_heads=2, name="ours")


@pytest.mark.parametrize(
    "packed",
    [
        "{",
        "[]",
        '{"task": "hack", "preset": "Seconds", "name": "x"}',
        '{"task": "copy", "preset": "Never", "name": "x"}',
        '{"task": "copy", "preset": "Seconds", "name": "x", "n_heads": 1e9}',
        '{"task": "copy", "preset": "Seconds", "name": "x", "n_heads": "2"}',
        '{"task": "copy", "preset": "Seconds", "name": "x", "d_model": 7}',
        '{"task": ["copy"], "preset": {}, "name": []}',
    ],
)
def test_a_recipe_that_cannot_be_is_ignored(packed: str) -> None:
    app = alone(LAB, recipe=packed)
    whole(app)
    assert not app.error
    assert app.segmented_control(key="lab_task").value == "copy"
    assert app.number_input(key="lab_copy_n_heads").value == PRESETS["copy"][QUICK].n_heads


def test_the_page_runs_inside_the_app() -> None:
    app = AppTest.from_file(str(ROOT / "ui" / "script.py"), default_timeout=390).run()
    app.switch_page(f"../{LAB}").run()
    whole(app)
    assert button(app, "Start")


def test_an_error_of_the_queue_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise LabError("20 trainings wait already.")

    monkeypatch.setattr(Supervisor, "start", full)
    app = alone(LAB)
    button(app, "Start").click().run()
    whole(app)
    assert "20 trainings wait already" in messages(app)
