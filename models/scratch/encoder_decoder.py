"""The whole transformer of figure 1: an encoder reads the source, a decoder writes the target, word after word.

"Attention Is All You Need", sections 3.1 and 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from models.scratch.cache import KeyValueCache
from models.scratch.config import TransformerConfig
from models.scratch.decoder import Decoder, Source
from models.scratch.encoder import Encoder
from models.scratch.pretraining import NextTokenHead


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderDecoderOutput:
    """`logits` [b, n_target, d_vocab] for the token after each target token; hidden states as the two halves give.

    `encoder_last` [b, n_source, d_model] is the encoder's answer, which the cross attention reads.
    """

    logits: Tensor
    encoder_last: Tensor
    encoder_states: tuple[Tensor, ...]
    decoder_states: tuple[Tensor, ...]


class EncoderDecoder(nn.Module):
    """n_layers of encoder and n_layers of decoder, around one vocabulary.

    One matrix embeds the source, embeds the target and, as in section 3.4, gives the logits.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        self.decoder = Decoder(config, with_cross=True)
        self.decoder.embeddings.token = self.encoder.embeddings.token
        self.lm_head = NextTokenHead(config, self.encoder.embeddings.token)

    def forward(
        self,
        source_ids: Tensor,
        target_ids: Tensor,
        source_mask: Tensor | None = None,
        target_mask: Tensor | None = None,
    ) -> EncoderDecoderOutput:
        """Read ids [b, n_source] and [b, n_target]; the masks are True for tokens and False for padding."""
        encoded = self.encoder(source_ids, mask=source_mask)
        decoded = self.decoder(target_ids, target_mask, Source(states=encoded.last, mask=source_mask))
        return EncoderDecoderOutput(
            logits=self.lm_head(decoded.last),
            encoder_last=encoded.last,
            encoder_states=encoded.hidden_states,
            decoder_states=decoded.hidden_states,
        )

    def read(self, source_ids: Tensor, source_mask: Tensor | None = None) -> Source:
        """Encode a source [b, n_source] once, for a decoder that predicts token by token."""
        return Source(states=self.encoder(source_ids, mask=source_mask).last, mask=source_mask)

    def writer(self, source_ids: Tensor, source_mask: Tensor | None = None) -> TargetWriter:
        """Read one source [1, n_source], and return what predicts its target."""
        return TargetWriter(model=self, source=self.read(source_ids, source_mask))


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetWriter:
    """An encoder-decoder that has read its one source, and predicts the target token by token."""

    model: EncoderDecoder
    source: Source

    def new_cache(self) -> KeyValueCache:
        """Return an empty cache for one batch."""
        return KeyValueCache(self.model.config.n_layers)

    def next_logits(self, input_ids: Tensor, cache: KeyValueCache | None = None) -> Tensor:
        """Return logits [b, d_vocab] of the token after ids [b, n_tokens], all of them targets of the one source."""
        logits: Tensor = self.model.lm_head(self._decode(input_ids, cache)[:, -1])  # [b, d_vocab]
        return logits

    def all_logits(self, input_ids: Tensor, cache: KeyValueCache | None = None) -> Tensor:
        """Return logits [b, n_tokens, d_vocab] of the token after each of the ids [b, n_tokens]."""
        logits: Tensor = self.model.lm_head(self._decode(input_ids, cache))  # [b, n_tokens, d_vocab]
        return logits

    def _decode(self, input_ids: Tensor, cache: KeyValueCache | None) -> Tensor:
        """Return the last states [b, n_tokens, d_model] of ids [b, n_tokens]."""
        states = self.source.states.expand(len(input_ids), -1, -1)  # [b, n_source, d_model]
        source = Source(states=states, mask=self.source.mask)
        last: Tensor = self.model.decoder(input_ids, source=source, cache=cache).last
        return last
