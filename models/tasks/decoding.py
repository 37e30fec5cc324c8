"""How a decoder writes: the likeliest token, a sampled one, or beam search, which keeps several texts at once.

Beam search with its length penalty: Wu et al. 2016, "Google's Neural Machine Translation System", section 7; it is
what "Attention Is All You Need", section 6.1, translates with (width 4, penalty 0.6). Top-k: Fan et al. 2018,
"Hierarchical Neural Story Generation", section 5.4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import torch
from torch import Tensor

COLDEST = 1e-30
"""The temperature below which float32 has no quotients; its inverse is the one above which they are all alike."""


class DecoderCache(Protocol):
    """The keys and values that a decoder keeps of one batch."""

    @property
    def n_bytes(self) -> int:
        """The bytes that they take."""

    def reorder(self, rows: Tensor) -> None:
        """Make the batch out of these of its rows [b_new]; one may be taken several times, or never."""


OwnCache = TypeVar("OwnCache", bound=DecoderCache)


class NextTokenModel(Protocol[OwnCache]):
    """Something that says what may come next: a LanguageModel, or an EncoderDecoder that has read its source."""

    def new_cache(self) -> OwnCache:
        """An empty cache for one batch."""

    def next_logits(self, input_ids: Tensor, cache: OwnCache | None = None) -> Tensor:
        """Logits [b, d_vocab] of the token after ids [b, n_tokens]; with a cache, after all that it has read, too."""

    def all_logits(self, input_ids: Tensor, cache: OwnCache | None = None) -> Tensor:
        """Logits [b, n_tokens, d_vocab] of the token after each of the ids [b, n_tokens]."""


Rule = Callable[[Tensor, Tensor], Tensor]
"""A rule of the tokens that may be written: takes ids [n_beams, n_tokens] and the log-probabilities [n_beams, d_vocab]
of the next token, and gives these back with minus infinity for what may not. They are not renormalised."""
EndIds = int | Collection[int] | None
"""The token, or tokens, that end a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Generic[OwnCache]):
    """A decoder about to write: it has read its source, if there is one, and goes on after these `ids`."""

    decoder: NextTokenModel[OwnCache]
    ids: tuple[int, ...]
    end_ids: frozenset[int]
    rule: Rule | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam:
    """A text in the making: the token ids after the prompt, with the log-probability of all of them together."""

    ids: tuple[int, ...] = ()
    log_probability: float = 0.0
    is_finished: bool = False
    """Whether it has ended itself with the end token, which is the last of `ids`."""

    def score(self, length_penalty: float) -> float:
        """log P(Y) / ((5 + |Y|) / 6)^length_penalty: without a penalty, short texts are the likelier ones."""
        penalty: float = ((5 + len(self.ids)) / 6) ** length_penalty
        return self.log_probability / penalty

    def with_token(self, token: int, log_probability: float, *, end_id: EndIds) -> Beam:
        """The same text and one more token."""
        return Beam(
            ids=(*self.ids, token),
            log_probability=self.log_probability + log_probability,
            is_finished=token == end_id or (isinstance(end_id, Collection) and token in end_id),
        )


class _Feed(Generic[OwnCache]):
    """Feeds texts to a decoder: with a cache only what is new, without one everything again."""

    def __init__(
        self, decoder: NextTokenModel[OwnCache], prompt: Tensor, *, rule: Rule | None, with_cache: bool
    ) -> None:
        self.decoder = decoder
        self.prompt = prompt[None]  # [1, n_prompt]
        self.rule = rule
        self.cache = decoder.new_cache() if with_cache else None

    def log_probabilities(self, beams: Sequence[Beam], rows: Sequence[int]) -> Tensor:
        """Of every next token after every beam [n_beams, d_vocab]; `rows` says from which earlier beam each comes."""
        written = torch.tensor([beam.ids for beam in beams], dtype=torch.long, device=self.prompt.device)
        ids = torch.cat((self.prompt.expand(len(beams), -1), written), dim=1)  # [n_beams, n_prompt + n_written]
        given = ids
        if self.cache is not None and written.shape[1]:
            self.cache.reorder(torch.tensor(rows, device=self.prompt.device))
            given = written[:, -1:]  # [n_beams, 1]
        logits = self.decoder.next_logits(given, self.cache)  # [n_beams, d_vocab]
        log_probabilities = logits.float().log_softmax(dim=-1)
        return log_probabilities if self.rule is None else self.rule(ids, log_probabilities)


def greedy(
    decoder: NextTokenModel[OwnCache],
    prompt: Tensor,
    *,
    n_new: int,
    end_id: EndIds = None,
    rule: Rule | None = None,
    with_cache: bool = True,
) -> Beam:
    """Take the likeliest token, `n_new` times or until the end token, after a prompt of ids [n_prompt].

    Raises ValueError for an empty prompt, or nothing to write.
    """
    feed = _Feed(decoder, prompt, rule=rule, with_cache=with_cache)
    return _one_by_one(feed, lambda found: int(found.argmax()), n_new=n_new, end_id=end_id)


