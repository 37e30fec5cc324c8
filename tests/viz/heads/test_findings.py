"""Sentences about heads say what the numbers say, and change with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.values.probing.contrast import AnswerLogits
from models.values.results.effects import HeadPaths
from models.values.results.null import NullRange, null_range
from tests.closeness import assert_close
from viz.heads.demos import effects as demo
from viz.heads.findings import (
    finding_of_agreement,
    finding_of_heads,
    finding_of_layers,
    finding_of_pruning,
    finding_without,
    logits_without,
    names_of,
    strongest_layer,
)
from viz.heads.likelihood import likelier, said_difference
from viz.heads.tables import parts_table, patching_table, paths_table
from viz.heads.traced import finding_of_parts, finding_of_patching, finding_of_paths, sums_of_parts
from viz.kit.demos.records import demo_info
from viz.kit.theme import percentage

ONE_KIND = [("encoder", 4, 6)]


def test_the_probability_without_heads_is_said_and_the_logits_apart_from_it() -> None:
    whole, without = demo.demo_answers()
    best, other = whole.best(1)[0], without.best(1)[0]
    contrast = whole.contrast(best, other)
    said, in_logits = finding_without(whole, without, contrast, off="A head"), logits_without(whole, without, contrast)
    assert "logit" not in said
    for each in (whole, without):
        assert percentage(float(each.probabilities[best])) in said
        assert f"{each.logits[best] - each.logits[other]:+.2f}".replace("-", "−") in in_logits


def test_a_probability_is_said_and_no_logit() -> None:
    sentences = (
        finding_of_heads(demo.demo_ablation()),
        finding_of_layers(demo.demo_layers()),
        finding_of_patching(demo.demo_patching()),
        finding_of_parts(demo.demo_parts()),
        finding_of_paths(demo.demo_paths()),
    )
    for sentence in sentences:
        assert "logit" not in sentence
        assert "probability" in sentence or "likely" in sentence


@pytest.mark.parametrize("difference", [3.0, -3.0, 0.4, 12.0])
def test_how_much_likelier_an_answer_is_follows_from_its_logits(difference: float) -> None:
    answers = AnswerLogits(
        info=demo_info(),
        tokens=demo.TOKENS,
        of="mask",
        position=6,
        choices=("she", "he"),
        logits=np.array([difference, 0], np.float32),
    )
    contrast = answers.contrast(0, 1)
    ratio = float(np.divide(*answers.probabilities))
    more, less = ("she", "he") if difference > 0 else ("he", "she")
    said = likelier(contrast, answers.difference(contrast))
    assert said.startswith(f"“{more}” is ")
    assert said.endswith(f" times as likely as “{less}”")
    assert float(said.split()[2].replace(",", "")) == pytest.approx(max(ratio, 1 / ratio), rel=0.05)


def test_no_ratio_is_said_of_equals_of_one_answer_or_of_labels_of_which_several_may_hold() -> None:
    assert "equally likely" in likelier(demo.CONTRAST, 0.01)
    for contrast in (replace(demo.CONTRAST, rival=None), replace(demo.CONTRAST, is_each_by_itself=True)):
        assert likelier(contrast, 2.0) == f"{said_difference(contrast)} is +2.00"


def test_heads_are_named_by_their_layer_where_it_is_whole() -> None:
    layer = [("encoder", 2, head) for head in range(6)]
    assert names_of(layer[:1], ONE_KIND) == "Layer 2 · Head 0"
    assert names_of(layer[:3], ONE_KIND) == "Layer 2 · Head 0, Layer 2 · Head 1 and Layer 2 · Head 2"
    assert names_of(layer[:5], ONE_KIND) == "5 of 24 heads"
    assert names_of(layer, ONE_KIND) == "all heads of Layer 2"
    assert names_of([("encoder", at, head) for at in range(4) for head in range(6)], ONE_KIND) == "any head"
    cross = [("cross", 1, head) for head in range(6)]
    several = [*ONE_KIND, ("cross", 4, 6)]
    assert names_of(cross, several) == "all heads of the cross attention of Layer 1"
    assert names_of(cross[:1], several) == "Cross · Layer 1 · Head 0"


def test_the_head_and_the_layer_of_the_largest_effect_are_named_whatever_its_sign() -> None:
    ablation = demo.demo_ablation()
    for sign in (-1, 1):
        differences = np.full(24, 2.0, np.float32)
        differences[[9, 4]] = 2 + sign * 5, 2 - sign * 2
        said = finding_of_heads(replace(ablation, differences=differences))
        assert said.startswith("Layer 1 · Head 3 matters most")
        assert "The next, Layer 0 · Head 4" in said
        assert "2 of 24 heads have" in said
    layers = replace(demo.demo_layers(), differences=np.array([2, 2.5, -1, 2], np.float32))
    assert "Layer 2 matters most" in finding_of_layers(layers)
    assert {layer for _, layer, _ in strongest_layer(layers, "encoder")} == {2}


@pytest.mark.parametrize(
    ("rho", "said"), [(0.9, "much the same"), (0.6, "roughly the same"), (-0.2, "another"), (float("nan"), "cannot")]
)
def test_agreement_has_words_by_its_thresholds(rho: float, said: str) -> None:
    assert said in finding_of_agreement(rho)


def test_how_many_heads_can_go_is_counted_to_the_first_fall() -> None:
    curve = demo.demo_pruning()  # of 0.9, 0.9, 0.85, 0.6 and 0.5 the first three are at least nine tenths of 0.9
    assert "12 heads can go" in finding_of_pruning(curve)
    again = replace(curve, accuracy=np.array([0.9, 0.9, 0.5, 0.9, 0.9], np.float32))
    assert "6 heads can go" in finding_of_pruning(again)
    assert "hardly needs them" in finding_of_pruning(replace(curve, accuracy=np.full(5, 0.9, np.float32)))


def test_where_an_answer_is_carried_is_said_layer_after_layer() -> None:
    patching = demo.demo_patching()
    effects = np.zeros((4, len(demo.TOKENS)), np.float32)
    effects[:2, 2], effects[2:, 6] = (0.9, 0.8), (0.7, 0.95)
    said = finding_of_patching(replace(patching, effects=effects))
    assert "at “man” in Layers 0 to 1 (80% to 90%), at “[MASK]” in Layers 2 to 3 (70% to 95%)" in said
    of_heads = np.zeros((4, 6), np.float32)
    of_heads[3, 1] = 0.97
    said = finding_of_patching(replace(demo.demo_patching("layer", "head"), effects=of_heads))
    assert "what Layer 3 · Head 1 gives" in said
    assert "97%" in said
    assert "hardly differ" in finding_of_patching(replace(patching, clean=-0.5))


def test_parts_are_summed_and_the_strongest_path_is_named() -> None:
    parts = demo.demo_parts()
    said = finding_of_parts(parts)
    layer, head = np.unravel_index(int(np.abs(parts.heads[0].values).argmax()), (4, 6))
    assert likelier(parts.contrast, parts.difference) in said
    assert f"Layer {layer} · Head {head} weighs most" in said
    in_logits = sums_of_parts(parts)
    assert said_difference(parts.contrast) in in_logits
    assert f"in all {parts.difference:+.2f}".replace("-", "−") in in_logits
    effects = np.zeros((18, 3), np.float32)
    effects[7, 1] = -1.5
    paths: HeadPaths = replace(demo.demo_paths(), effects=effects)
    said = finding_of_paths(paths)
    assert "reads most of Layer 1 · Head 1, by its keys" in said
    assert likelier(paths.contrast, paths.whole - 1.5) in said


def test_an_effect_within_chance_is_said_to_be_none_and_one_beyond_it_is_not() -> None:
    parts = demo.demo_parts()
    (heads,) = parts.heads
    wide, narrow = (
        NullRange(low=-size * np.ones_like(heads.values), high=size * np.ones_like(heads.values), n=200)
        for size in (np.abs(heads.values).max(), np.abs(heads.values).max() / 2)
    )
    inside, beyond = (finding_of_parts(replace(parts, null=(null,))) for null in (wide, narrow))
    assert "no effect beyond chance" in inside
    assert f"0 of {heads.values.size} effects" in inside
    assert "no effect beyond chance" not in beyond
    assert f"{int((np.abs(heads.values) > narrow.high).sum())} of {heads.values.size} effects" in beyond
    assert "chance" not in finding_of_parts(parts)
    for null in (wide, narrow):
        assert "pairs of words" in finding_of_parts(replace(parts, null=(null,)))
        assert "made-up labels" in finding_of_parts(replace(parts, null=(replace(null, drawn="labels"),)))
    paths = demo.demo_paths()
    ends = NullRange(low=paths.effects - 1, high=paths.effects + 1, n=200)
    assert "no effect beyond chance" in finding_of_paths(replace(paths, null=ends))
    table = paths_table(replace(paths, null=ends))
    assert_close(table["key_null_low"], paths.effects[:, 1] - 1)
    patching = demo.demo_patching("layer", "head")
    ends = NullRange(low=patching.effects - 1, high=patching.effects - 0.5, n=200)
    assert f"{patching.effects.size} of {patching.effects.size} effects" in finding_of_patching(
        replace(patching, null=ends)
    )
    assert_close(patching_table(replace(patching, null=ends))["null_high"], patching.effects.ravel() - 0.5)
    whole = parts_table(
        replace(parts, null=(wide,), feed_forward_null=null_range(np.zeros((len(parts.feed_forward), 9))))
    )
    assert_close(whole["null_high"][1 : 1 + heads.values.size], wide.high.ravel())
