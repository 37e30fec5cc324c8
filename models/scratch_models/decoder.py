"""The adapter of the scratch decoder, a GPT or a Llama: text in, Recording out, and what it writes after the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor, nn

from models.checkpoints.device_faults import answers_in_sentences
from models.checkpoints.devices import open_on, pick_device, pick_dtype
from models.checkpoints.gpt2 import load_gpt2
from models.checkpoints.llama import load_llama
from models.model import MASKED_WORDS, QUESTIONS, Model
from models.recording.assemble import StackStates
from models.recording.recorder import suspend_observer
from models.scratch.cache import KeyValueCache
from models.scratch.gpt import LanguageModel, LanguageModelOutput
from models.scratch_models.writing import ScratchWritingModel, WritingFiles, writing_files
from models.tasks.decoding import Prompt
from models.text.prepare import PreparedText
from models.text.reading import Reading
from models.text.shuffling import is_shuffling, shuffled_order
from models.values.errors import ModelLoadError
from models.values.steps import WhatIf
from models.values.wording import worded


@answers_in_sentences(*QUESTIONS, declared_by=Model)
class ScratchDecoder(ScratchWritingModel):
    """A scratch GPT or Llama with its tokenizer; `family` is the model_type of its layout."""

    def __init__(
        self,
        model: LanguageModel,
        files: WritingFiles,
        *,
        name: str,
        device: torch.device,
        dtype: torch.dtype = torch.float32,
        family: str = "gpt2",
    ) -> None:
        self.model = model
        self.embeddings = model.decoder.embeddings
        super().__init__(
            model, model.config, files, name=name, device=device, dtype=dtype, family=family, kinds=("decoder",)
        )

    @property
    def _body(self) -> nn.Module:
        return self.model

    def read(self, text: str, text_b: str | None = None) -> Reading:
        prepared = self.prepare(text, text_b)
        return Reading(prepared=prepared, tokens={"decoder": prepared.tokens}, note=prepared.note)

    @contextmanager
    def open_prompt(self, prepared: PreparedText) -> Iterator[Prompt[KeyValueCache]]:
        with suspend_observer():
            yield Prompt(decoder=self.model, ids=prepared.input_ids, end_ids=self._end_ids)

    def start_id(self) -> int:
        says = worded("{model} has no encoder, so its decoder reads the text itself.", model=self.info.name)
        raise ModelLoadError(self.info.name, says)

    def _shuffle_positions(self, reading: Reading, what_if: WhatIf | None) -> Sequence[int] | None:
        return shuffled_order(reading.prepared, what_if.seed) if is_shuffling(what_if) else None

    @torch.inference_mode()
    def _forward(
        self, reading: Reading, positions: Sequence[int] | None = None, model: nn.Module | None = None
    ) -> StackStates:
        told = None if positions is None else torch.tensor(positions, device=self.device)  # [n_tokens]
        output: LanguageModelOutput = (model or self.model)(self._row(reading.prepared.input_ids), position_ids=told)
        return StackStates(hidden_states=output.hidden_states, final=output.last)

    def _logits_at(self, model: nn.Module, ids: Tensor, target: Tensor | None, position: int) -> Tensor:
        del target
        if not isinstance(model, LanguageModel):
            raise TypeError(f"{type(model).__name__} is no causal language model.")
        logits: Tensor = model.lm_head(model.decoder(ids).last[:, position])  # [n_rows, d_vocab]
        return logits

    def why_not(self, capability: str) -> str:
        if capability == MASKED_WORDS:
            return worded("it is causal, so it has learned to continue a text, not to fill gaps")
        return worded("the decoder from scratch only has an LM head for the next token")


def load_scratch_decoder(
    folder: Path, *, name: str, device: str = "auto", dtype: str | torch.dtype = "float32"
) -> ScratchDecoder:
    """Open a GPT-2 folder in the scratch decoder. Raises ModelLoadError if it is not one, DeviceError."""
    return _open_decoder(load_gpt2, "gpt2", folder, name=name, device=device, dtype=dtype)


def load_scratch_llama(
    folder: Path, *, name: str, device: str = "auto", dtype: str | torch.dtype = "float32"
) -> ScratchDecoder:
    """Open a Llama folder in the scratch decoder. Raises ModelLoadError if it is not one, DeviceError."""
    return _open_decoder(load_llama, "llama", folder, name=name, device=device, dtype=dtype)


def _open_decoder(
    read: Callable[[Path], LanguageModel],
    family: str,
    folder: Path,
    *,
    name: str,
    device: str,
    dtype: str | torch.dtype,
) -> ScratchDecoder:
    pick_device(device)  # before anything is read
    numbers = pick_dtype(dtype)
    model = read(folder)
    files = writing_files(folder, name=name, d_vocab=model.config.d_vocab)
    return open_on(
        device,
        lambda target: ScratchDecoder(model, files, name=name, device=target, dtype=numbers, family=family),
        name=name,
    )
