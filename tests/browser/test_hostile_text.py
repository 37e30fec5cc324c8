"""Text of a stranger on every page: in the sentence, in the vocabularies of models, and in the names of their folders.

None of it may become a script, a link, a picture, a formula, an emoji, an icon or a colour, wherever it is shown, and
on a telephone none of it may push anything out of the window.
"""

from __future__ import annotations

import re

import pytest
import transformers as hf
from playwright.sync_api import Page, expect
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from tests.browser.reader import PICTURE, WAIT, Open, at_rest, nothing_sticks_out
from tests.browser.waiting import becomes
from ui.lessons.library import pack_lesson
from ui.state.choices import GIVEN_LESSON

HOSTILE = (
    "http://evil.example/x",
    "www.evil.example",
    "reader@evil.example",
    "[link](javascript:alert(1))",
    "![image](http://evil.example/i.png)",
    "<a/href='http://evil.example'>",
    "$ZQ^2$",
    ":red[zebra]",
    ":smile:",
    ":material/rocket_launch:",
    ":material_rocket_launch:",
    "</script><script>window.pwned=1</script>",
    "<img/src=x/onerror=window.pwned=1>",
    "<b>bold</b>",
    "`code`",
)
"""Each is one token."""
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
TEXT, REVERSED = " ".join(("see", *HOSTILE)), " ".join(HOSTILE[::-1])
LESSON = f"""
title: {TEXT!r}
about: {TEXT!r}
minutes: 5
models: [mini-bert]
steps:
  - title: {TEXT!r}
    text: {TEXT!r}
    question: {TEXT!r}
    ask:
      what: how-many
      of: tokens
      text: {TEXT!r}
    claim: {TEXT!r}
    holds: [number is {TEXT.replace(" ", "-")!r}]
""".replace("\\'", "''")
"""A lesson in which a stranger says it everywhere."""
DISGUISED = """() => {
  const isDrawn = (address) => address.startsWith("data:image/png;base64,"); // by chance it holds any four letters
  const said = (element, names) => names.map((name) => element.getAttribute(name) ?? "");
  const text = (element, ...names) => said(element, names).filter((address) => !isDrawn(address)).join(" ");
  const all = (selector, is) => [...document.querySelectorAll(selector)].filter(is).map((each) => each.outerHTML);
  return [
    ...all("a", (link) => /evil|mailto:|javascript:/.test(text(link, "href", "xlink:href"))),
    ...all("img, image", (picture) => /evil|^x /.test(text(picture, "src", "href", "xlink:href"))),
    ...all(".katex", (formula) => /ZQ/.test(formula.textContent)),
    ...all("[role=img], [data-testid=stIconMaterial]", (icon) => icon.textContent === "rocket_launch"),
    ...all("span[style*=color]", (span) => span.textContent === "zebra"),
    ...all("b, strong, code", (marked) => /^(bold|code)$/.test(marked.textContent)),
    ...(document.body.innerText.includes("😄") ? ["an emoji"] : []),
  ];
}"""
"""What of the text above has become something else than text."""
TOO_WIDE = """() => [...document.querySelectorAll(".js-plotly-plot")]
  .filter((picture) => picture.checkVisibility() && !picture.closest("[class*=st-key-scroll]"))
  .filter((picture) => picture.querySelector("svg.main-svg").getBoundingClientRect().width > 360)
  .map((picture) => picture.textContent)"""
