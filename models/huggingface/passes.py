"""How a transformers model reads: text to tokens, tokens through one forward pass, and what a decoder reads.

A class for the adapter to build on: it holds the model and the tokenizer, and says nothing about recording.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from threading import Lock
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput
from transformers.utils.generic import ModelOutput

from models.checkpoints.device_faults import device_fault
from models.checkpoints.devices import put_on
from models.huggingface.attention_interface import running
from models.huggingface.config import kinds_of_modules, layers_of_kinds, layers_with_attention, takes_segments
from models.huggingface.files import OpenedModel
from models.huggingface.refusals import another_attention, failed
from models.huggingface.writing import HuggingFaceCache, HuggingFaceDecoding, keeps_what_it_read, rule_of
from models.recording.assemble import StackStates
from models.recording.last_layer import output_hook
from models.recording.recorder import is_observed, undisturbed
from models.recording.untouched import classes_in, same_randomness, untouched_copy
from models.recording.watched_copy import with_hooks, with_twins
from models.recording.written_out import handing_over
from models.tasks.local import LocalModel
from models.tasks.writing import Prompt, read_source_and_target
from models.text.languages.codes import LanguageCodes
from models.text.languages.prefix import find_prefix
from models.text.languages.turn import TokenizerTurn
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading, shift_source
from models.values.errors import HeadlightError, ModelLoadError
from models.values.record import Kind
from models.values.text.languages import Languages
from models.values.wording import join_sentences, worded

RecordedBy = Literal["interface", "written out", "weights alone"]
"""How attention is recorded: through transformers' interface, from a forward that writes it out, or as the weights that
the model hands out itself, without queries, keys and values."""


class _SeenError(Exception):
    """Ends a pass that was made only to see what the decoder is given."""


def _keep_ids(decoder: nn.Module, *, seen: list[Tensor]) -> None:
    def keep(_module: nn.Module, _args: tuple[Any, ...], given: dict[str, Any]) -> None:
        if isinstance(ids := given.get("input_ids"), Tensor):
            seen.append(ids)
            raise _SeenError

    decoder.register_forward_pre_hook(keep, with_kwargs=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Tokens as the model takes them; `decoder_ids` and `decoder_tokens` for an encoder-decoder model only."""

    ids: Tensor
    """[b, n_tokens], b is 1 unless several texts are read in one pass"""
    segment_ids: Tensor
    """[b, n_tokens]"""
    mask: Tensor | None = None
    """[b, n_tokens], True for a token and False for padding; None: nothing is padded"""
    decoder_ids: Tensor | None = None
    """[1, n_decoder_tokens]"""
    position_ids: Tensor | None = None
    """[1, n_tokens], in the model's own numbers; None: as it counts them itself"""


