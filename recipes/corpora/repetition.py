"""Which pieces stand in both texts: what tells a next sentence, and what a small encoder does not find out by itself.

One head is taught where the same piece stands (guided attention: Deshpande & Narasimhan 2020, "Guiding Attention for
Self-Supervised Learning with Transformers", section 3), and two questions beside those of BERT keep it in use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.scratch.attention import MultiHeadAttention
from models.scratch.encoder import EncoderLayer
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import Batch, make_batch
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import OWN_SPECIALS, SpecialIds

STRETCH = 128
"""Pieces of text in which a piece is seen or not: what makes it frequent or rare."""
EVERY = 4
"""One stretch of so many is looked at."""
CLASSES = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
"""Quantiles of the vocabulary, from frequent to rare, that part it into classes. The first class is not asked about."""
COSINE_SIZE = 10.0
"""Brings the likeness of two texts to the size of the other amounts."""
PIECE_WEIGHT, AMOUNT_WEIGHT = 0.5, 1.0
PIECES_PER_ITERATION, RATE, LENGTHS = 4096, 1e-2, (64, 128, 256)
"""How a head is taught."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepetitionPlan:
    """Which head is taught, after how many pieces of text, and in how many iterations.

    `steps` are these iterations: so the states on disk call them. It matches embeddings, which should have settled.
    """

    layer: int = 0
    head: int = 0
    after: int = 3_000_000
    steps: int = 1800


def rarity(corpus: Corpus, d_vocab: int) -> Tensor:
    """log(stretches of text / stretches with this piece) of every piece [d_vocab]; 0 for special tokens."""
    stretch = min(STRETCH, corpus.n_pieces)
    whole = corpus.n_pieces // stretch * stretch
    stretches = corpus.ids[:whole].reshape(-1, stretch)[::EVERY].astype(np.int64)  # [n_stretches, stretch]
    seen = np.unique(np.arange(len(stretches))[:, None] * d_vocab + stretches) % d_vocab  # [n_seen]
    found = np.log(len(stretches) / (np.bincount(seen, minlength=d_vocab) + 1)).clip(min=0)  # [d_vocab]
    found[: corpus.special.first_piece] = 0
    return torch.tensor(found, dtype=torch.float32)


def pieces_of(
    input_ids: Tensor, segment_ids: Tensor, d_vocab: int, special: SpecialIds = OWN_SPECIALS
) -> tuple[Tensor, Tensor]:
    """1 for every piece that text A has, and that text B has, special tokens never: two of [b, d_vocab]."""
    first, second = (
        torch.zeros(len(input_ids), d_vocab, device=input_ids.device).scatter_(
            1, torch.where(segment_ids == segment, input_ids, 0), 1.0
        )
        for segment in (0, 1)
    )
    first[:, : special.first_piece] = second[:, : special.first_piece] = 0
    return first, second


class RepetitionAids(nn.Module):
    """Two questions that are asked while the model learns, and thrown away with their weights at the end.

    Of every token after the first layer: does this piece stand in the other text too? Of [CLS] after the last: how many
    pieces do the texts share, class by class from frequent to rare, and how alike are they in all?
    """

    rarity: Tensor
    classes: Tensor

    def __init__(self, d_model: int, rarity: Tensor, special: SpecialIds = OWN_SPECIALS) -> None:
        super().__init__()
        self.special = special
        borders = torch.quantile(rarity[special.first_piece :], torch.tensor(CLASSES))  # [n_classes - 1]
        classes = functional.one_hot(torch.bucketize(rarity, borders), len(CLASSES) + 1)  # [d_vocab, n_classes]
        self.register_buffer("rarity", rarity, persistent=False)
        self.register_buffer("classes", classes[:, 1:].float(), persistent=False)
        self.stands_in_both = nn.Linear(d_model, 1)
        self.amounts = nn.Linear(d_model, len(CLASSES) + 1)
        for weight in self.parameters():
            nn.init.zeros_(weight)

    def forward(self, hidden_states: tuple[Tensor, ...], batch: Batch) -> Tensor:
        """The loss of both questions, summed over the rows of `batch`; `hidden_states` as the encoder gives them."""
        first, second = pieces_of(batch.input_ids, batch.segment_ids, len(self.rarity), self.special)  # [b, d_vocab]
        both = first * second  # [b, d_vocab]
        weight = self.rarity[batch.input_ids]  # [b, n_tokens]
        pieces = functional.binary_cross_entropy_with_logits(
            self.stands_in_both(hidden_states[1]).squeeze(-1), both.gather(1, batch.input_ids), reduction="none"
        )  # [b, n_tokens]
        of_pieces = (pieces * weight / weight.sum(dim=1, keepdim=True).clamp(min=1e-6)).sum()
        asked = self.amounts(hidden_states[-1][:, 0])  # [b, n_classes]
        of_amounts = (asked - self.shared(first, second)).square().mean(dim=1).sum()
        total: Tensor = PIECE_WEIGHT * of_pieces + AMOUNT_WEIGHT * of_amounts
        return total

    def shared(self, first: Tensor, second: Tensor) -> Tensor:
        """How much of two texts [b, d_vocab] is the same [b, n_classes].

        The root of the number of shared pieces of each class but the first; then the likeness of the texts, every piece
        counted by its rarity.
        """
        both = first * second  # [b, d_vocab]
        sizes = (first @ self.rarity) * (second @ self.rarity)  # [b]
        cosine = (both @ self.rarity) / sizes.sqrt().clamp(min=1e-6)  # [b]
        return torch.cat(((both @ self.classes).sqrt(), COSINE_SIZE * cosine[:, None]), dim=1)


