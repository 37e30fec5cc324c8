"""The page "BERT and GPT" on the embedded BERT and tiny causal models, and what it says where one of the two lacks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers as hf
from streamlit.testing.v1 import AppTest

from models.opening.registry import DEFAULT_MODEL, REGISTRY
from tests.closeness import assert_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES, build, save
from tests.ui.test_pages import alone, figures, messages, through_app
from ui.answers.bert_and_gpt.continuation import AHEAD
from ui.state.choices import CAUSAL_MODEL
from viz.kit.theme import percentage
from viz.two_models.guesses import summaries, summary_sentence

PAGE = "pages/bert_and_gpt.py"
TEXT = "The animal was too tired"
MINI_BERT = Path("models") / "pretrained" / "mini-bert"


@pytest.fixture(scope="module")
def gpt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny GPT-2 with a vocabulary of its own."""
    return save(FAMILIES["gpt2"], tmp_path_factory.mktemp("gpt2"))


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT."""
    return save(FAMILIES["bert"], tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def sibling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny GPT-2 that cuts sentences as mini-bert does; it has fewer layers and heads."""
    folder = tmp_path_factory.mktemp("sibling")
    tokenizer = hf.AutoTokenizer.from_pretrained(MINI_BERT)
    config = hf.GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=32,
        n_layer=2,
        n_head=4,
        n_positions=256,
        bos_token_id=tokenizer.cls_token_id,
        eos_token_id=tokenizer.sep_token_id,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)  # some random models write text whose end is two tokens, which the page shows apart
        hf.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def whole(app: AppTest) -> None:
    assert not app.exception
    assert "Something went wrong" not in messages(app)


def said(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption)).replace("\\", "")


def drawn(app: AppTest) -> str:
    return " ".join(figures(app)).replace("<br>", " ")


def specs(app: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec or chart.proto.figure.spec) for chart in app.get("plotly_chart")]


def test_without_a_causal_model_the_page_says_so_and_shows_the_other_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(REGISTRY, CAUSAL_MODEL, raising=False)
    for reading in ("same", "guesses", "continue"):
        app = alone(PAGE, model="mini-bert", text=TEXT, reading=reading)
        whole(app)
        assert f"The embedded {CAUSAL_MODEL} is not part of this copy" in messages(app)
        assert figures(app) or reading == "continue"
    assert "Who sees whom" in drawn(alone(PAGE, text=TEXT))


def test_the_same_sentence_shares_its_axes_and_a_smaller_model_stays_behind_visibly(sibling: Path) -> None:
    app = through_app(PAGE)
    whole(app)
    app = alone(PAGE, text=TEXT, causal_model=sibling, layer=3, head=6)
    whole(app)
    assert [app.select_slider(key=key).value for key in ("layer", "head")] == [3, 6]
    assert "has only layer 1 and head 3" in said(app)
    maps = specs(app)[1]
    labels, fewer = (maps["layout"][axis]["labelalias"] for axis in ("xaxis", "xaxis2"))
    assert labels | fewer == labels
    assert "Layer 3 · Head 6" in drawn(app)
    assert "Layer 1 · Head 3" in drawn(app)
    assert f"{DEFAULT_MODEL} can look at 49 of 49 cells" in drawn(app)


def test_the_mean_over_the_heads_and_a_layer_out_of_range(sibling: Path) -> None:
    app = alone(PAGE, text=TEXT, causal_model=sibling, layer=99, head="mean")
    whole(app)
    info = load(DEFAULT_MODEL).info
    assert f"Layer {info.n_layers - 1} · mean over {info.n_heads} heads" in drawn(app)
    assert "Layer 1 · mean over 4 heads" in drawn(app)


def test_what_each_predicts_is_the_models_own(sibling: Path) -> None:
    app = alone(PAGE, text=TEXT, causal_model=sibling, reading="guesses", blank=3)
    whole(app)
    readers = load(DEFAULT_MODEL).guess_tokens(TEXT), load(str(sibling)).guess_tokens(TEXT)
    for reader, result in zip(readers, summaries(readers), strict=True):
        assert summary_sentence(reader, result) in said(app)
    assert any("different questions" in element.proto.help for element in app.markdown)
    listed = next(spec for spec in specs(app) if "when the token is hidden" in spec["layout"]["title"]["text"])
    bars = {trace["name"]: trace["meta"] for trace in listed["data"] if trace["type"] == "bar"}
    for reader in readers:
        assert_close(bars[reader.sides], [guess.probability for guess in reader.guesses])
    app.select_slider(key="blank").set_value(2).run()
    whole(app)
    assert app.query_params["blank"] in ("2", ["2"])


def test_models_that_cut_differently_have_a_list_each(gpt: Path) -> None:
    app = alone(PAGE, text=TEXT, causal_model=gpt, reading="guesses")
    whole(app)
    assert "its own list" in said(app)
    assert sum("when the token is hidden" in spec["layout"]["title"]["text"] for spec in specs(app)) == 2


def test_a_long_sentence_is_listed_in_parts(sibling: Path) -> None:
    app = alone(PAGE, model="mini-bert", text="word " * 70, causal_model=sibling, reading="guesses", guessed_from=40)
    whole(app)
    assert app.select_slider(key="guessed_from").value == 32
    assert "32 of 70 tokens" in drawn(app)


