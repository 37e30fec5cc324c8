"""The measures of a model, and the errors for questions that its form of attention does not allow."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import Literal

from models.values.arguments.check import check_fields
from models.values.errors import MissingCapabilityError, RecordError, SelectionError
from models.values.head_roles import HeadRole
from models.values.record.attention import no_such_layer
from models.values.record.tokens import Kind
from models.values.text.languages import Languages
from models.values.wording import worded


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """The measures of a model, in the field's letters; sizes are counts, `max_tokens` includes special tokens."""

    name: str
    family: str
    """The architecture as its configuration names it: "bert", "gpt2", "t5"."""
    implementation: Literal["scratch", "huggingface", "given"]
    kinds: tuple[Kind, ...]
    n_layers: int
    n_heads: int
    n_kv_heads: int
    d_model: int
    d_head: int
    d_ff: int
    d_vocab: int
    max_tokens: int
    n_parameters: int
    device: str
    can_fill_mask: bool
    can_judge_next_sentence: bool
    can_find_replaced: bool = False
    can_label_tokens: bool = False
    can_label_text: bool = False
    can_translate: bool = False
    """Whether it writes a text for a source: an encoder-decoder with its LM head."""
    can_continue: bool = False
    """Whether it continues a text: a decoder on its own with its LM head."""
    has_vectors: bool = True
    """Whether its queries, keys and values are recorded and its heads can be changed; else its weights alone are."""
    has_sinks: bool = False
    """Whether its heads can give a part of their attention to a sink, and so to no token."""
    untrained: tuple[str, ...] = ()
    """Capabilities, as `models.model` names them, that the configuration promises and for which the
    checkpoint has no weights."""
    head_roles: tuple[HeadRole, ...] = ()
    """The known roles of its heads, of an embedded model; empty where they were not measured."""
    nearest_roles: tuple[HeadRole, ...] = ()
    """Of the heads that were measured and are known for nothing, what each comes nearest to; it passes no threshold."""
    layer_numbers: tuple[int, ...] = ()
    """The model's own numbers of its layers, where only some of them have attention (Jamba): `n_layers` and every layer
    elsewhere count those alone. Empty where all have."""
    mixes_otherwise: bool = False
    """Whether its tokens learn of each other without attention, too: by a recurrent state or a convolution."""
    dtype: str = "float32"
    """The numbers in which it computes: "float32", "bfloat16" or "float16". Records are float32, whatever it is."""
    notes: tuple[str, ...] = ()
    """Notes on how it was opened, in sentences."""
    languages: Languages | None = None
    """The languages in use and those that can be chosen; None for a model whose languages cannot be chosen."""
    task_prefixes: tuple[str, ...] = ()
    """Prefixes before a text in training, as its configuration lists them: "translate English to German: "."""

    def __repr__(self) -> str:
        size = f"{self.n_layers} layers × {self.n_heads} heads, d_model {self.d_model}"
        return f"<{self.name}: {self.family}, {size}, {self.n_parameters:,} parameters, {self.device}>"

    @property
    def identity(self) -> tuple[str, ...]:
        """The key of its answers in caches: name, device and precision, and the languages that it is told."""
        languages = () if self.languages is None else (self.languages.source, self.languages.target)
        return self.name, self.place, *languages

    def __post_init__(self) -> None:
        check_fields(self, RecordError)

    @property
    def place(self) -> str:
        """The device, and the precision if it is not float32: elsewhere the last digits differ."""
        return self.device if self.dtype == "float32" else f"{self.device} {self.dtype}"

    @property
    def public_name(self) -> str:
        """The name as files for others tell it: of a model that was opened by a path, the folder alone."""
        is_path = any(kind(self.name).is_absolute() for kind in (PurePosixPath, PureWindowsPath))
        return PureWindowsPath(self.name).name if is_path or self.name.startswith((".", "~")) else self.name

    def own_number(self, layer: int) -> int:
        """The model's own number of a layer. Raises SelectionError if a hybrid does not have it."""
        if not self.layer_numbers:
            return layer
        if not 0 <= layer < len(self.layer_numbers):
            raise SelectionError(no_such_layer(layer, len(self.layer_numbers)))
        return self.layer_numbers[layer]


def no_vectors(info: ModelInfo) -> MissingCapabilityError:
    """Return the error for a question that needs vectors or changed heads, to a model recorded by its weights alone."""
    return MissingCapabilityError(
        info.name,
        worded(
            "{model} (family {family}) mixes more than queries and keys into its attention, so only its weights are "
            "recorded: there are no queries, keys and values to show, and its heads cannot be changed. Look at its "
            "weights on the page Attention, or choose another model, such as headlight-bert.",
            model=info.name,
            family=repr(info.family),
        ),
    )


def overflowing(info: ModelInfo) -> str:
    """Say that the numbers of a model are too large for the precision in which it computes."""
    return worded(
        "The numbers of {model} grow too large for {dtype}, so what it gives is no number any more. Open it in "
        "float32, or in bfloat16, which holds larger ones.",
        model=info.name,
        dtype=info.dtype,
    )


def mixed_otherwise(info: ModelInfo) -> MissingCapabilityError:
    """Return the error for a method that follows tokens through attention alone, for a model that does more."""
    return MissingCapabilityError(
        info.name,
        worded(
            "{model} (family {family}) carries something from token to token without attention, too (a recurrent state "
            "or a convolution), so what reaches an answer cannot be told from attention alone. Choose another method, "
            "or another model, such as headlight-bert.",
            model=info.name,
            family=repr(info.family),
        ),
    )
