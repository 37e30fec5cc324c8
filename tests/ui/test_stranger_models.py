"""The pages "Explanations" and "Switchboard" with models that are seldom met: ELECTRA's discriminator, and a guest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import runs
from lab.uploads.checkpoints import model_name
from models.analysis import ablate, attribution_methods, contrast_of
from models.analysis.attribution.attribute import run_method
from models.analysis.attribution.evidence import Evidence
from models.opening.entries import PRETRAINED, ROOT
from models.opening.guest import GuestModel
from tests.closeness import assert_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES, HYBRIDS, WEIGHTS_ALONE, WRITTEN_OUT, save
from tests.ui.test_pages import alone, figures, messages, viewed
from ui.desk.ask import OPEN_MODELS
from ui.state.navigation import PAGES, PageEntry
from viz.heads.findings import finding_of_heads

TEXT = "The animal didn't cross the street because it was too tired."
NEEDS_MORE_THAN_WEIGHTS = {"Queries, keys, values", "Step by step"}
SHOWS_WEIGHTS = {"Attention", "Home"}
BOARDS = ("switches", "heads", "patch", "sum")


@pytest.fixture(scope="module")
def electra(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save(FAMILIES["electra"], tmp_path_factory.mktemp("electra")))


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a model that somebody has uploaded, which is a mini-bert; it runs in a process of its own."""
    folder = tmp_path_factory.mktemp("guest")
    shutil.copytree(ROOT / PRETRAINED / "mini-bert", folder / "checkpoint")
    (folder / "lab").mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HEADLIGHT_LAB_RUNS", str(folder / "lab"))
        name = str(model_name(runs.adopt(folder / "lab", folder / "checkpoint", "strange", {})))
        model = OPEN_MODELS.ask(name, "cpu").result(timeout=390)
        assert isinstance(model, GuestModel)
        yield name
        model.close()


def said(app: AppTest) -> str:
    assert not app.exception
    assert not app.error
    return " ".join(element.value for element in (*app.markdown, *app.caption)).replace("\\", "")


ASKED = {"by_gradient": "yes", "with_paths": "yes"}
"""What stands behind switches on the page "Switchboard"."""


def path_of(title: str) -> str:
    return next(entry.path for entry in PAGES if entry.title == title)


def titles(app: AppTest) -> list[str]:
    return [json.loads(figure)["layout"]["title"]["text"] for figure in figures(app)]


def test_every_method_explains_why_a_token_is_taken_for_replaced(electra: str) -> None:
    model = load(electra)
    whole = model.answer_logits(TEXT)
    assert whole.of == "replaced"
    assert whole.choices == ("original", "replaced")
    at = whole.position or 0
    assert_close(whole.probabilities[1], model.find_replaced(TEXT).probabilities[at])
    contrast = contrast_of(model, TEXT, answer="replaced")
    assert contrast.rival_text == "original"
    evidence = Evidence(model, TEXT, None, contrast)
    for method in attribution_methods():
        scores = run_method(evidence, method).of_words(evidence.words)
        assert np.isfinite(scores).all(), method.name
        assert scores.any(), method.name


@pytest.mark.parametrize("answer_at", [-1, 3])
def test_a_replaced_token_is_explained(electra: str, answer_at: int) -> None:
    app = alone("pages/explanations.py", model=electra, text=TEXT, answer_at=answer_at, all_methods="yes")
    assert "Left out" not in said(app)
    best, *rest = sorted(("original", "replaced"), key=lambda one: one not in app.selectbox(key="answer").options[0])
    assert titles(app)[0].startswith(f"“{best}” rather than “{rest[0]}”")
    assert len(app.selectbox(key="method").options) == 1 + len(attribution_methods())


@pytest.mark.usefixtures("few_texts")
@pytest.mark.parametrize("board", BOARDS)
def test_the_switchboard_asks_whether_a_token_was_replaced(electra: str, board: str) -> None:
    app = alone(
        "pages/switchboard.py", model=electra, text=TEXT, board=board, other=TEXT.replace("tired", "bread"), **ASKED
    )
    told = said(app)
    if board == "heads":
        assert finding_of_heads(ablate(load(electra), TEXT)) in told
        assert any(title.startswith("Right answers as heads go") for title in titles(app))
    if board == "sum":
        assert "Direct paths cannot be followed here" in messages(app)
    assert titles(app)


