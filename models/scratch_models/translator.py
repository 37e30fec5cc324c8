"""The adapter of the scratch encoder-decoder: a source in, a Recording of all three kinds of attention out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor, nn

from models.checkpoints.bart import load_bart
from models.checkpoints.device_faults import answers_in_sentences
from models.checkpoints.devices import open_on, pick_device, pick_dtype
from models.model import QUESTIONS, Model
from models.recording.assemble import StackStates
from models.recording.recorder import suspend_observer
from models.scratch.cache import KeyValueCache
from models.scratch.encoder_decoder import EncoderDecoder, EncoderDecoderOutput
from models.scratch_models.writing import ScratchWritingModel, WritingFiles, writing_files
from models.tasks.decoding import Prompt
from models.tasks.writing import read_source_and_target
from models.text.familiarity import SourceBigrams, known_sources
from models.text.prepare import PreparedText
from models.text.reading import Reading
from models.text.shuffling import is_shuffling, shuffling_error
from models.text.source_words import known_words
from models.values.errors import ModelLoadError
from models.values.steps import WhatIf
from models.values.wording import worded


@answers_in_sentences(*QUESTIONS, declared_by=Model)
class ScratchTranslator(ScratchWritingModel):
    """A scratch encoder-decoder with its tokenizer, and what its folder says of the sources that it has learned from:
    their words, and a language model of them."""

    def __init__(
        self,
        model: EncoderDecoder,
        files: WritingFiles,
        *,
        name: str,
        device: torch.device,
        dtype: torch.dtype = torch.float32,
        source_words: frozenset[str] | None = None,
        source_bigrams: SourceBigrams | None = None,
    ) -> None:
        if len(files.start_ids) != 1:
            says = worded("The configuration of {model} does not say with which token its decoder starts.", model=name)
            raise ModelLoadError(name, says)
        self.model = model
        self.embeddings = model.encoder.embeddings
        self.source_words, self.source_bigrams = source_words, source_bigrams
        (self._start,) = files.start_ids
        super().__init__(
            model,
            model.config,
            files,
            name=name,
            device=device,
            dtype=dtype,
            family="bart",
            kinds=("encoder", "decoder", "cross"),
        )

    @property
    def _body(self) -> nn.Module:
        return self.model

    def read(self, text: str, text_b: str | None = None) -> Reading:
        return read_source_and_target(self, text, text_b)

    @contextmanager
    def open_prompt(self, prepared: PreparedText) -> Iterator[Prompt[KeyValueCache]]:
        with suspend_observer(), torch.inference_mode():
            decoder = self.model.writer(self._row(prepared.input_ids))
            yield Prompt(decoder=decoder, ids=(self._start,), end_ids=self._end_ids)

    def start_id(self) -> int:
        return self._start

    def _shuffle_positions(self, reading: Reading, what_if: WhatIf | None) -> Sequence[int] | None:
        del reading
        if is_shuffling(what_if):
            raise shuffling_error(self.info)
        return None

    @torch.inference_mode()
    def _forward(
        self, reading: Reading, positions: Sequence[int] | None = None, model: nn.Module | None = None
    ) -> StackStates:
        del positions
        source, target = self._row(reading.prepared.input_ids), self._row(reading.decoder_ids or (self._start,))
        output: EncoderDecoderOutput = (model or self.model)(source, target)
        return StackStates(hidden_states=output.encoder_states, final=output.encoder_last)

    def _logits_at(self, model: nn.Module, ids: Tensor, target: Tensor | None, position: int) -> Tensor:
        if not isinstance(model, EncoderDecoder) or target is None:
            raise TypeError(f"{type(model).__name__} is no encoder-decoder that is given a target.")
        last = model.decoder(target, source=model.read(ids)).last  # [n_rows, n_target, d_model]
        logits: Tensor = model.lm_head(last[:, position])  # [n_rows, d_vocab]
        return logits

    def why_not(self, capability: str) -> str:
        del capability
        return worded("it is an encoder-decoder, which has learned to write a new text for a given one")


def load_scratch_translator(
    folder: Path, *, name: str, device: str = "auto", dtype: str | torch.dtype = "float32"
) -> ScratchTranslator:
    """Open a BART folder in the scratch encoder-decoder. Raises ModelLoadError if it is not one, DeviceError."""
    pick_device(device)  # before anything is read
    numbers = pick_dtype(dtype)
    model = load_bart(folder)
    files = writing_files(folder, name=name, d_vocab=model.config.d_vocab)
    words, bigrams = known_words(folder), known_sources(folder, model.config.d_vocab)

    def there(target: torch.device) -> ScratchTranslator:
        return ScratchTranslator(
            model, files, name=name, device=target, dtype=numbers, source_words=words, source_bigrams=bigrams
        )

    return open_on(device, there, name=name)
