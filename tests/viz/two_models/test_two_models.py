"""Two models side by side: what is drawn is what they look at, see and guess."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from models.values.errors import RecordError, SelectionError
from models.values.record import Token, WordChoice
from models.values.writing import TokenGuess, TokenGuesses
from tests.closeness import assert_close
from viz.kit.demos.records import SENTENCE, random_record, tokens_of
from viz.kit.tables import table_csv
from viz.two_models.demo import demo_models, guesses
from viz.two_models.guess_lines import AT_ONCE, RIGHT, guess_lines
from viz.two_models.guesses import (
    Summary,
    cut_alike,
    explain_summaries,
    guess_table,
    guessed_tokens,
    summaries,
    summary,
    summary_sentence,
    why_not_comparable,
)
from viz.two_models.maps import two_maps
from viz.two_models.shared_rows import ModelHead, align_rows, cells_sentence, visible_cells
from viz.two_models.sight import BLANK, MOST, Sight, clicked_position, same_place, who_sees_whom

HOSTILE = "[CLS] <script>alert(1)</script> &amp; $x$ ${1} </b> [SEP]"
LONG = " ".join(["[CLS]", *(f"w{number}" for number in range(126)), "[SEP]"])


def maps_of(figure):
    """(weights, grey) of every map of a figure; grey is None where nothing is masked."""
    found, grey = [], None
    for trace in figure.data:
        if "masked" in trace.hovertemplate:
            grey = np.asarray(trace.z)
        else:
            found.append((np.asarray(trace.z), grey))
            grey = None
    return found


def words_in(figure) -> str:
    return json.dumps(json.loads(figure.to_json()), ensure_ascii=False).replace("<br>", " ")


# -- the same sentence ------------------------------------------------------------------------------------------------


def test_tokens_are_aligned_around_special_ones_that_only_one_model_has() -> None:
    both, left = tokens_of("[CLS] a b [SEP]"), tokens_of("a b")
    rows = align_rows(both, left)
    assert rows is not None
    assert [row.positions for row in rows] == [(0, None), (1, 0), (2, 1), (3, None)]
    assert [row.positions for row in align_rows(left, both)] == [(None, 0), (0, 1), (1, 2), (None, 3)]
    assert align_rows(both, tokens_of("a ##b")) is None
    assert [row.positions for row in align_rows(tokens_of("a b c"), tokens_of("a"))] == [(0, 0), (1, None), (2, None)]


@pytest.mark.parametrize("head", [3, None])
def test_a_mask_leaves_the_triangle(head: int | None) -> None:
    both, left = (replace(model, head=head) for model in demo_models())
    n, m = both.record.n_query, left.record.n_query
    assert visible_cells(both) == n * n
    assert visible_cells(left) == m * (m + 1) // 2
    assert f"{m * (m + 1) // 2} of {m * m} cells, n (n + 1) / 2 with n = {m}" in cells_sentence(left)


@pytest.mark.parametrize("width", [390, 1260])
def test_the_maps_are_the_weights_on_one_scale_and_the_same_axes(width: int) -> None:
    both, left = demo_models()
    figure = two_maps(both, left, token=(5, 5), width=width)
    (first, none), (second, grey) = maps_of(figure)
    n = both.record.n_query
    np.testing.assert_array_equal(first, both.record.weights(0, 3))
    assert none is None
    weights = left.record.weights(0, 3)
    seen = np.tri(n - 1, dtype=bool)
    assert second.shape == (n - 1, n - 1)  # without [SEP], which the second model does not have
    np.testing.assert_array_equal(second[seen], weights[seen])
    assert np.isnan(second[~seen]).all()
    np.testing.assert_array_equal(np.isfinite(grey), ~seen)
    assert "An empty row" not in words_in(figure)
    assert {(trace.zmin, trace.zmax) for trace in figure.data} == {(0, 1)}
    assert figure.layout.xaxis.labelalias | figure.layout.xaxis2.labelalias == figure.layout.xaxis.labelalias
    cells = [
        (axis.domain[1] - axis.domain[0]) / count
        for axis, count in ((figure.layout.xaxis, n), (figure.layout.xaxis2, n - 1))
    ]
    assert_close(cells[0], cells[1])
    assert len(figure.layout.shapes) == 2
    assert "Every row sums to 1." in words_in(figure)


@pytest.mark.parametrize(
    ("token", "framed"),
    [((7, 7), [7, 6]), ((1, 1), [1, 0]), ((0, 0), [0]), ((7, None), [7]), ((None, 7), [6]), ((None, None), [])],
)
def test_the_frames_mark_the_rows_from_which_each_guesses(token, framed) -> None:
    """What GPT says about a token comes out of the row before it; the first token is never guessed."""
    figure = two_maps(*demo_models(), token=token)
    assert [(shape.y0, shape.y1) for shape in figure.layout.shapes] == [(row - 0.5, row + 0.5) for row in framed]
    assert ("from which" in words_in(figure)) == (token != (None, None))


def test_a_frame_stands_at_its_row_where_only_the_left_model_begins_with_a_special_token() -> None:
    """Positions differ then: token 5 of the one is token 6 of the other, and row 5 is the one before it."""
    tokens = tokens_of("a b c d e f")
    both = ModelHead(name="bert", record=random_record(tokens=tokens), layer=0, head=0)
    left = ModelHead(
        name="gpt", record=random_record(tokens=tokens_of("[CLS] a b c d e f"), causal=True), layer=0, head=0
    )
    figure = two_maps(both, left, token=(0, 1))
    labels = figure.layout.yaxis.labelalias
    rows = [labels[str(round(shape.y0 + 0.5))] for shape in figure.layout.shapes]
    assert [row.strip("\u2068\u2069") for row in rows] == ["a", "[CLS]"]


def test_models_that_cut_differently_have_axes_of_their_own() -> None:
    both, _ = demo_models()
    record = random_record(n_layers=4, n_heads=8, tokens=tokens_of("The an ##imal didn 't"), causal=True)
    figure = two_maps(both, ModelHead(name="x/gpt2", record=record, layer=1, head=0), token=(5, None))
    assert len(maps_of(figure)[1][0]) == 5
    assert "axes" in words_in(figure)
    assert len(figure.layout.shapes) == 1


def test_a_long_text_is_drawn_in_blocks_that_keep_the_strongest() -> None:
    tokens = tokens_of(" ".join(f"w{number}" for number in range(600)))
    record = random_record(n_layers=1, n_heads=1, tokens=tokens, causal=True)
    model = ModelHead(name="gpt", record=record, layer=0, head=0)
    figure = two_maps(model, model)
    (drawn, grey), _ = maps_of(figure)
    assert drawn.shape == (300, 300)
    assert drawn[7, 3] == record.weights(0, 0)[14:16, 6:8].max()
    assert np.isfinite(grey[3, 7])
    assert np.isnan(grey[7, 7])
    assert "2 × 2" in words_in(figure)


def test_a_layer_that_is_not_there_is_named() -> None:
    both, left = demo_models()
    with pytest.raises(SelectionError, match="layer 9"):
        two_maps(replace(both, layer=9), left)


# -- what each predicts -----------------------------------------------------------------------------------------------


def bars_of(figure):
    return {trace.name: trace for trace in figure.data if trace.type == "bar"}


@pytest.mark.parametrize("width", [390, 1260])
def test_the_bars_are_the_probabilities_of_the_true_tokens(width: int) -> None:
    models = guesses("both"), guesses("left")
    figure = guess_lines(models, selected=5, width=width)
    for model in models:
        bar = bars_of(figure)[model.sides]
        assert_close(bar.meta, [guess.probability for guess in model.guesses])
        lengths = np.asarray(bar.x) / np.asarray(bar.meta)
        assert_close(lengths, lengths[0])
        assert f"rank {model.guesses[3].rank:,}" in bar.customdata[3]
    both, left = bars_of(figure)["both"], bars_of(figure)["left"]
    assert_close(both.x[0] / both.meta[0], left.x[0] / left.meta[0])


def test_right_guesses_have_a_tick_and_no_other() -> None:
    model = guesses("both")
    figure = guess_lines([model])
    marked = [text for trace in figure.data if trace.type == "scatter" for text in trace.text if RIGHT in text]
    assert len(marked) == sum(guess.rank == 1 for guess in model.guesses)
    assert all("<b>" in text for text in marked)


def test_a_long_sentence_is_leafed_through() -> None:
    models = guesses("both", LONG), guesses("left", LONG)
    assert len(guessed_tokens(models)) == 126
    figure = guess_lines(models, first=96)
    bar = bars_of(figure)["left"]
    assert len(bar.meta) == 30
    assert_close(bar.meta, [guess.probability for guess in models[1].guesses[96:]])
    assert len(bars_of(guess_lines(models))["both"].meta) == AT_ONCE
    assert "30 of 126 tokens" in words_in(figure)
    assert bars_of(guess_lines(models, first=10_000))


def test_a_token_without_a_guess_has_a_dash_and_no_number() -> None:
    left = guesses("left")
    without = replace(left, guesses=left.guesses[1:])
    figure = guess_lines([guesses("both"), without])
    assert bars_of(figure)["left"].text[0] == ""
    assert "nothing comes before it" in words_in(figure)


def test_a_summary_counts_and_averages_over_the_tokens_that_both_were_asked_for() -> None:
    made = [
        TokenGuess(position=1, choices=(), probability=0.5, rank=1),
        TokenGuess(position=2, choices=(), probability=0.125, rank=7),
    ]
    found = summary(made)
    assert (found.n_asked, found.n_right) == (2, 1)
    assert_close(found.mean_log_probability, (math.log(0.5) + math.log(0.125)) / 2)
    both, left = guesses("both"), guesses("left")
    cut = replace(left, guesses=left.guesses[4:])
    first, second = summaries((both, cut))
    assert first == summary(both.guesses[4:])
    assert second == summary(cut.guesses)
    assert "nothing to guess" in summary_sentence(both, summary([]))
    assert summary([replace(made[0], probability=0.0)]).mean_log_probability < -100


def test_a_summary_is_said_in_per_cent_and_its_logarithm_behind_it() -> None:
    models = guesses("both"), guesses("left")
    found = [Summary(n_asked=14, n_right=n, mean_log_probability=mean) for n, mean in ((11, math.log(0.45)), (9, -2.0))]
    assert "11 of 14 tokens guessed right" in summary_sentence(models[0], found[0])
    assert "the right one 45%" in summary_sentence(models[0], found[0])
    assert "mini-bert: −0.799, mini-gpt: −2.000" in explain_summaries(models, found)


def test_results_on_different_tokens_are_not_compared() -> None:
    models = guesses("both"), guesses("left")
    found = [Summary(n_asked=14, n_right=9, mean_log_probability=-1.0)] * 2
    assert why_not_comparable(models, found) == ""
    assert "no token that both" in why_not_comparable(models, [replace(one, n_asked=0) for one in found])
    assert "cannot be compared" in why_not_comparable((models[0], guesses("left", "The an ##imal")), found)


def test_readers_that_cut_differently_are_not_put_into_one_list() -> None:
    models = guesses("both"), guesses("left", "The an ##imal")
    assert not cut_alike(models)
    with pytest.raises(RecordError, match="different tokens"):
        guess_lines(models)
    first, _ = summaries(models)
    assert first == summary(models[0].guesses)


def test_the_file_holds_every_guess_of_both() -> None:
    models = guesses("both"), guesses("left")
    table = guess_table(models)
    assert len(table) == sum(len(model.guesses) for model in models)
    assert list(table["probability"]) == [guess.probability for model in models for guess in model.guesses]
    assert list(table["is_right"]) == [guess.rank == 1 for model in models for guess in model.guesses]
    assert "\n=1+1" not in table_csv(table).decode("utf-8-sig").replace(",", "\n")


# -- who sees whom ----------------------------------------------------------------------------------------------------


def sights(position: int, text: str = SENTENCE) -> tuple[Sight, Sight]:
    tokens = tokens_of(text)
    return (
        Sight(name="mini-bert", tokens=tokens, position=position, sees_right=True),
        Sight(name="mini-gpt", tokens=tokens, position=position, sees_right=False, guess=guess_of("<b>road</b>")),
    )


def guess_of(text: str) -> TokenGuess:
    return TokenGuess(position=0, choices=(WordChoice(text=text, probability=0.12),), probability=0.1, rank=2)


def test_one_sees_all_others_and_one_what_stands_before() -> None:
    both, left = sights(5)
    assert both.positions_seen() == (0, 1, 2, 3, 4, *range(6, 16))
    assert left.positions_seen() == (0, 1, 2, 3, 4)


def test_hidden_words_are_dotted_and_the_blank_holds_the_guess_and_not_the_word() -> None:
    figure = who_sees_whom(sights(5))
    n_tokens = 16
    dotted = [shape for shape in figure.layout.shapes if shape.line.dash == "dot"]
    assert len(dotted) == n_tokens - 6
    words = [text for trace in figure.data if trace.mode == "text" for text in trace.text]
    assert sum(text.strip("\u2068\u2069<>b/") == BLANK for text in words) == 1
    assert sum("road" in text for text in words) == 1
    assert len(words) == 2 * n_tokens
    pointer = figure.data[-1]
    assert list(pointer.customdata)[:n_tokens] == [-1, *range(1, n_tokens - 1), -1]


def test_a_click_gives_a_position_and_nonsense_gives_none() -> None:
    assert clicked_position({"selection": {"points": [{"customdata": 4}]}}) == 4
    assert clicked_position({"selection": {"points": [{"customdata": [4]}]}}) == 4
    for nonsense in (
        {},
        {"selection": {"points": []}},
        {"selection": {"points": [{"customdata": -1}]}},
        {"selection": {"points": [{"customdata": "4"}]}},
        {"selection": None},
    ):
        assert clicked_position(nonsense) is None


def test_a_token_is_found_in_another_tokenization_by_its_characters() -> None:
    words = [
        Token(text="[CLS]", is_special=True),
        Token(text="playing", start=0, end=7),
        Token(text="on", start=8, end=10),
    ]
    pieces = [Token(text="play", start=0, end=4), Token(text="ing", start=4, end=7), Token(text="Ġon", start=7, end=10)]
    assert same_place(words, 1, pieces) == 0
    assert same_place(words, 2, pieces) == 2
    assert same_place(words, 0, pieces) is None
    assert same_place(pieces, 1, words) == 1


def test_of_a_long_text_the_words_around_the_blank_are_drawn() -> None:
    text = " ".join(f"w{number}" for number in range(500))
    figure = who_sees_whom(sights(400, text), width=390)
    drawn = list(figure.data[-1].customdata)
    assert len(drawn) == 2 * MOST
    assert 400 in drawn
    assert "of 500 are shown" in words_in(figure)
    with pytest.raises(SelectionError, match="position 500"):
        who_sees_whom(sights(500, text))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hostile_words_stay_words(theme: str) -> None:
    model = guesses("both", HOSTILE)
    named = replace(model.info, name="<img src=x onerror=alert(1)>")
    bad = TokenGuesses(
        info=named,
        tokens=model.tokens,
        sides="both",
        guesses=tuple(
            replace(guess, choices=(WordChoice(text="<script>x</script>", probability=0.5),)) for guess in model.guesses
        ),
    )
    record = random_record(n_layers=1, n_heads=1, tokens=model.tokens)
    one = ModelHead(name=named.name, record=record, layer=0, head=0)
    for figure in (
        guess_lines([bad], theme=theme),
        two_maps(one, one, theme=theme),
        who_sees_whom(sights(1, HOSTILE), theme=theme),
    ):
        drawn = words_in(figure)
        assert "<script" not in drawn
        assert "<img" not in drawn
        assert "<b>road" not in drawn
