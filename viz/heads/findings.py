"""What heads do to an answer, in sentences made from the numbers. Plain text with words of models in it: NOT escaped.

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
from viz.heads.layers import READ_AS
from viz.kit import theme as style
from viz.kit.tokens import spelled, token_texts

MUCH_ALIKE, ROUGHLY_ALIKE = 0.8, 0.5
SPARED = 0.9
LEAST_APART = 1.0
"""Logit differences of two texts that are nearer to each other are hardly a difference."""
NAMED = 4
"""So many heads are named; more are counted."""
PATCHED_AS = {"states": "what Layer {layer} reads", "outputs": "what {head} gives", "weights": "the pattern of {head}"}


def signed(value: float) -> str:
    return style.number(value, digits=2, plus=True)


def head_name(place: HeadPlace, *, with_kind: bool = False) -> str:
    """ "Layer 5 · Head 8", of a model with several kinds of attention with its kind in front."""
    kind, layer, head = place
    return f"{kind.capitalize()} · Layer {layer} · Head {head}" if with_kind else f"Layer {layer} · Head {head}"


def names_of(places: Sequence[HeadPlace], shapes: Sequence[tuple[Kind, int, int]]) -> str:
    """Heads in words: a whole layer, one or a few by name, more of them counted, or all of them. `shapes` says for each
    kind of attention how many layers and heads it has."""
    with_kind, n_all = len(shapes) > 1, sum(n_layers * n_heads for _, n_layers, n_heads in shapes)
    if len(places) == n_all:
        return "any head"
    (kind, layer, _), n_heads = places[0], {of: n for of, _, n in shapes}[places[0][0]]
    if len(places) == n_heads and {place[:2] for place in places} == {(kind, layer)}:
        return f"all heads of {'the ' + kind + ' attention of ' if with_kind else ''}Layer {layer}"
    if len(places) > NAMED:
        return f"{len(places)} of {n_all} heads"
    *first, last = (head_name(place, with_kind=with_kind) for place in places)
    return f"{', '.join(first)} and {last}" if first else last


def said_difference(contrast: Contrast) -> str:
    """What m is called: "the logit of “she” less that of “he”"."""
    answer, rival = spelled(contrast.answer_text), spelled(contrast.rival_text)
    return f"the logit of “{answer}”" + ("" if contrast.rival is None else f" less that of “{rival}”")


def finding_without(whole: AnswerLogits, without: AnswerLogits, contrast: Contrast, *, off: str) -> str:
    """What becomes of the answer without the heads that `off` names."""
    before, after = (spelled(said.choices[said.best(1)[0]]) for said in (whole, without))
    says = f"still says “{before}”" if before == after else f"says “{after}” instead of “{before}”"
    return (
        f"Without {off} the model {says}: {said_difference(contrast)} goes from {signed(whole.difference(contrast))} "
        f"to {signed(without.difference(contrast))}."
    )


def strongest_head(heads: Ablation) -> HeadPlace:
    """The head whose absence changes the difference most."""
    return heads.groups[int(np.argmax(np.abs(heads.effects)))][0]


def strongest_layer(layers: Ablation, kind: Kind) -> tuple[HeadPlace, ...]:
    """The heads of the layer of one kind of attention whose absence changes the difference most."""
    asked = [at for at, group in enumerate(layers.groups) if group[0][0] == kind]
    return layers.groups[max(asked, key=lambda at: abs(float(layers.effects[at])))]


def finding_of_heads(heads: Ablation) -> str:
    """Which head matters most, by how much, and how many do at all."""
    order = np.argsort(-np.abs(heads.effects), kind="stable")
    first, with_kind = int(order[0]), len(heads.shapes) > 1
    effect = float(heads.effects[first])
    share = int((np.abs(heads.effects) >= abs(effect) / 10).sum())
    second = ""
    if len(order) > 1:
        runner_up = int(order[1])
        second = (
            f" The next, {head_name(heads.groups[runner_up][0], with_kind=with_kind)}, changes it by "
            f"{signed(float(heads.effects[runner_up]))}."
        )
    return (
        f"{head_name(heads.groups[first][0], with_kind=with_kind)} matters most: without it "
        f"{said_difference(heads.contrast)} goes from {signed(heads.whole)} to "
        f"{signed(float(heads.differences[first]))}.{second} {share} of {len(order)} heads "
        f"{'has' if share == 1 else 'have'} at least a tenth of that effect."
    )


def finding_of_agreement(rho: float) -> str:
    """How well the gradient's estimate puts the heads in order."""
    if math.isnan(rho):
        return "All heads have the same effect or the same estimate, so their orders cannot be compared."
    how = "in much the same order" if rho >= MUCH_ALIKE else "in roughly the same order"
    if rho < ROUGHLY_ALIKE:
        how = "in another order"
    return (
        f"By the size of its estimate, the gradient puts the heads {how} as taking them away does: Spearman's rho is "
        f"{style.number(rho, digits=2)}. It needs one backward pass, taking them away one pass for each head."
    )


