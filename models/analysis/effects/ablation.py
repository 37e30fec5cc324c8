"""Ablation: a head is taken away, and the model answers again.

effect = m without it - m, where m is the logit difference of two answers. A head is taken away in one of four ways:
`zero` (Michel et al. 2019, section 2.2, and Voita et al. 2019), `uniform` (it looks at all that it may see alike),
`mean` over a corpus, or `resample` from another text (Chan et al. 2022, "Causal Scrubbing").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Literal

from models.analysis.analysis import Analysis
from models.analysis.contrasts import contrast_of
from models.analysis.effects.mean_outputs import OutputSums
from models.model import Model, TellProgress
from models.values.arguments.bounds import AtLeastOne, Called
from models.values.arguments.check import check_arguments
from models.values.errors import ArgumentError, RecordError
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit, HeadPlace
from models.values.probing.contrast import Contrast
from models.values.record import Array, Recording
from models.values.results.effects import AblatedBy, Ablation
from models.values.wording import to_say, worded

Group = tuple[HeadPlace, ...]
HeadOrGroup = Annotated[
    Group | HeadPlace,
    Called(
        to_say("a head as (kind, layer, head), such as ('encoder', 0, 3), or a group of heads"),
        to_say("Leave them out for every head by itself; every_layer(recording) names all layers."),
    ),
]
"""A head, or heads that are taken away together."""


@check_arguments
def ablate(
    model: Model,
    text: str,
    heads: Annotated[Iterable[HeadOrGroup], AtLeastOne()] | None = None,
    *,
    text_b: str | None = None,
    by: AblatedBy = "zero",
    contrast: Contrast | None = None,
    means: Sequence[OutputSums] = (),
    other: str = "",
    progress: TellProgress | None = None,
) -> Ablation:
    """The logit difference without each of `heads`, a head (kind, layer, head) or a group of them; without any named,
    every head by itself.

    `by` "mean" takes the `means` of a corpus (`mean_outputs`), "resample" the outputs in the text `other`. Without a
    contrast the model's best answer is held against its second. Raises ArgumentError where `means` or `other` are
    missing.
    """
    contrast = contrast or contrast_of(model, text, text_b)
    recording = model.record(text, text_b)
    groups = tuple(every_head(recording) if heads is None else map(_as_group, heads))
    edit_of = head_editor(model, recording, by=by, means=means, other=other)
    changes = [Changes(heads=tuple(edit_of(place) for place in group)) for group in groups]
    under = model.answers_under(text, text_b, contrast=contrast, changes=[NO_CHANGES, *changes], progress=progress)
    return Ablation(
        contrast=contrast,
        tokens=recording.tokens,
        by=by,
        groups=groups,
        shapes=tuple((record.kind, record.n_layers, record.n_heads) for record in recording.attention),
        whole=float(under.differences[0]),
        whole_log_probability=float(under.log_probabilities[0]),
        differences=under.differences[1:],
        log_probabilities=under.log_probabilities[1:],
    )


def _as_group(one: HeadOrGroup) -> Group:
    return (one,) if one and isinstance(one[0], str) else tuple(one)


@check_arguments
def every_head(recording: Recording) -> list[Group]:
    """Every head of a model by itself."""
    return [(place,) for layer in every_layer(recording) for place in layer]


@check_arguments
def every_layer(recording: Recording) -> list[Group]:
    """All heads of one layer together, layer after layer, and kind after kind."""
    return [
        tuple((record.kind, layer, head) for head in range(record.n_heads))
        for record in recording.attention
        for layer in range(record.n_layers)
    ]


@check_arguments
def head_editor(
    model: Model, recording: Recording, *, by: AblatedBy, means: Sequence[OutputSums] = (), other: str = ""
) -> Callable[[HeadPlace], HeadEdit]:
    """Return the function that changes a head. Raises ArgumentError where `means` or `other` are missing."""
    if by in {"zero", "uniform"}:
        simple: Literal["zero", "uniform"] = "zero" if by == "zero" else "uniform"
        return lambda place: HeadEdit(kind=place[0], layer=place[1], head=place[2], by=simple)
    outputs = _means_of(recording, means) if by == "mean" else _outputs_in(model, recording, other)
    return lambda place: HeadEdit(kind=place[0], layer=place[1], head=place[2], output=outputs(place))


def aligned_positions(n_wanted: int, n_given: int) -> list[int]:
    """For every position of a text the one of another at the same share of its length, from the first to the last; the
    same position where both are equally long."""
    return [round(position * (n_given - 1) / max(n_wanted - 1, 1)) for position in range(n_wanted)]


def _means_of(recording: Recording, means: Sequence[OutputSums]) -> Callable[[HeadPlace], Array]:
    if not means:
        raise ArgumentError(
            worded(
                "by is 'mean', but no means were given. Give those of a corpus: {code}.",
                code="means=mean_outputs(recordings)",
            )
        )
    of_kind = {sums.kind: sums.means for sums in means}
    for record in recording.attention:
        shape = None if record.kind not in of_kind else of_kind[record.kind].shape[:2]
        if shape != (record.n_layers, record.n_heads):
            raise RecordError(f"the means are of the heads of another model, expected those of {recording.info.name}.")
    return lambda place: of_kind[place[0]][place[1], place[2]][None]  # [1, d_head]


def _outputs_in(model: Model, recording: Recording, other: str) -> Callable[[HeadPlace], Array]:
    if not other:
        raise ArgumentError(
            worded("by is 'resample', but no other text was given. Give one to resample from: {code}.", code="other=…")
        )
    source = model.record(other)

    def outputs(place: HeadPlace) -> Array:
        kind, layer, head = place
        positions = aligned_positions(recording.of(kind).n_query, source.of(kind).n_query)
        output: Array = source.of(kind).head_output(layer, head)[positions]  # [n_query, d_head]
        return output

    return outputs


ANALYSIS = Analysis(
    name="ablation",
    title="what an answer loses without each head",
    paper=to_say('Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 2.2'),
    needs="a model",
    formula=to_say("m without the head - m, m = logit(answer) - logit(rival)"),
    returns="Ablation, differences [n_groups], as maps [n_layers, n_heads]",
    cost=to_say("two forward passes, and half of one for each head, in batches"),
    compute=ablate,
)
