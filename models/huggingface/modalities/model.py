"""A transformers model that reads something else than text, recorded as one of text is: by the attention interface.

It is tried when it is opened, with made-up numbers of the right shape: its calls must be as many as its layers, and its
hidden states equal to those of its own attention.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.utils.generic import ModelOutput

from models.checkpoints.device_faults import faults_in_sentences
from models.checkpoints.devices import PROCESSOR, dtype_name, pick_device, pick_dtype, put_on
from models.huggingface.attention_interface import IMPLEMENTATION, running
from models.huggingface.config import d_ff, kinds_of_modules, layers_of_kinds
from models.huggingface.refusals import unsupported
from models.huggingface.weights import EAGER, kept_exact
from models.inspection.output_factors import find_factors
from models.recording.assemble import StackStates, records_from_calls
from models.recording.attention_call import AttentionCall
from models.recording.exact import exact_products
from models.recording.last_layer import module_of_last_layer, output_hook
from models.recording.query_scale import scales_in_queries
from models.recording.recorder import recording, undisturbed
from models.recording.watched_copy import with_hooks
from models.values.arguments.check import check_arguments
from models.values.errors import RecordError
from models.values.places import Image, Waveform
from models.values.record import Array, AttentionRecord, Kind, ModelInfo, Recording, Token
from models.values.wording import worded

ModelArguments = Mapping[str, Tensor]
"""The arguments of a forward pass, by the names that transformers has for them; a batch of one."""
TOLERANCE = 1e-3
"""How far the last hidden state may be from that of the model's own attention, as a part of its largest number."""


class ModalityModel(ABC):
    """A model that is recorded, on a device. Nothing on it changes after opening: many threads may use one."""

    @check_arguments
    def __init__(
        self, model: PreTrainedModel, *, name: str, device: str = "cpu", dtype: str | torch.dtype = "float32"
    ) -> None:
        """Take the model over, its attention becomes the recorder's. Raises UnsupportedModelError if that does not
        record it, DeviceError for a device that is not there, or that cannot run it."""
        self.name = name
        target, self.dtype = pick_device(device), torch.float32
        numbers = pick_dtype(dtype)
        self.device = target if numbers == torch.float32 else torch.device(PROCESSOR)
        self.model = nn.Module.eval(model)
        self.body: nn.Module = model.base_model
        self.info: ModelInfo
        self._n_layers = layers_of_kinds(model.config, is_causal=False)
        self._stack = "encoder_" if model.config.is_encoder_decoder else ""
        with faults_in_sentences(name, target.type), undisturbed():
            put_on(self.model, self.device, torch.float32)
            with exact_products():
                self._try()
            if numbers != torch.float32:
                put_on(self.model, target, numbers, exact=kept_exact(self.model, numbers))
                self.device, self.dtype = target, numbers
                self.info = replace(self.info, device=str(target), dtype=dtype_name(numbers))

    @abstractmethod
    def _trial(self) -> tuple[ModelArguments, Mapping[Kind, tuple[Token, ...]]]:
        """Made-up numbers that it can read, and the tokens that these are."""

    def _try(self) -> None:
        """Find out what every recording needs; raise UnsupportedModelError if there can be none."""
        given, tokens = self._trial()
        self.model.set_attn_implementation(EAGER)
        own = self._run(given, self.body)
        self.model.set_attn_implementation(IMPLEMENTATION)
        with recording() as calls:
            output = self._run(given, self.body)
        if not _alike(output["last_hidden_state"], own["last_hidden_state"]):
            raise unsupported(self.name, str(self.model.config.model_type))
        self._query_scales = scales_in_queries(self.body, lambda body: self._run(given, body))
        self._output_factors = find_factors(self.body, lambda body: self._run(given, body))
        records = self._records(calls, tokens)
        self._last_layer = module_of_last_layer(
            self.body, lambda body: self._states(self._run(given, body)), kind=records[0].kind, n_layers=self._n_layers
        )
        self.info = self._described(records, d_model=int(self._states(output)[0].shape[-1]))

    def _recorded(
        self, given: ModelArguments, tokens: Mapping[Kind, tuple[Token, ...]], source: Image | Waveform
    ) -> Recording:
        """One forward pass and all that it leaves behind."""
        with faults_in_sentences(self.name, self.info.device):
            with recording() as calls:
                states = self._watched(given)
            hidden_states, final_state = states.as_arrays()
            return Recording(
                info=self.info,
                tokens=tokens["encoder"],
                attention=self._records(calls, tokens),
                hidden_states=hidden_states,
                final_state=final_state,
                source=source,
            )

    def _watched(self, given: ModelArguments) -> StackStates:
        """Return the states of the encoder, its last hidden state taken from its last layer."""
        last = list[Tensor]()
        hooks = {} if self._last_layer is None else {self._last_layer: output_hook(last)}
        output = self._run(given, with_hooks(self.body, hooks))
        states = self._states(output)
        final: Tensor = output[f"{self._stack}last_hidden_state"]  # [1, n_tokens, d_model]
        return StackStates(hidden_states=(*states[:-1], last[-1] if last else states[-1]), final=final)

    @torch.inference_mode()
    def _run(self, given: ModelArguments, body: nn.Module) -> ModelOutput:
        """The forward pass of the body, or of a copy of it."""
        moved = {
            name: tensor.to(self.device, self.dtype if tensor.is_floating_point() else tensor.dtype)
            for name, tensor in given.items()
        }
        uncached = {"use_cache": False} if "decoder" in self._n_layers else {}
        with running(self.name, kinds_of_modules(body, is_causal=False)):
            output: ModelOutput = body(**moved, **uncached, output_hidden_states=True, return_dict=True)
        return output

    def _states(self, output: ModelOutput) -> tuple[Tensor, ...]:
        """The hidden states of the encoder as transformers gives them: the last may be normed already."""
        states: tuple[Tensor, ...] = output[f"{self._stack}hidden_states"]
        return states

    def _records(
        self, calls: Sequence[AttentionCall], tokens: Mapping[Kind, tuple[Token, ...]]
    ) -> tuple[AttentionRecord, ...]:
        return records_from_calls(
            calls,
            name=self.name,
            tokens=tokens,
            n_layers=self._n_layers,
            query_scales=self._query_scales,
            output_factors=self._output_factors,
        )

    def _described(self, records: Sequence[AttentionRecord], *, d_model: int) -> ModelInfo:
        config, first = self.model.config, records[0]
        return ModelInfo(
            name=self.name,
            family=str(config.model_type),
            implementation="huggingface",
            kinds=tuple(record.kind for record in records),
            n_layers=first.n_layers,
            n_heads=first.n_heads,
            n_kv_heads=first.n_heads,
            d_model=d_model,
            d_head=int(first.query.shape[-1]),
            d_ff=d_ff(config),
            d_vocab=int(getattr(config, "vocab_size", 0)),
            max_tokens=first.n_query,
            n_parameters=sum(weight.numel() for weight in self.model.parameters()),
            device=str(self.device),
            can_fill_mask=False,
            can_judge_next_sentence=False,
        )


def expect_shape(field: str, array: Array, expected: tuple[int, ...]) -> None:
    """Raise RecordError, naming the field, for numbers of another shape than the model reads."""
    if array.shape != expected:
        raise RecordError(
            worded("{field} has shape {given}, expected {expected}.", field=field, given=array.shape, expected=expected)
        )


def _alike(one: Tensor, other: Tensor) -> bool:
    return torch.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE * float(other.abs().max()))
