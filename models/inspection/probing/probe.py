"""A text, a model and a place at which it answers many times; and the states of one plain pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from models.recording.exact import exact_copy, exact_products
from models.recording.layer_calls import CallLayer, Layer, first_tensor, with_layer_calls
from models.recording.recorder import suspend_observer
from models.values.errors import UnsupportedModelError
from models.values.probing.changes import Stack, TokenPlace, stack_of
from models.values.probing.contrast import AnswerOf, Contrast
from models.values.record import Kind, ModelInfo, Token
from models.values.wording import worded

Blanks = Sequence[Sequence[TokenPlace]]
"""For every row of a batch, the tokens that are read as a mask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A text, a model, and the place at which it answers.

    `run` takes a copy of the model and reads the text as often as there are `Blanks`: logits [n_rows, n_choices]. It is
    called with gradients or without. `layers` names the layers of each stack, one name where all layers are one module;
    `n_layers` counts the calls of each kind of attention.
    """

    info: ModelInfo
    of: AnswerOf
    position: int | None
    model: nn.Module
    layers: Mapping[Stack, tuple[str, ...]]
    tokens: Mapping[Stack, tuple[Token, ...]]
    n_layers: Mapping[Kind, int]
    run: Callable[[nn.Module, Blanks], Tensor]
    choices: Sequence[str]
    n_random: int = 0
    """Choices behind the last one that are labels drawn at random."""
    is_each_by_itself: bool = False
    """Whether each choice is a question of its own, answered by a sigmoid and not by a softmax over all."""
    embedding: Tensor | None = None
    unembedding: Tensor | None = None
    """The matrices [d_vocab, d_model] by which tokens come into the stack that answers, and words out of it."""

    @property
    def stacks(self) -> dict[Stack, int]:
        """The number of layers of each stack, in the order in which they run."""
        return {stack_of(kind): n_layers for kind, n_layers in self.n_layers.items()}

    def logits_through(self, layer_calls: Mapping[Stack, CallLayer], blanks: Blanks) -> Tensor:
        """Return the logits [n_rows, n_choices] of a pass whose layers are called by functions of ours."""
        stacks = [(self.layers[stack], call_layer) for stack, call_layer in layer_calls.items()]
        return self.run(with_layer_calls(self.model, stacks), blanks)

    def rows_at_once(self, n_tokens: int) -> int:
        """Return how many copies of the text fit into so many tokens, at least one."""
        return max(1, n_tokens // sum(map(len, self.tokens.values())))

    def log_probabilities(self, logits: Tensor) -> Tensor:
        """Return the log-probabilities of all choices [n_rows, n_choices], in nats; random labels are none."""
        exact = logits[:, : logits.shape[1] - self.n_random].float()
        return torch.nn.functional.logsigmoid(exact) if self.is_each_by_itself else exact.log_softmax(dim=-1)


@contextmanager
def exactly(probe: Probe) -> Iterator[Probe]:
    """Put the text before the same model in float32, to compare numbers, and for gradients."""
    model = exact_copy(probe.model)
    with exact_products():
        yield probe if model is probe.model else replace(probe, model=model)


def difference(contrast: Contrast, logits: Tensor) -> Tensor:
    """Return the logit differences [n_rows] of logits [n_rows, n_choices]."""
    answer = logits[:, contrast.answer].float()
    return answer if contrast.rival is None else answer - logits[:, contrast.rival].float()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainPass:
    """The inputs of the layers of each stack [1, n_tokens, d_model], and their outputs, in a pass without changes."""

    inputs: Mapping[Stack, list[Tensor]]
    outputs: Mapping[Stack, list[Any]]
    logits: Tensor


@torch.no_grad()
def plain_pass(probe: Probe) -> PlainPass:
    """Run the text once and keep the states between the layers. Raises UnsupportedModelError if they are not found."""
    inputs: dict[Stack, list[Tensor]] = {stack: [] for stack in probe.stacks}
    outputs: dict[Stack, list[Any]] = {stack: [] for stack in probe.stacks}

    def keep(_number: int, layer: Layer, args: tuple[Any, ...], kwargs: dict[str, Any], *, stack: Stack) -> Any:
        inputs[stack].append(first_tensor(args, kwargs))
        output = layer(*args, **kwargs)
        outputs[stack].append(output)
        return output

    try:
        with suspend_observer():
            logits = probe.logits_through({stack: partial(keep, stack=stack) for stack in probe.stacks}, [()])
    except TypeError as error:
        raise unlike_layers(probe.info.name) from error
    if any(len(outputs[stack]) != n_layers for stack, n_layers in probe.stacks.items()):
        raise unlike_layers(probe.info.name)
    return PlainPass(inputs=inputs, outputs=outputs, logits=logits)


def expect_state_a_token(probe: Probe, stack: Stack, states: Tensor) -> None:
    """Raise UnsupportedModelError unless states are [n_rows, n_tokens, d_model]: XLNet and FSMT have the tokens first,
    Longformer has more of them than the text."""
    if states.shape[1] != len(probe.tokens[stack]):
        raise unlike_layers(probe.info.name)


def unlike_layers(name: str) -> UnsupportedModelError:
    return UnsupportedModelError(
        name,
        worded(
            "The layers of {model} do not hand on their hidden states one after the other, so nothing can be changed "
            "between them. Choose a model such as mini-bert, BERT or GPT-2.",
            model=name,
        ),
    )