def where_it_should_look(batch: Batch, special: SpecialIds = OWN_SPECIALS) -> tuple[Tensor, Tensor]:
    """For every token the tokens to attend to [b, n_tokens, n_tokens], and whether its piece comes back [b, n_tokens].

    It should look at the same piece in the other text and, where there is none, at [CLS] and [SEP].
    """
    ids, segments = batch.input_ids, batch.segment_ids
    same = (ids[:, :, None] == ids[:, None]) & (segments[:, :, None] != segments[:, None])  # [b, n_tokens, n_tokens]
    same &= (ids >= special.first_piece)[:, :, None]
    repeated = same.any(dim=-1)  # [b, n_tokens]
    aside = (ids == special.cls) | (ids == special.sep)  # [b, n_tokens]
    return torch.where(repeated[..., None], same, aside[:, None]), repeated


def teach_head(
    model: PretrainingModel, corpus: Corpus, *, layer: int, head: int, iterations: int, seed: int = 0
) -> Iterator[tuple[float, float]]:
    """Give one head a new W_Q and W_K that look at the same piece in the other text; everything else stays as it is.

    Yields at every iteration the weight that lies where it should: of tokens whose piece comes back, and of the others,
    each counted by its rarity.
    """
    config = model.config
    d_head, device = config.d_model // config.n_heads, model.encoder.embeddings.token.weight.device
    random = torch.Generator().manual_seed(seed)
    start = torch.randn(d_head, config.d_model, generator=random).to(device) * 0.1  # [d_head, d_model]
    query, key = (start.clone().requires_grad_() for _ in range(2))
    query_bias, key_bias = (torch.zeros(d_head, device=device, requires_grad=True) for _ in range(2))
    optimizer = torch.optim.Adam([query, key, query_bias, key_bias])
    rare = rarity(corpus, config.d_vocab).to(device)
    lengths = [length for length in LENGTHS if length <= config.max_tokens] or [config.max_tokens]
    for iteration in range(iterations):
        n_tokens = lengths[iteration % len(lengths)]
        batch = make_batch(
            corpus,
            batch_size=max(1, PIECES_PER_ITERATION // n_tokens),
            mask_rate=0.2,
            seed=seed,
            n_tokens=n_tokens,
            d_vocab=config.d_vocab,
            iteration=iteration,
        ).to(device)
        goal, repeated = where_it_should_look(batch, corpus.special)
        x = _below(model, batch, layer)  # [b, n_tokens, d_model]
        right = _log_share(functional.linear(x, query, query_bias), functional.linear(x, key, key_bias), goal)
        counted = rare[batch.input_ids]  # [b, n_tokens]
        important = counted * (1 + repeated)  # [b, n_tokens]
        optimizer.param_groups[0]["lr"] = RATE * (1 - iteration / iterations)
        optimizer.zero_grad()
        torch.autograd.backward(-(right * important).sum() / important.sum())
        optimizer.step()
        found = right.detach().exp() * counted  # [b, n_tokens]
        back, once = (float(found[one].sum() / counted[one].sum()) for one in (repeated, ~repeated))
        yield back, once
    attention, rows = attention_of(model, layer), slice(head * d_head, (head + 1) * d_head)
    with torch.no_grad():
        for projection, weight, bias in ((attention.query, query, query_bias), (attention.key, key, key_bias)):
            projection.weight[rows], projection.bias[rows] = weight, bias


def _log_share(query: Tensor, key: Tensor, goal: Tensor) -> Tensor:
    """The logarithm of the attention [b, n_tokens] that lies on the tokens of `goal` [b, n_tokens, n_tokens]; `query`
    and `key` are [b, n_tokens, d_head]."""
    weights = (query @ key.mT * query.shape[-1] ** -0.5).log_softmax(dim=-1)  # [b, n_tokens, n_tokens]
    share: Tensor = weights.masked_fill(~goal, -torch.inf).logsumexp(dim=-1)  # [b, n_tokens]
    return share


def attention_of(model: PretrainingModel, layer: int) -> MultiHeadAttention:
    """The attention of an encoder layer. Raises IndexError if there is no such layer."""
    block = model.encoder.layers[layer]
    if not isinstance(block, EncoderLayer):
        raise TypeError(f"layer {layer} is a {type(block).__name__}, expected an EncoderLayer.")
    return block.attention


@torch.no_grad()
def _below(model: PretrainingModel, batch: Batch, layer: int) -> Tensor:
    """What a layer reads [b, n_tokens, d_model]."""
    x: Tensor = model.encoder.embeddings(batch.input_ids, batch.segment_ids)  # [b, n_tokens, d_model]
    for below in model.encoder.layers[:layer]:
        x = below(x)  # [b, n_tokens, d_model]
    return x
