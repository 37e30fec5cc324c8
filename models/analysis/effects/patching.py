"""Two texts that differ in a word, and activations of the one put into the other: where is the answer carried?

effect = (m - m_corrupted) / (m_clean - m_corrupted), the share of the clean logit difference that comes back when one
activation of the clean text stands in the pass over the corrupted one: Zhang and Nanda 2024, "Towards Best Practices of
Activation Patching in Language Models", section 2 and equation 1 (denoising); Meng et al. 2022 for states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.contrasts import contrast_of
from models.analysis.effects.null import null_of, with_null
from models.model import Model, TellProgress
from models.values.arguments.check import check_arguments
from models.values.errors import TextError
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit, StateEdit, stack_of
from models.values.probing.contrast import Contrast
from models.values.record import Array, AttentionRecord, Kind
from models.values.results.effects import PatchedWhat, Patching
from models.values.wording import to_say, worded

AXES: dict[tuple[PatchedWhat, bool], tuple[str, ...]] = {
    ("states", True): ("layer", "position"),
    ("states", False): ("layer",),
    ("outputs", True): ("layer", "head", "position"),
    ("outputs", False): ("layer", "head"),
    ("weights", True): ("layer", "head", "position"),
    ("weights", False): ("layer", "head"),
}
"""The axes of what is patched, position by position or at all of them together."""


@check_arguments
def patch(
    model: Model,
    clean: str,
    corrupted: str,
    *,
    what: PatchedWhat = "states",
    by_position: bool | None = None,
    kind: Kind | None = None,
    contrast: Contrast | None = None,
    clean_b: str | None = None,
    corrupted_b: str | None = None,
    progress: TellProgress | None = None,
) -> Patching:
    """Return the effect of every activation: by layer and position for states, by layer and head, or with `by_position`
    query by query, for head outputs and weights.

    `kind` is the attention to patch, by default the last stack's own. Without a contrast, the best answers to both
    texts are compared. Raises TextError for texts of different lengths, or with equal answers.
    """
    source, target = _record_both(model, (clean, clean_b), (corrupted, corrupted_b), kind)
    contrast = contrast or _contrast_between(model, (clean, clean_b), (corrupted, corrupted_b))
    axes = AXES[what, what == "states" if by_position is None else by_position]
    shape = _shape_of(source, axes)
    whole = model.answers_under(clean, clean_b, contrast=contrast, changes=[NO_CHANGES])
    changes = [NO_CHANGES, *_changes(model, clean, clean_b, source, what, at_positions="position" in axes)]
    asked = with_null(model, corrupted, corrupted_b, contrast)
    under = model.answers_under(corrupted, corrupted_b, contrast=asked, changes=changes, progress=progress)
    m_clean, m_corrupted = float(whole.differences[0]), float(under.differences[0])
    return Patching(
        contrast=contrast,
        what=what,
        kind=source.kind,
        clean_tokens=source.query_tokens,
        corrupted_tokens=target.query_tokens,
        clean=m_clean,
        corrupted=m_corrupted,
        axes=axes,
        effects=shares(under.differences[1:], clean=m_clean, corrupted=m_corrupted).reshape(shape),
        null=null_of(under, shape, unit=m_clean - m_corrupted),
    )


def _record_both(
    model: Model, clean: tuple[str, str | None], corrupted: tuple[str, str | None], kind: Kind | None
) -> tuple[AttentionRecord, AttentionRecord]:
    """Record one kind of attention over both texts, by default that of the last stack to itself."""
    recordings = (model.record(*clean), model.record(*corrupted))
    own_kind: Kind = "decoder" if "decoder" in recordings[0].kinds else "encoder"
    source, target = (recording.of(kind or own_kind) for recording in recordings)
    _expect_equally_long(source, target)
    return source, target


def _shape_of(record: AttentionRecord, axes: Sequence[str]) -> list[int]:
    sizes = {"layer": record.n_layers, "head": record.n_heads, "position": record.n_query}
    return [sizes[axis] for axis in axes]


def shares(differences: Array, *, clean: float, corrupted: float) -> Array:
    """How much of the clean difference comes back. Raises TextError where the two texts are answered alike."""
    if clean == corrupted:
        raise TextError(
            worded(
                "The model prefers the answer by {by} in both texts, so nothing can come back. Choose texts, or "
                "answers, that it tells apart.",
                by=f"{clean:.3f}",
            )
        )
    effects: Array = ((differences - np.float32(corrupted)) / np.float32(clean - corrupted)).astype(np.float32)
    return effects


def _changes(
    model: Model,
    clean: str,
    clean_b: str | None,
    source: AttentionRecord,
    what: PatchedWhat,
    *,
    at_positions: bool,
) -> Iterator[Changes]:
    """Return the patches, in the order of the axes."""
    everywhere = tuple(range(source.n_query))
    sites = [(position,) for position in everywhere] if at_positions else [everywhere]
    if what == "states":
        stack = stack_of(source.kind)
        (states,) = (inputs.states for inputs in model.layer_inputs(clean, clean_b) if inputs.stack == stack)
        for layer, positions in product(range(source.n_layers), sites):
            yield Changes(
                states=(
                    StateEdit(stack=stack, layer=layer, positions=positions, states=states[layer, list(positions)]),
                )
            )
        return
    for layer, head in product(range(source.n_layers), range(source.n_heads)):
        output = source.head_output(layer, head) if what == "outputs" else None
        weights = source.weights(layer, head) if what == "weights" else None
        for positions in sites:
            edit = HeadEdit(
                kind=source.kind, layer=layer, head=head, output=output, weights=weights, positions=positions
            )
            yield Changes(heads=(edit,))


def _contrast_between(model: Model, clean: tuple[str, str | None], corrupted: tuple[str, str | None]) -> Contrast:
    """The best answers to both texts; the best two to the clean one where they are the same."""
    first = contrast_of(model, *clean)
    (best,) = model.answer_logits(*corrupted, of=first.of, position=first.position).best(1)
    return (
        first
        if best == first.answer
        else contrast_of(model, *clean, of=first.of, position=first.position, answer=first.answer, rival=best)
    )


def _expect_equally_long(source: AttentionRecord, target: AttentionRecord) -> None:
    lengths = [(record.n_query, record.n_key) for record in (source, target)]
    if lengths[0] != lengths[1]:
        raise TextError(
            worded(
                "The texts have {first} and {second} tokens, expected as many of both: every activation is put at "
                "its own position. Change words for words of as many pieces.",
                first=lengths[0][0],
                second=lengths[1][0],
            )
        )


ANALYSIS = Analysis(
    name="patching",
    title="where the difference between two texts is carried",
    paper=to_say('Zhang and Nanda 2024, "Towards Best Practices of Activation Patching in Language Models", section 2'),
    needs="a model",
    formula="(m - m_corrupted) / (m_clean - m_corrupted)",
    returns="Patching, effects [n_layers, n_tokens], [n_layers, n_heads] or [n_layers, n_heads, n_tokens]",
    cost=to_say("half a forward pass for every activation that is put in, in batches"),
    compute=patch,
)
