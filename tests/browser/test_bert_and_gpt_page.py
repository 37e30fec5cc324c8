"""The page "BERT and GPT" as a reader meets it, in a real browser, a tiny GPT beside the embedded BERT."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import transformers as hf

from tests.browser.reader import (
    PICTURE,
    Open,
    at_rest,
    downloaded_lines,
    downloaded_picture,
    in_address,
    titled,
)
from tests.browser.waiting import box_of

TEXT = "The cat sat on the mat"
MINI_BERT = Path("models") / "pretrained" / "mini-bert"


@pytest.fixture(scope="module")
def gpt(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny GPT-2 that cuts sentences as mini-bert does."""
    folder = tmp_path_factory.mktemp("gpt")
    tokenizer = hf.AutoTokenizer.from_pretrained(MINI_BERT)
    config = hf.GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=32,
        n_layer=2,
        n_head=4,
        n_positions=128,
        bos_token_id=tokenizer.cls_token_id,
        eos_token_id=tokenizer.sep_token_id,
    )
    hf.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def test_a_click_on_a_word_hides_it_from_both(go_on: Open, gpt: str) -> None:
    page = go_on("/bert_and_gpt", text=TEXT, causal_model=gpt, reading="guesses", blank=3)
    titled(page, "(3)")
    titled(page, "when the token is hidden")
    at_rest(page)
    sight = page.locator(PICTURE).filter(has_text="Who sees whom")
    word = box_of(sight.locator("g.textpoint", has_text=re.compile("cat")).first)
    page.mouse.click(word["x"] + word["width"] / 2, word["y"] + word["height"] / 2)
    in_address(page, blank="2")
    titled(page, "(2)")
    lines = downloaded_lines(page, "Download the numbers")
    assert lines[0].startswith("model,sides,position,token,probability,rank,is_right,choice_1,probability_1")
    assert len(lines) == 1 + 2 * 6


def test_a_text_is_written_on_by_keys_and_by_a_button(go_on: Open, gpt: str) -> None:
    page = go_on("/bert_and_gpt", text=TEXT, causal_model=gpt, reading="continue", n_new=3)
    titled(page, "New token 1: what could come next?")
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("n")
    titled(page, "New token 2: what could come next?")
    page.get_by_role("button", name="Write one more").click()
    titled(page, "New token 4: what could come next?")
    in_address(page, n_new="4", new_token="3")
    assert downloaded_picture(page) == "new-token-attention.png"
