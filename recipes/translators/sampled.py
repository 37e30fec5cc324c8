"""Write many translations of many sources at once, each token sampled: what a model teaches itself with.

Epsilon sampling (Hewitt et al. 2022, "Truncation Sampling as Language Model Desmoothing"): a token less likely than
epsilon is never drawn. With it the candidates of minimum Bayes risk are best (Freitag et al. 2023, 2305.09860).
"""

from __future__ import annotations

import torch
from torch import Tensor

from models.scratch.cache import KeyValueCache
from models.scratch.decoder import Source
from models.scratch.encoder_decoder import EncoderDecoder
from models.training.corpora.vocabulary import CLS_ID, PAD_ID, SEP_ID

EPSILON = 0.02
MOST_LIKELY = int(1 / EPSILON)
"""No more tokens than so many can each be as likely as EPSILON."""
KEPT = 0.8
"""When fewer of the rows are still being written, the others are dropped."""


@torch.inference_mode()
def sampled_targets(model: EncoderDecoder, source: Tensor, n: int, *, n_new: int, random: torch.Generator) -> Tensor:
    """`n` targets [b * n, n_new] for sources [b, n_source] without padding, those of a source one after the other.

    Each ends with [SEP], behind which is padding; one that is not at its end after `n_new` tokens has no [SEP].
    """
    states = model.read(source).states.repeat_interleave(n, dim=0)  # [b * n, n_source, d_model]
    written = torch.full((len(states), n_new), PAD_ID)  # [b * n, n_new]
    cache, rows = KeyValueCache(model.config.n_layers), torch.arange(len(states))  # [n_rows], those that are fed
    given = torch.full((len(states), 1), CLS_ID)  # [n_rows, 1]
    for at in range(n_new):
        last = model.decoder(given, source=Source(states=states), cache=cache).last[:, -1]  # [n_rows, d_model]
        token = _drawn(model.lm_head(last), random)  # [n_rows]
        token[(given[:, 0] == SEP_ID) | (given[:, 0] == PAD_ID)] = PAD_ID
        written[rows, at] = token
        goes_on = (token != SEP_ID) & (token != PAD_ID)  # [n_rows]
        if not goes_on.any():
            break
        if goes_on.float().mean() < KEPT:
            kept = goes_on.nonzero()[:, 0]  # [n_kept]
            cache.reorder(kept)
            rows, states, token = rows[kept], states[kept], token[kept]
        given = token[:, None]
    return written


def _drawn(logits: Tensor, random: torch.Generator) -> Tensor:
    """A token [n_rows] for each row of logits [n_rows, d_vocab]; the likeliest where none is as likely as EPSILON."""
    best, tokens = logits.float().log_softmax(dim=-1).topk(MOST_LIKELY, dim=-1)  # [n_rows, MOST_LIKELY] both
    shares = best.exp()  # [n_rows, MOST_LIKELY], the largest first
    shares[:, 1:] *= shares[:, 1:] >= EPSILON
    return tokens.gather(-1, torch.multinomial(shares, 1, generator=random))[:, 0]