class HuggingFaceReader(LocalModel):
    """A transformers model with its tokenizer, on a device."""

    def __init__(self, opened: OpenedModel, model: PreTrainedModel, *, name: str, device: torch.device) -> None:
        self.name = name
        self.tokenizer = opened.tokenizer
        self.device = device
        self.model = model
        put_on(model, device, torch.float32)
        self.tokenizing: TokenizerTurn = TokenizerTurn(opened.tokenizer, Lock())
        self.codes: LanguageCodes | None = None
        """How it is told languages, if it is."""
        self.takes_segments = takes_segments(model)
        self.is_causal = opened.is_causal
        self.has_text_labels = opened.has_text_labels
        """Whether it has a classifier for texts, if only one that gives a score."""
        self.has_no_mask = opened.has_no_mask
        """Whether it has an LM head for masked words, and its tokenizer no mask."""
        self.kinds = kinds_of_modules(model, is_causal=opened.is_causal)
        self.n_blocks = layers_of_kinds(model.config, is_causal=opened.is_causal)
        self.layer_numbers = layers_with_attention(model.config)
        """The numbers of the layers that have attention, where only some have."""
        self.hybrid_blocks: tuple[str, ...] = ()
        """The modules of the body that are then all its layers."""
        self.n_calls = dict.fromkeys(self.n_blocks, len(self.layer_numbers)) if self.layer_numbers else self.n_blocks
        """How many layers have attention of each kind: so many calls does a pass make."""
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
    def is_encoder_decoder(self) -> bool:
        return bool(self.model.config.is_encoder_decoder)

    # -- one forward pass ---------------------------------------------------------------------------------------------

    @torch.inference_mode()
    def run(self, inputs: Inputs, module: nn.Module) -> ModelOutput:
        """The forward pass: of the whole model, or of its body, which stops at the last layer."""
        gives = {"output_attentions": True} if self.way == "weights alone" else {}
        return self.run_rows(inputs, module, output_hidden_states=True, **gives)

    def run_rows(self, inputs: Inputs, module: nn.Module, **options: bool) -> ModelOutput:
        """The same for several rows, and with gradients where somebody wants them."""
        seen = torch.ones_like(inputs.ids) if inputs.mask is None else inputs.mask.to(inputs.ids)  # [b, n_tokens]
        arguments: dict[str, Tensor] = {"input_ids": inputs.ids, "attention_mask": seen}
        if self.takes_segments:
            arguments["token_type_ids"] = inputs.segment_ids.clamp(max=self.model.config.type_vocab_size - 1)
        if inputs.decoder_ids is not None:
            arguments["decoder_input_ids"] = inputs.decoder_ids
        if inputs.position_ids is not None:
            arguments["position_ids"] = inputs.position_ids
        keeps_cache = {"use_cache": False} if "decoder" in self.n_calls else {}
        with self._reading(module, len(inputs.ids)) as reader:
            output: ModelOutput = reader(**arguments, **keeps_cache, **options, return_dict=True)
        return output

    @contextmanager
    def _reading(self, module: nn.Module, n_rows: int) -> Iterator[nn.Module]:
        """Yield the module to run for `n_rows` texts; its attention knows which model runs."""
        observed = self._handing_over(n_rows)
        with self._in_sentences(), self._unchanged(module) as (reader, kinds), running(self.name, kinds), observed:
            yield reader

    @contextmanager
    def _unchanged(self, module: nn.Module) -> Iterator[tuple[nn.Module, Mapping[int, Kind]]]:
        """Yield the module to run, or a copy of it, and the kinds of attention in it: a copy
        once more where its class would change it, so that no text is read otherwise for one that was read before."""
        if not self.writes_on_itself:
            is_own = module is self.model or module is self.model.base_model
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

    def run_watched(self, inputs: Inputs, module: nn.Module) -> tuple[ModelOutput, StackStates]:
        """The forward pass of the whole model or of its body, and what went through its first stack."""
        body = "" if module is self.model.base_model else self.body_name
        final, last = list[Tensor](), list[Tensor]()
        hooks = {body: output_hook(final, f"{self._first_stack}last_hidden_state")}
        if self.last_layer is not None:
            hooks[f"{body}.{self.last_layer}".removeprefix(".")] = output_hook(last)
        output = self.run(inputs, with_hooks(module, hooks))
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

    def prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        told = find_prefix(text, self.codes, self.info.languages)
        with self.tokenizing:  # Python tokenizers keep state while they work
            prepared = prepare(
                self.tokenizer, text, text_b, max_tokens=self.info.max_tokens, before=told.before, skip=told.skip
            )
        note = told.note if self.info.can_translate or not self.is_encoder_decoder else ""
        return replace(prepared, note=join_sentences(note, prepared.note))

    def in_languages(self, *, source: str = "", target: str = "") -> Self:
        """The same model and weights, told other languages; an empty code leaves what is. Raises SelectionError for a
        language that it does not know, MissingCapabilityError if it is never told any."""
        if self.codes is None or self.info.languages is None or not (source.strip() or target.strip()):
            return super().in_languages(source=source, target=target)
        return self.with_languages(self.codes.choose(self.info.languages, source=source, target=target))

    def with_languages(self, languages: Languages) -> Self:
        told = copy(self)
        vars(told).update(info=replace(self.info, languages=languages), tokenizing=self.tokenizing.within(languages))
        return told

    def inputs(
        self,
        prepared: PreparedText,
        decoder_ids: Sequence[int] | None = None,
        positions: Sequence[int] | None = None,
    ) -> Inputs:
        self.expect_in_vocabulary([*prepared.input_ids, *(decoder_ids or ())])
        return Inputs(
            ids=torch.tensor([prepared.input_ids], device=self.device),
            segment_ids=torch.tensor([prepared.segment_ids], device=self.device),
            decoder_ids=None if decoder_ids is None else torch.tensor([decoder_ids], device=self.device),
            position_ids=None if positions is None else torch.tensor([positions], device=self.device),
        )

    def expect_in_vocabulary(self, ids: Sequence[int]) -> None:
        if max(ids) >= self.info.d_vocab:
            raise ModelLoadError(
                self.name,
                worded(
                    "The tokenizer of {model} has a token number {number}, but the model knows only {known}: the two "
                    "do not belong together.",
                    model=self.name,
                    number=max(ids),
                    known=self.info.d_vocab,
                ),
            )

    # -- encoder and decoder ------------------------------------------------------------------------------------------

    def read(self, text: str, text_b: str | None = None) -> Reading:
        """Return the reading of each stack. An encoder-decoder that is given no text B writes what its decoder reads;
        the decoder of one that does not write, a classifier, reads the source again."""
        if self.is_encoder_decoder and self.info.can_translate:
            return read_source_and_target(self, text, text_b)
        if self.is_encoder_decoder:
            prepared = self.prepare(text, text_b)
            with self.tokenizing:
                return shift_source(prepared, self._shifted(prepared), self.tokenizer)
        return self.alone(self.prepare(text, text_b))

    @torch.inference_mode()
    def _shifted(self, prepared: PreparedText) -> tuple[int, ...]:
        """The ids that the class gives to its decoder where nobody gives it any: seen on the way, the encoder left out.
        A class that asks for them gets the source behind the token that every target begins with."""
        inputs, seen = self.inputs(prepared), list[Tensor]()
        model: Any = self.model
        decoder = next(name for name, module in self.model.named_modules() if module is model.get_decoder())
        states = torch.zeros(*inputs.ids.shape, self.info.d_model, device=self.device)  # [1, n_tokens, d_model]
        try:
            with_twins(self.model, {decoder: partial(_keep_ids, seen=seen)})(
                input_ids=inputs.ids,
                attention_mask=torch.ones_like(inputs.ids),
                encoder_outputs=BaseModelOutput(last_hidden_state=states),
            )
        except _SeenError:
            return tuple(seen[0][0].tolist())
        except Exception as error:
            if isinstance(error, HeadlightError):
                raise
        return self.start_id(), *prepared.input_ids[:-1]

    def alone(self, prepared: PreparedText) -> Reading:
        """Return the reading of the one stack of an encoder or a decoder."""
        return Reading(prepared=prepared, tokens=dict.fromkeys(self.n_calls, prepared.tokens), note=prepared.note)

    @contextmanager
    def prompted(self, prepared: PreparedText) -> Iterator[Prompt[HuggingFaceCache]]:
        has_source, end_ids = self.is_encoder_decoder, self._end_ids()
        with undisturbed(), torch.inference_mode():
            source = self._encoded(prepared) if has_source else None
            yield Prompt(
                decoder=self._decoding(source, keeps_cache=has_source or self._keeps_cache),
                ids=(self.start_id(),) if has_source else prepared.input_ids,
                end_ids=end_ids,
                rule=rule_of(
                    self.model.generation_config,
                    sorted(end_ids),
                    has_source=has_source,
                    device=self.device,
                    first_id=self.first_id(),
                ),
            )

    def _decoding(self, source: ModelOutput | None, *, keeps_cache: bool) -> HuggingFaceDecoding:
        run = partial(self._call, self.model)
        return HuggingFaceDecoding(model=self.model, run=run, source=source, keeps_cache=keeps_cache)

    @cached_property
    def _keeps_cache(self) -> bool:
        """Whether a decoder on its own can be given what it has read before: found out when it first writes."""
        ids = torch.arange(4, device=self.device)[None] % self.info.d_vocab  # [1, 4]
        return keeps_what_it_read(self._decoding(None, keeps_cache=True), ids)

    def _encoded(self, prepared: PreparedText) -> ModelOutput:
        """Return the output of the encoder for a source."""
        inputs = self.inputs(prepared)
        encoder: Any = self.model.get_encoder()
        return self._call(encoder, input_ids=inputs.ids, attention_mask=torch.ones_like(inputs.ids))

    def _call(self, module: nn.Module, **arguments: Any) -> ModelOutput:
        n_rows = next((len(given) for given in arguments.values() if isinstance(given, Tensor)), 1)
        with self._reading(module, n_rows) as reader:
            output: ModelOutput = reader(**arguments, return_dict=True)
        return output

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
            raise fault or failed(self.model, self.name, error) from error

    def _target_id(self) -> int | None:
        """The token of the language that is written, None where it is not told by a token."""
        languages = self.info.languages
        return None if self.codes is None or languages is None else self.codes.ids.get(languages.target)

    def first_id(self) -> int | None:
        """The token that the decoder has to write first: that of its language, or what the checkpoint names."""
        target = None if self.codes is None or self.codes.starts else self._target_id()
        writes = getattr(self.model, "generation_config", None)  # a classifier has none
        forced: int | None = getattr(writes, "forced_bos_token_id", None) if self.is_encoder_decoder else None
        return forced if target is None else target

    def start_id(self) -> int:
        """The token with which the decoder starts: of mBART, its language."""
        target = self._target_id() if self.codes is not None and self.codes.starts else None
        start = self._said("decoder_start_token_id") if target is None else target
        if start is None:
            raise ModelLoadError(
                self.name,
                worded(
                    "The configuration of {model} does not say with which token its decoder starts.", model=self.name
                ),
            )
        return int(start)

    def _end_ids(self) -> frozenset[int]:
        """The tokens that end a text."""
        said = self._said("eos_token_id")
        ends = self.tokenizer.eos_token_id if said is None else said
        return frozenset(ends if isinstance(ends, list | tuple) else () if ends is None else (ends,))

    def _said(self, name: str) -> Any:
        """Return a setting of writing from either of the checkpoint's two configurations."""
        configs = getattr(self.model, "generation_config", None), self.model.config  # a body has only the second
        given = (getattr(config, name, None) for config in configs)
        return next((value for value in given if value is not None), None)
