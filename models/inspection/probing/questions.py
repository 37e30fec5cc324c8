"""The questions of `models.model.Probed`, for a model that can put a text before itself as a `Probe`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from models.inspection.probing.answers import answers_under, logits_under
from models.inspection.probing.circuits import head_circuits
from models.inspection.probing.expected import expect_choices
from models.inspection.probing.gradients import gradients_under
from models.inspection.probing.probe import Probe, exactly, plain_pass
from models.inspection.probing.streams import answer_streams
from models.recording.assemble import stack_layers
from models.values.probing.changes import NO_CHANGES, Changes
from models.values.probing.circuits import HeadCircuits
from models.values.probing.contrast import AnswerLogits, AnswerOf, AnswersUnder, Contrast
from models.values.probing.gradients import Gradients, GradientsBy
from models.values.probing.stream import AnswerStreams, LayerInputs


class ProbedModel(ABC):
    """A model whose answers can be followed into its layers."""

    @abstractmethod
    def _probe(self, text: str, text_b: str | None, of: AnswerOf | None, position: int | None) -> Probe:
        """The text before the model; without `of` what it answers first of all, without a position the usual place.

        Raises TextError, SelectionError for a place that is not there, MissingCapabilityError.
        """

    def answer_logits(
        self, text: str, text_b: str | None = None, *, of: AnswerOf | None = None, position: int | None = None,
        changes: Changes = NO_CHANGES,
    ) -> AnswerLogits:  # fmt: skip
        """What the model answers at one place, under some changes if there are any."""
        probe = self._probe(text, text_b, of, position)
        return AnswerLogits(
            info=probe.info, tokens=tuple(probe.tokens.values())[-1], of=probe.of, position=probe.position,
            choices=probe.choices, logits=logits_under(probe, changes).numpy(),
            is_each_by_itself=probe.is_each_by_itself,
        )  # fmt: skip

    def answers_under(
        self, text: str, text_b: str | None = None, *, contrast: Contrast, changes: Sequence[Changes],
        progress: Callable[[int, int], None] | None = None,
    ) -> AnswersUnder:  # fmt: skip
        """The answer and its rival under each of some changes; `progress` is told (done, of), and ends the work if it
        raises."""
        return answers_under(self._probe_of(text, text_b, contrast), contrast, changes, progress)

    def gradients(
        self, text: str, text_b: str | None = None, *, contrast: Contrast,
        changes: Sequence[Changes] = (NO_CHANGES,), by: GradientsBy = "weights",
    ) -> tuple[Gradients, ...]:  # fmt: skip
        """How the logit difference changes with the weights of the heads, and with what the first layers read."""
        with exactly(self._probe_of(text, text_b, contrast)) as probe:
            return gradients_under(probe, contrast, changes, by=by)

    def layer_inputs(self, text: str, text_b: str | None = None) -> tuple[LayerInputs, ...]:
        """What every layer of every stack reads."""
        probe = self._probe(text, text_b, None, 0)
        given = plain_pass(probe).given
        return tuple(
            LayerInputs(
                stack=stack, tokens=probe.tokens[stack],
                states=stack_layers([each[0] for each in states]),  # [n_layers, n_tokens, d_model]
            )
            for stack, states in given.items()
        )  # fmt: skip

    def answer_streams(self, text: str, text_b: str | None = None, *, contrast: Contrast) -> AnswerStreams:
        """Everything that is added up on the way to an answer."""
        with exactly(self._probe_of(text, text_b, contrast)) as probe:
            return answer_streams(probe, contrast)

    def head_circuits(self, text: str, text_b: str | None = None) -> tuple[HeadCircuits, ...]:
        """The matrices of every head, found by what they do to a text; none where they are not found."""
        with exactly(self._probe(text, text_b, None, 0)) as probe:
            return head_circuits(probe)

    def _probe_of(self, text: str, text_b: str | None, contrast: Contrast) -> Probe:
        probe = self._probe(text, text_b, contrast.of, contrast.position)
        expect_choices(contrast, probe.choices)
        return probe
