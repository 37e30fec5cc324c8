"""The model that reads in the browser says what PyTorch says of the same text, and reads it in the same pieces."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page
from safetensors.numpy import save

from models import load
from models.analysis import ablate
from models.checkpoints.bart import load_bart
from models.checkpoints.bert import load_checkpoint
from models.checkpoints.gpt2 import load_gpt2
from models.checkpoints.llama import load_llama
from models.model import Model
from models.opening.registry import embedded_folder
from models.scratch.gpt import LanguageModel
from models.values.record import Recording
from tests.browser.engine_texts import save_gpt2_in_bytes
from tests.browser.files import served_files
from tests.closeness import assert_close
from viz.viewer.engine import engine_script

ENCODERS = ("mini-bert", "headlight-bert", "headlight-ko")
TEXTS = {
    "mini-bert": ("The animal didn't cross the street because it was too tired.", "[MASK]", "a " * 70),
    "headlight-bert": ("It is raining. Take your [MASK] with you.", "Ωmega naïve 😀 [SEP] [MASK] ##ing"),
    "headlight-ko": ("어제 친구와 함께 [MASK]를 봤는데 정말 재미있었다.", "학교에서는 ㅋㅋㅋ 뷁"),
}
TRANSLATED = ("My brother has a black dog.", "Where's the [MASK] naïve café 😀?", "I know that " * 30)
TOLERANCE = 1e-4
STEP_BY_STEP = """(() => {
  const cache = new cache_js.KeyValueCache();
  return reading.pieces.map(({ id }) => {
    const { states } = decoder_js.decode([id], reader.tensors, reader.config, cache);
    return decoder_js.nextTokenHead(states.at(-1), reader.tensors, reader.config);
  });
})()"""
"""The logits after each token of a reading, where each is read by itself after those in the cache."""
OPEN = """async (name) => {
  const fetched = ["model.safetensors", "tokenizer.json", "config.json"].map((file) => fetch(`/${name}/${file}`));
  const [weights, ...settings] = await Promise.all(fetched);
  const [tokenizer, config] = await Promise.all(settings.map((answer) => answer.json()));
  window.reader = new reader_js.Reader({ weights: await weights.arrayBuffer(), tokenizer, config });
}"""
LOGITS_WITHOUT = """([text, off, ids]) => {
  const { states, asked: [place] } = reader.read(text, 128, { off: { encoder: off } });
  const { tensors, config } = reader;
  const state = states.at(-1).subarray(place * config.dModel, (place + 1) * config.dModel);
  const logits = pretraining_js.maskedLanguageModelHead(state, tensors, config);
  return ids.map((id) => logits[id]);
}"""
"""The logits of some pieces at the mask of a text, with heads switched off."""
IS_PLAIN = "Object.values(reader.tensors).some(({ memory }) => memory.block === memory.inPlain)"
"""Whether the products of matrices are computed in JavaScript."""
IN_BASE64 = """(arrays) => {
  const bytes = new Uint8Array(arrays.reduce((sum, array) => sum + array.byteLength, 0));
  let at = 0;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  let text = "";
  for (let from = 0; from < bytes.length; from += 8192) {
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  }
  return btoa(text);
}"""


@pytest.fixture(scope="module")
def files() -> Iterator[str]:
    """The address of the files of the embedded models."""
    with served_files(folder_of("mini-bert").parent) as address:
        yield address


@pytest.fixture
def engine(browser: Browser, files: str) -> Iterator[Page]:
    """A page with the engine, and the files of the embedded models beside it."""
    page = browser.new_page()
    open_engine(page, files)
    yield page
    page.close()


def open_engine(page: Page, files: str) -> None:
    page.goto(files)
    page.add_script_tag(content=f"{engine_script('reader.js')}\nconst inBase64 = {IN_BASE64};")


def folder_of(name: str) -> Path:
    folder = embedded_folder(name)
    assert folder is not None
    return folder


def numbers(page: Page, arrays: str) -> NDArray[np.float32]:
    """Return what an expression, a list of typed arrays, holds: all one after the other."""
    return np.frombuffer(base64.b64decode(page.evaluate(f"inBase64({arrays})")), np.float32)


def expect_reading(engine: Page, recording: Recording) -> None:
    """Hold the weights, vectors and states of `window.reading` to those of a recording of the same text, of every kind
    of attention."""
    assert engine.evaluate("reading.attention.map(({ kind }) => kind)") == list(recording.kinds)
    for place, record in enumerate(recording.attention):
        heads = [(layer, head) for layer in range(record.n_layers) for head in range(record.n_heads)]
        of_heads: dict[str, Sequence[Any]] = {
            "weights": [record.weights(*head) for head in heads],
            "query": record.query,
            "key": record.key,
            "value": record.value,
            "outputNorms": record.output_norms,
        }
        for part, expected in of_heads.items():
            said = numbers(engine, f"reading.attention[{place}].layers.flatMap((layer) => layer.{part})")
            where = f"{record.kind} {part}"
            assert_close(said, np.asarray(expected).ravel(), tolerance=TOLERANCE, err_msg=where)
    assert_close(numbers(engine, "reading.states"), recording.hidden_states.ravel(), tolerance=TOLERANCE)


def test_without_webassembly_the_numbers_are_the_same(browser: Browser, files: str) -> None:
    page = browser.new_page()
    page.add_init_script("delete globalThis.WebAssembly;")
    open_engine(page, files)
    page.evaluate(OPEN, "mini-bert")
    assert page.evaluate(IS_PLAIN)
    for text in TEXTS["mini-bert"][:2]:
        page.evaluate("(text) => { window.reading = reader.read(text); }", text)
        expect_reading(page, load("mini-bert", device="cpu").record(text))
    page.close()


@pytest.mark.parametrize("name", ENCODERS)
def test_weights_states_and_logits_are_those_of_pytorch(engine: Page, name: str) -> None:
    engine.evaluate(OPEN, name)
    assert not engine.evaluate(IS_PLAIN)
    model = load(name, device="cpu")
    for text in TEXTS[name]:
        recording = model.record(text)
        pieces = engine.evaluate(
            "(text) => { window.reading = reader.read(text); return reading.pieces.map(({ text }) => text); }", text
        )
        assert pieces == [token.text for token in recording.tokens]
        expect_reading(engine, recording)
        with torch.inference_mode():
            logits = load_checkpoint(folder_of(name)).mlm(
                torch.tensor(recording.hidden_states[-1])
            )  # [n_tokens, d_vocab]
        said = numbers(
            engine, "[pretraining_js.maskedLanguageModelHead(reading.states.at(-1), reader.tensors, reader.config)]"
        )
        assert_close(said, logits.ravel(), tolerance=TOLERANCE)


@pytest.mark.parametrize("name", ["mini-bert", "headlight-ko"])
def test_the_words_at_a_mask_are_those_of_the_app(engine: Page, name: str) -> None:
    engine.evaluate(OPEN, name)
    text = next(text for text in (*TEXTS[name], "I drink [MASK] tea.") if " [MASK]" in text)
    (place,) = load(name, device="cpu").fill_mask(text)
    guesses = engine.evaluate("([text, place]) => reader.guess(reader.read(text), place)", [text, place.position])
    assert [guess["text"] for guess in guesses] == [choice.text for choice in place.choices]
    assert_close([guess["probability"] for guess in guesses], [choice.probability for choice in place.choices])


def test_a_head_that_is_switched_off_changes_logits_as_ablation_does(engine: Page) -> None:
    engine.evaluate(OPEN, "mini-bert")
    text = "I drink [MASK] tea."
    ablation = ablate(load("mini-bert", device="cpu"), text, [("encoder", 1, 2), ("encoder", 3, 0)])
    ids = list(ablation.contrast.own)
    logits = np.array([engine.evaluate(LOGITS_WITHOUT, [text, off, ids]) for off in ({}, {1: [2]}, {3: [0]})])  # [3, 2]
    expected = [ablation.whole, *ablation.differences]
    assert_close(logits[:, 0] - logits[:, 1], expected, tolerance=TOLERANCE)
    assert min(abs(change - ablation.whole) for change in ablation.differences) > 0.01


def test_without_positions_a_text_is_read_as_pytorch_reads_it(engine: Page) -> None:
    engine.evaluate(OPEN, "mini-bert")
    pair = load("mini-bert", device="cpu").record_shuffled("The dog bites the man.", with_positions=False)
    read = "(text) => { window.reading = reader.read(text, 128, { isWithoutPositions: true }); }"
    engine.evaluate(read, "The dog bites the man.")
    expect_reading(engine, pair.written)


def test_weights_of_every_precision_are_read(engine: Page) -> None:
    matrix = np.array([[1.5, -2, 0.25], [3e-5, -65504, 6e-8]], np.float32)
    stored = {"whole": matrix, "half": matrix.astype(np.float16)}
    stored |= {
        "eight": np.array([[127, -1, 0], [5, -127, 3]], np.int8),
        "eight.scale": np.array([0.5, 0.25], np.float32),
    }
    bytes_of_file = "Uint8Array.from(atob(file), (one) => one.charCodeAt(0)).buffer"
    engine.evaluate(
        f"(file) => {{ window.read = safetensors_js.readSafetensors({bytes_of_file}); }}",
        base64.b64encode(save(stored, {"made": "here"})).decode(),
    )
    assert engine.evaluate("read.metadata.made") == "here"
    assert engine.evaluate("Object.keys(read.tensors).sort()") == ["eight", "half", "whole"]
    assert_close(numbers(engine, "[read.tensors.whole]"), matrix.ravel(), tolerance=0)
    assert_close(numbers(engine, "[read.tensors.half]"), stored["half"].ravel(), tolerance=0)
    scaled = [63.5, -0.5, 0, 1.25, -31.75, 0.75]
    assert_close(numbers(engine, "[read.tensors.eight]"), np.array(scaled, np.float32), tolerance=0)


@pytest.mark.parametrize(("name", "load_folder"), [("mini-llama", load_llama), ("mini-gpt", load_gpt2)])
def test_a_decoder_is_that_of_pytorch_with_a_cache_and_without(
    engine: Page, name: str, load_folder: Callable[[Path], LanguageModel]
) -> None:
    engine.evaluate(OPEN, name)
    expect_decoder(engine, load(name, device="cpu"), load_folder(folder_of(name)))


def test_a_strangers_gpt2_reads_bytes_as_it_does_in_pytorch(browser: Browser, tmp_path: Path) -> None:
    save_gpt2_in_bytes(tmp_path / "gpt2")
    page = browser.new_page()
    with served_files(tmp_path) as address:
        open_engine(page, address)
        page.evaluate(OPEN, "gpt2")
        expect_decoder(page, load(str(tmp_path / "gpt2"), device="cpu"), load_gpt2(tmp_path / "gpt2"))
    page.close()


def expect_decoder(engine: Page, model: Model, network: LanguageModel) -> None:
    """Hold all that is recorded and the logits to those of PyTorch, where tokens are read together and one by one."""
    text = "The animal didn't cross the street 😀 because it was too"
    recording = model.record(text)
    engine.evaluate("(text) => { window.reading = reader.read(text); }", text)
    assert engine.evaluate("reading.pieces.map(({ text }) => text)") == [token.text for token in recording.tokens]
    expect_reading(engine, recording)
    with torch.inference_mode():
        logits = network.lm_head(torch.tensor(recording.final_state))  # [n_tokens, d_vocab]
    last = "[decoder_js.nextTokenHead(reading.states.at(-1), reader.tensors, reader.config)]"
    assert_close(numbers(engine, last), logits.ravel(), tolerance=TOLERANCE)
    one_by_one = numbers(engine, STEP_BY_STEP)
    assert_close(one_by_one, numbers(engine, last), tolerance=TOLERANCE)


@pytest.mark.parametrize("name", ["translator-es", "translator-ko"])
def test_a_translation_and_all_its_attention_are_those_of_pytorch(engine: Page, name: str) -> None:
    engine.evaluate(OPEN, name)
    model, network = load(name, device="cpu"), load_bart(folder_of(name))
    for text in TRANSLATED:
        writing = model.translate(text)
        recording = writing.recording
        written = engine.evaluate("(text) => { window.reading = reader.read(text); return reading.target; }", text)
        assert (written["text"], written["isFinished"]) == (writing.text, writing.is_finished)
        tokens = recording.of("cross").query_tokens
        assert [piece["text"] for piece in written["pieces"]] == [token.text for token in tokens]
        assert [piece["isStructural"] for piece in written["pieces"]] == [token.is_special for token in tokens]
        expect_reading(engine, recording)
        source = engine.evaluate("reading.pieces.map(({ id }) => id)")
        with torch.inference_mode():
            output = network(torch.tensor([source]), torch.tensor([written["ids"]]))
        states = np.concatenate([state.ravel() for state in output.decoder_states])
        assert_close(numbers(engine, "reading.target.states"), states, tolerance=TOLERANCE)
        said = numbers(engine, "[encoder_decoder_js.targetHead(reading.target.states.at(-1), reader.tensors)]")
        assert_close(said, output.logits.numpy().ravel(), tolerance=TOLERANCE)
