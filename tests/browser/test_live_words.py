"""A page that reads parts a text into the words of the app, and shows its pieces as the app does."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import transformers as hf
from playwright.sync_api import Browser

from models import load
from models.huggingface.model import HuggingFaceModel
from models.opening.registry import embedded_folder
from models.scratch_models.encoder import ScratchModel
from models.text.prepare import prepare
from models.values.errors import TextError
from models.values.record import Token, word_ranges
from tests.browser.engine_texts import save_gpt2_in_bytes, texts
from viz.kit.tokens import texts_of_words, token_texts
from viz.viewer.engine import engine_script
from viz.viewer.html import joined_modules
from viz.viewer.live import spelled_pieces

MARKS_IN_KOREAN = (
    '나는 "학교"에서, ‘영화’를 봤다',
    "친구(동생)는 10%를 먹었다(어제). 그는“책”도!",
    "((「가」)는 " + "(" * 99 + ")에",
)


@pytest.mark.parametrize("name", ["mini-bert", "headlight-ko"])
def test_words_are_those_of_the_app(browser: Browser, name: str) -> None:
    model = load(name, device="cpu")
    assert isinstance(model, ScratchModel)
    folder = embedded_folder(name)
    assert folder is not None
    expect_same_words(browser, model.tokenizer, folder)


def test_words_of_bytes_are_those_of_the_app(browser: Browser, tmp_path: Path) -> None:
    save_gpt2_in_bytes(tmp_path)
    model = load(str(tmp_path), device="cpu")
    assert isinstance(model, HuggingFaceModel)
    expect_same_words(browser, model.tokenizer, tmp_path)


def expect_same_words(browser: Browser, tokenizer: hf.PreTrainedTokenizerBase, folder: Path) -> None:
    """Hold the words of all texts, and the pieces and words that are shown, to those of the app."""
    prepared = []
    for text in (*texts(), *MARKS_IN_KOREAN):
        if re.search(r"^\s*\[(CLS|SEP)\]|\[(CLS|SEP)\]\s*$", text):
            continue  # the app leaves those out that the tokenizer adds itself
        try:
            prepared.append((text, prepare(tokenizer, text, max_tokens=10_000).tokens))
        except TextError:
            continue
    page = browser.new_page()
    page.add_script_tag(content=f"{engine_script('reader.js')}\n{joined_modules('live_words.js')}")
    settings = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    said = page.evaluate(
        """(given) => {
          const [settings, texts, spelled] = JSON.parse(given);
          const tokenizer = reader_js.tokenizerOf(settings);
          return JSON.stringify(texts.map((text) => {
            const { texts, words, wholes } = live_words_js.columnsOf(tokenizer.encode(text).pieces, text, spelled);
            return { texts, words, wholes };
          }));
        }""",
        json.dumps(
            [
                settings,
                [re.sub(r"(?![\n\t])[\x00-\x1f\x7f-\x9f]", " ", text) for text, _ in prepared],
                spelled_pieces(settings),
            ]
        ),
    )
    page.close()
    wrong = [
        (text, mine, expected)
        for (text, tokens), mine in zip(prepared, json.loads(said), strict=True)
        if mine != (expected := words_of(tokens))
    ]
    assert wrong == []


def words_of(tokens: Sequence[Token]) -> dict[str, list[Any]]:
    """Return the number of the word of each token, and the text of the word beside its first one, if it is another."""
    words, texts = word_ranges(tokens), token_texts(tokens)
    wholes: list[str | None] = [None] * len(tokens)
    for word, whole in zip(words, texts_of_words(tokens, words), strict=True):
        wholes[word.start] = None if whole == texts[word.start] else whole
    return {"texts": list(texts), "words": [token.word for token in tokens], "wholes": wholes}
