"""Findings on where an answer comes from: patching, the parts of a logit, paths into a head. NOT escaped."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from models.values.probing.changes import HeadPlace
from models.values.results.effects import (
    INTO,
    HeadMap,
    HeadPaths,
    LogitParts,
    Patching,
)
from viz.heads.chance import against_chance, percent
from viz.heads.findings import format_signed, head_name
from viz.heads.layers import READ_AS
from viz.heads.likelihood import likelier, said_difference
from viz.kit.language import said, to_say, tr
from viz.kit.tokens import token_texts

LEAST_APART = 1.0
"""Logit differences of two texts that are nearer to each other are hardly a difference."""
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


def finding_of_patching(patching: Patching) -> str:
    """Return a sentence on what restores most of the clean answer, and whether the difference is large enough for
    shares."""
    begins = tr(
        "In the first sentence {likelier}, in the second {other}.",
        likelier=likelier(patching.contrast, patching.clean),
        other=likelier(patching.contrast, patching.corrupted),
    )
    if abs(patching.clean - patching.corrupted) < LEAST_APART:
        hardly = tr("The two hardly differ, so that shares of the difference mean little: choose another pair.")
        return f"{begins} {hardly}"
    where = tuple(map(int, np.unravel_index(int(np.argmax(patching.effects)), patching.effects.shape)))
    chance = against_chance(patching.effects, patching.null, where, percent)
    if patching.axes == ("layer", "position"):
        return f"{begins} {_describe_carriers(patching)} {chance}".rstrip()
    place = dict(zip(patching.axes, map(int, where), strict=True))
    head = head_name((patching.kind, place["layer"], place.get("head", 0)))
    share = percent(patching.effects[where])
    returns = tr(PATCHED_AS[patching.what], layer=place["layer"], head=head, share=share)
    return f"{begins} {returns} {chance}".rstrip()


def _describe_carriers(patching: Patching) -> str:
    """Return a sentence on the token at which patching restores most, layer after layer: where the answer is
    carried."""
    best = patching.effects.argmax(axis=1)
    begins = [0, *(np.flatnonzero(np.diff(best)) + 1).tolist(), len(best)]
    texts, parts = token_texts(patching.clean_tokens), []
    for start, end in pairwise(begins):
        shares = patching.effects[start:end, best[start]]
        token, least = texts[best[start]], percent(shares.min())
        parts.append(
            tr("at “{token}” in Layer {layer} ({share})", token=token, layer=start, share=least)
            if end - start == 1
            else tr(
                "at “{token}” in Layers {first} to {last} ({least} to {most})",
                token=token,
                first=start,
                last=end - 1,
                least=least,
                most=percent(shares.max()),
            )
        )
    places = ", ".join(parts)
    return tr("What the first knows {places}, put into the second, brings most of that back.", places=places)


def finding_of_parts(parts: LogitParts) -> str:
    """Return a sentence on how likely the answer is, and which head adds most."""
    begins = tr("Here {likelier}.", likelier=likelier(parts.contrast, parts.difference))
    kind, layer, head = strongest_part(parts)
    adds = next(float(part.values[layer, head]) for part in parts.heads if part.kind == kind)
    strongest = tr(
        "Of all heads, {head} weighs most in that: {adds}.",
        head=head_name((kind, layer, head), with_kind=len(parts.heads) > 1),
        adds=format_signed(adds),
    )
    number = next(number for number, part in enumerate(parts.heads) if part.kind == kind)
    null = parts.null[number] if parts.null else None
    chance = against_chance(parts.heads[number].values, null, (layer, head), format_signed)
    return f"{begins} {strongest} {chance}".rstrip()


def sums_of_parts(parts: LogitParts) -> str:
    """Return a sentence on what all heads, networks and the rest add to the logit difference."""
    heads = sum(float(part.values.sum(dtype=np.float64)) for part in parts.heads)
    return tr(
        "Taken apart is {difference}. All heads together add {heads}, the feed-forward networks {networks}, embeddings "
        "{embeddings}, biases {biases}: in all {total}.",
        difference=said_difference(parts.contrast),
        heads=format_signed(heads),
        networks=format_signed(float(parts.feed_forward.sum())),
        embeddings=format_signed(parts.embeddings),
        biases=format_signed(parts.biases),
        total=format_signed(parts.total),
    )


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
    most = tr(
        "{receiver} reads most of {sender}, by {read_as}: with all that is added {whole}, made without what that head "
        "adds {without}.",
        receiver=head_name(paths.receiver),
        sender=head_name(paths.senders[sender]),
        read_as=said(READ_AS[INTO[into]]),
        whole=likelier(paths.contrast, paths.whole),
        without=likelier(paths.contrast, after),
    )
    return f"{most} {against_chance(paths.effects, paths.null, (sender, into), format_signed)}".rstrip()
