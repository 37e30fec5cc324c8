"""A transformers model that reads a picture or a sound, tried and recorded as one that reads text."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

import torch

from models.checkpoints.device_faults import faults_in_sentences
from models.checkpoints.devices import PROCESSOR
from models.huggingface.checkpoint.opened import OpenedModality
from models.huggingface.network import Network, PassArguments
from models.huggingface.recorded import Tokens, find_output_factors, records_of
from models.huggingface.refusals import not_text, reads_others
from models.huggingface.trial import move_to, settle, try_network
from models.model import ANSWERS, RECORDING, Model, missing
from models.recording.recorder import recording
from models.values.errors import MissingCapabilityError, UnsupportedModelError
from models.values.places import Image, Waveform
from models.values.record import Recording


class ModalityModel(Model):
    """A model that is recorded, on a device. Nothing on it changes after opening: many threads may use one."""

    def __init__(self, opened: OpenedModality, *, name: str, device: torch.device, dtype: torch.dtype) -> None:
        """Try the model, and move it to `device`, its weights to `dtype`.

        Raises UnsupportedModelError if its attention cannot be recorded, DeviceError if the device cannot run it.
        """
        tried_on = device if dtype == torch.float32 else torch.device(PROCESSOR)
        self.processor, self.config = opened.processor, opened.model.config
        self.network = Network(opened.model, name=name, device=tried_on, is_causal=False)
        with faults_in_sentences(name, device.type):
            arguments, tokens = self.sample()
            sample = move_to(self.network, arguments)
            info, _ = try_network(self.network, sample, tokens)
            self.info = replace(info, notes=opened.notes)
            self._output_factors = find_output_factors(self.network, sample)
            if dtype != torch.float32:
                self.info = settle(self.network, sample, self.info, device=device, dtype=dtype)

    @abstractmethod
    def sample(self) -> tuple[PassArguments, Tokens]:
        """Return random arguments of a forward pass, and the tokens that they stand for."""

    def lacks(self, capability: str) -> MissingCapabilityError:
        asked = ANSWERS if capability == RECORDING else capability
        return missing(self.info, asked, not_text(type(self.network.model)))

    def refuse_text(self) -> UnsupportedModelError:
        """Return the error for a text in place of a picture or a sound."""
        return reads_others(self.info.name, self.info.family, type(self.network.model))

    def record_pass(
        self, arguments: PassArguments, tokens: Tokens, source: Image | Waveform, note: str = ""
    ) -> Recording:
        """Run one picture or sound through the model and return its recording."""
        with faults_in_sentences(self.info.name, self.info.device), recording() as calls:
            output, states = self.network.run_watched(move_to(self.network, arguments), self.network.body)
        hidden_states, final_state = states.as_arrays()
        return Recording(
            info=self.info,
            tokens=tokens["encoder"],
            attention=records_of(self.network, calls, output, tokens, self._output_factors),
            hidden_states=hidden_states,
            final_state=final_state,
            source=source,
            note=note,
        )
