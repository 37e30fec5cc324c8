"""Every page, through app.py and alone, on the embedded model; and what a reader may type."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from models.opening.registry import DEFAULT_MODEL, REGISTRY
from models.opening.restriction import CURATED_ONLY
from tests.closeness import assert_close
from tests.loaded import load
from tests.models.huggingface.families import UNRECORDABLE, save
from ui.state.choices import ASKS_A_MODEL
from ui.state.navigation import PAGES
from ui.state.open_recordings import KEYS, OpenRecording
from viz.viewer.about import describe_recording

ROOT = Path(__file__).resolve().parents[2]
ATTENTION = "pages/attention.py"
OPENS_WITH = {
    "Home": "animal",
    "Attention": "animal",
    "Head atlas": "rests on special tokens",
    "Queries, keys, values": "animal",
    "Step by step": "token embeddings",
    "Positions": "The same attention",
    "By hand": "Your head",
    "Masked words": "The answer after every layer",
    "Labels": "helping verb",
    "Next sentence": "baker",
    "Translation": "skirt",
    "BERT and GPT": "barked",
    "What attention costs": "The cache grows",
    "Switchboard": "1 of 72 heads off",
    "Explanations": "which words mattered",
}
"""A word of the pictures with which each page opens."""
WITHOUT_A_PICTURE = {"Training lab", "Lessons", "Class room", "Make a lesson"}
"""They begin with questions, or a list; tests of their own look at their pictures."""
WAITS_FOR_THE_BROWSER = "Make a lesson"
"""It begins once the browser has said what it has kept."""


def alone(path: str = ATTENTION, **choices: object) -> AppTest:
    app = AppTest.from_file(str(ROOT / path), default_timeout=390)
    for name, value in choices.items():
        app.query_params[name] = str(value)
    return app.run()


def through_app(path: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "ui" / "script.py"), default_timeout=390).run()
    return app.switch_page(f"../{path}").run()


def figures(app: AppTest) -> list[str]:
    """Return all drawn elements as text: plotly's figures, comparisons, and last the data for the viewer in the
    browser."""
    charts = [chart.proto for chart in app.get("plotly_chart")]
    assert all(chart.alt for chart in charts), "who hears the page is told what a figure shows"
    specs = [json.loads(chart.spec or chart.figure.spec) for chart in charts]
    return [json.dumps(spec, ensure_ascii=False) for spec in [*specs, *compared(app), *viewed(app)]]


def viewed(app: AppTest) -> list[dict[str, Any]]:
    """For each viewer of the page: what it is to show, and the tokens that it will be sent."""
    told = [json.loads(element.proto.json) for element in app.get("bidi_component") if '"base"' in element.proto.json]
    return [{**data["choices"], **describe_recording(opened(data).recording, name="")} for data in told]


def compared(app: AppTest) -> list[dict[str, Any]]:
    """For each comparison of the page: what is said about it."""
    told = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return [data["about"] for data in told if "about" in data]


def opened(data: dict[str, Any]) -> OpenRecording:
    """The recording under the address that the page tells its browser."""
    return KEYS[data["base"].rsplit("/", 1)[-1]]


def messages(app: AppTest) -> str:
    return " ".join(element.value for kind in (app.error, app.warning, app.info) for element in kind).replace("\\", "")


def helps(app: AppTest) -> str:
    """Return the help texts behind the "?" of captions."""
    return " ".join(caption.proto.help for caption in app.caption).replace("\\", "").replace(":gray[]", "")


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.title)
@pytest.mark.parametrize("visited", [alone, through_app])
def test_every_page_opens_with_a_picture(entry, visited) -> None:
    app = visited(entry.path)
    assert not app.exception
    assert not app.error
    if entry.title in WITHOUT_A_PICTURE:
        assert app.get("skeleton") if entry.title == WAITS_FOR_THE_BROWSER else app.button
        return
    assert figures(app)
    assert OPENS_WITH[entry.title] in " ".join(figures(app))


def test_an_address_restores_sentence_layer_and_head() -> None:
    app = alone(text="the dog saw the cat", layer=2, head=5)
    assert app.text_input[0].value == "the dog saw the cat"
    assert [slider.value for slider in app.select_slider] == [2, 5]
    assert (viewed(app)[0]["layer"], viewed(app)[0]["head"]) == (2, 5)


def test_a_layer_that_the_model_does_not_have_becomes_its_last() -> None:
    app = alone(layer=300, head=300)
    assert not app.exception
    info = load(DEFAULT_MODEL).info
    assert [slider.value for slider in app.select_slider] == [info.n_layers - 1, info.n_heads - 1]


def test_turning_the_layer_changes_picture_and_address() -> None:
    app = alone()
    before = figures(app)[-1]
    other = (app.select_slider[0].value + 1) % load(DEFAULT_MODEL).info.n_layers
    app.select_slider[0].set_value(other).run()
    assert figures(app)[-1] != before
    assert app.query_params["layer"] in (str(other), [str(other)])


def test_the_mean_over_the_heads() -> None:
    assert viewed(alone(head="mean"))[0]["head"] == "mean"


def test_the_choices_of_an_address_reach_the_viewer() -> None:
    (told,) = viewed(alone(quantity="scores", special="hidden"))
    assert (told["quantity"], told["special"], told["words"]) == ("scores", "hidden", False)
    assert viewed(alone(words="yes"))[0]["words"] is True


def test_another_sentence_has_another_address_that_nobody_can_guess() -> None:
    app = alone()
    bases = set()
    for text in ("one", "two", "three"):
        app.text_input[0].set_value(text)
        app.button[0].click().run()
        (told,) = [
            json.loads(element.proto.json) for element in app.get("bidi_component") if "base" in element.proto.json
        ]
        bases.add(told["base"])
        assert len(told["base"].rsplit("/", 1)[-1]) >= 32
    assert len(bases) == 3
    assert sum(base.rsplit("/", 1)[-1] in KEYS for base in bases) == 2  # the last and the one before


def test_two_readers_of_a_sentence_have_addresses_of_their_own() -> None:
    one, other = (json.loads(alone().get("bidi_component")[-1].proto.json)["base"] for _ in range(2))
    assert one != other


@pytest.mark.parametrize("view", ["head-view", "model-view"])
def test_bertviz_is_inside_the_page(view: str) -> None:
    app = alone(view=view)
    assert not app.exception
    assert not app.error
    assert "animal" in app.get("iframe")[0].proto.srcdoc


def test_bertviz_refuses_what_would_hang_the_browser() -> None:
    app = alone(view="model-view", text="word " * 240)
    assert "viewer" in messages(app)
    assert not app.get("iframe")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("   \t ", "only spaces"),
        ("\x00\x07\x1b", "only spaces"),
        ("long story " * 9100, "cut"),
        ("long story " * 9100, "too long for a link"),
        ("🙂🎉 👩‍👩‍👧‍👦", ""),
        ("שלום עולם مرحبا", ""),
        ("[MASK] and [SEP] typed [CLS] by hand", ""),
        ("zzxqj <script>alert(1)</script> \u202e end", ""),
    ],
)
def test_odd_text_gets_a_picture_or_a_sentence(text: str, said: str) -> None:
    app = alone()
    app.text_input[0].set_value(text)
    app.button[0].click().run()
    assert not app.exception
    assert "Something went wrong" not in messages(app)
    assert said in messages(app)
    assert figures(app) or app.error


def test_an_empty_sentence_is_said_and_the_app_goes_on() -> None:
    app = alone()
    app.text_input[0].set_value("")
    app.button[0].click().run()
    assert app.error
    app.text_input[0].set_value("a new sentence")
    app.button[0].click().run()
    assert not app.error
    assert "sentence" in figures(app)[-1]


def test_masked_words_are_predicted() -> None:
    assert "[MASK]" in " ".join(text.value for text in alone(text="the [MASK] of the house").text)


@pytest.mark.parametrize(
    "model", ["no-such-organisation/no-such-model", "/etc", "../../etc/passwd", "![x](http://h/i.png)"]
)
def test_a_model_that_is_not_there_is_one_clear_sentence(model: str) -> None:
    app = alone(model=model)
    assert not app.exception
    assert len(app.error) == 1
    assert "Something went wrong" not in messages(app)
    app.selectbox(key="model").select("mini-bert").run()
    assert not app.error
    assert figures(app)


def test_a_public_server_opens_the_curated_list_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CURATED_ONLY, "1")
    assert "not one of them" in messages(alone(model=str(ROOT / "models" / "pretrained" / "mini-bert")))
    assert figures(alone(model="models/pretrained/mini-bert"))


def test_the_same_checkpoint_gives_the_same_picture_in_both_implementations() -> None:
    apps = [alone(model=name, layer=3, head=2) for name in list(REGISTRY)[:2]]
    told = [json.loads(app.get("bidi_component")[-1].proto.json) for app in apps]
    ours, theirs = (opened(data).recording.of("encoder").weights(3, 2) for data in told)
    assert_close(ours, theirs)


def test_the_sentence_is_kept_across_pages() -> None:
    app = through_app(ATTENTION)
    app.text_input[0].set_value("a sentence to keep")
    app.button[0].click().run()
    app.switch_page("../pages/home.py").run()
    assert app.text_input[0].value == "a sentence to keep"


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("view", ["explore", "head-view"])
def test_an_encoder_with_a_decoder_shows_all_three_kinds(tiny: Callable[[str], Path], kind: str, view: str) -> None:
    folder = tiny("t5")
    app = alone(model=folder, kind=kind, view=view, text="the animal was tired", text_b="it was tired")
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="kind").value == kind
    assert figures(app) or app.get("iframe")


def test_a_causal_model_hides_the_future(tiny: Callable[[str], Path]) -> None:
    app = alone(model=tiny("gpt2"), text="the animal was tired")
    assert not app.error
    assert viewed(app)[0]["kinds"][0]["kind"] == "decoder"


def test_a_family_that_cannot_be_recorded_is_said_in_the_page(tmp_path: Path) -> None:
    app = alone(model=save(UNRECORDABLE["fnet"], tmp_path / "fnet"))
    assert not app.exception
    assert "fnet" in messages(app).lower()


@pytest.mark.parametrize(
    "entry",
    [entry for entry in PAGES if entry.title not in WITHOUT_A_PICTURE and entry in ASKS_A_MODEL],
    ids=lambda entry: entry.title,
)
def test_a_model_that_cannot_be_opened_leaves_a_way_out(entry) -> None:
    app = alone(entry.path, model="bert-base-uncased")
    assert "google-bert/bert-base-uncased" in messages(app)
    (way_out,) = [button for button in app.button if button.label.startswith("Use ") and button.key != "use-causal"]
    way_out.click().run()
    assert not app.exception
    assert not app.error
    assert OPENS_WITH[entry.title] in " ".join(figures(app))


def test_a_choice_of_a_click_stays_while_long_work_runs_the_page_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.desk.long_answers.PATIENCE", 0.0)
    monkeypatch.setattr("ui.desk.long_answers.CHECK_EVERY", 0.01)
    monkeypatch.setattr("ui.desk.long_answers.RUN_FOR", 0.0)
    app = alone("pages/explanations.py", model="bert-base-uncased", text="The [MASK] barked.")
    (way_out,) = [button for button in app.button if button.label.startswith("Use ")]
    way_out.click().run()
    assert app.session_state["model"] == DEFAULT_MODEL
    assert not app.error


HOME = "pages/home.py"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (
            "mini-bert",
            ("**mini-bert**, trained for this app,", "an encoder of 4 layers with 8 heads", "both"),
        ),
        (
            "headlight-bert",
            ("trained further for this app from sentence-transformers/all-MiniLM-L6-v2,", "both sides"),
        ),
        (
            "mini-gpt",
            ("**mini-gpt**, trained for this app,", "a decoder of 4 layers", "never ahead"),
        ),
        ("translator-es", ("**translator-es**", "an encoder and a decoder of", "written so far")),
    ],
)
def test_home_says_what_the_chosen_model_is(model: str, expected: tuple[str, ...]) -> None:
    app = alone(HOME, model=model)
    said = " ".join(element.value for element in app.caption).replace("\\", "")
    assert all(part in said for part in expected)
    assert "BERT, trained" not in said
    assert figures(app)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("word " * 700, "{fits} of 700"),
        ("the [MASK] of the house", "[MASK] at position"),
    ],
)
def test_home_says_what_attention_says_of_a_text(text: str, expected: str) -> None:
    fits = load(DEFAULT_MODEL).info.max_tokens - 2
    for page in (HOME, ATTENTION):
        app = alone(page, text=text)
        assert expected.format(fits=fits) in messages(app) + " ".join(element.value for element in app.text)


@pytest.mark.parametrize(
    ("text", "expected", "others"),
    [
        ("The cat 🙂 sat.", "no token for “🙂”", ("headlight-ko", "does not know")),
        (f"A {'x' * 120} b", "(120 characters)", ("headlight-ko", "no token")),
        ("[UNK] typed by hand", "", ("headlight-ko", "[UNK]", "know")),
    ],
)
@pytest.mark.parametrize("page", ["attention", "queries_keys_values", "step_by_step"])
def test_what_is_unknown_is_named_and_advice_fits_it(
    page: str, text: str, expected: str, others: tuple[str, ...]
) -> None:
    said = messages(alone(f"pages/{page}.py", text=text))
    assert expected in said
    assert not [other for other in others if other in said]


@pytest.mark.parametrize("page", ["attention", "queries_keys_values", "step_by_step"])
def test_words_that_become_unknown_are_named(page: str) -> None:
    said = messages(alone(f"pages/{page}.py", model="mini-bert", text="나는 we go 학교에."))
    assert "does not know 2 of the 4 words: “나는”, “학교에”" in said
    assert "headlight-ko for Korean" in said
    assert "no token" not in said


def test_english_in_a_translator_is_no_other_language() -> None:
    said = messages(alone(ATTENTION, model="translator-es", text="The 小 cat sleeps."))
    assert "translator-es does not know 1 of the 4 words: “小”" in said
    assert "It was made for translating short everyday sentences from English to Spanish" in said
    assert "klue" not in said
