"""The view of attention from a file: its numbers reach the browser, and a file that cannot be shown is a sentence."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save as safetensors
from streamlit.testing.v1 import AppTest

from models.values.errors import RecordError
from models.values.record import Recording
from tests.closeness import assert_close
from tests.ui.test_pages import alone, messages
from tests.viz.given.weights import TOKENS, softmaxed, token_names
from ui.attention.opened import FILE
from ui.state.open_recordings import KEYS
from viz.given.strangers import MOST_LETTERS, MOST_TOKENS, recording_of_strangers_file

LAYERS = softmaxed(2, 3, len(TOKENS), len(TOKENS))


def npz(**arrays: Any) -> bytes:
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def with_file(name: str, content: bytes, **choices: object) -> AppTest:
    app = alone(view="file", **choices)
    assert not app.exception
    app.file_uploader(key=FILE).set_value((name, content, "application/octet-stream")).run()
    return app


def offered(app: AppTest) -> Recording:
    """Return the recording that the browser of the page fetches."""
    (told,) = (json.loads(each.proto.json) for each in app.get("bidi_component") if "recordings/" in each.proto.json)
    return KEYS[told["base"].rpartition("/")[2]].recording


@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_a_file_is_shown_with_its_own_numbers(ending: str) -> None:
    content = (
        npz(attention=LAYERS, tokens=TOKENS)
        if ending == "npz"
        else safetensors({"attention": LAYERS}, metadata={"tokens": json.dumps(TOKENS)})
    )
    app = with_file(f"mine.{ending}", content, layer=7, head=9, kind="decoder")
    assert not app.exception
    assert not app.error, messages(app)
    recording = offered(app)
    assert_close(recording.of("encoder").layer_weights(1), LAYERS[1])
    assert [token.text for token in recording.tokens] == TOKENS
    assert (app.session_state["layer"], app.session_state["kind"]) == (1, "encoder")  # within its bounds
    assert any("2 layers × 3 heads" in caption.value for caption in app.caption)


def test_rows_that_do_not_sum_to_1_are_told() -> None:
    app = with_file("mine.npz", npz(attention=LAYERS * np.float32(0.5), tokens=TOKENS))
    assert "sums to 0.5, not to 1" in messages(app)


def test_without_a_file_the_view_says_what_it_takes() -> None:
    app = alone(view="file")
    assert not app.exception
    assert not app.error
    assert not app.text_input  # no sentence is asked for
    assert any("attention, tokens" in caption.value.replace("\\", "") for caption in app.caption)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"no file of arrays", "*a*.npz is neither an NPZ nor a safetensors file"),
        (npz(attention=np.full((2, 2), np.nan)), "Layer 0, head 0 has nan"),
        (npz(attention=LAYERS, tokens=TOKENS[1:]), f"tokens has {len(TOKENS) - 1} tokens"),
        (npz(attention=np.array([{"code": 1}], dtype=object)), "objects, which could run code"),
    ],
)
def test_a_file_that_cannot_be_shown_is_a_sentence(content: bytes, says: str) -> None:
    app = with_file("*a*.npz", content)
    assert not app.exception
    assert says in messages(app)


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"attention": np.ones((4, 2048, 1, 1), np.float32)}, "8192 heads"),
        ({"attention": np.ones((2_000_000, 2, 1, 1), np.bool_)}, "4000000 heads"),
        ({"attention": np.ones((1, MOST_TOKENS + 1), np.float32)}, f"{MOST_TOKENS + 1} tokens"),
        ({"attention": np.ones((1, 1)), "tokens": ["a" * (MOST_LETTERS + 1)]}, "letters"),
        ({"attention": np.zeros((3000, 3000), np.float32)}, "more than can be opened here"),
    ],
)
def test_a_stranger_has_bounds(arrays: dict[str, Any], says: str) -> None:
    with pytest.raises(RecordError, match=says):
        recording_of_strangers_file(npz(**arrays), "theirs.npz")


def test_a_token_of_a_stranger_stays_text() -> None:
    hostile = ["<img src=x onerror=alert(1)>", "**bold**", "$x$"]
    app = with_file("<b>.npz", npz(attention=softmaxed(3, 3), tokens=hostile, model=np.array("**[a](http://b)**")))
    assert not app.exception
    assert [token.text for token in offered(app).tokens] == hostile
    assert not any("](http" in caption.value for caption in app.caption)


def test_two_texts_in_a_file() -> None:
    weights = softmaxed(2, 3, 5)
    content = npz(attention=weights, query_tokens=token_names(3), key_tokens=token_names(5))
    recording = offered(with_file("two.npz", content))
    assert recording.kinds == ("cross",)
    assert_close(recording.of("cross").weights(0, 1), weights[1])
