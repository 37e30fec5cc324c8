"""The questions about what happens inside, to a text that stands before a model as a `Probe`."""

from __future__ import annotations

from collections.abc import Sequence

from models.inspection.probing.answers import answers_under, logits_under
from models.inspection.probing.circuits import head_circuits
from models.inspection.probing.expected import expect_choices
from models.inspection.probing.gradients import gradients_under
from models.inspection.probing.lens import logits_by_layer, state_jacobians
from models.inspection.probing.probe import Probe, exactly, expect_state_a_token, plain_pass
from models.inspection.probing.scores import streams_of_score
from models.inspection.probing.streams import answer_streams
from models.recording.assemble import stack_layers
from models.values.probing.changes import Changes, HeadPlace
from models.values.probing.circuits import HeadCircuits
from models.values.probing.contrast import AnswerLogits, Contrast
from models.values.probing.gradients import Gradients, GradientsBy
from models.values.probing.stream import AnswerStreams, LayerInputs, ScoreStreams
from models.values.record import Array

__all__ = [
    "answer_logits",
    "answers_under",
    "circuits",
    "expecting",
    "gradients",
    "jacobians",
    "layer_inputs",
    "logits_by_layer",
    "score_streams",
    "streams",
]


def answer_logits(probe: Probe, changes: Changes) -> AnswerLogits:
    """Return the logits of the answer at the place of the probe, under some changes."""
    return AnswerLogits(
        info=probe.info,
        tokens=tuple(probe.tokens.values())[-1],
        of=probe.of,
        position=probe.position,
        choices=probe.choices,
        logits=logits_under(probe, changes).numpy(),
        is_each_by_itself=probe.is_each_by_itself,
    )


def gradients(
    probe: Probe, contrast: Contrast, changes: Sequence[Changes], *, by: GradientsBy
) -> tuple[Gradients, ...]:
    """Return the gradients of the logit difference by the weights of the heads, or by what the first layers read."""
    with exactly(probe) as exact:
        return gradients_under(exact, contrast, changes, by=by)


def jacobians(probe: Probe) -> Array:
    """Return how the last state at the place of the answer changes with those there [n_layers, d_model, d_model]."""
    with exactly(probe) as exact:
        return state_jacobians(exact)


def layer_inputs(probe: Probe) -> tuple[LayerInputs, ...]:
    """Return what every layer of every stack reads."""
    inputs = plain_pass(probe).inputs
    for stack, states in inputs.items():
        expect_state_a_token(probe, stack, states[0])
    return tuple(
        LayerInputs(
            stack=stack,
            tokens=probe.tokens[stack],
            states=stack_layers([batch[0] for batch in states]),  # [n_layers, n_tokens, d_model]
        )
        for stack, states in inputs.items()
    )


def streams(probe: Probe, contrast: Contrast) -> AnswerStreams:
    """Return all vectors that are added up on the way to an answer."""
    with exactly(probe) as exact:
        return answer_streams(exact, contrast)


def score_streams(probe: Probe, place: HeadPlace, *, query: int, key: int) -> ScoreStreams:
    """Return the streams that a query and a key of a head are read from."""
    with exactly(probe) as exact:
        return streams_of_score(exact, place, query=query, key=key)


def circuits(probe: Probe) -> tuple[HeadCircuits, ...]:
    """Return the matrices of every head, found by what they do to a text; none where they are not found."""
    with exactly(probe) as exact:
        return head_circuits(exact)


def expecting(probe: Probe, contrast: Contrast) -> Probe:
    """Return the probe. Raises SelectionError for choices of the contrast that it does not have."""
    expect_choices(contrast, probe.choices)
    return probe
