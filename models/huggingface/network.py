"""A transformers model on a device, and its forward passes: what runs through it is recorded as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from inspect import signature
from typing import Any, Literal

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.utils.generic import ModelOutput

from models.checkpoints.device_faults import device_fault
from models.checkpoints.devices import put_on
from models.huggingface.attention_interface import running
from models.huggingface.config import kinds_of_modules, layers_of_kinds, layers_with_attention, takes_segments
from models.huggingface.refusals import another_attention, not_alone, reading_error
from models.recording.assemble import StackStates
from models.recording.last_layer import output_hook
from models.recording.recorder import is_observed
from models.recording.untouched import classes_in, same_randomness, untouched_copy
from models.recording.watched_copy import block_lists, with_hooks
from models.recording.written_out import handing_over
from models.values.errors import HeadlightError
from models.values.record import Kind
from models.values.wording import worded

RecordedBy = Literal["interface", "written out", "weights alone"]
"""How attention is recorded: through transformers' interface, from a forward that writes it out, or as the weights that
the model hands out itself, without queries, keys and values."""
USE_CACHE = "use_cache"
PassArguments = Mapping[str, Tensor]
"""The arguments of a forward pass, by the names that transformers has for them."""


class Network:
    """A transformers model on a device. The trial of an opening finds what its passes need; then nothing changes."""

    def __init__(self, model: PreTrainedModel, *, name: str, device: torch.device, is_causal: bool) -> None:
        self.name = name
        self.device = device
        self.model = model
        put_on(model, device, torch.float32)
        self.takes_segments = takes_segments(model)
        self.layer_numbers = layers_with_attention(model.config)
        """The numbers of the layers that have attention, where only some have."""
        self.tell_kinds(is_causal=is_causal)
        self.blocks: tuple[str, ...] = ()
        """The modules of the body that are all its layers, where the trial had to find them."""
        self.body_name: str = next(name for name, module in model.named_modules() if module is model.base_model)
        self.way: RecordedBy = "interface"
        self.last_layer: str | None = None
        """The module of the body that the last hidden state is taken from; None: as transformers gives it."""
        self.writes_on_itself = True
        """Whether its class changes itself while it reads, so that each pass is made by a copy of it."""
        self.classes_of_parts: frozenset[type[nn.Module]] = frozenset()
        """The classes of its modules behind a pass of the trial, where it changes itself."""
        self.query_scales: Mapping[Kind, tuple[float, ...]] = {}
        """The factors by which its layers multiply their queries before the attention, if they do."""

    @property
    def d_vocab(self) -> int:
        """How many tokens the model has vectors for. Raises UnsupportedModelError if it has none for each."""
        try:
            embedding = self.model.get_input_embeddings()
        except NotImplementedError:  # so transformers says that a class has none, or several
            embedding = None
        if isinstance(embedding, nn.Embedding):
            return embedding.num_embeddings
        if not isinstance(size := getattr(self.model.config, "vocab_size", None), int):
            raise not_alone(self.model, self.name, worded("no table of it has a vector for every token"))
        return size

    @property
    def d_vocab_of_target(self) -> int:
        """How many tokens the stack that writes has vectors for: a translator may read another vocabulary."""
        untyped: Any = self.model
        decoder: Any = untyped.get_decoder() if self.is_encoder_decoder else None
        own = isinstance(decoder, PreTrainedModel) and not hasattr(decoder, "embed_tokens")
        table = decoder.get_input_embeddings() if own else getattr(decoder, "embed_tokens", None)
        return table.num_embeddings if isinstance(table, nn.Embedding) else self.d_vocab

    @property
    def body(self) -> nn.Module:
        """The model without what sits on top of it."""
        body: nn.Module = self.model.base_model
        return body

    def tell_kinds(self, *, is_causal: bool) -> None:
        """Set whether no token sees what follows it, and with it the kinds of attention."""
        self.is_causal = is_causal
        self.kinds = kinds_of_modules(self.model, is_causal=is_causal)
        self.n_blocks = layers_of_kinds(self.model.config, is_causal=is_causal)
        self.n_calls = dict.fromkeys(self.n_blocks, len(self.layer_numbers)) if self.layer_numbers else self.n_blocks
        """How many layers have attention of each kind: so many calls does a pass make."""

    def blocks_of(self, kind: Kind) -> tuple[str, ...]:
        """Return the names in the body of the modules that are the layers of a stack."""
        return self.blocks or block_lists(self.body, kind, self.n_blocks)[0]

    @property
    def is_encoder_decoder(self) -> bool:
        return bool(self.model.config.is_encoder_decoder)

    def text_arguments(
        self,
        ids: Tensor,
        *,
        segment_ids: Tensor | None = None,
        mask: Tensor | None = None,
        decoder_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> dict[str, Tensor]:
        """Return the arguments of a pass over texts.

        Args:
            ids: [b, n_tokens]; b is 1 unless several texts are read in one pass.
            segment_ids: [b, n_tokens] or [1, n_tokens]; zeros by default.
            mask: [b, n_tokens], True for a token and False for padding; by default nothing is padded.
            decoder_ids: [b, n_decoder_tokens], for an encoder-decoder.
            position_ids: [1, n_tokens] in the model's own numbers; by default as it counts them itself.
        """
        arguments = {"input_ids": ids, "attention_mask": torch.ones_like(ids) if mask is None else mask.to(ids)}
        if self.takes_segments:
            segments = torch.zeros_like(ids) if segment_ids is None else segment_ids.expand_as(ids)
            arguments["token_type_ids"] = segments.clamp(max=self.model.config.type_vocab_size - 1)
        if decoder_ids is not None:
            arguments["decoder_input_ids"] = decoder_ids
        if position_ids is not None:
            arguments["position_ids"] = position_ids
        return arguments

    @torch.inference_mode()
    def run(self, arguments: PassArguments, module: nn.Module) -> ModelOutput:
        """Run the whole model, or its body, which stops at the last layer, and return its hidden states, too."""
        gives = {"output_attentions": True} if self.way == "weights alone" else {}
        return self.run_rows(arguments, module, output_hidden_states=True, **gives)

    def run_rows(self, arguments: PassArguments, module: nn.Module, **options: bool) -> ModelOutput:
        """Run several rows, with gradients where the caller has them on."""
        without_cache = {USE_CACHE: False} if "decoder" in self.n_calls and self._asks_for_cache(module) else {}
        return self.call(module, **arguments, **without_cache, **options)

    def _asks_for_cache(self, module: nn.Module) -> bool:
        """Whether a module may be told to keep no cache: T5Gemma's classifiers tell their body so themselves."""
        return type(module) is type(self.body) or USE_CACHE in signature(module.forward).parameters

    def call(self, module: nn.Module, **arguments: Any) -> ModelOutput:
        """Call the model or a part of it; its attention knows which model runs."""
        n_rows = next((len(value) for value in arguments.values() if isinstance(value, Tensor)), 1)
        with self._reading(module, n_rows) as reader:
            output: ModelOutput = reader(**arguments, return_dict=True)
        return output

    @contextmanager
    def _reading(self, module: nn.Module, n_rows: int) -> Iterator[nn.Module]:
        """Yield the module to run for `n_rows` texts; its attention knows which model runs."""
        observed = self._handing_over(n_rows)
        with (
            self._in_sentences(),
            self._copy_changing(module) as (reader, kinds),
            running(self.name, kinds),
            observed,
        ):
            yield reader

    @contextmanager
    def _copy_changing(self, module: nn.Module) -> Iterator[tuple[nn.Module, Mapping[int, Kind]]]:
        """Yield the module to run, or a copy of it, and the kinds of attention in it: a copy
        once more where its class would change it, so that no text is read otherwise for one that was read before."""
        if not self.writes_on_itself:
            is_own = module is self.model or module is self.body
            yield module, self.kinds if is_own else kinds_of_modules(module, is_causal=self.is_causal)
            return
        with same_randomness(self.device):
            copied = untouched_copy(module)
            yield copied, kinds_of_modules(copied, is_causal=self.is_causal)
        if self.classes_of_parts and is_observed() and not classes_in(copied) <= self.classes_of_parts:
            raise another_attention(self.name, str(self.model.config.model_type))

    def _handing_over(self, n_rows: int) -> AbstractContextManager[None]:
        """Return the context that hands attention that is written out to the recorder, for a model that needs it."""
        return handing_over(next(iter(self.n_calls)), n_rows) if self.way == "written out" else nullcontext()

    def run_watched(self, arguments: PassArguments, module: nn.Module) -> tuple[ModelOutput, StackStates]:
        """The forward pass of the whole model or of its body, and what went through its first stack."""
        body = "" if module is self.body else self.body_name
        final, last = list[Tensor](), list[Tensor]()
        hooks = {body: output_hook(final, f"{self._first_stack}last_hidden_state")}
        if self.last_layer is not None:
            hooks[f"{body}.{self.last_layer}".removeprefix(".")] = output_hook(last)
        output = self.run(arguments, with_hooks(module, hooks))
        states = (*self.states_of(output)[:-1], last[-1]) if last else self.states_of(output)
        final_state = final[-1] if final else self.states_of(output)[-1]
        return output, StackStates(hidden_states=self.states_of_attention(states), final=final_state)

    def states_of_attention(self, states: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The embeddings and what the layers with attention gave."""
        if not self.layer_numbers:
            return states
        return states[0], *(states[number + 1] for number in self.layer_numbers)

    def states_of(self, output: ModelOutput) -> tuple[Tensor, ...]:
        """The hidden states of the first stack as transformers gives them: the last may be normed already."""
        states: tuple[Tensor, ...] = output[f"{self._first_stack}hidden_states"]
        return states

    @property
    def _first_stack(self) -> str:
        """How transformers marks what is the encoder's, where there is a decoder, too."""
        return "encoder_" if self.is_encoder_decoder else ""

    @contextmanager
    def _in_sentences(self) -> Iterator[None]:
        """Turn an error of the model's own code into an UnsupportedModelError, which a person can read; what the
        device could not do, a DeviceError."""
        try:
            yield
        except HeadlightError:
            raise
        except Exception as error:
            fault = device_fault(error, self.name, str(self.device))
            raise fault or reading_error(self.model, self.name, error) from error
