"""A model that is seen while it learns: in every task, as it is at that moment, and without a trace in its weights."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from lab import runs
from lab.assemble import LabTask, assemble, generate_rows
from lab.data.given import Given
from lab.data.samples import SYMBOLS, sample, take
from lab.live import watcher
from lab.live.examples import find_example
from lab.live.observation import Observation, read_observation
from lab.live.watcher import SHARE, observe_untrained, open_in_training, pause_after
from lab.recipe import TASKS, Recipe, TaskName
from lab.runs import Run
from lab.work import carry_out
from models.opening.folders import load_folder
from models.training.corpora.vocabulary import SPECIAL_TOKENS
from models.values.record import Token
from tests.lab.jobs import QUICK, first_rows

HOSTILE = "</script><script>window.pwned=1</script> & \u2028"


def small(task: TaskName) -> Recipe:
    return replace(QUICK, task=task, name=task, n_tokens=24, d_vocab=300, iterations=10, rows=4)


def train(folder: Path, recipe: Recipe, given: Given | None) -> tuple[Run, list[Observation]]:
    """A finished run, and every observation that there was before an iteration."""
    run, seen = runs.create(folder, recipe, given), []

    def see() -> str:
        observation = read_observation(run.folder / runs.LIVE)
        if observation is not None:
            seen.append(observation)
        return ""

    carry_out(run.folder, device="cpu", why_stop=see)
    return runs.find(folder, run.id), seen


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """An observation after every iteration, whatever it costs."""
    monkeypatch.setattr(watcher, "LEAST_PAUSE", 0.0)
    monkeypatch.setattr(watcher, "SHARE", 1e9)
    monkeypatch.setattr(watcher, "PAUSES", 1e9)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_seen_before_and_while_it_learns(
    tmp_path: Path, task: TaskName, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = first_rows(task)
    run, seen = train(tmp_path, small(task), given)
    assert run.state == "done", run.status.message
    assert [observation.iteration for observation in seen] == list(range(10))
    monkeypatch.setattr(watcher, "assemble", partial(assemble, kept=run.folder / runs.VOCABULARY))
    untrained = observe_untrained(small(task), generate_rows(small(task)) if given is None else given)
    assert untrained is not None
    for name in ("iteration", "text", "written", "expected", "layer", "head", "query_tokens", "key_tokens"):
        assert getattr(untrained, name) == getattr(seen[0], name)
    last = read_observation(run.folder / runs.LIVE)
    assert last is not None
    assert last.iteration == 10
    assert not np.array_equal(seen[0].weights, last.weights, equal_nan=True)
    for observation in (*seen, last):
        assert observation.key_tokens == last.key_tokens
        assert np.nansum(observation.weights, axis=1) == pytest.approx(np.ones(len(observation.query_tokens)), rel=0.01)
        assert np.isnan(observation.weights).any() == (observation.kind == "decoder")
    if given is not None:
        assert any(last.text.split("[MASK]")[0] in " ".join(row) for row in given.held_out)


def test_a_model_before_its_training_is_asked_without_encoding_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    given, tasks = generate_rows(QUICK), []

    def assemble_and_note(recipe: Recipe, rows: Given) -> LabTask:
        tasks.append(assemble(recipe, rows))
        return tasks[-1]

    monkeypatch.setattr(watcher, "assemble", assemble_and_note)
    assert observe_untrained(QUICK, given) is not None
    (task,) = tasks
    assert len(task.learned) == watcher.FEW_ROWS < len(given.learned)
    assert task.tokenizer.get_vocab().keys() == {*SPECIAL_TOKENS, *SYMBOLS}


def test_the_last_look_is_what_the_finished_model_answers(tmp_path: Path) -> None:
    run, _ = train(tmp_path, replace(QUICK, iterations=60), None)
    observation = read_observation(run.folder / runs.LIVE)
    assert observation is not None
    model = load_folder(run.folder / runs.MODEL, name="mine", device="cpu")
    assert observation.written == model.translate(observation.text).text
    weights = (
        model.record(observation.text, observation.expected).of("cross").weights(observation.layer, observation.head)
    )
    assert observation.weights == pytest.approx(weights, abs=0.01)  # the checkpoint is in half precision


def test_looks_change_nothing_of_the_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = replace(QUICK, iterations=10)
    monkeypatch.setattr(watcher.Watcher, "observe", lambda self, iteration: None)
    unseen, none = train(tmp_path, recipe, None)
    monkeypatch.undo()
    monkeypatch.setattr(watcher, "pause_after", lambda cost, *, elapsed: 0.0)
    run, seen = train(tmp_path, recipe, None)
    assert not none
    assert len({observation.iteration for observation in seen}) == 10
    one, other = (load_file(each.folder / runs.MODEL / "model.safetensors") for each in (unseen, run))
    assert all(np.array_equal(one[name], other[name]) for name in one)
    tokenizers = [(each.folder / runs.MODEL / "tokenizer.json").read_text() for each in (unseen, run)]
    assert tokenizers[0] == tokenizers[1]


@pytest.mark.usefixtures("always")
def test_a_run_that_goes_on_is_seen_where_it_is(tmp_path: Path) -> None:
    run = runs.create(tmp_path, replace(QUICK, iterations=20), None)
    reasons = iter([""] * 5)
    carry_out(run.folder, device="cpu", why_stop=lambda: next(reasons, "You stopped it."))
    stopped = read_observation(run.folder / runs.LIVE)
    assert stopped is not None
    assert stopped.iteration == 5
    seen: list[int] = []

    def see() -> str:
        observation = read_observation(run.folder / runs.LIVE)
        seen.append(-1 if observation is None else observation.iteration)
        return ""

    carry_out(run.folder, device="cpu", why_stop=see)
    assert seen == list(range(5, 20))


def test_looks_take_a_small_share_of_the_time_and_come_often_at_first() -> None:
    for cost in (0.001, 0.1, 3.0):
        assert cost / (cost + pause_after(cost, elapsed=0)) <= SHARE
    assert pause_after(0.01, elapsed=1) <= 0.25
    assert pause_after(0.01, elapsed=600) > 1


def test_an_example_has_each_word_once_and_none_is_found_without_held_out_rows() -> None:
    pairs = (("a a a a a a a a a a a a", "x"), ("a b c d", "a b c d"), ("a b", "a b"))
    example = find_example("copy", Given(learned=(), held_out=pairs))
    assert example is not None
    assert (example.text, example.expected) == ("a b c d", "a b c d")
    assert find_example("copy", Given(learned=(), held_out=())) is None
    written_together = find_example("next", Given(learned=(), held_out=(("고양이가생선을먹는다",),)))
    assert written_together is not None
    assert written_together.text + written_together.expected == "고양이가생선을먹는다"


def test_a_look_comes_back_from_its_file_and_a_damaged_one_is_none(tmp_path: Path) -> None:
    file = tmp_path / "live.json"
    tokens = (Token(text=HOSTILE, start=0, end=3, word=0), Token(text="[SEP]", is_special=True))
    observation = Observation(
        iteration=7,
        text=HOSTILE,
        written="",
        expected=HOSTILE,
        kind="decoder",
        layer=1,
        head=2,
        query_tokens=tokens,
        key_tokens=tokens,
        weights=np.array([[1, np.nan], [0.25, 0.75]], dtype=np.float32),
    )
    assert read_observation(file) is None
    observation.save(file)
    again = read_observation(file)
    assert again is not None
    assert (again.iteration, again.text, again.key_tokens) == (7, HOSTILE, tokens)
    assert np.array_equal(again.weights, observation.weights, equal_nan=True)
    text = file.read_text(encoding="utf-8")
    for damaged in (
        text[: len(text) // 2],
        text.replace("0.75", "[1]"),
        "[]",
        "{}",
        text.replace('"decoder"', '"all"'),
    ):
        file.write_text(damaged, encoding="utf-8")
        assert read_observation(file) is None
    replace(observation, weights=observation.weights[:1]).save(file)
    assert read_observation(file) is None


def test_the_model_in_training_is_read_and_not_a_copy() -> None:
    given = take("labels", sample("labels"))
    task = assemble(small("labels"), given)
    model = open_in_training(task, torch.device("cpu"))
    text = given.held_out[0][0]
    before = model.label_text(text).probabilities
    with torch.no_grad():
        for weight in task.model.parameters():
            weight.add_(torch.rand_like(weight))
    assert np.abs(before - model.label_text(text).probabilities).max() > 0.01
