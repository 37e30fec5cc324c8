"""Answers of a model under many changes, in batches, each from the state of the layer below the lowest change.

So a map of all heads takes about half of n_layers · n_heads passes, and a batch of short texts takes little more time
than one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from models.inspection.probing.altered import first_layers, replacement_for, with_states
from models.inspection.probing.expected import expect_heads
from models.inspection.probing.probe import PlainPass, Probe, expect_state_a_token, plain_pass
from models.inspection.probing.random_labels import with_random_labels
from models.recording.layer_calls import Layer, expand_rows, first_tensor, with_first_tensor
from models.recording.recorder import replacing_outputs, suspend_observer
from models.values.probing.changes import Changes, Stack, stack_of
from models.values.probing.contrast import AnswersUnder, Contrast
from models.values.record import mixed_otherwise, no_vectors

TOKENS_AT_ONCE = 4096
"""The largest number of tokens in a batch."""


@torch.no_grad()
def answers_under(
    probe: Probe, contrast: Contrast, changes: Sequence[Changes], progress: Callable[[int, int], None] | None = None
) -> AnswersUnder:
    """Return the answer and its rival under each of the changes.

    `progress(done, total)` is called after every batch; an exception in it ends the work.
    """
    probe, contrast = with_random_labels(probe, contrast)
    plain = plain_pass(probe)
    logits = torch.empty(len(changes), len(contrast.numbers))
    log_probabilities = torch.empty(len(changes))
    done = 0
    for numbers in _batches(probe, changes):
        rows = [changes[number] for number in numbers]
        all_logits = _logits(probe, plain, rows)  # [n_rows, n_choices]
        logits[numbers] = all_logits[:, list(contrast.numbers)].float().cpu()
        log_probabilities[numbers] = probe.log_probabilities(all_logits)[:, contrast.answer].cpu()
        done += len(numbers)
        if progress is not None:
            progress(done, len(changes))
    return AnswersUnder(contrast=contrast, logits=logits.numpy(), log_probabilities=log_probabilities.numpy())


@torch.no_grad()
def logits_under(probe: Probe, changes: Changes) -> Tensor:
    """Return the logits of all choices under some changes [n_choices]."""
    if not any((changes.heads, changes.states, changes.hidden, changes.blank)):
        with suspend_observer():
            return probe.logits_through({}, [()])[0].float().cpu()
    return _logits(probe, plain_pass(probe), [changes])[0].float().cpu()


def _batches(probe: Probe, changes: Sequence[Changes]) -> Iterator[list[int]]:
    """Yield batches of the numbers of changes; those of a batch begin at the same layers."""
    groups: dict[tuple[tuple[Stack, int], ...], list[int]] = {}
    for number, change in enumerate(changes):
        groups.setdefault(tuple(first_layers(change, probe.stacks).items()), []).append(number)
    at_once = probe.rows_at_once(TOKENS_AT_ONCE)
    for numbers in groups.values():
        for begin in range(0, len(numbers), at_once):
            yield numbers[begin : begin + at_once]


def _logits(probe: Probe, plain: PlainPass, rows: Sequence[Changes]) -> Tensor:
    """Return the logits [n_rows, n_choices] under changes that all begin at the same layers."""
    if not probe.info.has_vectors and any(changes.heads or changes.hidden for changes in rows):
        raise no_vectors(probe.info)
    if probe.info.mixes_otherwise and any(changes.hidden for changes in rows):
        raise mixed_otherwise(probe.info)
    expect_heads((edit for changes in rows for edit in changes.heads), probe.n_layers)
    first = first_layers(rows[0], probe.stacks)
    for stack in {edit.stack for changes in rows for edit in changes.states}:
        expect_state_a_token(probe, stack, plain.inputs[stack][0])
    begins = {kind: first[stack_of(kind)] for kind in probe.n_layers}
    layer_calls = {stack: partial(_call_layer, stack=stack, plain=plain, rows=rows, first=first) for stack in first}
    with suspend_observer(), replacing_outputs(replacement_for(rows), begins):
        return probe.logits_through(layer_calls, [changes.blank for changes in rows])


def _call_layer(
    number: int,
    layer: Layer,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    stack: Stack,
    plain: PlainPass,
    rows: Sequence[Changes],
    first: Mapping[Stack, int],
) -> Any:
    """Call a layer, or return its output in the plain pass if it lies below the first changed one."""
    if number < first[stack]:
        return expand_rows(plain.outputs[stack][number], len(rows))
    states = first_tensor(args, kwargs)
    changed = with_states(states, rows, stack, number)
    if changed is not states:
        args, kwargs = with_first_tensor(args, kwargs, changed)
    return layer(*args, **kwargs)
