"""A speech model: its encoder reads frames of sound, and its decoder, which writes text, looks at them.

Radford et al. 2023, "Robust Speech Recognition via Large-Scale Weak Supervision", section 2.2: a spectrum every 10 ms,
of which two convolutions make a frame every 20 ms.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.huggingface.checkpoint.opened import OpenedModality
from models.huggingface.modalities.model import ModalityModel
from models.huggingface.network import PassArguments
from models.huggingface.recorded import TOKENS_TO_TRY, Tokens
from models.huggingface.trial import move_to
from models.huggingface.writing import HuggingFaceDecoding, rule_of
from models.recording.recorder import suspend_observer
from models.tasks.decoding import greedy
from models.text.prepare import PreparedText
from models.text.reading import Reading, target_given, target_written
from models.text.tokenizer.vocabulary import vocabulary_of
from models.values.arguments.check import check_arguments
from models.values.errors import RecordError
from models.values.places import AudioFrame, Waveform
from models.values.record import Recording, Token
from models.values.wording import worded

COLUMNS_A_FRAME = 2
"""The stride of the second convolution."""


class SoundModel(ModalityModel):
    """A `WhisperForConditionalGeneration` of transformers, which hears speech and writes it down."""

    def __init__(self, opened: OpenedModality, *, name: str, device: torch.device, dtype: torch.dtype) -> None:
        super().__init__(opened, name=name, device=device, dtype=dtype)
        self.info = replace(self.info, d_vocab=self.config.vocab_size)
        self._tokenizer: Any = opened.tokenizer
        self._tokenizing = Lock()

    @check_arguments
    def record(self, source: str | Waveform, text_b: str | None = None) -> Recording:
        """Run a sound and return queries, keys and values of every attention layer.

        The decoder reads `text_b`, or what the model itself writes, the likeliest token each time. A short sound is
        followed by silence. Raises RecordError for another rate than the model reads, UnsupportedModelError for a text.
        """
        if isinstance(source, str):
            raise self.refuse_text()
        rate, expected = source.rate, self.processor.sampling_rate
        if rate != expected:
            raise RecordError(
                worded("The sound has {rate} samples a second, expected {expected}.", rate=rate, expected=expected)
            )
        made = self.processor(np.array(source.samples), sampling_rate=rate, return_tensors="pt")
        features: Tensor = made["input_features"]  # [1, n_mels, n_columns]
        seconds = COLUMNS_A_FRAME * self.processor.hop_length / rate
        frames = frame_tokens(self.config.max_source_positions, seconds)
        with self._tokenizing:  # it keeps state while it works
            reading = self._reading(features, frames, text_b)
        arguments = {"input_features": features, "decoder_input_ids": torch.tensor([reading.decoder_ids])}
        return self.record_pass(arguments, reading.tokens, source, reading.note)

    def sample(self) -> tuple[PassArguments, Tokens]:
        n_frames, config = self.config.max_source_positions, self.config
        shape = 1, config.num_mel_bins, n_frames * COLUMNS_A_FRAME
        noise = torch.randn(shape, generator=torch.Generator().manual_seed(0))
        ids = torch.arange(TOKENS_TO_TRY)[None] % config.vocab_size  # [1, TOKENS_TO_TRY]
        written = tuple(Token(text=str(position)) for position in range(TOKENS_TO_TRY))
        return {"input_features": noise, "decoder_input_ids": ids}, {
            "encoder": frame_tokens(n_frames, 1),
            "decoder": written,
        }

    def _reading(self, features: Tensor, frames: tuple[Token, ...], text: str | None) -> Reading:
        """Return what both stacks read."""
        sound = PreparedText(input_ids=(), segment_ids=(), tokens=frames, segment_b_start=None, note="")
        start, most = int(self.config.decoder_start_token_id), int(self.config.max_target_positions)
        if text:
            return target_given(sound, text, self._tokenizer, start_id=start, max_tokens=most)
        ids = (start, *self._write(features, start, most - 1))
        text = str(self._tokenizer.decode(ids, skip_special_tokens=True))
        said = worded("The model itself wrote what its decoder reads: “{text}”", text=text)
        vocabulary = vocabulary_of(self._tokenizer, self.config.vocab_size)
        return replace(target_written(sound, ids, self._tokenizer, vocabulary), note=said)

    @torch.inference_mode()
    def _write(self, features: Tensor, start: int, n_new: int) -> tuple[int, ...]:
        """Return the ids that the model writes for a sound, without the end."""
        model, device = self.network.model, self.network.device
        settings: Any = model.generation_config
        with suspend_observer():
            source = self.network.call(model.get_encoder(), **move_to(self.network, {"input_features": features}))
            beam = greedy(
                HuggingFaceDecoding(model=model, run=partial(self.network.call, model), source=source),
                torch.tensor([start], device=device),
                n_new=n_new,
                end_id=settings.eos_token_id,
                rule=rule_of(settings, [settings.eos_token_id], has_source=True, device=device),
            )
        return beam.ids[:-1] if beam.is_finished else beam.ids


def frame_tokens(n_frames: int, seconds: float) -> tuple[Token, ...]:
    """Return a token for each frame of so many seconds: "0.42 s" is when it begins."""
    edges = [round(frame * seconds, 6) for frame in range(n_frames + 1)]
    return tuple(Token(text=f"{start:.2f} s", place=AudioFrame(start=start, end=end)) for start, end in pairwise(edges))
