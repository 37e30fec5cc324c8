"""GPT: the decoder on its own, which predicts after every token the next one.

Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.3: pre-LN, a norm at the end. With
rotary positions, RMSNorm, SwiGLU and no biases it is Llama (Touvron et al. 2023, "LLaMA", section 2.2); `PRESETS` has
one of each.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from models.scratch.cache import KeyValueCache
from models.scratch.config import TransformerConfig
from models.scratch.decoder import Decoder
from models.scratch.pretraining import NextTokenHead


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModelOutput:
    """`logits` [b, n_tokens, d_vocab] for the token after each token; `last` and `hidden_states` as Decoder."""

    logits: Tensor
    last: Tensor
    hidden_states: tuple[Tensor, ...]


class LanguageModel(nn.Module):
    """A decoder without a source, and its LM head: the tied one for the next token."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.decoder = Decoder(config, with_cross=False)
        self.lm_head = NextTokenHead(config, self.decoder.embeddings.token)

    def forward(
        self,
        input_ids: Tensor,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        position_ids: Tensor | None = None,
    ) -> LanguageModelOutput:
        """Read ids [b, n_tokens], which follow those in the cache; arguments as in Decoder."""
        decoded = self.decoder(input_ids, mask, cache=cache, position_ids=position_ids)
        return LanguageModelOutput(
            logits=self.lm_head(decoded.last), last=decoded.last, hidden_states=decoded.hidden_states
        )

    def new_cache(self) -> KeyValueCache:
        """Return an empty cache for one batch."""
        return KeyValueCache(self.config.n_layers)

    def next_logits(self, input_ids: Tensor, cache: KeyValueCache | None = None) -> Tensor:
        """Return logits [b, d_vocab] of the token after ids [b, n_tokens]."""
        logits: Tensor = self.lm_head(self.decoder(input_ids, cache=cache).last[:, -1])  # [b, d_vocab]
        return logits

    def all_logits(self, input_ids: Tensor, cache: KeyValueCache | None = None) -> Tensor:
        """Return logits [b, n_tokens, d_vocab] of the token after each of the ids [b, n_tokens]."""
        logits: Tensor = self.lm_head(self.decoder(input_ids, cache=cache).last)  # [b, n_tokens, d_vocab]
        return logits
