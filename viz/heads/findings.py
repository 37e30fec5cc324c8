"""Findings about the effects of heads on an answer, in sentences. Plain text with a model's words in it: NOT escaped.

The rules: the head of the largest effect by size is the one that matters most. Two orders agree from Spearman's rho of
MUCH_ALIKE on, and roughly from ROUGHLY_ALIKE on. A task is still done as long as SPARED of the accuracy is left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from models.values.probing.changes import HeadPlace
from models.values.probing.contrast import AnswerLogits, Contrast
from models.values.record import Kind
from models.values.results.effects import (
    Ablation,
    PruningCurve,
)
from viz.heads.effects import KIND_WORDS
from viz.heads.layers import KIND_NAMES
from viz.heads.likelihood import answer_of, chance, said_difference
from viz.kit import theme as style
from viz.kit.language import said, tr, trn
from viz.kit.sentences import join_list

MUCH_ALIKE, ROUGHLY_ALIKE = 0.8, 0.5
SPARED = 0.9
NAMED = 4
"""The number of heads that are named; more are counted."""


def format_signed(value: float) -> str:
    return style.number(value, digits=2, plus=True)


def head_name(place: HeadPlace, *, with_kind: bool = False) -> str:
    """Return the name of a head, "Layer 5 · Head 8", after its kind in a model with several kinds of attention."""
    kind, layer, head = place
    if with_kind:
        return tr("{kind} · Layer {layer} · Head {head}", kind=said(KIND_NAMES[kind]), layer=layer, head=head)
    return tr("Layer {layer} · Head {head}", layer=layer, head=head)


def names_of(places: Sequence[HeadPlace], shapes: Sequence[tuple[Kind, int, int]]) -> str:
    """Return heads in words: a whole layer, one or a few by name, a count of more, or all. `shapes` gives the numbers
    of layers and heads for each kind of attention."""
    with_kind, n_all = len(shapes) > 1, sum(n_layers * n_heads for _, n_layers, n_heads in shapes)
    if len(places) == n_all:
        return tr("any head")
    (kind, layer, _), n_heads = places[0], {of: n for of, _, n in shapes}[places[0][0]]
    if len(places) == n_heads and {place[:2] for place in places} == {(kind, layer)}:
        if not with_kind:
            return tr("all heads of Layer {layer}", layer=layer)
        return tr("all heads of the {kind} attention of Layer {layer}", kind=said(KIND_WORDS[kind]), layer=layer)
    if len(places) > NAMED:
        return tr("{n} of {all} heads", n=len(places), all=n_all)
    return join_list(head_name(place, with_kind=with_kind) for place in places)


def finding_without(whole: AnswerLogits, without: AnswerLogits, contrast: Contrast, *, off: str) -> str:
    """Return a sentence on how the answer changes without the heads that `off` names."""
    return tr(
        "Without {off} the probability of “{answer}” goes from {whole} to {chance}.",
        off=off,
        answer=answer_of(contrast),
        whole=_chance_in(whole, contrast),
        chance=_chance_in(without, contrast),
    )


def logits_without(whole: AnswerLogits, without: AnswerLogits, contrast: Contrast) -> str:
    """Return a sentence on the same change in logits."""
    return tr(
        "In logits, from which the softmax makes probabilities: {difference} goes from {start} to {end}.",
        difference=said_difference(contrast),
        start=format_signed(whole.difference(contrast)),
        end=format_signed(without.difference(contrast)),
    )


def _chance_in(answers: AnswerLogits, contrast: Contrast) -> str:
    return style.percentage(float(answers.probabilities[contrast.answer]))


def strongest_head(heads: Ablation) -> HeadPlace:
    """Return the head whose removal changes the difference most."""
    return heads.groups[int(np.argmax(np.abs(heads.effects)))][0]


def deciding_head(heads: Ablation) -> HeadPlace:
    """Return the head without which the answer loses most to another one; the strongest if no single head decides."""
    worst = int(np.argmin(heads.differences))
    return heads.groups[worst][0] if heads.differences[worst] < 0 else strongest_head(heads)


def strongest_layer(layers: Ablation, kind: Kind) -> tuple[HeadPlace, ...]:
    """Return the heads of the layer, of one kind of attention, whose removal changes the difference most."""
    asked = [index for index, group in enumerate(layers.groups) if group[0][0] == kind]
    return layers.groups[max(asked, key=lambda index: abs(float(layers.effects[index])))]


def finding_of_heads(heads: Ablation) -> str:
    """Return a sentence on which head matters most, by how much, and how many matter at all."""
    order = np.argsort(-np.abs(heads.effects), kind="stable")
    first, with_kind = int(order[0]), len(heads.shapes) > 1
    effect = float(heads.effects[first])
    share = int((np.abs(heads.effects) >= abs(effect) / 10).sum())
    told = [
        tr(
            "{head} matters most: without it the probability of “{answer}” goes from {whole} to {chance}.",
            head=head_name(heads.groups[first][0], with_kind=with_kind),
            **_change(heads, first),
        )
    ]
    if len(order) > 1:
        second = int(order[1])
        told.append(
            tr(
                "The next, {head}, takes it to {chance}.",
                head=head_name(heads.groups[second][0], with_kind=with_kind),
                chance=chance(float(heads.log_probabilities[second])),
            )
        )
    counted = trn(
        "{n} of {all} heads has at least a tenth of that effect.",
        "{n} of {all} heads have at least a tenth of that effect.",
        share,
        all=len(order),
    )
    return " ".join([*told, counted])


def _change(ablation: Ablation, at: int) -> dict[str, str]:
    """Return the answer, its probability and its logit difference, with all heads and without one group, for a
    template."""
    return {
        "answer": answer_of(ablation.contrast),
        "whole": chance(ablation.whole_log_probability),
        "chance": chance(float(ablation.log_probabilities[at])),
    }


def finding_of_agreement(rho: float) -> str:
    """Return a sentence on how well the gradient's estimate orders the heads."""
    if math.isnan(rho):
        return tr("All heads have the same effect or the same estimate, so their orders cannot be compared.")
    if rho >= MUCH_ALIKE:
        how = tr(
            "By the size of its estimate, the gradient puts the heads in much the same order as taking them away does: "
            "Spearman's rho is {rho}.",
            rho=style.number(rho, digits=2),
        )
    elif rho >= ROUGHLY_ALIKE:
        how = tr(
            "By the size of its estimate, the gradient puts the heads in roughly the same order as taking them away "
            "does: Spearman's rho is {rho}.",
            rho=style.number(rho, digits=2),
        )
    else:
        how = tr(
            "By the size of its estimate, the gradient puts the heads in another order as taking them away does: "
            "Spearman's rho is {rho}.",
            rho=style.number(rho, digits=2),
        )
    passes = tr("It needs one backward pass, taking them away one pass for each head.")
    return f"{how} {passes}"


