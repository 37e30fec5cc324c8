"""The time of every written token, with a key/value cache and without: Shazeer 2019, "Fast Transformer Decoding"."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from models.model import NEXT_TOKENS
from models.tasks.decoding import NextTokenModel, OwnCache, Prompt, drawing
from models.tasks.writing import MOST_WRITTEN, text_after, with_room
from models.values.results.costs import WritingTimes

if TYPE_CHECKING:
    from models.tasks.local import LocalModel

FINE = 1e-5
"""Seconds; the clock of a thread counts in hundredths on Windows."""
TEMPERATURE, TOP_K = 1.0, 20
"""How tokens are drawn: the likeliest alone soon repeat themselves."""


@torch.inference_mode()
def time_writing(model: LocalModel, text: str, *, n_new: int) -> WritingTimes:
    """Continue a text by drawn tokens and time each of them both ways, one beside the other.

    The first token takes the whole prompt either way. A token that would end the text is never drawn, so that there is
    something to time. Raises TextError if there is nothing to read, MissingCapabilityError for a model that continues
    no text.
    """
    if not model.info.can_continue:
        raise model.lacks(NEXT_TOKENS)
    prepared = with_room(model, text, n_new)
    with model.open_prompt(prepared) as prompt:
        room = min(n_new, MOST_WRITTEN, model.info.max_tokens - len(prompt.ids))
        return _time_both(model, prompt, room)


def _time_both(model: LocalModel, prompt: Prompt[OwnCache], n_new: int) -> WritingTimes:
    ids = torch.tensor([prompt.ids], device=model.device)  # [1, n_tokens]
    decoder, cache, given = prompt.decoder, prompt.decoder.new_cache(), ids
    _next(decoder, ids, None), _next(decoder, ids, decoder.new_cache())  # the first pass of a process is slower
    clock = _clock(model)
    draw = drawing(temperature=TEMPERATURE, top_k=TOP_K, seed=0)
    written: list[int] = []
    cached, uncached, sizes, differences = [], [], [], []
    while len(written) < n_new:
        took, logits = _time(clock, partial(_next, decoder, given, cache))
        took_again, again = _time(clock, partial(_next, decoder, ids, None))
        differences.append(float((logits - again).abs().max() / again.abs().max()))
        logits[list(prompt.end_ids)] = -torch.inf
        written.append(draw(logits))
        given = ids.new_tensor([written[-1:]])  # [1, 1]
        ids = torch.cat((ids, given), dim=1)
        cached.append(took)
        uncached.append(took_again)
        sizes.append(cache.n_bytes)
    return WritingTimes(
        info=model.info,
        n_prompt=len(prompt.ids),
        tokens=tuple(model.vocabulary[token_id] for token_id in written),
        texts=tuple(text_after(model, prompt, written[: n + 1]) for n in range(n_new)),
        cached_ms=tuple(cached),
        uncached_ms=tuple(uncached),
        cache_bytes=tuple(sizes),
        difference=max(differences),
    )


def _next(decoder: NextTokenModel[OwnCache], ids: Tensor, cache: OwnCache | None) -> Tensor:
    """Return the logits [d_vocab] of the next token, computed: an accelerator is waited for."""
    logits = decoder.next_logits(ids, cache)[0].float()  # [d_vocab]
    return logits.cpu()


def _clock(model: LocalModel) -> Callable[[], float]:
    """Return the clock: that of this thread where it alone computes, so that other programs do not count."""
    is_alone = model.info.device == "cpu" and torch.get_num_threads() == 1
    return time.thread_time if is_alone and time.get_clock_info("thread_time").resolution < FINE else time.perf_counter


def _time(clock: Callable[[], float], compute: Callable[[], Tensor]) -> tuple[float, Tensor]:
    begun = clock()
    found = compute()
    return 1000 * (clock() - begun), found
