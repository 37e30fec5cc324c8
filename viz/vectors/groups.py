"""Heads that share their keys and values (Ainslie et al. 2023, "GQA"): the group, and what differs within it."""

from __future__ import annotations

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord
from viz.kit.errors import expect_vectors
from viz.kit.language import tr
from viz.kit.sentences import join_list
from viz.kit.tokens import SHORT, token_texts
from viz.vectors.query_key_value import look_up


@check_arguments
def heads_of_group(record: AttentionRecord, *, layer: int, head: int) -> tuple[int, ...]:
    """Return the heads of a layer with the very keys and values of this one, itself among them. Raises PictureError for
    a record of weights alone."""
    expect_vectors(record)
    key, value = record.key[layer], record.value[layer]
    return tuple(
        other
        for other in range(record.n_heads)
        if np.array_equal(key[other], key[head]) and np.array_equal(value[other], value[head])
    )


@check_arguments
def group_story(record: AttentionRecord, *, layer: int, head: int, position: int) -> str:
    """Return a sentence on the heads that share this one's keys and values, and where each looks most from the token at
    `position`; empty for a head with its own."""
    group = heads_of_group(record, layer=layer, head=head)
    if len(group) < 2:
        return ""
    keys = token_texts(record.key_tokens, limit=SHORT)
    most = [int(look_up(record, layer=layer, head=member, position=position).weights.argmax()) for member in group]
    key_texts = [
        tr("“{key}” ({position}) in head {head}", key=keys[key], position=key, head=member)
        for member, key in zip(group, most, strict=True)
    ]
    shares = tr(
        "Heads {heads} share one head of keys and values (grouped queries); only their queries differ.",
        heads=join_list([str(member) for member in group]),
    )
    looks = tr(
        "“{token}” looks most at {keys}.",
        token=token_texts(record.query_tokens, limit=SHORT)[position],
        keys=join_list(key_texts),
    )
    return f"{shares} {looks}"