"""Pictures that do not fit a telephone, apart from those that scroll in a place of their own."""


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A reader of both sides, one of the left, and one that translates, whose vocabulary is that text."""
    vocabulary = [*SPECIAL, "see", *HOSTILE]
    folder = tmp_path_factory.mktemp("of a stranger")
    sizes = {"vocab_size": len(vocabulary), "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
    made = {
        "both": hf.BertForPreTraining(
            hf.BertConfig(
                vocab_size=len(vocabulary),
                hidden_size=16,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=16,
            )
        ),
        "left": hf.GPT2LMHeadModel(hf.GPT2Config(n_embd=16, n_layer=2, n_head=2, n_positions=64, **sizes)),
        "writes": hf.BartForConditionalGeneration(
            hf.BartConfig(
                d_model=16,
                encoder_layers=1,
                decoder_layers=1,
                encoder_attention_heads=2,
                decoder_attention_heads=2,
                encoder_ffn_dim=16,
                decoder_ffn_dim=16,
                max_position_embeddings=64,
                decoder_start_token_id=2,
                forced_eos_token_id=None,
                **sizes,
            )
        ),
    }
    names = {name: folder / f"{name}-www.evil.example-reader@evil.example-$ZQ^2$" for name in made}
    for name, model in made.items():
        model.save_pretrained(names[name])
        _tokenizer(vocabulary).save_pretrained(names[name])
    return {name: str(path) for name, path in names.items()}


def _tokenizer(vocabulary: list[str]) -> hf.PreTrainedTokenizerFast:
    """Words between spaces, each of which is a token or unknown."""
    raw = Tokenizer(models.WordLevel({word: at for at, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=raw,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=64,
    )


A_PICTURE, ANYTHING = f"{PICTURE}, .viewer canvas:visible, iframe[srcdoc]", "h1"
WITHOUT_A_PICTURE = {"head_atlas", "lessons", "make_a_lesson"}
"""Pages that have none for a stranger's model, or ask first."""
VISITS: tuple[tuple[str, str, dict[str, str], dict[str, str]], ...] = (
    ("", "both", {}, {}),
    ("attention", "both", {"text_b": TEXT, "picture": "blocks"}, {}),
    ("attention", "both", {"text_b": TEXT, "view": "head-view"}, {}),
    ("attention", "both", {"view": "model-view"}, {}),
    ("attention", "writes", {"picture": "text"}, {}),
    ("head_atlas", "both", {}, {}),
    (
        "queries_keys_values",
        "both",
        {"frozen": "3"},
        {"Dimensions": "part=dimensions", "Plane": "part=plane", "bertviz neuron view": "part=neuron-view"},
    ),
    ("step_by_step", "both", {"step": "softmax", "text_b": TEXT, "what_if": "<b>bold</b>"}, {}),
    ("by_hand", "both", {"hand_words": TEXT}, {"2 · The same letter again": "goal=same"}),
    ("positions", "both", {}, {"Learned": "scheme=learned"}),
    ("masked_words", "both", {"text": f"{TEXT} [MASK] [MASK]", "asked": "http://evil.example/x"}, {}),
    ("masked_words", "left", {}, {}),
    ("labels", "both", {"labelled": "words"}, {}),
    ("next_sentence", "both", {"text_b": TEXT}, {}),
    (
        "translation",
        "writes",
        {"beams": "4"},
        {"Alignment": "translation=alignment", "Beam search": "translation=beams"},
    ),
    (
        "bert_and_gpt",
        "both",
        {"reading": "same"},
        {"What each predicts": "reading=guesses", "Continue": "reading=continue"},
    ),
    ("bert_and_gpt", "left", {"reading": "same"}, {}),
    ("what_attention_costs", "left", {}, {"FlashAttention": "cost=blocks", "Sampling": "cost=sampling"}),
    (
        "switchboard",
        "both",
        {"text": f"{TEXT} [MASK]", "other": f"{REVERSED} see [MASK]", "with_paths": "yes"},
        {"Every head": "board=heads", "Borrow from a sentence": "board=patch", "Adding up": "board=sum"},
    ),
    ("switchboard", "left", {}, {}),
    ("switchboard", "writes", {}, {}),
    (
        "explanations",
        "both",
        {"text": f"{TEXT} [MASK] [MASK]", "answer": "http://evil.example/x", "all_methods": "yes"},
        {"Do they agree?": "judged_by=agreement"},
    ),
    ("explanations", "left", {"judged_by": "numbers", "all_methods": "yes"}, {}),
    ("explanations", "writes", {}, {}),
    ("training_lab", "both", {"lab": "over-time"}, {}),
    ("lessons", "both", {"lesson": GIVEN_LESSON, "lesson_text": pack_lesson(LESSON)}, {}),
    ("make_a_lesson", "both", {"lesson_text": pack_lesson(LESSON)}, {}),
    ("make_a_lesson", "both", {"lesson_text": pack_lesson(LESSON.replace("what: how-many", f"what: {TEXT!r}"))}, {}),
)
"""Page, which model, what else the address says, and the buttons that are pressed then, with what they add to it."""


@pytest.mark.parametrize("page_name", sorted({page for page, *_ in VISITS}))
def test_what_a_stranger_has_written_stays_text_and_fits_a_telephone(
    page_name: str, go_on: Open, strangers: dict[str, str]
) -> None:
    for number, (model, choices, parts) in enumerate(each for name, *each in VISITS if name == page_name):
        asked = {"model": strangers[model], "causal_model": strangers["left"], "text": TEXT} | choices
        page = go_on(f"/{page_name}", anew=number == 0, width=390, dark=True, **asked)
        expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=WAIT)
        shown = ANYTHING if page_name in WITHOUT_A_PICTURE or model == "left" else A_PICTURE
        is_text_that_fits(page, shown)
        for name, added in parts.items():
            page.get_by_role("radio", name=name, exact=True).click()
            expect(page).to_have_url(re.compile(rf"[?&]{added}(&|$)"), timeout=WAIT)
            is_text_that_fits(page, shown)


def is_text_that_fits(page: Page, shown: str) -> None:
    """Once all is drawn, the parts of Markdown that Streamlit fetches later, too: nothing is disguised or too wide."""
    expect(page.locator(shown).first).to_be_visible(timeout=WAIT)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=WAIT)
    at_rest(page)
    assert page.evaluate(DISGUISED) == [], page.url
    assert {frame.evaluate("typeof window.pwned") for frame in page.frames} == {"undefined"}, page.url
    becomes(page, lambda: page.evaluate(TOO_WIDE), [])
    nothing_sticks_out(page)
