"""The embedded models that write, as they are shipped: both implementations, what they have learned, and their size.

Rules, and no translations: they hold for whatever weights lie there."""

from __future__ import annotations

import re

import numpy as np
import pytest

from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import REGISTRY, Model
from models.values.writing import Writing
from recipes.sentences.parallel import Language
from recipes.sentences.parallel.examples import EXAMPLES
from tests.closeness import assert_close
from tests.loaded import load
from ui.state.choices import DEFAULTS, EMBEDDED_CAUSAL_MODELS
from viz.writing.alignment import alignment

LARGEST = {
    "translator-es": 14.0,
    "translator-ko": 14.0,
    "mini-gpt": 11.5,
    "mini-llama": 12.5,
    "sentiment": 1.0,
    "sentiment-mean": 1.0,
}
"""Megabytes that each may take, its tokenizer and all that lies beside it included."""
LANGUAGES: dict[str, Language] = {"translator-es": "es", "translator-ko": "ko"}
KNOWN = {example.text: example for example in EXAMPLES}
MEASURED = re.compile(r"as the page searches \| [\d,]+ \| ([\d.]+) \|")


def opened(name: str) -> Model:
    return load(name, device="cpu")


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_examples_of_the_page_come_out_right_and_nothing_is_to_be_said_before(name: str) -> None:
    """As the page asks for them."""
    offered = REGISTRY[name].examples
    assert len(offered) >= 4
    for label, text in offered:
        writing = opened(name).translate(text, width=DEFAULTS["beams"], length_penalty=DEFAULTS["penalty"])
        assert KNOWN[text].label == label
        assert KNOWN[text].is_right(LANGUAGES[name], writing.text), (text, writing.text)
        assert not is_announced(writing)
        assert writing.is_finished


@pytest.mark.parametrize("name", LANGUAGES)
def test_i_like_to_dance_is_right_or_announced(name: str) -> None:
    writing = opened(name).translate("I like to dance.", width=DEFAULTS["beams"], length_penalty=DEFAULTS["penalty"])
    assert KNOWN["I like to dance."].is_right(LANGUAGES[name], writing.text) or is_announced(writing), writing.text


def is_announced(writing: Writing) -> bool:
    """Whether the page says something before the translation."""
    return bool(writing.unknown_words or (writing.familiarity and writing.familiarity.is_unlike))


@pytest.mark.parametrize("name", LANGUAGES)
def test_what_no_translator_knows_is_told_in_whatever_case(name: str) -> None:
    model = opened(name)
    assert model.translate("Zzyzx sleeps near ZZYZX.").unknown_words[:1] == ("Zzyzx",)
    for word in ("Two", "two", "TWO", "Umbrella", "umbrella"):
        writing = model.translate(f"{word} dogs sleep.")
        read = [token.text for token in writing.recording.tokens if token.word == 0]
        if "[UNK]" in read:
            assert word in writing.unknown_words


def test_cross_attention_shows_that_the_adjective_changes_its_place() -> None:
    writing = opened("translator-es").translate("The girl has a red skirt.")
    matrix = alignment(writing, layer=None, head=None, words=True)
    sources = [token.text for token in matrix.key_tokens]
    written = [token.text for token in matrix.query_tokens]
    red = next(at for at, word in enumerate(written) if word.startswith("roj"))
    looked_at = [sources[int(matrix.values[at].argmax())] for at in (red - 1, red)]
    assert looked_at == ["skirt", "red"]
    assert sources.index("red") < sources.index("skirt")


@pytest.mark.parametrize("name", LANGUAGES)
def test_transformers_writes_the_same_and_attends_alike(name: str) -> None:
    ours, theirs = opened(name), opened(str(ROOT / PRETRAINED / name))
    for _, source in REGISTRY[name].examples:
        one, other = ours.translate(source), theirs.translate(source)
        assert one.text == other.text
        for kind in ("encoder", "decoder", "cross"):
            mine, yours = one.recording.of(kind), other.recording.of(kind)
            for layer in range(mine.n_layers):
                assert_close(mine.layer_weights(layer), yours.layer_weights(layer))


@pytest.mark.parametrize("name", ["translator-es", "translator-ko", *EMBEDDED_CAUSAL_MODELS])
def test_transformers_has_the_same_states(name: str) -> None:
    target = None if name in EMBEDDED_CAUSAL_MODELS else "El libro"
    one, other = (
        opened(folder).record("The man has a book.", target) for folder in (name, str(ROOT / PRETRAINED / name))
    )
    assert_close(one.hidden_states, other.hidden_states)
    assert_close(one.final_state, other.final_state)
    is_pre_norm = not np.array_equal(one.hidden_states[-1], one.final_state)
    assert is_pre_norm == (name in EMBEDDED_CAUSAL_MODELS)


@pytest.mark.parametrize("name", LARGEST)
def test_each_of_them_is_small(name: str) -> None:
    size = sum(file.stat().st_size for file in (ROOT / PRETRAINED / name).iterdir())
    assert size / 1e6 <= LARGEST[name]