def test_a_guest_is_explained_as_the_same_model_here_is(guest: str) -> None:
    text = "The [MASK] barked."
    here, there = (
        alone("pages/explanations.py", model=name, text=text, all_methods="yes") for name in ("mini-bert", guest)
    )
    assert said(there).split("The method to believe")[-1] == said(here).split("The method to believe")[-1]
    assert titles(there) == titles(here)
    assert len(titles(there)) == 4


@pytest.mark.usefixtures("few_texts")
@pytest.mark.parametrize("board", BOARDS)
def test_a_guest_has_the_effects_of_the_same_model_here(guest: str, board: str) -> None:
    choices = {"text": "The [MASK] barked at it.", "other": "The [MASK] barked at me."} | ASKED
    here, there = (alone("pages/switchboard.py", model=name, board=board, **choices) for name in ("mini-bert", guest))
    assert titles(there) == titles(here)
    assert titles(there)
    assert [element.value for element in there.markdown[1:]] == [element.value for element in here.markdown[1:]]
    assert said(there).replace(guest, "mini-bert") == said(here)


# -- a model that gives its weights alone, and one whose attention is followed in its forward --------------------------


@pytest.fixture(scope="module")
def weights_alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save(WEIGHTS_ALONE["deberta-v2"], tmp_path_factory.mktemp("deberta")))


@pytest.fixture(scope="module")
def written_out(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save(WRITTEN_OUT["bloom"], tmp_path_factory.mktemp("bloom")))


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.title)
def test_every_page_shows_the_weights_or_says_what_is_not_there(entry: PageEntry, weights_alone: str) -> None:
    app = alone(entry.path, model=weights_alone, text=TEXT)
    assert not app.exception
    if entry.title in NEEDS_MORE_THAN_WEIGHTS:
        assert "only its weights are recorded" in messages(app)
    elif entry.title in SHOWS_WEIGHTS:
        assert not app.error
        assert figures(app) or app.get("iframe") or viewed(app)


def test_explanations_show_the_methods_that_need_weights_and_gradients(weights_alone: str) -> None:
    app = alone(path_of("Explanations"), model=weights_alone, text=TEXT.replace("street", "<mask>"))
    assert not app.exception
    assert not app.error
    assert figures(app)
    assert "which method to believe cannot be measured" in said(app)


@pytest.mark.parametrize("board", BOARDS)
def test_the_switchboard_says_that_heads_cannot_be_changed(weights_alone: str, board: str) -> None:
    app = alone(path_of("Switchboard"), model=weights_alone, text=TEXT.replace("tired", "<mask>"), board=board)
    assert not app.exception
    assert "deberta" in messages(app) or not app.error


@pytest.mark.parametrize("part", ["bands", "dimensions", "maps", "plane"])
def test_queries_and_keys_that_were_followed_are_drawn(written_out: str, part: str) -> None:
    app = alone(path_of("Queries, keys, values"), model=written_out, text=TEXT, part=part, kind="decoder")
    assert not app.exception
    assert not app.error
    assert figures(app)


def test_positions_show_the_slopes_of_a_model_with_alibi(written_out: str) -> None:
    app = alone(path_of("Positions"), model=written_out, text=TEXT)
    assert not app.exception
    assert "ALiBi" in said(app)


# -- a model that has attention in some of its layers only -------------------------------------------------------------


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save(HYBRIDS["jamba"], tmp_path_factory.mktemp("jamba")))


@pytest.mark.parametrize("title", ["Attention", "Queries, keys, values", "Step by step", "Explanations", "Switchboard"])
def test_a_page_says_which_layers_of_a_hybrid_it_shows(title: str, hybrid: str) -> None:
    app = alone(path_of(title), model=hybrid, text=TEXT)
    assert not app.exception
    assert not app.error
    assert "Layers 0 to 1 here are its own layers 1 and 3." in messages(app)


def test_explanations_of_a_hybrid_leave_out_what_needs_attention_alone(hybrid: str) -> None:
    app = alone(path_of("Explanations"), model=hybrid, text=TEXT)
    assert figures(app)
    assert "they reach other words without attention" in said(app)
