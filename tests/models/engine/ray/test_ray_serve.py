"""Models on a real Ray cluster of this machine: a head that computes nothing, and two nodes.

    pip install -c requirements.lock --group ray; python -m pytest tests/models/engine

Ray is an extra of 300 MB, and not where the checks run; there, these tests are skipped.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from queue import Queue
from typing import Any

import numpy as np
import pytest

from models.engine.setting import SETTING, open_model
from models.model import Model
from models.opening.registry import load
from models.values.errors import (
    MissingCapabilityError,
    ModelLoadError,
    ModelNotFoundError,
    SelectionError,
    TextError,
)
from models.values.probing.changes import Changes
from models.values.record import Recording
from tests.closeness import assert_close
from tests.models.engine.ray.clusters import NO_RAY, SECONDS, TwoNodes, two_nodes
from tests.models.opening.test_guest import same
from ui.desk.ask import taking_turns, weights_of

ray = pytest.importorskip("ray", reason=NO_RAY)
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]
TEXT = "The man worked as a [MASK]."


@pytest.fixture(scope="module")
def cluster() -> Iterator[TwoNodes]:
    with two_nodes() as made:
        yield made


@pytest.fixture(scope="module")
def served(cluster: TwoNodes) -> Iterator[TwoNodes]:
    from models.engine.ray.cluster import deploy

    deploy(least=2, most=2)
    yield cluster
    ray.serve.shutdown()


@pytest.fixture
def model(served: TwoNodes, monkeypatch: pytest.MonkeyPatch) -> Model:
    monkeypatch.setenv(SETTING, "ray")
    return open_model("mini-bert")


@pytest.fixture(scope="module")
def here() -> Model:
    return load("mini-bert", device="cpu")


def test_no_models_served_is_said_with_what_to_do(cluster: TwoNodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "ray")
    from models.engine.ray.cluster import COMMAND

    with pytest.raises(ModelLoadError, match=rf"the Ray cluster serves no models\..*{re.escape(COMMAND)}"):
        open_model("mini-bert")


def test_the_answers_are_those_of_this_process(model: Model, here: Model) -> None:
    from models.engine.ray.model import RayModel

    assert isinstance(model, RayModel)
    same(model.info, here.info)
    assert weights_of(model) == 0
    assert taking_turns(model) is model  # whoever asks it waits for no core of this machine
    for question, words, choices in (
        ("record", (TEXT, "He is tall."), {}),
        ("walk", (TEXT,), {"layer": 1, "head": 2}),
        ("masked_words", (TEXT,), {}),
        ("next_sentence", ("He went out.", "It rained."), {}),
        ("guess_tokens", ("a b c",), {}),
    ):
        close(getattr(here, question)(*words, **choices), getattr(model, question)(*words, **choices))


def close(one: Any, other: Any) -> None:
    """Whether two answers are the same, their numbers to 1e-5, their arrays read-only."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray | float):
        assert_close(one, other)
        assert isinstance(other, float) or not other.flags.writeable
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for first, second in zip(one, other, strict=True):
            close(first, second)
    elif hasattr(one, "__dataclass_fields__"):
        for name in one.__dataclass_fields__:
            close(getattr(one, name), getattr(other, name))
    else:
        assert one == other


def test_the_arrays_of_a_recording_are_read_where_ray_keeps_them(model: Model) -> None:
    recording = model.record("The animal did not cross the street, because it was too tired. " * 3)
    (record,) = recording.attention
    for array in (record.query, record.key, record.value, recording.hidden_states):
        assert not array.flags.owndata


def test_what_a_model_refuses_is_refused_as_here(model: Model) -> None:
    with pytest.raises(TextError, match="The text is empty") as caught:
        model.record("")
    assert type(caught.value) is TextError
    with pytest.raises(SelectionError):
        model.walk(TEXT, layer=99, head=0)
    with pytest.raises(MissingCapabilityError, match="mini-bert cannot translate") as lacking:
        model.translate(TEXT)
    assert lacking.value.name == "mini-bert"
    with pytest.raises(ModelNotFoundError, match="nobody/has-this"):
        open_model("nobody/has-this")


def test_progress_is_told_as_here_and_ends_the_work(model: Model, here: Model) -> None:
    said = here.answer_logits(TEXT)
    changes = [Changes(hidden=(("encoder", at),)) for at in range(1, 5)]
    told: dict[str, list[tuple[int, int]]] = {"here": [], "there": []}
    for each, name in ((here, "here"), (model, "there")):
        answers = each.answers_under(
            TEXT,
            contrast=said.contrast(1, 2),
            changes=changes,
            progress=lambda *done, name=name: told[name].append(done),
        )
        assert len(answers.log_probabilities) == len(changes)
    assert told["there"] == told["here"] != []

    class LeftError(Exception):
        pass

    def leave(done: int, of: int) -> None:
        raise LeftError

    with pytest.raises(LeftError):
        model.fill_jointly("The [MASK] sat on the [MASK].", progress=leave)
    assert len(model.fill_jointly("The [MASK] sat on the [MASK].", progress=lambda *_: None).masks) == 2


def replicas() -> set[str]:
    from models.engine.ray.cluster import APPLICATION

    names = ray.util.list_named_actors(all_namespaces=True)
    return {each["name"] for each in names if each["name"].startswith(f"SERVE_REPLICA::{APPLICATION}#")}


def kill_replicas(cluster: TwoNodes) -> Iterator[Callable[[], None]]:
    for name in sorted(replicas()):
        yield lambda name=name: ray.kill(ray.get_actor(name, namespace="serve"))


def kill_a_machine(cluster: TwoNodes) -> Iterator[Callable[[], None]]:
    yield lambda: cluster.kill(cluster.nodes[0])


@pytest.mark.parametrize("kills", [kill_replicas, kill_a_machine])
def test_no_question_is_lost_when_what_answers_dies_under_load(
    kills: Callable[[TwoNodes], Iterator[Callable[[], None]]], served: TwoNodes, model: Model, here: Model
) -> None:
    answered: Queue[tuple[str, Recording]] = Queue()
    numbers, is_enough = count(), threading.Event()

    def ask() -> None:
        while not is_enough.is_set():
            text = f"The man worked for {next(numbers)} days."
            answered.put((text, model.record(text)))

    served.until(lambda: len(replicas()) == 2)
    before = replicas()
    with ThreadPoolExecutor(12) as readers:
        asking = [readers.submit(ask) for _ in range(12)]
        try:
            found = [answered.get(timeout=SECONDS) for _ in range(20)]
            for kill in kills(served):
                kill()
                found += [answered.get(timeout=SECONDS) for _ in range(20)]
        finally:
            is_enough.set()
        for each in asking:
            each.result(timeout=SECONDS)  # raises what a reader would have seen
    for text, recording in found[:: len(found) // 10]:
        close(here.record(text), recording)
    served.mend()
    served.until(lambda: len(replicas()) == 2 and replicas() != before)
