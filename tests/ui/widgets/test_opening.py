"""What a page opens with: a sentence that the model can read, and never one in place of the reader's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lab import runs
from lab.data.cleaning import TableRow
from lab.data.given import Given, take_labels, take_text
from lab.data.own_text import own_texts
from lab.data.samples import sample
from lab.jobs.supervisor import Supervisor
from lab.recipe import Recipe, TaskName
from lab.runs import Run
from lab.uploads.checkpoints import model_name
from lab.work import carry_out
from models.opening.registry import REGISTRY
from tests.lab.jobs import few_rows
from tests.ui.test_pages import alone, messages, through_app
from ui.state.choices import DEFAULTS
from ui.training_lab import server as lab_server
from ui.training_lab.over_time import EXAMPLES as OVER_TIME
from ui.widgets.asking import inputs

SMALL = {
    "n_layers": 1,
    "n_heads": 2,
    "d_model": 8,
    "d_ff": 8,
    "n_tokens": 32,
    "d_vocab": 400,
    "iterations": 12,
    "rows": 2,
}
WORDS, ATTENTION, PAIR = "pages/masked_words.py", "pages/attention.py", "pages/next_sentence.py"
KOREAN = "한국어"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(autouse=True)
def of_this_lab(lab: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A lab of its own, whose jobs wait: no process is started."""
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(lab))
    monkeypatch.setattr(Supervisor, "begin", lambda self: self)
    yield
    lab_server._SUPERVISORS.clear()


@pytest.fixture(scope="module")
def copying(lab: Path) -> Run:
    """A model that has learned letters alone."""
    return trained(lab, "copy", None)


@pytest.fixture(scope="module")
def guessing(lab: Path) -> Run:
    """A model that guesses masked words of the lab's sample."""
    return trained(lab, "masked", take_text(sample("masked")))


def trained(lab: Path, task: TaskName, given: Given | None) -> Run:
    made = runs.create(lab, Recipe(task=task, name="mine", **SMALL), given)
    with few_rows():
        carry_out(made.folder, device="cpu", why_stop=lambda: "")
    return runs.find(lab, made.id)


def texts(app: AppTest) -> tuple[str, str]:
    assert not app.exception
    return app.session_state["text"], app.session_state["text_b"]


def choose(app: AppTest, model: str) -> AppTest:
    app.session_state["model"] = model
    return app.run()


def held_out(run: Run) -> set[str]:
    return {each.text for each in own_texts(run.id)}


@pytest.mark.parametrize(
    "page", ["home", "attention", "queries_keys_values", "step_by_step", "masked_words", "translation"]
)
def test_a_model_that_was_trained_here_opens_on_text_of_its_own(page: str, copying: Run) -> None:
    app = alone(f"pages/{page}.py", model=model_name(copying))
    assert texts(app)[0] in held_out(copying)
    assert not app.error
    assert "does not know" not in messages(app)
    assert "know none" not in messages(app)


def test_its_sentence_has_a_mask_or_a_second_one_where_the_page_asks_for_that(guessing: Run) -> None:
    app = alone(WORDS)
    assert texts(app) == next(iter(inputs.WORD_EXAMPLES.values()))
    masked, second = texts(choose(app, str(model_name(guessing))))
    assert "[MASK]" in masked
    assert not second
    assert texts(choose(app, "mini-bert")) == next(iter(inputs.WORD_EXAMPLES.values()))
    first, second = texts(alone(PAIR, model=model_name(guessing)))
    assert second
    assert {first, second} <= {sentence for row in take_text(sample("masked")).held_out for sentence in row}


def test_the_sentence_of_the_app_comes_back_with_a_model_of_english(copying: Run) -> None:
    app = alone(ATTENTION)
    assert texts(choose(app, str(model_name(copying))))[0] in held_out(copying)
    assert texts(choose(app, "mini-bert"))[0] == DEFAULTS["text"]


@pytest.mark.parametrize("typed", ["a sentence of mine", DEFAULTS["text"]])
def test_a_sentence_that_the_reader_typed_stays(typed: str, copying: Run) -> None:
    app = alone("pages/switchboard.py")
    app.text_input(key="typed_text").set_value(typed)
    app.button[0].click().run()
    assert texts(choose(app, str(model_name(copying))))[0] == typed


def test_a_sentence_of_a_link_stays(copying: Run) -> None:
    app = alone(WORDS, model=model_name(copying), text=DEFAULTS["text"])
    assert texts(app)[0] == DEFAULTS["text"]
    assert texts(app.run())[0] == DEFAULTS["text"]


