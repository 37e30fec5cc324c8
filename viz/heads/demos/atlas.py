"""A made-up atlas for the demos and the tests: no model has computed these numbers."""

from __future__ import annotations

import numpy as np

from models.values.head_roles import HeadRole
from models.values.history import Measure
from models.values.results.atlas import (
    FURTHEST,
    AtlasMeasure,
    HeadAtlas,
    HeadExamples,
    HeadPieces,
    PieceShare,
    TextShare,
)
from models.values.results.grammar import DIRECTIONS, RelationScore
from viz.heads.demos.effects import N_HEADS, N_LAYERS, random_numbers

_RELATIONS = (
    RelationScore(
        relation="obj",
        title="from a verb to its object (obj)",
        layer=2,
        head=3,
        direction=DIRECTIONS[1],
        chosen_by=0.8,
        right=0.75,
        offset=-2,
        right_by_offset=0.3,
        n=312,
    ),
    RelationScore(
        relation="det",
        title="from a determiner to its noun (det)",
        layer=1,
        head=0,
        direction=DIRECTIONS[0],
        chosen_by=0.5,
        right=0.4,
        offset=1,
        right_by_offset=0.5,
        n=400,
    ),
)


def _measure(name: str, title: str, *, seed: int) -> AtlasMeasure:
    return AtlasMeasure(
        measure=Measure(name=name, title=title),
        unit="weight",
        values=np.abs(random_numbers(N_LAYERS, N_HEADS, seed=seed)),
        baseline=0.1,
        count=1000,
        counted_as="word pieces",
    )


def _role(layer: int, head: int, name: str) -> HeadRole:
    return HeadRole(
        layer=layer,
        head=head,
        name=name,
        title=name,
        unit="weight",
        share=0.9,
        baseline=0.1,
        baseline_of="attention spread evenly",
        n=1000,
        counted_as="word pieces",
    )


def demo_atlas() -> HeadAtlas:
    """Return a made-up atlas of four layers of six heads."""
    n_all = N_LAYERS * N_HEADS
    titles = (("previous", "the previous token"), ("entropy", "entropy"))
    measures = tuple(_measure(name, title, seed=seed) for seed, (name, title) in enumerate(titles))
    places = random_numbers(n_all, 2, seed=3)
    return HeadAtlas(
        model="<i>made up</i>",
        kind="encoder",
        n_texts=100,
        n_pieces=1000,
        measures=measures,
        offsets=np.zeros((N_LAYERS, N_HEADS, 2 * FURTHEST + 1), np.float32),
        pieces=(HeadPieces(queries=(PieceShare(text="##<b>", share=0.9, n=7),), keys=()),) * n_all,
        examples=(
            HeadExamples(
                measure="previous",
                strongest=(TextShare(text="<b>A</b> text.", share=0.9),),
                typical=(TextShare(text="Another text.", share=0.1),),
            ),
        )
        * n_all,
        apart=np.linalg.norm(places[:, None] - places, axis=-1).astype(np.float32),
        places=places,
        roles=tuple(_role(*named) for named in ((0, 1, "previous"), (1, 2, "previous"), (2, 3, "next"))),
        relations=_RELATIONS,
        n_parsed=900,
    )