def sample(
    decoder: NextTokenModel[OwnCache],
    prompt: Tensor,
    *,
    n_new: int,
    temperature: float = 1.0,
    top_k: int = 0,
    seed: int = 0,
    end_id: EndIds = None,
    rule: Rule | None = None,
    with_cache: bool = True,
) -> Beam:
    """Sample each token from softmax(logits / temperature) of the `top_k` likeliest, 0 for all of them.

    The same seed gives the same text; the temperature 0 gives that of `greedy`. Raises ValueError for a temperature or
    a `top_k` below 0, and what `greedy` raises.
    """
    if temperature < 0 or top_k < 0:
        raise ValueError(f"temperature is {temperature} and top_k {top_k}, expected 0 or more of each.")
    if temperature == 0:
        return greedy(decoder, prompt, n_new=n_new, end_id=end_id, rule=rule, with_cache=with_cache)
    feed = _Feed(decoder, prompt, rule=rule, with_cache=with_cache)
    draw = drawing(temperature=temperature, top_k=top_k, seed=seed)
    return _one_by_one(feed, draw, n_new=n_new, end_id=end_id)


def drawing(*, temperature: float, top_k: int, seed: int) -> Callable[[Tensor], int]:
    """Return what draws a token from log-probabilities [d_vocab], or logits, of the `top_k` likeliest, 0 for all."""
    random = torch.Generator().manual_seed(seed)
    warmth = min(max(temperature, COLDEST), 1 / COLDEST)

    def draw(found: Tensor) -> int:
        best, tokens = found.topk(min(top_k, len(found)) if top_k else len(found))  # [n_choices] both
        shares = ((best - best[0]) / warmth).softmax(dim=-1)  # [n_choices]
        return int(tokens[int(torch.multinomial(shares.cpu(), 1, generator=random))])

    return draw


@torch.inference_mode()
def _one_by_one(feed: _Feed[OwnCache], choose: Callable[[Tensor], int], *, n_new: int, end_id: EndIds) -> Beam:
    """One text; `choose` takes the log-probabilities [d_vocab] of the next token."""
    _expect(feed.prompt[0], n_new=n_new)
    beam = Beam()
    while len(beam.ids) < n_new and not beam.is_finished:
        log_probabilities = feed.log_probabilities([beam], [0])[0]  # [d_vocab]
        token = choose(log_probabilities)
        beam = beam.with_token(token, float(log_probabilities[token]), end_id=end_id)
    return beam


@torch.inference_mode()
def beam_search(
    decoder: NextTokenModel[OwnCache],
    prompt: Tensor,
    *,
    width: int,
    n_new: int,
    end_id: EndIds = None,
    length_penalty: float = 0.0,
    rule: Rule | None = None,
    with_cache: bool = True,
) -> tuple[tuple[Beam, ...], ...]:
    """Keep the `width` best texts after every token, finished ones among them; at most `n_new` tokens each.

    Returns the beams at every position, the best first: the first at the last position is the answer, and together
    they are the tree of the search. Raises ValueError for an empty prompt, a width below 1, or nothing to write.
    """
    _expect(prompt, n_new=n_new)
    if width < 1:
        raise ValueError(f"width is {width}, expected 1 or more.")
    feed = _Feed(decoder, prompt, rule=rule, with_cache=with_cache)
    growing, rows = [Beam()], [0]
    finished: list[Beam] = []
    searched: list[tuple[Beam, ...]] = []
    while growing and len(searched) < n_new:
        candidates = [(beam, 0) for beam in finished]
        candidates += _grown(growing, feed.log_probabilities(growing, rows), width=width, end_id=end_id)
        kept = sorted(candidates, key=lambda candidate: candidate[0].score(length_penalty), reverse=True)[:width]
        searched.append(tuple(beam for beam, _ in kept))
        finished = [beam for beam, _ in kept if beam.is_finished]
        growing = [beam for beam, _ in kept if not beam.is_finished]
        rows = [row for beam, row in kept if not beam.is_finished]
    return tuple(searched)


def _grown(beams: Sequence[Beam], log_probabilities: Tensor, *, width: int, end_id: EndIds) -> list[tuple[Beam, int]]:
    """Every beam with each of its `width` likeliest next tokens that a rule allows, and the row of the beam that it
    came from."""
    best, tokens = log_probabilities.topk(min(width, log_probabilities.shape[1]), dim=-1)  # [n_beams, width] both
    return [
        (beam.with_token(token, value, end_id=end_id), row)
        for row, beam in enumerate(beams)
        for token, value in zip(tokens[row].tolist(), best[row].tolist(), strict=True)
        if value > -torch.inf
    ]


def _expect(prompt: Tensor, *, n_new: int) -> None:
    if prompt.ndim != 1 or not len(prompt):
        raise ValueError(f"the prompt has shape {list(prompt.shape)}, expected [n_prompt], at least one token.")
    if n_new < 1:
        raise ValueError(f"n_new is {n_new}, expected 1 or more.")