def test_an_example_that_the_reader_chose_stays(copying: Run) -> None:
    app = alone(WORDS)
    app.button_group(key="example").set_value("capital").run()
    assert texts(choose(app, str(model_name(copying)))) == inputs.WORD_EXAMPLES["capital"]


def test_over_time_a_run_opens_on_its_own_text_and_the_embedded_one_on_its_own(guessing: Run, copying: Run) -> None:
    app = alone("pages/training_lab.py", lab="over-time")
    for run in (guessing, copying, guessing):
        app.selectbox(key="history").select(lab_server.over_time_name(run)).run()
        assert texts(app)[0] in held_out(run) | {each.masked for each in own_texts(run.id)}
        assert ("[MASK]" in texts(app)[0]) is (run is guessing)
    app.selectbox(key="history").select("tiny-bert").run()
    assert texts(app) == OVER_TIME["fire"]


@pytest.mark.parametrize(("task", "made"), [("labels", take_labels), ("next", take_text)])
def test_every_task_has_text_of_its_own(task: TaskName, made, lab: Path) -> None:
    given = made(sample(task))
    run = runs.create(lab, Recipe(task=task, name="mine", **SMALL), given)
    rows: set[TableRow] = {row[:1] for row in given.held_out}
    assert {(each.text,) for each in own_texts(run.id)} <= rows
    assert own_texts(run.id)


def test_the_page_of_a_run_gives_the_name_that_opens_its_model(copying: Run) -> None:
    app = alone("pages/training_lab.py", run=copying.id)
    (said,) = [each.value for each in app.caption if "full name" in each.value]
    name = said.split("`")[1]
    other = alone(ATTENTION, model=name)
    assert not other.error
    listed = [one.split("\n") for one in other.selectbox(key="model").options if "\n" in one]
    assert ("lab/mine", f"trained in the lab  ·  {copying.id[:4]}") in {
        (above.strip(), below) for above, below in listed
    }


@pytest.mark.parametrize("page", ["attention", "masked_words"])
def test_korean_is_no_example_for_a_model_of_english(page: str) -> None:
    assert KOREAN not in alone(f"pages/{page}.py").button_group(key="example").options


def test_korean_is_an_example_for_a_model_that_may_know_it() -> None:
    app = alone(WORDS, model="klue/bert-base")
    assert KOREAN in app.button_group(key="example").options


def test_every_sentence_that_the_app_offers_ends_as_a_sentence_does() -> None:
    of_cards = [{label: (text, "") for label, text in entry.examples} for entry in REGISTRY.values()]
    offered = [
        inputs.EXAMPLES,
        inputs.WORD_EXAMPLES,
        inputs.SENTIMENT_EXAMPLES,
        inputs.TAGGER_EXAMPLES,
        inputs.PAIR_EXAMPLES,
        *of_cards,
        OVER_TIME,
        {"default": (DEFAULTS["text"], DEFAULTS["text_b"])},
    ]
    sentences = [sentence for examples in offered for pair in examples.values() for sentence in pair if sentence]
    assert not [sentence for sentence in sentences if not sentence.rstrip('"').endswith((".", "?", "!"))]


def test_the_sentence_of_a_page_does_not_replace_that_of_home() -> None:
    app = through_app("pages/home.py")
    opened = texts(app)
    app.switch_page(f"../{PAIR}").run()
    assert texts(app) != opened
    app.switch_page("../pages/home.py").run()
    assert texts(app) == opened


def test_the_sentence_of_the_reader_goes_along_from_page_to_page() -> None:
    app = through_app("pages/home.py")
    app.text_input(key="typed_text").set_value("a sentence of mine")
    app.button[0].click().run()
    for page in (WORDS, ATTENTION, "pages/home.py"):
        app.switch_page(f"../{page}").run()
        assert texts(app) == ("a sentence of mine", "")


MASK_EXAMPLE = "A masked word"


@pytest.mark.parametrize(
    ("model", "offered"), [("headlight-bert", True), ("tagger", True), ("mini-llama", False), ("translator-es", False)]
)
def test_a_masked_word_is_no_example_for_a_model_that_writes(model: str, offered: bool) -> None:
    app = alone(ATTENTION, model=model)
    assert (MASK_EXAMPLE in app.button_group(key="example").options) is offered


def test_the_switchboard_and_explanations_continue_what_a_causal_model_reads(tiny: Callable[[str], Path]) -> None:
    folder = str(tiny("gpt2"))
    for page in ("switchboard", "explanations"):
        app = alone(f"pages/{page}.py", model=folder)
        assert "[MASK]" not in texts(app)[0]
        assert KOREAN in app.button_group(key="example").options