def finding_of_layers(layers: Ablation) -> str:
    """Which layer matters most."""
    at = int(np.argmax(np.abs(layers.effects)))
    kind, layer, _ = layers.groups[at][0]
    where = f"the {kind} attention of Layer {layer}" if len(layers.shapes) > 1 else f"Layer {layer}"
    return (
        f"Of the layers, {where} matters most: without all of its heads {said_difference(layers.contrast)} goes from "
        f"{signed(layers.whole)} to {signed(float(layers.differences[at]))}."
    )


def finding_of_pruning(curve: PruningCurve) -> str:
    """How many heads can go before the task suffers."""
    enough = curve.accuracy >= SPARED * curve.accuracy[0]
    whole, without_any = f"{curve.accuracy[0]:.0%}", f"{curve.accuracy[-1]:.0%}"
    begins = f"With all {len(curve.order)} heads {whole} are right, without any head {without_any}."
    if enough.all():
        return f"{begins} {SPARED:.0%} of the accuracy is left however many heads go: this task hardly needs them."
    last = int(np.argmin(enough)) - 1
    return (
        f"{begins} {curve.n_removed[last]} heads can go, the least important first, before less than {SPARED:.0%} of "
        f"the accuracy is left: {curve.accuracy[last]:.0%} are right without those."
    )


def finding_of_patching(patching: Patching) -> str:
    """What brings most of the clean answer back, and whether there is enough of a difference to speak of shares."""
    begins = (
        f"In the first text {said_difference(patching.contrast)} is {signed(patching.clean)}, in the second "
        f"{signed(patching.corrupted)}."
    )
    if abs(patching.clean - patching.corrupted) < LEAST_APART:
        return f"{begins} The two hardly differ, so that shares of the difference mean little: choose another pair."
    if patching.axes == ("layer", "position"):
        return f"{begins} {_carried(patching)}"
    where = np.unravel_index(int(np.argmax(patching.effects)), patching.effects.shape)
    place = dict(zip(patching.axes, map(int, where), strict=True))
    head = head_name((patching.kind, place["layer"], place.get("head", 0)))
    what = PATCHED_AS[patching.what].format(layer=place["layer"], head=head)
    share = f"{patching.effects[where]:.0%}"
    return f"{begins} With {what} taken from the first, {share} of that comes back, more than from any other head."


def _carried(patching: Patching) -> str:
    """At which token most comes back, layer after layer: where the answer is carried."""
    best = patching.effects.argmax(axis=1)
    begins = [0, *(np.flatnonzero(np.diff(best)) + 1).tolist(), len(best)]
    texts, parts = token_texts(patching.clean_tokens), []
    for start, end in pairwise(begins):
        shares = patching.effects[start:end, best[start]]
        layers = f"Layer {start}" if end - start == 1 else f"Layers {start} to {end - 1}"
        share = f"{shares.min():.0%}" if end - start == 1 else f"{shares.min():.0%} to {shares.max():.0%}"
        parts.append(f"at “{texts[best[start]]}” in {layers} ({share})")
    return f"Put into the second, states of the first bring most of that back {', '.join(parts)}."


def finding_of_parts(parts: LogitParts) -> str:
    """Which head adds most, and what all heads, networks and the rest add together."""
    kind, layer, head = strongest_part(parts)
    adds = next(float(each.values[layer, head]) for each in parts.heads if each.kind == kind)
    heads = sum(float(each.values.sum(dtype=np.float64)) for each in parts.heads)
    with_kind = len(parts.heads) > 1
    return (
        f"{head_name((kind, layer, head), with_kind=with_kind)} adds {signed(adds)}, more in size than any other head. "
        f"All heads together add {signed(heads)}, the feed-forward networks {signed(float(parts.feed_forward.sum()))}, "
        f"embeddings {signed(parts.embeddings)}, biases {signed(parts.biases)}: in all {signed(parts.total)}, which is "
        f"{said_difference(parts.contrast)}."
    )


def strongest_part(parts: LogitParts) -> HeadPlace:
    """The head that adds most in size."""
    return max(map(_strongest_of, parts.heads), key=lambda found: found[1])[0]


def _strongest_of(heads: HeadMap) -> tuple[HeadPlace, float]:
    layer, head = divmod(int(np.argmax(np.abs(heads.values))), heads.values.shape[1])
    return (heads.kind, layer, head), abs(float(heads.values[layer, head]))


def finding_of_paths(paths: HeadPaths) -> str:
    """Which head the receiver reads most of, and by what."""
    sender, into = divmod(int(np.argmax(np.abs(paths.effects))), len(INTO))
    effect = float(paths.effects[sender, into])
    return (
        f"{head_name(paths.receiver)} reads most of {head_name(paths.senders[sender])}, by {READ_AS[INTO[into]]}: made "
        f"without what that head adds, the logit difference goes from {signed(paths.whole)} to "
        f"{signed(paths.whole + effect)}."
    )
