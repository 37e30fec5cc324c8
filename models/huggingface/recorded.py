"""A transformers model whose passes become recordings: of one text, or of several in one pass."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property

import torch
from torch import Tensor, nn
from transformers.utils.generic import ModelOutput

from models.huggingface.lm_heads import mask_logits
from models.huggingface.passes import Inputs
from models.huggingface.probing import HuggingFaceProbing
from models.huggingface.refusals import not_alone
from models.inspection.output_factors import find_factors
from models.recording.assemble import StackStates, records_from_calls
from models.recording.attention_call import AttentionCall
from models.recording.exact import exact_products
from models.recording.recorder import recording, undisturbed
from models.recording.rows import mask_padding, pad_rows, split_rows
from models.recording.weights_alone import records_from_weights, weights_handed_out
from models.tasks.mask_guesser import mask_predictions
from models.text.prepare import PreparedText
from models.text.reading import Reading
from models.values.record import Array, AttentionRecord, Kind, Recording, Token
from models.values.wording import worded

TOKENS_TO_TRY = 8
SAME = 1e-5
"""What a text may get in a pass of several other than alone, as a part of the largest number."""


class HuggingFaceRecording(HuggingFaceProbing):
    """A transformers model that is recorded.

    Whether it gives a text in a pass of several what it gives it alone is found out when that is first asked for.
    """

    def prepared(self, text: str, text_b: str | None = None) -> PreparedText | None:
        """A text, or a pair, as the model reads it. Raises TextError if there is nothing to read, ModelLoadError.

        None for an encoder-decoder, which writes first what its decoder reads, and for a model that is known to give
        other numbers in a pass of several.
        """
        if self.is_encoder_decoder or not vars(self).get("_reads_together", True):
            return None
        prepared = self.prepare(text, text_b)
        self._expect_in_vocabulary(prepared.input_ids)
        return prepared

    def pass_group(self, text: PreparedText, /) -> Hashable:
        """Texts with masks, which pass the LM head, share a pass, and so do texts without."""
        return self._needs_lm_head(text)

    def record_all(self, texts: Sequence[PreparedText]) -> tuple[Recording, ...]:
        """What `record` gives for every text, in one pass if the model gives each what it gets alone."""
        if len(texts) == 1 or not self._reads_together:
            return tuple(self._recorded(self._alone(text)) for text in texts)
        lengths = [len(text.input_ids) for text in texts]
        with recording() as calls:
            output, states = self._run_watched(self._padded(texts), self._reader_of(texts[0]))
        return tuple(
            self._as_recording(self._alone(text), row.calls(calls), row.of_stack(states), output, row.row)
            for text, row in zip(texts, split_rows(lengths), strict=True)
        )

    def record_reading(self, reading: Reading) -> Recording:
        return self._recorded(reading)

    def _recorded(self, reading: Reading, positions: Sequence[int] | None = None) -> Recording:
        """The recording of a text whose tokens are told these positions, through the LM head only if it has a mask."""
        inputs = self._inputs(reading.prepared, reading.decoder_ids, positions)
        with recording() as calls:
            output, states = self._run_watched(inputs, self._reader_of(reading.prepared))
        return self._as_recording(reading, calls, states, output)

    def _as_recording(
        self, reading: Reading, calls: Sequence[AttentionCall], states: StackStates, output: ModelOutput, row: int = 0
    ) -> Recording:
        prepared = reading.prepared
        hidden_states, final_state = states.as_arrays()
        return Recording(
            info=self.info,
            tokens=prepared.tokens,
            attention=self._records(calls, output, reading.tokens, self._output_factors),
            hidden_states=hidden_states,
            final_state=final_state,
            segment_b_start=prepared.segment_b_start,
            predictions=mask_predictions(self, lambda at: mask_logits(output)[row][list(at)], prepared)
            if self._needs_lm_head(prepared)
            else (),
            note=reading.note,
        )

    def _records(
        self,
        calls: Sequence[AttentionCall],
        output: ModelOutput,
        tokens: Mapping[Kind, tuple[Token, ...]],
        output_factors: Mapping[Kind, Array] | None = None,
    ) -> tuple[AttentionRecord, ...]:
        """What a pass leaves behind, one record for each kind of attention."""
        if self._way == "weights alone":
            given = weights_handed_out(output, self._n_layers)
            return records_from_weights(given, name=self.name, tokens=tokens, n_layers=self._n_layers)
        return records_from_calls(
            calls,
            name=self.name,
            tokens=tokens,
            n_layers=self._n_layers,
            query_scales=self._query_scales,
            output_factors=output_factors,
        )

    def _needs_lm_head(self, text: PreparedText) -> bool:
        return self.info.can_fill_mask and self.tokenizer.mask_token_id in text.input_ids

    def _reader_of(self, text: PreparedText) -> nn.Module:
        return self.model if self._needs_lm_head(text) else self.model.base_model

    def _padded(self, texts: Sequence[PreparedText]) -> Inputs:
        filled = self.tokenizer.pad_token_id or 0
        return Inputs(
            ids=pad_rows([text.input_ids for text in texts], filled, self.device),
            segment_ids=pad_rows([text.segment_ids for text in texts], 0, self.device),
            mask=mask_padding([len(text.input_ids) for text in texts], self.device),
        )

    @cached_property
    def _reads_together(self) -> bool:
        """Whether a text gets the same beside a longer one as alone: positions may be counted otherwise, or the tokens
        of all texts share something. Weights that are handed out alone are those of one text; and a class that changes
        itself may do so by the length of the longest."""
        if self._way == "weights alone" or self._writes_on_itself:
            return False
        ids = self._few_tokens().ids[0].tolist()
        pair = (ids, ids[: TOKENS_TO_TRY // 2])
        with exact_products():
            alone = [self._last_states(pair[at : at + 1]) for at in range(2)]
            together = self._last_states(pair)
        cut = [together[row : row + 1, : len(ids)] for row, ids in enumerate(pair)]
        return all(
            torch.allclose(one, other, rtol=SAME, atol=SAME * float(one.abs().max()))
            for one, other in zip(alone, cut, strict=True)
        )

    def _last_states(self, rows: Sequence[Sequence[int]]) -> Tensor:
        ids = pad_rows(rows, self.tokenizer.pad_token_id or 0, self.device)  # [b, n_tokens]
        inputs = Inputs(
            ids=ids, segment_ids=torch.zeros_like(ids), mask=mask_padding(list(map(len, rows)), self.device)
        )
        with undisturbed():
            return self._states(self._run(inputs, self.model.base_model))[-1]  # [b, n_tokens, d_model]

    def _few_tokens(self) -> Inputs:
        ids = torch.arange(TOKENS_TO_TRY, device=self.device)[None] % self._d_vocab()  # [1, TOKENS_TO_TRY]
        decoder_ids = ids if self.is_encoder_decoder else None
        return Inputs(ids=ids, segment_ids=torch.zeros_like(ids), decoder_ids=decoder_ids)

    @cached_property
    def _output_factors(self) -> Mapping[Kind, Array]:
        """By what the lengths of values after W_O follow from the values: found when something is first recorded."""
        if not self.info.has_vectors:
            return {}
        inputs = self._few_tokens()
        with exact_products():
            return find_factors(self.model.base_model, lambda body: self._run(inputs, body))

    def _d_vocab(self) -> int:
        try:
            embedding = self.model.get_input_embeddings()
        except NotImplementedError:  # so transformers says that a class has none, or several
            embedding = None
        if isinstance(embedding, nn.Embedding):
            return embedding.num_embeddings
        if not isinstance(size := getattr(self.model.config, "vocab_size", None), int):
            raise not_alone(self.model, self.name, worded("no table of it has a vector for every token"))
        return size
