"""The atlas of a model: what every head does over many texts, and what can be said of it.

    atlas(model, texts)

The measures are those of the registry, for texts and for a corpus, beside what evenly spread attention would give; a
name is given only where a share passes a threshold and that baseline (`models.analysis.over_texts.roles`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.heads.measuring import HeadSums
from models.analysis.over_texts.circuits import ANALYSIS as CIRCUITS
from models.analysis.over_texts.circuits import circuit_measures
from models.analysis.over_texts.corpus import CorpusText, text_of
from models.analysis.over_texts.examples import examples_of
from models.analysis.over_texts.likeness import in_a_plane
from models.analysis.over_texts.roles import measured_roles
from models.analysis.over_texts.sums import MOMENTS, AtlasSums, atlas_sums
from models.analysis.registry import find_measure
from models.model import Model
from models.values.arguments.check import check_arguments
from models.values.errors import TextError, UnsupportedModelError
from models.values.head_roles import head_places, sort_roles
from models.values.history import Measure
from models.values.record import Kind
from models.values.results.atlas import AtlasMeasure, HeadAtlas
from models.values.wording import to_say

TITLES = {
    "entropy": (
        to_say("entropy of its attention"),
        to_say("bits"),
        to_say("mean over i of -sum over j of A[i, j] log2 A[i, j]"),
    ),
    "confidence": (to_say("its largest weight"), to_say("weight"), to_say("mean over i of the largest A[i, j]")),
    "distance": (
        to_say("distance of the pieces it looks at"),
        to_say("tokens"),
        to_say("mean over i of sum over j of A[i, j] |j - i| / sum of A[i, j]"),
    ),
}
"""The title, the unit and the formula of each of MOMENTS; confidence as in Voita et al. 2019, section 4.2, entropy and
distance as in Clark et al. 2019, sections 3.3 and 3.1."""


@check_arguments
def atlas(
    model: Model, texts: Iterable[CorpusText], *, progress: Callable[[int], None] | None = None
) -> tuple[HeadAtlas, ...]:
    """The atlas of every self-attention of a model. Of parsed sentences (`models.analysis.over_texts.corpus.texts_of` a
    treebank) the relations of grammar are measured, too. Texts that have nothing to read are passed over; `progress` is
    told how many have been read. Raises TextError if none had anything."""
    return atlases_of(model, sums_of_texts(model, texts, progress))


def sums_of_texts(
    model: Model, texts: Iterable[CorpusText], progress: Callable[[int], None] | None = None
) -> dict[Kind, AtlasSums]:
    """The sums of every self-attention over some texts; empty if none of them has anything to read."""
    sums: dict[Kind, AtlasSums] = {}
    for reading in texts:
        text, known = text_of(reading), None if isinstance(reading, str) else reading
        try:
            recording = model.record(text)
        except TextError:
            continue
        new_sums: dict[Kind, AtlasSums] = {
            record.kind: atlas_sums(record, text, known if record.kind == recording.attention[0].kind else None)
            for record in recording.attention
            if record.kind != "cross"
        }  # a decoder beside an encoder reads what it writes, whose grammar nobody knows
        sums = merge_sums(sums, new_sums)
        if progress is not None:
            progress(next(iter(sums.values())).n_texts)
    return sums


def merge_sums(one: dict[Kind, AtlasSums], other: dict[Kind, AtlasSums]) -> dict[Kind, AtlasSums]:
    """The sums of two parts of a corpus, together."""
    return one | {kind: one[kind] + sums if kind in one else sums for kind, sums in other.items()}


def atlases_of(model: Model, sums: dict[Kind, AtlasSums]) -> tuple[HeadAtlas, ...]:
    """The atlases that the sums of a corpus come to. Raises TextError if there are none."""
    if not sums:
        raise TextError(to_say("No text of the corpus has anything to read. Give one sentence a line."))
    example = next(iter(sums.values())).examples.drawn[0].text
    name, circuits = model.record(example).info.name, _circuits(model, example)
    return tuple(atlas_of(part, model=name, circuits=circuits.get(kind, ())) for kind, part in sums.items())


def _circuits(model: Model, example: str) -> dict[Kind, tuple[AtlasMeasure, ...]]:
    """Return the measures from the weights alone; none for a model whose matrices are not found."""
    try:
        return {circuits.kind: circuit_measures(circuits) for circuits in model.head_circuits(example)}
    except UnsupportedModelError:
        return {}


def atlas_of(sums: AtlasSums, *, model: str, circuits: tuple[AtlasMeasure, ...] = ()) -> HeadAtlas:
    """The atlas that some sums come to."""
    n_pieces = max(sums.n_pieces, 1)
    pairs = list(zip(sums.shares, sums.even, strict=True))
    moments = (
        AtlasMeasure(
            measure=Measure(name=name, title=TITLES[name][0]),
            unit=TITLES[name][1],
            values=(sums.moments[row] / n_pieces).astype(np.float32),
            baseline=float("nan"),
            count=sums.n_pieces,
            counted_as=to_say("word pieces"),
        )
        for row, name in enumerate(MOMENTS)
    )
    _, n_layers, n_heads = sums.moments.shape
    apart, shares = sums.likeness.apart, [measure for both in pairs for measure in _shares(*both)]
    measured = sort_roles(role for both in pairs for role in measured_roles(*both))
    roles = sort_roles((*measured, *sums.grammar.roles()))
    return HeadAtlas(
        model=model,
        kind=sums.kind,
        n_texts=sums.n_texts,
        n_pieces=sums.n_pieces,
        measures=(*shares, *moments),
        offsets=(sums.offsets / n_pieces).astype(np.float32),
        pieces=tuple(sums.pieces.strongest(*place) for place in head_places(n_layers, n_heads)),
        examples=examples_of(sums.examples, shares, measured),
        apart=apart,
        places=in_a_plane(apart),
        circuits=circuits,
        roles=tuple(replace(role, kind=sums.kind) for role in roles),
        relations=sums.grammar.scores(),
        n_parsed=sums.grammar.n_sentences,
    )


def _shares(shares: HeadSums, even: HeadSums) -> Iterator[AtlasMeasure]:
    """The mean shares of attention, each beside that of attention spread evenly."""
    for row, measure in enumerate(shares.measures):
        count = int(shares.counts[row])
        values = shares.totals[row] / count if count else np.full(shares.totals.shape[1:], np.nan)
        yield AtlasMeasure(
            measure=measure.measure,
            unit="weight",
            values=values.astype(np.float32),
            baseline=float(even.totals[row].mean() / count) if count else float("nan"),
            count=count,
            counted_as=measure.counted_as,
        )


def about_measure(name: str) -> Analysis:
    """The formula, the paper and the cost of a measure of an atlas, by its name."""
    if name in TITLES:
        return replace(ANALYSIS, formula=TITLES[name][2])
    return find_measure(name) or CIRCUITS


ANALYSIS = Analysis(
    name="atlas",
    title="what every head does over many texts",
    paper=to_say('Clark et al. 2019, "What Does BERT Look At?", sections 3 and 6; Voita et al. 2019, section 4.2'),
    needs="a model",
    returns="HeadAtlas for each self-attention: measures [n_layers, n_heads], offsets, pieces, distances of heads",
    cost=to_say(
        "a forward pass a text; memory of one text, of the pieces of the vocabulary, and of the pairs of heads"
    ),
    compute=atlas,
)