def finding_of_layers(layers: Ablation) -> str:
    """Return a sentence on which layer matters most."""
    index = int(np.argmax(np.abs(layers.effects)))
    kind, layer, _ = layers.groups[index][0]
    where = (
        tr("the {kind} attention of Layer {layer}", kind=said(KIND_WORDS[kind]), layer=layer)
        if len(layers.shapes) > 1
        else tr("Layer {layer}", layer=layer)
    )
    return tr(
        "Of the layers, {layer} matters most: without all of its heads the probability of “{answer}” goes from {whole} "
        "to {chance}.",
        layer=where,
        **_change(layers, index),
    )


def finding_of_pruning(curve: PruningCurve) -> str:
    """Return a sentence on how many heads can go before accuracy falls."""
    enough = curve.accuracy >= SPARED * curve.accuracy[0]
    whole, without_any = f"{curve.accuracy[0]:.0%}", f"{curve.accuracy[-1]:.0%}"
    begins = tr(
        "With all {n} heads {whole} are right, without any head {without}.",
        n=len(curve.order),
        whole=whole,
        without=without_any,
    )
    if enough.all():
        spared = tr(
            "{share} of the accuracy is left however many heads go: this task hardly needs them.",
            share=f"{SPARED:.0%}",
        )
        return f"{begins} {spared}"
    last = int(np.argmin(enough)) - 1
    needed = tr(
        "{n} heads can go, the least important first, before less than {share} of the accuracy is left: {right} are "
        "right without those.",
        n=curve.n_removed[last],
        share=f"{SPARED:.0%}",
        right=f"{curve.accuracy[last]:.0%}",
    )
    return f"{begins} {needed}"
