"""The scratch translator, GPT and Llama, under names of the list, on the pages; what the caches keep of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models.opening.entries import ModelEntry
from models.opening.registry import DEFAULT_MODEL, REGISTRY
from models.scratch_models.translator import ScratchTranslator
from tests.closeness import PARITY, assert_close
from tests.loaded import load
from tests.models.tasks import tiny_writers
from tests.ui.test_pages import alone, figures, messages, opened, viewed

TEXT, TARGET = "The old man sees a red house.", "El hombre tiene un coche"
TRANSLATOR, GPT, LLAMA = "tiny-scratch-translator", "tiny-scratch-gpt", "tiny-scratch-llama"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three more embedded models."""
    root = tmp_path_factory.mktemp("pretrained")
    tiny_writers.translator(root / TRANSLATOR)
    tiny_writers.gpt(root / GPT)
    tiny_writers.llama(root / LLAMA)
    return root


@pytest.fixture(autouse=True)
def listed(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The three stand in the list of models."""
    monkeypatch.setattr("models.opening.registry.PRETRAINED", written)
    for name in (TRANSLATOR, GPT, LLAMA):
        monkeypatch.setitem(REGISTRY, name, ModelEntry(name=name, about="embedded", is_embedded=True))


def said(app: AppTest) -> str:
    return " ".join([messages(app), *(element.value for element in app.caption)]).replace("\\", "")


@pytest.mark.parametrize(
    ("model", "kind"),
    [(TRANSLATOR, "encoder"), (TRANSLATOR, "decoder"), (TRANSLATOR, "cross"), (GPT, "decoder"), (LLAMA, "decoder")],
)
def test_the_viewer_shows_every_kind(model: str, kind: str) -> None:
    app = alone(model=model, kind=kind, text=TEXT, text_b=TARGET if model == TRANSLATOR else "", layer=1, head=2)
    assert not app.exception
    assert not app.error
    (shown,) = viewed(app)
    assert shown["kind"] == kind


@pytest.mark.parametrize("page", ["queries_keys_values", "step_by_step"])
@pytest.mark.parametrize(("model", "kind"), [(TRANSLATOR, "cross"), (TRANSLATOR, "decoder"), (GPT, "decoder")])
def test_the_pages_of_numbers_show_a_decoder_too(page: str, model: str, kind: str) -> None:
    app = alone(f"pages/{page}.py", model=model, kind=kind, text=TEXT, layer=1, head=2, step="attention_residual")
    assert not app.exception
    assert not app.error
    assert figures(app)
    if page == "step_by_step":
        assert "models/scratch/decoder.py" in said(app)
        code = " ".join(block.value for block in app.code)
        assert ("memory=unread" if kind == "cross" else "cache=own") in code


@pytest.mark.parametrize("model", [TRANSLATOR, GPT])
def test_positions_are_shown_and_what_is_not_there_is_said(model: str) -> None:
    learned = alone("pages/positions.py", model=model, text=TEXT, scheme="learned")
    why = alone("pages/positions.py", model=model, text=TEXT, scheme="why")
    words = alone("pages/masked_words.py", model=model, text="The [MASK] man")
    for app in (learned, why, words):
        assert not app.exception
        assert not app.error
    assert figures(learned)
    assert model in messages(why)
    assert f"{model} has no LM head for masked words" in messages(words)
    assert DEFAULT_MODEL in " ".join(button.label for button in words.button)


def test_the_model_of_the_page_is_the_one_from_scratch() -> None:
    app = alone(model=TRANSLATOR, text=TEXT)
    (data,) = [element.proto.json for element in app.get("bidi_component") if "base" in element.proto.json]
    recording = opened(json.loads(data)).recording
    assert recording.info.implementation == "scratch"
    model = load(TRANSLATOR, device="cpu")
    assert isinstance(model, ScratchTranslator)
    written = model.translate(TEXT).recording
    assert_close(recording.of("cross").weights(1, 1), written.of("cross").weights(1, 1), tolerance=PARITY)


def test_what_is_written_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    own = ScratchTranslator.translate

    def counted(self: ScratchTranslator, text: str, **choices: float):
        asked.append((text, choices))
        return own(self, text, **choices)

    monkeypatch.setattr(ScratchTranslator, "translate", counted)
    app = AppTest.from_function(pages_that_write, args=(TRANSLATOR, GPT, TEXT), default_timeout=390).run().run()
    assert not app.exception
    assert asked == [(TEXT, {}), (TEXT, {"width": 3, "length_penalty": 0.0})]
    greedy, beams, continued, guesses = (element.value for element in app.text)
    translator, gpt = load(TRANSLATOR, device="cpu"), load(GPT, device="cpu")
    assert greedy == translator.translate(TEXT).text
    assert beams == translator.translate(TEXT, width=3, length_penalty=0.0).text
    assert continued == gpt.continue_text(TEXT, n_new=5, temperature=2.0, top_k=4, seed=7).text.strip()
    assert guesses == str(len(gpt.guess_tokens(TEXT).guesses))


def pages_that_write(translator: str, gpt: str, text: str) -> None:
    import streamlit as st

    from models.model import Model
    from ui.desk.ask import ask

    st.text(ask(translator, "cpu", Model.translate, text).text)
    st.text(ask(translator, "cpu", Model.translate, text, width=3, length_penalty=0.0).text)
    st.text(ask(gpt, "cpu", Model.continue_text, text, n_new=5, temperature=2.0, top_k=4, seed=7).text.strip())
    st.text(len(ask(gpt, "cpu", Model.guess_tokens, text).guesses))


def read(app: AppTest) -> str:
    """All prose of a page, links to the glossary as the words that they are."""
    prose = " ".join(element.value for element in (*app.markdown, *app.caption)).replace("\\", "")
    return re.sub(r"\[([^\]]+)\]\(#word-[^)]*\)", r"\1", prose)


@pytest.mark.parametrize("step", ["rotation", "grouping", "gate"])
def test_a_llama_takes_its_steps_with_their_lines_of_code(step: str) -> None:
    app = alone("pages/step_by_step.py", model=LLAMA, kind="decoder", text=TEXT, layer=1, head=2, step=step)
    assert not app.exception
    assert not app.error
    assert figures(app)
    assert "For example:" in read(app)
    lines = {"rotation": "first * cos - second * sin", "grouping": "repeat_interleave(", "gate": "gate * self.expand"}
    assert lines[step] in " ".join(code.value for code in app.code)


def test_positions_shows_the_angles_of_a_llama_of_ours() -> None:
    app = alone("pages/positions.py", model=LLAMA, scheme="rotary")
    assert not app.exception
    assert "4 pairs of dimensions in every head" in read(app)
    assert f"These are the angles of {LLAMA}" in read(app)
    assert "first * cos - second * sin" in " ".join(code.value for code in app.code)


def test_queries_keys_values_says_which_heads_share_their_keys() -> None:
    app = alone(
        "pages/queries_keys_values.py", model=LLAMA, kind="decoder", text=TEXT, layer=1, head=2, part="maps", query=3
    )
    assert not app.exception
    assert "Heads 2 and 3 share one head of keys and values" in read(app)
    assert "in head 2" in read(app)
    drawn = json.loads(figures(app)[-1])["layout"]
    titles = " ".join(each["text"] for each in drawn["annotations"])
    assert "head 2" in titles
    assert "head 3" in titles
