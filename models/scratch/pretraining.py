"""Heads on top of hidden states: LM heads predict masked words or the next token, the NSP head whether B follows A.

Masked words and next sentence: Devlin et al. 2018, section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.scratch.config import TransformerConfig
from models.scratch.encoder import Encoder
from models.scratch.layers import activation, norm

IS_NEXT = 0
"""The class of the NSP head that says "B follows A"; class 1 says "B comes from elsewhere"."""


class MaskedLanguageModelHead(nn.Module):
    """logits = norm(activation(x W + b)) E^T + c, where E are the token embeddings themselves ("tied")."""

    def __init__(self, config: TransformerConfig, token_embedding: nn.Embedding) -> None:
        super().__init__()
        self.transform = nn.Linear(config.d_model, config.d_model)
        self.activation = activation(config)
        self.norm = norm(config)
        self.unembed = nn.Linear(config.d_model, config.d_vocab)
        self.unembed.weight = token_embedding.weight

    def forward(self, x: Tensor) -> Tensor:
        """Hidden states [..., d_model] -> one logit for every word of the vocabulary [..., d_vocab]."""
        logits: Tensor = self.unembed(self.norm(self.activation(self.transform(x))))  # [..., d_vocab]
        return logits


class NextSentenceHead(nn.Module):
    """logits = tanh(x_0 W + b) W_2 + b_2, where x_0 is the hidden state of [CLS]; the tanh layer is the "pooler"."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.pooler = nn.Linear(config.d_model, config.d_model)
        self.classifier = nn.Linear(config.d_model, 2)

    def forward(self, x: Tensor) -> Tensor:
        """Hidden states [b, n_tokens, d_model] -> logits [b, 2]: is next, is not next."""
        logits: Tensor = self.classifier(torch.tanh(self.pooler(x[:, 0])))  # [b, 2]
        return logits


class NextTokenHead(nn.Module):
    """logits = x E^T, where E are the token embeddings themselves (Vaswani et al. 2017, section 3.4; GPT-2)."""

    def __init__(self, config: TransformerConfig, token_embedding: nn.Embedding) -> None:
        super().__init__()
        self.unembed = nn.Linear(config.d_model, config.d_vocab, bias=False)
        self.unembed.weight = token_embedding.weight

    def forward(self, x: Tensor) -> Tensor:
        """Hidden states [..., d_model] -> one logit for every token that may come next [..., d_vocab]."""
        logits: Tensor = self.unembed(x)  # [..., d_vocab]
        return logits


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderModelOutput:
    """The output of an encoder and of the heads on top of it: `last` and `hidden_states` as Encoder, and logits.

    `mlm` [b, n_tokens, d_vocab], `nsp` [b, 2], `text_labels` [b, n_labels] and `token_labels` [b, n_tokens, n_labels]
    are None without that LM head, NSP head or classifier; see models.scratch.classification for the last two.
    """

    last: Tensor
    hidden_states: tuple[Tensor, ...]
    mlm: Tensor | None = None
    nsp: Tensor | None = None
    text_labels: Tensor | None = None
    token_labels: Tensor | None = None


class PretrainingModel(nn.Module):
    """An encoder with the MLM and NSP heads of BERT's pretraining, or with one of the two."""

    def __init__(self, config: TransformerConfig, *, with_mlm: bool = True, with_nsp: bool = True) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        self.mlm = MaskedLanguageModelHead(config, self.encoder.embeddings.token) if with_mlm else None
        self.nsp = NextSentenceHead(config) if with_nsp else None

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        mask: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> EncoderModelOutput:
        """Encode ids [b, n_tokens], and apply the MLM head and the NSP head if they are there."""
        encoded = self.encoder(input_ids, segment_ids, mask, position_ids)
        return EncoderModelOutput(
            last=encoded.last,
            hidden_states=encoded.hidden_states,
            mlm=None if self.mlm is None else self.mlm(encoded.last),
            nsp=None if self.nsp is None else self.nsp(encoded.last),
        )
