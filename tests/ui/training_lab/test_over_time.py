"""Attention over time as a reader meets it: on the embedded run, and on runs of the training lab in any state."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import runs
from models.opening.guest import GuestModel
from models.scratch_models.encoder import load_scratch
from models.training.snapshots.over_time import embedded_runs
from tests.models.analysis.one_measure_more import one_measure_more
from tests.models.huggingface.families import FAMILIES, save
from tests.ui.test_pages import figures, messages
from ui.state.addresses import read_address
from ui.training_lab import snapshots
from ui.training_lab.over_time import EXAMPLES

TINY = embedded_runs()[0].folder
MASKED = EXAMPLES["fire"][0]


def script(*folders: str) -> None:
    """The page of the tests; AppTest runs its source on its own."""
    from pathlib import Path

    from models.training.snapshots.over_time import RunFolder
    from ui.training_lab.over_time import over_time
    from ui.widgets.frame import page

    with page("Attention over time"):
        over_time([RunFolder(name=Path(folder).name, folder=Path(folder)) for folder in folders])


def opened(*folders: Path, **choices: object) -> AppTest:
    app = AppTest.from_function(script, args=tuple(map(str, folders)), default_timeout=390)
    for name, value in choices.items():
        app.query_params[name] = str(value)
    return app.run()


def whole(app: AppTest) -> AppTest:
    assert not app.exception
    assert "Something went wrong" not in messages(app)
    return app


def said(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.subheader, *app.markdown, *app.caption)).replace("\\", "")


def titles(app: AppTest) -> str:
    return " ".join(json.loads(figure)["layout"]["title"]["text"] for figure in figures(app))


def a_run(folder: Path, iterations: tuple[int, ...], *, source: Path | None = None) -> Path:
    for iteration in iterations:
        shutil.copytree(source or TINY / f"step-{iteration:06d}", folder / "snapshots" / f"step-{iteration:06d}")
    return folder


def test_it_opens_with_a_head_that_changes_at_the_snapshot_where_it_has() -> None:
    app = whole(opened())
    state = app.session_state
    assert state["text"] == MASKED
    assert f"Layer {state['layer']} · Head {state['head']} begins to look at the previous token between" in said(app)
    folder = sorted(TINY.glob("step-*"))[state["snapshot"]]
    weights = load_scratch(folder, name="x", device="cpu").record(MASKED).of("encoder")
    assert np.diagonal(weights.weights(state["layer"], state["head"]), offset=-1)[1:-1].mean() > 0.5
    for title in (
        "Attention to the previous token",
        "from the first iteration to the last",
        "The answers",
        "All layers",
    ):
        assert title.replace("The answers", "How the answers grow") in titles(app)


def test_the_slider_moves_every_picture_and_the_address() -> None:
    app = opened()
    before = figures(app)
    app.select_slider(key="snapshot").set_value(2).run()
    whole(app)
    assert app.query_params["snapshot"] in ("2", ["2"])
    iteration = sorted(TINY.glob("step-*"))[2].name.removeprefix("step-").lstrip("0")
    assert f"Iteration {iteration}" in said(app)
    assert all(one != other for one, other in zip(before, figures(app), strict=True))


def test_a_link_restores_snapshot_head_and_measure() -> None:
    app = whole(opened(snapshot=4, layer=0, head=1, habit="next", measured="unseen", text="the dog saw the cat"))
    state = app.session_state
    assert (state["snapshot"], state["layer"], state["head"], state["habit"]) == (4, 0, 1, "next")
    assert "Attention to the next token · unseen text" in titles(app)
    assert "Layer 0 · Head 1 begins to look at the next token" in said(app)


@pytest.mark.parametrize(
    "choices",
    [
        {"layer": 99, "head": "mean", "snapshot": 99},
        {"history": "nobody's", "kind": "cross", "habit": "first", "mask": 50},
        {"snapshot": "-1", "habit": "<script>", "measured": "x"},
    ],
)
def test_odd_links_show_what_there_is(choices: dict[str, object]) -> None:
    app = whole(opened(**choices))
    assert len(figures(app)) == 6
    assert read_address({"habit": "<script>", "snapshot": "-1"}) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("   ", "only spaces"),
        ("", "empty"),
        ("word " * 400 + "[MASK]", "128 tokens"),
        ("[MASK] " * 20, "Which [MASK]"),
        ("hi", ""),
        ("</script> <b>x</b> $x$ `c` 오늘 🎉 [MASK] مرحبا", ""),
    ],
)
def test_odd_sentences_get_pictures_or_a_sentence(text: str, expected: str) -> None:
    app = opened()
    app.text_input(key="typed_over_time").set_value(text)
    app.button[0].click().run()
    whole(app)
    labels = " ".join(slider.label for slider in app.select_slider)
    assert expected in messages(app) + said(app) + labels
    assert figures(app) or messages(app)


def test_a_word_that_a_click_hides_is_followed() -> None:
    app = opened(text="The old man sat by the fire and slept")
    app.button_group(key="hidden_word").set_value(6).run()
    whole(app)
    assert app.session_state["text"] == "The old man sat by the fire and slept"
    (grown,) = (figure for figure in figures(app) if "How the answers grow" in figure)
    assert "<b>\\u2068fire" in grown or "<b>\u2068fire" in grown


def test_a_named_change_leads_to_its_head_and_its_snapshot() -> None:
    app = opened()
    button = next(one for one in app.button if "the next token" in one.label)
    button.click().run()
    whole(app)
    state = app.session_state
    assert button.label.startswith(f"Layer {state['layer']} · Head {state['head']}")
    assert state["habit"] == "next"
    assert f"Layer {state['layer']} · Head {state['head']} begins to look at the next token" in said(app)


def test_play_begins_again_from_the_end_and_stops() -> None:
    app = opened(snapshot=9)
    app.button(key="play").click().run()
    assert (app.button(key="play").label, app.session_state["snapshot"]) == ("Stop", 0)
    app.button(key="play").click().run()
    assert (app.button(key="play").label, app.session_state["snapshot"]) == ("Play", 0)


def test_a_run_that_goes_on_shows_the_snapshots_that_are_whole(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "mine", (0, 359, 604))
    (folder / "snapshots" / "step-000604" / "model.safetensors").write_bytes(b"half")
    (folder / "metrics.jsonl").write_text('{"step": 300, "tokens": 9, "loss": 6.25, "accuracy": 0.5}\n{"step": 3')
    app = whole(opened(folder))
    assert app.session_state["history"] == "mine"
    assert "1 snapshot not completely saved" in messages(app)
    assert "loss **6.25**" in said(app)
    assert not [one for one in app.button_group if one.key == "measured"]


def test_a_single_snapshot_has_no_slider_and_says_so(tmp_path: Path) -> None:
    app = whole(opened(a_run(tmp_path / "mine", (0,))))
    assert "only one snapshot" in messages(app)
    assert [slider.label for slider in app.select_slider] == ["Layer", "Head"]
    assert figures(app)


def test_a_run_without_snapshots_is_said_and_another_can_be_chosen(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    app = whole(opened(folder))
    assert "no snapshots yet" in messages(app)
    app.selectbox(key="history").select("tiny-bert").run()
    whole(app)
    assert len(figures(app)) == 6
    assert "begins to look at the previous token" in said(app)


def test_a_causal_run_goes_on_and_knows_no_next_token(tmp_path: Path) -> None:
    source = save(FAMILIES["gpt2"], tmp_path / "model")
    app = whole(opened(a_run(tmp_path / "causal", (0, 5), source=source), text="the animal was tired"))
    measures = app.button_group(key="habit").options
    assert not [measure for measure in measures if "next" in str(measure)]
    assert "How it goes on" in titles(app)
    assert "hide a word" not in messages(app)


def test_a_measure_that_is_one_new_file_is_in_the_list_of_the_page(tmp_path: Path) -> None:
    with one_measure_more(tmp_path):
        app = whole(opened(habit="last", layer=0, head=1, text="the old dog lay at his feet"))
    assert "the very last token" in str(app.button_group(key="habit").options)
    assert "Attention to the very last token" in titles(app)


def test_the_snapshots_that_somebody_brought_are_read_in_one_other_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_guests: list[GuestModel] = []

    class Watched(GuestModel):
        def turn_to(self, folder: Path) -> None:
            opened_guests.append(self)
            super().turn_to(folder)

    monkeypatch.setattr(snapshots, "GuestModel", Watched)
    run = a_run(tmp_path / "theirs", (0, 214, 1708))
    (run / runs.UPLOADED).write_text("theirs", encoding="utf-8")
    app = whole(opened(run, history="theirs", text=MASKED))
    assert "1,708" in said(app)
    assert len(opened_guests) == 2  # the first snapshot is that with which the process begins
    assert len(set(map(id, opened_guests))) == 1
    assert opened_guests[0]._process is None
