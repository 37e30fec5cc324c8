"""What all pictures of answers hold: a stranger's words are shown literally, and no figure is wider than asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from models.values.record import Token
from tests.closeness import assert_at_most
from viz.attention.blocks import crossing_map, pair_blocks_figure
from viz.attention.sentence_pairs import block_shares
from viz.kit.demos.answers import demo_replaced_tokens, labelled_text, labelled_tokens, layerwise, masked_text
from viz.kit.demos.records import PAIR, VOCABULARY, plausible_record, random_record, tokens_of
from viz.kit.theme import LIGHT, nice_maximum, percentage
from viz.predictions.comparison import compare, comparison_bars, log_odds_bars
from viz.predictions.judgements import labelled_words, replaced_tokens, text_labels, token_labels
from viz.predictions.layer_answers import best_ids
from viz.predictions.layer_predictions import answer_by_layer, layer_predictions
from viz.predictions.mask_attention import mask_attention
from viz.predictions.masked_words import word_bars
from viz.predictions.next_sentence import next_sentence_bar
from viz.predictions.word_chips import label_chips, weight_chips

HOSTILE = ("<i>", "</script>", "$x$", '"><img src=x onerror=y>', "&lt;", "[MASK]")
OURS = re.compile(r"</?(b|br)>|</?span[^<>]*>")
"""The markup that we write ourselves: spans hold our colours and sizes only."""
Picture = Callable[..., go.Figure]


def hostile_pictures() -> dict[str, Picture]:
    text = "[CLS] <u> </script> $x$ [MASK] &lt; [SEP]"
    other = "[CLS] <i> </script> $x$ [MASK] &lt; [SEP]"
    masked = masked_text(text, vocabulary=HOSTILE)
    pair = compare(masked, masked_text(other, vocabulary=HOSTILE, seed=9))
    record = random_record(tokens=[Token(text=word, word=place) for place, word in enumerate(HOSTILE)])
    layers = replace(layerwise(), vocabulary=(*HOSTILE, *VOCABULARY)[: len(VOCABULARY)])
    special = [Token(text="<i>$", is_special=True), *tokens_of("a [SEP] b"), Token(text="<u>", is_special=True)]
    blocks = random_record(tokens=special)
    shares = block_shares(blocks)
    many = [f"{HOSTILE[0]}{number}" for number in range(40)]
    return {
        "words": lambda **size: word_bars(masked, mask=0, top_k=3, asked=range(6), **size),
        "both": lambda **size: comparison_bars(pair, top_k=6, **size),
        "odds": lambda **size: log_odds_bars(pair, top_k=6, **size),
        "row": lambda **size: mask_attention(record, positions=[0], layer=0, head=0, **size),
        "replaced": lambda **size: replaced_tokens(demo_replaced_tokens(text), **size),
        "tokens": lambda **size: token_labels(labelled_tokens(HOSTILE, text), **size),
        "tokens of many labels": lambda **size: token_labels(labelled_tokens(many, text), **size),
        "chips": lambda **size: label_chips(labelled_words(labelled_tokens(HOSTILE, text)), **size),
        "weights": lambda **size: weight_chips(record, positions=[0], layer=0, head=0, **size),
        "text": lambda **size: text_labels(labelled_text(HOSTILE), **size),
        "layers, hostile": lambda **size: layer_predictions(layers, top_k=20, **size),
        "lines, hostile": lambda **size: answer_by_layer(layers, token_ids=range(6), **size),
        "blocks, hostile": lambda **size: pair_blocks_figure(blocks, layer=0, **size),
        "map, hostile": lambda **size: crossing_map(shares, direction="<i>$ to <u>", **size),
    }


def harmless_pictures() -> dict[str, Picture]:
    long = masked_text(vocabulary=[f"Donaudampfschiffahrt{number}" for number in range(60)])
    large = block_shares(plausible_record(PAIR, n_layers=12, n_heads=16))
    wide_names = compare(
        masked_text("[CLS] fourteen-wide1 is [MASK] [SEP]"), masked_text("[CLS] fourteen-wide2 is [MASK] [SEP]", seed=1)
    )
    prediction = layerwise(n_layers=24)
    return {
        "long words": lambda **size: word_bars(long, mask=0, top_k=20, asked=[3], **size),
        "layers": lambda **size: layer_predictions(prediction, top_k=10, **size),
        "lines": lambda **size: answer_by_layer(prediction, token_ids=best_ids(prediction, 9), **size),
        "long names": lambda **size: comparison_bars(wide_names, top_k=5, **size),
        "long names, odds": lambda **size: log_odds_bars(wide_names, top_k=5, **size),
        "long text": lambda **size: mask_attention(
            plausible_record(PAIR * 3), positions=[0], layer=None, head=None, **size
        ),
        "map": lambda **size: crossing_map(large, selected=(3, 4), **size),
        "blocks": lambda **size: pair_blocks_figure(plausible_record(PAIR), layer=0, **size),
        "next": lambda **size: next_sentence_bar(0.99999, **size),
    }


PICTURES = hostile_pictures() | harmless_pictures()


def texts(part: object) -> Iterator[str]:
    """Every string of a figure, except for plotly's templates, which hold no words."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for name, inner in part.items():
            if not name.endswith("template"):
                yield from texts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from texts(inner)


@pytest.mark.parametrize("name", hostile_pictures())
@pytest.mark.parametrize("width", [360, 900])
def test_no_markup_of_a_stranger_survives(name: str, width: int) -> None:
    found = [OURS.sub("", text) for text in texts(json.loads(PICTURES[name](width=width).to_json()))]
    assert not [text for text in found if set("<>$") & set(text)]
    assert any("&lt;" in text for text in found)


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("width", [320, 360, 600, 900])
def test_no_figure_is_wider_than_asked_and_every_picture_has_room(name: str, width: int) -> None:
    layout = PICTURES[name](width=width).layout
    assert layout.width <= width + 0.5
    assert layout.width - layout.margin.l - layout.margin.r > 0.25 * width
    assert layout.height - layout.margin.t - layout.margin.b > 20


@pytest.mark.parametrize("name", PICTURES)
def test_the_dark_theme_draws_the_same_in_other_colours(name: str) -> None:
    light, dark = PICTURES[name](theme="light"), PICTURES[name](theme="dark")
    assert (light.layout.width, light.layout.height) == (dark.layout.width, dark.layout.height)
    written = dark.to_json()
    assert not [colour for colour in (LIGHT.ink, LIGHT.bar, LIGHT.accent, LIGHT.quiet) if colour in written]


@pytest.mark.parametrize("probability", [1e-12, 3.21e-5, 0.00994, 0.00996, 0.0999, 0.5, 0.99996])
def test_a_percentage_never_says_nothing_of_something(probability: float) -> None:
    text = percentage(probability)
    if not text.startswith("under"):
        assert float(text.rstrip("%")) / 100 == pytest.approx(probability, rel=0.1)


def test_an_axis_ends_at_or_above_the_largest_bar() -> None:
    for largest in np.geomspace(1e-7, 1, 200):
        end = nice_maximum(float(largest))
        assert largest <= end
        assert_at_most(end, min(2 * largest, 1))
