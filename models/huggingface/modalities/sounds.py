"""A speech model: its encoder reads frames of sound, and its decoder, which writes text, looks at them.

Radford et al. 2023, "Robust Speech Recognition via Large-Scale Weak Supervision", section 2.2: a spectrum every 10 ms,
of which two convolutions make a frame every 20 ms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import torch

from models.huggingface.modalities.model import ModalityModel, ModelArguments, expect_shape
from models.values.arguments.check import check_arguments
from models.values.errors import RecordError
from models.values.places import AudioFrame, Waveform
from models.values.record import Array, Kind, Recording, Token
from models.values.wording import worded

COLUMN_SECONDS = 0.01
"""From one spectrum to the next: 160 samples of 16,000 a second."""
COLUMNS_A_FRAME = 2
"""The stride of the second convolution."""
IDS_TO_TRY = 4


class SoundModel(ModalityModel):
    """A `WhisperForConditionalGeneration` of transformers, or its body."""

    @check_arguments
    def record(
        self,
        input_features: Array,
        waveform: Waveform,
        *,
        decoder_ids: Sequence[int],
        decoder_tokens: Sequence[Token],
        column_seconds: float = COLUMN_SECONDS,
    ) -> Recording:
        """Run one sound, and the text that the decoder is given, and keep everything.

        `input_features` [n_mels, n_columns] are the spectra, as the model's feature extractor makes them: it fills them
        up with silence, so there may be frames behind the end of the `waveform`. `decoder_tokens` are the tokens of
        `decoder_ids`. Raises RecordError for spectra of another shape than the model reads, and for ids and tokens that
        are not as many.
        """
        expected = (int(self.model.config.num_mel_bins), self._n_frames * COLUMNS_A_FRAME)
        expect_shape("input_features", input_features, expected)
        if not decoder_ids or len(decoder_ids) != len(decoder_tokens):
            raise RecordError(
                worded(
                    "There are {n_ids} decoder_ids and {n_tokens} decoder_tokens, expected a token for each id, and at "
                    "least one.",
                    n_ids=len(decoder_ids),
                    n_tokens=len(decoder_tokens),
                )
            )
        frames = frame_tokens(self._n_frames, COLUMNS_A_FRAME * column_seconds)
        tokens: Mapping[Kind, tuple[Token, ...]] = {"encoder": frames, "decoder": tuple(decoder_tokens)}
        return self._recorded(_given(input_features, decoder_ids), tokens, waveform)

    def _trial(self) -> tuple[ModelArguments, Mapping[Kind, tuple[Token, ...]]]:
        shape = (int(self.model.config.num_mel_bins), self._n_frames * COLUMNS_A_FRAME)
        noise = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        ids = range(min(IDS_TO_TRY, int(self.model.config.vocab_size)))
        tokens = tuple(Token(text=str(each)) for each in ids)
        frames = frame_tokens(self._n_frames, COLUMNS_A_FRAME * COLUMN_SECONDS)
        return _given(noise, ids), {"encoder": frames, "decoder": tokens}

    @property
    def _n_frames(self) -> int:
        return int(self.model.config.max_source_positions)


def frame_tokens(n_frames: int, seconds: float) -> tuple[Token, ...]:
    """A token for each frame of so many seconds: "0.42 s" is when it begins."""
    edges = [round(frame * seconds, 6) for frame in range(n_frames + 1)]
    return tuple(Token(text=f"{start:.2f} s", place=AudioFrame(start=start, end=end)) for start, end in pairwise(edges))


def _given(input_features: Array, decoder_ids: Sequence[int]) -> ModelArguments:
    return {
        "input_features": torch.from_numpy(input_features.copy())[None],  # [1, n_mels, n_columns]
        "decoder_input_ids": torch.tensor([list(decoder_ids)]),  # [1, n_decoder_tokens]
    }
