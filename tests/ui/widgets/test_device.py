"""Where a model runs and in which precision is one choice, and what was done to open it is said."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.models.fake_device import fake_device


def picks() -> None:
    import streamlit as st

    from ui.state.choices import DEFAULTS
    from ui.widgets.asking.inputs import pick_device

    for name, value in DEFAULTS.items():
        st.session_state.setdefault(name, value)
    pick_device()


def test_every_device_of_this_machine_is_offered_in_every_precision() -> None:
    app = AppTest.from_function(picks, default_timeout=60).run()
    (box,) = app.selectbox
    assert box.options == [
        "auto",
        "cpu",
        "auto · bfloat16",
        "cpu · bfloat16",
        "auto · float16",
        "cpu · float16",
    ]
    box.set_value("cpu-bfloat16").run()
    assert app.session_state["device"] == "cpu-bfloat16"
    other = AppTest.from_function(picks, default_timeout=60)
    other.session_state["device"] = "mps-float16"  # as a link from another machine says
    assert other.run().session_state["device"] == "auto"


def test_a_machine_with_an_accelerator_offers_it() -> None:
    with fake_device():
        app = AppTest.from_function(picks, default_timeout=60).run()
        assert "mps · float16" in app.selectbox[0].options


def says() -> None:
    from dataclasses import replace

    import streamlit as st

    from ui.state.choices import DEFAULTS
    from ui.widgets.notes import say_notes
    from viz.kit.demos.records import random_recording

    for name, value in DEFAULTS.items():
        st.session_state.setdefault(name, value)
    recording = random_recording()
    info = replace(recording.info, notes=("mps could not run it, so it runs on the processor.",))
    say_notes(info, recording.tokens, ("a",))


def test_what_was_done_to_open_a_model_is_said() -> None:
    app = AppTest.from_function(says, default_timeout=60).run()
    assert any("runs on the processor" in note.value for note in app.info)


def fails() -> None:
    import streamlit as st
    import torch

    from ui.state.choices import DEFAULTS
    from ui.widgets.frame import readable_errors

    for name, value in DEFAULTS.items():
        st.session_state.setdefault(name, value)
    with readable_errors():
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")


def test_an_analysis_that_runs_out_of_memory_says_so_on_its_page() -> None:
    app = AppTest.from_function(fails, default_timeout=60).run()
    (error,) = app.error
    assert "2.00 GiB" in error.value.replace("\\", "")
    assert "memory" in error.value