def test_a_text_is_continued_token_by_token(sibling: Path) -> None:
    app = alone(PAGE, text=TEXT, causal_model=sibling, reading="continue", n_new=4, writing_temperature=0, new_token=3)
    whole(app)
    ahead = load(str(sibling)).continue_text(TEXT, n_new=AHEAD, temperature=0)
    assert ahead.written[3].text_so_far.strip()[-3:] in said(app)
    assert "New token 4" in drawn(app)
    more = app.button(key="one-more")
    assert not more.disabled
    more.click().run()
    whole(app)
    assert (app.session_state["n_new"], app.session_state["new_token"]) == (5, 4)
    assert "New token 5" in drawn(app)
    assert "always the likeliest token" in drawn(app)
    assert app.button(key="another-draw").disabled
    app.button(key="token-back").click().run()
    assert app.session_state["new_token"] == 3


def test_what_was_written_stays_when_more_is_asked_for_and_another_draw_changes_it(sibling: Path) -> None:
    model = load(str(sibling))
    choices = {"temperature": 1.3, "top_k": 30, "seed": 5}
    short, long = (model.continue_text(TEXT, n_new=n_new, **choices) for n_new in (AHEAD, 3 * AHEAD))
    assert [each.token_id for each in long.written[: len(short.written)]] == [each.token_id for each in short.written]
    app = alone(PAGE, text=TEXT, causal_model=sibling, reading="continue", n_new=8, writing_temperature=1.3, seed=5)
    before = said(app)
    app.button(key="another-draw").click().run()
    whole(app)
    assert app.session_state["seed"] == 6
    assert said(app) != before


def test_what_a_token_was_drawn_with_is_the_models_own_and_no_range(sibling: Path) -> None:
    app = alone(
        PAGE,
        text=TEXT,
        causal_model=sibling,
        reading="continue",
        n_new=4,
        writing_temperature=1.3,
        writing_top_k=0,
        seed=5,
        new_token=3,
    )
    whole(app)
    token = load(str(sibling)).continue_text(TEXT, n_new=AHEAD, temperature=1.3, seed=5).token(3)
    bars = next(spec for spec in specs(app) if "what could come next" in spec["layout"]["title"]["text"])["data"][0]
    assert bars["text"][1::2][:7] == [percentage(chance) for chance in token.drawn[:7]]
    assert f"drawn with {percentage(token.chosen_drawn)}" in drawn(app)
    assert f"an entropy of {token.entropy:.2f} bits" in drawn(app)


def test_choices_of_an_address_that_do_not_fit_are_brought_into_bounds(sibling: Path) -> None:
    app = alone(
        PAGE,
        text=TEXT,
        causal_model=sibling,
        reading="continue",
        n_new=999,
        writing_top_k=777,
        new_token=9000,
        writing_temperature="hot",
        layer=77,
        head=77,
    )
    whole(app)
    assert app.session_state["n_new"] <= 60
    assert app.session_state["new_token"] < app.session_state["n_new"]


@pytest.mark.parametrize("reading", ["same", "guesses"])
def test_a_model_of_the_wrong_kind_is_said_and_another_offered(
    gpt: Path, reading: str, tiny: Callable[[str], Path]
) -> None:
    app = alone(PAGE, text=TEXT, model=gpt, causal_model=gpt, reading=reading)
    whole(app)
    assert "must see both sides" in messages(app)
    assert figures(app)
    next(button for button in app.button if DEFAULT_MODEL in button.label).click().run()
    whole(app)
    assert "must see both sides" not in messages(app)
    app = alone(PAGE, text=TEXT, causal_model=DEFAULT_MODEL, reading=reading)
    whole(app)
    assert "must see the left only" in messages(app)
    assert figures(app)
    app = alone(PAGE, text=TEXT, causal_model=tiny("t5"), reading=reading)
    assert "also has an encoder" in messages(app)


def test_a_model_without_the_head_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    body = save(FAMILIES["llama"], tmp_path, model=build(FAMILIES["llama"], attention="eager").model)
    app = alone(PAGE, text=TEXT, causal_model=body)
    whole(app)
    assert "Layer 0 · mean over " in drawn(app)  # the app names no head of two models
    for reading in ("guesses", "continue"):
        app = alone(PAGE, text=TEXT, causal_model=body, reading=reading)
        whole(app)
        assert "cannot continue a text" in messages(app)


def test_models_that_are_not_there_are_said_and_the_page_goes_on(gpt: Path) -> None:
    app = alone(PAGE, text=TEXT, causal_model="no-such/model")
    whole(app)
    assert len(app.error) == 1
    assert figures(app)
    app = alone(PAGE, text=TEXT, model="no-such/model", causal_model=gpt)
    whole(app)
    assert len(app.error) == 1
    assert figures(app)


@pytest.mark.parametrize("reading", ["same", "guesses", "continue"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("   ", "only spaces"),
        ("x", ""),
        ("שלום עולם 🙂 나는 학교에", ""),
        ("<script>alert(1)</script> & $x$ `c` ![i](http://h/p.png) **b** :red[x]", ""),
        ("word " * 400, "cut"),
    ],
)
def test_odd_text_gets_a_picture_or_a_sentence(bert: Path, gpt: Path, reading: str, text: str, expected: str) -> None:
    app = alone(PAGE, model=bert, causal_model=gpt, reading=reading)
    app.text_input[0].set_value(text)
    app.button[0].click().run()
    whole(app)
    assert expected in messages(app)
    assert figures(app) or messages(app)
    assert "<script" not in " ".join(figures(app))
