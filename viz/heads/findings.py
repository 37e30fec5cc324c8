"""Findings about the effects of heads on an answer, in sentences. Plain text with a model's words in it: NOT escaped.

The rules: the head of the largest effect by size is the one that matters most. Two orders agree from Spearman's rho of
MUCH_ALIKE on, and roughly from ROUGHLY_ALIKE on. A task is still done as long as SPARED of the accuracy is left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from models.values.probing.changes import HeadPlace
from models.values.probing.contrast import AnswerLogits, Contrast
from models.values.record import Kind
from models.values.results.effects import (
    INTO,
    Ablation,
    HeadMap,
    HeadPaths,
    LogitParts,
    Patching,
    PruningCurve,
)
from viz.heads.effects import KIND_WORDS
from viz.heads.layers import KIND_NAMES, READ_AS
from viz.heads.likelihood import answer_of, chance, likelier, said_difference
from viz.kit import theme as style
from viz.kit.language import said, to_say, tr, trn
from viz.kit.sentences import join_list
from viz.kit.tokens import spelled, token_texts

MUCH_ALIKE, ROUGHLY_ALIKE = 0.8, 0.5
SPARED = 0.9
LEAST_APART = 1.0
"""Logit differences of two texts that are nearer to each other are hardly a difference."""
NAMED = 4
"""The number of heads that are named; more are counted."""
PATCHED_AS = {
    "states": to_say(
        "With what Layer {layer} reads taken from the first, {share} of that comes back, more than from any other head."
    ),
    "outputs": to_say(
        "With what {head} gives taken from the first, {share} of that comes back, more than from any other head."
    ),
    "weights": to_say(
        "With the pattern of {head} taken from the first, {share} of that comes back, more than from any other head."
    ),
}


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
    before, after = (spelled(answer.choices[answer.best(1)[0]]) for answer in (whole, without))
    changes = {
        "off": off,
        "answer": answer_of(contrast),
        "whole": _chance_in(whole, contrast),
        "chance": _chance_in(without, contrast),
        "difference": said_difference(contrast),
        "start": format_signed(whole.difference(contrast)),
        "end": format_signed(without.difference(contrast)),
    }
    if before == after:
        return tr(
            "Without {off} the model still says “{before}”: the probability of “{answer}” goes from {whole} to "
            "{chance} ({difference} from {start} to {end}).",
            before=before,
            **changes,
        )
    return tr(
        "Without {off} the model says “{after}” instead of “{before}”: the probability of “{answer}” goes from {whole} "
        "to {chance} ({difference} from {start} to {end}).",
        before=before,
        after=after,
        **changes,
    )


def _chance_in(answers: AnswerLogits, contrast: Contrast) -> str:
    return style.percentage(float(answers.probabilities[contrast.answer]))


def strongest_head(heads: Ablation) -> HeadPlace:
    """Return the head whose removal changes the difference most."""
    return heads.groups[int(np.argmax(np.abs(heads.effects)))][0]


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
            "{head} matters most: without it the probability of “{answer}” goes from {whole} to {chance} ({difference} "
            "from {start} to {end}).",
            head=head_name(heads.groups[first][0], with_kind=with_kind),
            **_change(heads, first),
        )
    ]
    if len(order) > 1:
        second = int(order[1])
        runner_up, change = head_name(heads.groups[second][0], with_kind=with_kind), float(heads.effects[second])
        told.append(
            tr(
                "The next, {head}, takes it to {chance} ({change}).",
                head=runner_up,
                change=format_signed(change),
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
        "difference": said_difference(ablation.contrast),
        "start": format_signed(ablation.whole),
        "end": format_signed(float(ablation.differences[at])),
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
        "to {chance} ({difference} from {start} to {end}).",
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


def finding_of_patching(patching: Patching) -> str:
    """Return a sentence on what restores most of the clean answer, and whether the difference is large enough for
    shares."""
    begins = tr(
        "In the first text {likelier}, in the second {other} ({difference}: {first} and {second}).",
        likelier=likelier(patching.contrast, patching.clean),
        other=likelier(patching.contrast, patching.corrupted),
        difference=said_difference(patching.contrast),
        first=format_signed(patching.clean),
        second=format_signed(patching.corrupted),
    )
    if abs(patching.clean - patching.corrupted) < LEAST_APART:
        hardly = tr("The two hardly differ, so that shares of the difference mean little: choose another pair.")
        return f"{begins} {hardly}"
    if patching.axes == ("layer", "position"):
        return f"{begins} {_describe_carriers(patching)}"
    where = np.unravel_index(int(np.argmax(patching.effects)), patching.effects.shape)
    place = dict(zip(patching.axes, map(int, where), strict=True))
    head = head_name((patching.kind, place["layer"], place.get("head", 0)))
    share = f"{patching.effects[where]:.0%}"
    returns = tr(PATCHED_AS[patching.what], layer=place["layer"], head=head, share=share)
    return f"{begins} {returns}"


def _describe_carriers(patching: Patching) -> str:
    """Return a sentence on the token at which patching restores most, layer after layer: where the answer is
    carried."""
    best = patching.effects.argmax(axis=1)
    begins = [0, *(np.flatnonzero(np.diff(best)) + 1).tolist(), len(best)]
    texts, parts = token_texts(patching.clean_tokens), []
    for start, end in pairwise(begins):
        shares = patching.effects[start:end, best[start]]
        token, least = texts[best[start]], f"{shares.min():.0%}"
        parts.append(
            tr("at “{token}” in Layer {layer} ({share})", token=token, layer=start, share=least)
            if end - start == 1
            else tr(
                "at “{token}” in Layers {first} to {last} ({least} to {most})",
                token=token,
                first=start,
                last=end - 1,
                least=least,
                most=f"{shares.max():.0%}",
            )
        )
    places = ", ".join(parts)
    return tr("Put into the second, states of the first bring most of that back {places}.", places=places)


def finding_of_parts(parts: LogitParts) -> str:
    """Return a sentence on how likely the answer is, which head adds most, and what all heads, networks and the rest
    add."""
    begins = tr(
        "Here {likelier}. Taken apart is {difference}.",
        likelier=likelier(parts.contrast, parts.difference),
        difference=said_difference(parts.contrast),
    )
    kind, layer, head = strongest_part(parts)
    adds = next(float(part.values[layer, head]) for part in parts.heads if part.kind == kind)
    heads = sum(float(part.values.sum(dtype=np.float64)) for part in parts.heads)
    with_kind = len(parts.heads) > 1
    strongest = tr(
        "{head} adds {adds}, more in size than any other head.",
        head=head_name((kind, layer, head), with_kind=with_kind),
        adds=format_signed(adds),
    )
    together = tr(
        "All heads together add {heads}, the feed-forward networks {networks}, embeddings {embeddings}, biases "
        "{biases}: in all {total}.",
        heads=format_signed(heads),
        networks=format_signed(float(parts.feed_forward.sum())),
        embeddings=format_signed(parts.embeddings),
        biases=format_signed(parts.biases),
        total=format_signed(parts.total),
    )
    return f"{begins} {strongest} {together}"


def strongest_part(parts: LogitParts) -> HeadPlace:
    """Return the head with the largest contribution by size."""
    return max(map(_strongest_of, parts.heads), key=lambda found: found[1])[0]


def _strongest_of(heads: HeadMap) -> tuple[HeadPlace, float]:
    layer, head = divmod(int(np.argmax(np.abs(heads.values))), heads.values.shape[1])
    return (heads.kind, layer, head), abs(float(heads.values[layer, head]))


def finding_of_paths(paths: HeadPaths) -> str:
    """Return a sentence on which head the receiver reads most from, and through query, key or value."""
    sender, into = divmod(int(np.argmax(np.abs(paths.effects))), len(INTO))
    after = paths.whole + float(paths.effects[sender, into])
    return tr(
        "{receiver} reads most of {sender}, by {read_as}: with all that is added {whole}, made without what that head "
        "adds {without} (the logit difference goes from {start} to {end}).",
        receiver=head_name(paths.receiver),
        sender=head_name(paths.senders[sender]),
        read_as=said(READ_AS[INTO[into]]),
        whole=likelier(paths.contrast, paths.whole),
        without=likelier(paths.contrast, after),
        start=format_signed(paths.whole),
        end=format_signed(after),
    )
