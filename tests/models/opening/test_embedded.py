"""The embedded BERTs as they are shipped: both implementations, eight readers at once, and what they have learned."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from models import load
from models.opening.entries import ROOT
from models.opening.registry import ALIASES, DEFAULT_MODEL, REGISTRY, Model, canonical, check_allowed
from models.opening.restriction import CURATED_ONLY
from models.values.errors import DeviceError, ModelNotAllowedError, ModelNotFoundError, TextError
from models.values.record import Recording
from tests.closeness import assert_close, assert_same_ranking

PRETRAINED = ROOT / "models" / "pretrained"
MEGABYTES = {"headlight-bert": 46, "mini-bert": 16}
"""The most that a folder may have."""
SENTENCES = [
    "The animal didn't cross the street because it was too tired",
    "She opened the door and looked into the dark garden.",
    "He said that he would never come back.",
    "It was a bright cold day.",
    "나는 학교에 간다",
    "the [MASK] of the house",
    "one",
    "The old man sat by the fire, and the old dog lay at his feet.",
]


@pytest.fixture(scope="module", params=MEGABYTES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def ours(name: str) -> Model:
    return load(name, device="cpu")


@pytest.fixture(scope="module")
def theirs(name: str) -> Model:
    return load(f"models/pretrained/{name}", device="cpu")


def assert_same(one: Recording, other: Recording, tolerance: float) -> None:
    assert one.tokens == other.tokens
    assert one.segment_b_start == other.segment_b_start
    first, second = one.of("encoder"), other.of("encoder")
    for layer in range(first.n_layers):
        assert_close(first.layer_weights(layer), second.layer_weights(layer), tolerance=tolerance, magnitude=1)
    assert_close(one.hidden_states, other.hidden_states, tolerance=tolerance)
    assert_close(one.final_state, other.final_state, tolerance=tolerance)


@pytest.mark.parametrize("text_b", [None, "Then he went home."])
@pytest.mark.parametrize("text", SENTENCES)
def test_both_implementations_record_the_same(ours: Model, theirs: Model, text: str, text_b: str | None) -> None:
    assert_same(ours.record(text, text_b), theirs.record(text, text_b), 1e-5)


def test_both_implementations_predict_the_same(ours: Model, theirs: Model) -> None:
    text = "The [MASK] opened the door and [MASK] at him."
    one, other = ours.fill_mask(text, top_k=8), theirs.fill_mask(text, top_k=8)
    assert [prediction.position for prediction in one] == [2, 7]
    for mine, yours in zip(one, other, strict=True):
        assert_same_ranking(*([(each.text, each.probability) for each in made.choices] for made in (mine, yours)))
        assert sum(choice.probability for choice in mine.choices) <= 1
    pair = ("He went to the door.", "He opened it.")
    for exchanged in (False, True):
        ours_says, theirs_says = (each.next_sentence(*pair, exchange_segments=exchanged) for each in (ours, theirs))
        assert_close(ours_says, theirs_says)


def test_eight_readers_at_once_get_what_one_gets(ours: Model) -> None:
    alone = [ours.record(sentence) for sentence in SENTENCES]
    with ThreadPoolExecutor(max_workers=8) as readers:
        together = list(readers.map(ours.record, SENTENCES * 4))
    for index, recording in enumerate(together):
        assert_same(alone[index % len(SENTENCES)], recording, 1e-5)


def test_the_checkpoint_is_small_and_safe(name: str) -> None:
    files = {path.name: path.stat().st_size for path in (PRETRAINED / name).iterdir()}
    assert set(files) - {"NOTICE"} == {
        "README.md",
        "atlas.json",
        "config.json",
        "heads.json",
        "lens.safetensors",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    lens = files.pop("lens.safetensors")
    assert sum(files.values()) < MEGABYTES[name] * 2**20
    assert lens < 2 * 2**20


def test_it_has_learned_more_than_which_words_are_frequent(ours: Model) -> None:
    questions = {
        "He put his hand in his [MASK].": "pocket head hands mouth face arms hand arm",
        "She shook her [MASK].": "head hand",
        "I do not [MASK] what you mean.": "know see understand care say think",
        "There was a knock at the [MASK].": "door window gate",
    }
    right = [
        any(choice.text in answers.split() for choice in ours.fill_mask(question, top_k=5)[0].choices)
        for question, answers in questions.items()
    ]
    assert sum(right) >= 3


def test_no_text_is_an_error_of_ours(ours: Model) -> None:
    with pytest.raises(TextError):
        ours.record(" ")


def test_a_name_that_is_nowhere(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="nobody/nothing"):
        load("nobody/nothing")
    with pytest.raises(ModelNotFoundError):
        load("  ")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("headlight-brt", "headlight-bert"),
        ("Mini-BRT", "mini-bert"),
        ("google-bert/bert-base-uncasd", "bert-base-uncased"),
    ],
)
def test_a_name_that_is_spelled_much_like_a_listed_one(typed: str, meant: str) -> None:
    with pytest.raises(ModelNotFoundError, match=rf"{re.escape(typed)}.*Did you mean '.*{meant}'\?"):
        load(typed)


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match="cuda:77"):
        load(DEFAULT_MODEL, device="cuda:77")


def test_short_names_are_those_of_the_hub() -> None:
    assert canonical(" bert-base-uncased ") == "google-bert/bert-base-uncased"
    assert all(full in REGISTRY for full in ALIASES.values())


def test_a_restricted_server(monkeypatch: pytest.MonkeyPatch) -> None:
    check_allowed("somebody/something")
    monkeypatch.setenv(CURATED_ONLY, "1")
    for name in (*REGISTRY, "gpt2"):
        check_allowed(name)
    for name in (
        "somebody/something",
        str(PRETRAINED / DEFAULT_MODEL),
        "models/pretrained/../pretrained/mini-bert",
        ".",
    ):
        with pytest.raises(ModelNotAllowedError, match="list"):
            check_allowed(name)
