"""Refusals in words: models that read no text, whose weights are damaged, whose code breaks."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from re import search
from typing import Any

from torch import Tensor
from transformers import (
    AutoModel,
    PreTrainedConfig,
    PreTrainedModel,
)
from transformers.models.auto.modeling_auto import (
    MODEL_MAPPING_NAMES,
)

from models.checkpoints.faults.contents import quantisation_of
from models.checkpoints.folder import is_finite
from models.huggingface.classes import AutoClass, class_of
from models.values.errors import ModelLoadError, UnsupportedModelError
from models.values.wording import Message, to_say, worded

MOST_FORBIDDEN = 10_000
"""Tokens that a checkpoint may forbid to write: each one costs time at every step."""
FORBIDDEN = ("bad_words_ids", "suppress_tokens", "begin_suppress_tokens")
_FILLED_TO = 128
"""Tables of vectors are filled up to a multiple of a power of two, at most this one."""
READ_TEXT = "input_ids"
"""How transformers names what a model reads first of all, if that is text."""
OTHER_THAN_TEXT = {
    "image": to_say("pictures"),
    "pixel": to_say("pictures"),
    "video": to_say("films"),
    "videos": to_say("films"),
    "audio": to_say("sounds"),
    "time": to_say("numbers over time"),
    "states": to_say("numbers over time"),
}
"""Inputs other than text, by the words of `input_modalities` and `main_input_name`."""
_READS_OTHERS = to_say(
    "{model} is of the family {family}, which reads {others}, not text. Choose a model that reads text, such as BERT, "
    "GPT-2 or T5."
)
_READS_NO_TEXT = to_say(
    "{model} is of the family {family}, which reads no text. Choose a model that reads text, such as BERT, GPT-2 or T5."
)
_NOT_FOR_TEXT = to_say(
    "{model} is of the family {family}, which transformers does not open with {class_name}: it is not made for reading "
    "or writing text. Choose another model, such as BERT, GPT-2 or T5."
)
_NO_CLASS = to_say(
    "{model} is of the family {family}, which transformers knows by name and has no class for. Choose another model, "
    "such as BERT, GPT-2 or T5."
)


def first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".") + "."


def expect_numbers(model: PreTrainedModel, missing: Collection[str], name: str) -> None:
    """Raise ModelLoadError if a weight of the file is no finite number: one is enough to make every answer NaN. Those
    that are `missing` in it are whatever transformers draws."""
    for of, weight in model.named_parameters():
        if of not in missing and not is_finite(weight):
            raise ModelLoadError(
                name,
                worded(
                    "The weights of {model} are damaged: {weight} contains values that are not finite numbers.",
                    model=name,
                    weight=of,
                ),
            )


def expect_finite_states(states: Tensor, name: str) -> None:
    """Raise ModelLoadError if the last hidden states [1, n_tokens, d_model] of a text, in float32, are no numbers."""
    if not bool(states.isfinite().all()):
        raise ModelLoadError(
            name,
            worded(
                "What {model} computes grows too large to be a number, although all its weights are numbers. They are "
                "damaged, or config.json says something else than the model was trained with. Copy or download all of "
                "its files anew.",
                model=name,
            ),
        )


def expect_few_forbidden(model: PreTrainedModel, name: str) -> None:
    """Raise ModelLoadError if the checkpoint forbids more tokens than can be kept to at every step."""
    for field in FORBIDDEN:
        given = getattr(getattr(model, "generation_config", None), field, None) or ()
        n_ids = sum(len(entry) if isinstance(entry, list | tuple) else 1 for entry in given)
        if n_ids > MOST_FORBIDDEN:
            raise ModelLoadError(
                name,
                worded(
                    "The generation_config.json of {model} has {n} tokens in {field}, expected at most {most}: writing "
                    "with it would take forever. Choose another model.",
                    model=name,
                    n=f"{n_ids:,}",
                    field=field,
                    most=f"{MOST_FORBIDDEN:,}",
                ),
            )


def expect_reader_of_text(auto_class: AutoClass, config: PreTrainedConfig, name: str) -> None:
    """Raise UnsupportedModelError for a family that reads something else, or that no class can be asked in."""
    family = config.model_type
    opened = class_of(auto_class, config)
    model_class = opened or class_of(AutoModel, config)
    if model_class is not None and (model_class.main_input_name != READ_TEXT or "text" not in _modalities(model_class)):
        raise reads_others(name, family, model_class)
    if opened is None:
        raise UnsupportedModelError(
            name,
            worded(
                _NO_CLASS if family in MODEL_MAPPING_NAMES and model_class is None else _NOT_FOR_TEXT,
                model=name,
                family=repr(family),
                class_name=auto_class.__name__,
            ),
        )


def reads_others(name: str, family: str, model_class: type[PreTrainedModel]) -> UnsupportedModelError:
    """Return the error for a text that is given to a family which reads something else."""
    reads = _read_beside_text(model_class)
    says = worded(_READS_OTHERS, model=name, family=repr(family), others=reads)
    return UnsupportedModelError(name, says if reads else worded(_READS_NO_TEXT, model=name, family=repr(family)))


def without_package(error: ImportError, config: PreTrainedConfig, name: str) -> ModelLoadError:
    """The error for a family whose code imports what is not installed, or for weights that are widened by what is not:
    `error` is what came out of it."""
    said = search(r"requires the (\S+) library|pip install ([\w.-]+)", str(error))  # as transformers says it, or Python
    package = (said[1] or said[2]) if said else (error.name or "").partition(".")[0]
    family, how = config.model_type, quantisation_of(config.to_dict())
    if how and package:
        return ModelLoadError(
            name,
            worded(
                "The weights of {model} are quantised ({how}), and transformers takes that back only with the package "
                "{package}, which is not installed here. Install it, or choose the model that it was made from.",
                model=name,
                how=how,
                package=package,
            ),
        )
    if not package:
        return ModelLoadError(
            name,
            worded(
                "{model} is of the family {family}, which needs a package that is not installed here. Choose another "
                "model, such as BERT, GPT-2 or T5.",
                model=name,
                family=repr(family),
            ),
        )
    return ModelLoadError(
        name,
        worded(
            "{model} is of the family {family}, which needs the package {package}, and that is not installed here. "
            "Install it, or choose another model, such as BERT, GPT-2 or T5.",
            model=name,
            family=repr(family),
            package=package,
        ),
    )


def not_text(model_class: type[PreTrainedModel]) -> Message:
    """Say that a class reads something else than text, as half a sentence."""
    return worded("it reads {others}, not text", others=_read_beside_text(model_class))


def _modalities(model_class: type[PreTrainedModel]) -> tuple[str, ...]:
    """Return the inputs that a class declares, as transformers calls them: "text", "image", "audio"."""
    said: Any = model_class.input_modalities
    return (said,) if isinstance(said, str) else tuple(said or ("text",))


def _read_beside_text(model_class: type[PreTrainedModel] | None) -> str:
    """Return the inputs of a class other than text, in words; empty if there are none, or none known."""
    if model_class is None:
        return ""
    main: str | list[str] = model_class.main_input_name
    names = [main] if isinstance(main, str) else main  # OneFormer reads two things
    said = (*_modalities(model_class), *(word for name in names for word in name.split("_")))
    others = dict.fromkeys(OTHER_THAN_TEXT[word] for word in said if word in OTHER_THAN_TEXT)
    return reduce(lambda some, last: worded("{some} and {last}", some=some, last=last), others) if others else ""


def reading_error(model: PreTrainedModel, name: str, error: Exception) -> UnsupportedModelError:
    """The error for a model whose own code could not read a text: `error` is what came out of it."""
    return not_alone(model, name, worded("transformers says “{message}”", message=first_line(error)))


def not_alone(model: PreTrainedModel, name: str, why: str) -> UnsupportedModelError:
    """The error for a model that cannot read a text by itself; `why` is half a sentence."""
    others = _read_beside_text(type(model))
    if others:
        why = worded("it reads {others} as well as text, and {why}", others=others, why=why)
    return UnsupportedModelError(
        name,
        worded(
            "{model} is of the family {family}, and cannot read text on its own: {why}. Choose another model, such as "
            "BERT, GPT-2 or T5.",
            model=name,
            family=repr(model.config.model_type),
            why=why,
        ),
    )


def expect_one_vocabulary(name: str, *, n_read: int, n_written: int) -> None:
    """Raise UnsupportedModelError if what is read has another vocabulary than what is written, which its tokenizer does
    not have: sizes that differ by no more than the filling at their ends are one vocabulary."""
    if -(-n_read // _FILLED_TO) != -(-n_written // _FILLED_TO):
        raise UnsupportedModelError(
            name,
            worded(
                "{model} reads with a vocabulary of {n_read} tokens and writes with another of {n_written}, and it "
                "comes with the tokenizer of only one: what it writes would have the wrong words. Choose a model with "
                "one vocabulary, such as T5 or BART.",
                model=name,
                n_read=n_read,
                n_written=n_written,
            ),
        )


def unsupported_error(name: str, family: str) -> UnsupportedModelError:
    """The error for a family whose attention passes by the recorder."""
    return UnsupportedModelError(
        name,
        worded(
            "{model} is of the family {family}, whose attention cannot be recorded: it does not go through "
            "transformers' attention interface, or computes something else. Choose another model, such as BERT, GPT-2 "
            "or T5.",
            model=name,
            family=repr(family),
        ),
    )


def another_attention(name: str, family: str) -> UnsupportedModelError:
    """The error for a text over which a class takes another attention than over a short one (BigBird)."""
    return UnsupportedModelError(
        name,
        worded(
            "This text is so long that {model}, of the family {family}, reads it with another attention than a short "
            "one, in blocks, and that cannot be recorded or changed. Use a shorter text; what the model answers to "
            "this one can be asked.",
            model=name,
            family=repr(family),
        ),
    )
