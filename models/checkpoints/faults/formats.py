"""Forms of weights that are not read, by the names of their files: what each is, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from models.values.wording import Message, to_say, worded

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A form of weights that is not read: the names of its files, what it is, and what to do."""

    files: tuple[str, ...]
    what: Message
    advice: Message


_CONVERT = to_say(
    "If you trust those who made it, convert it: open it with from_pretrained of transformers, and write it with "
    "save_pretrained."
)
_CONVERT_WITH_4 = to_say(
    "Convert it with a transformers below version 5: open it with from_pretrained(..., {option}), and write it with "
    "save_pretrained."
)
_CHOOSE_ORIGINAL = to_say("Choose the model that it was made from, in the form of transformers.")
PICKLE = Format(
    files=("pytorch_model*.bin", "model*.bin"),
    what=to_say("a pickle, which can run code when it is opened"),
    advice=_CONVERT,
)
FORMATS = (
    PICKLE,
    Format(
        files=("consolidated*.pth", "consolidated*.pt"),
        what=to_say("the weights as their makers' own program has them, in a pickle"),
        advice=_CHOOSE_ORIGINAL,
    ),
    Format(
        files=("*.ckpt.index", "*.ckpt.data-*", "*.ckpt.meta", "tf_model.h5", "*.h5", "*.keras", "saved_model.pb"),
        what=to_say("a checkpoint of TensorFlow"),
        advice=worded(_CONVERT_WITH_4, option="from_tf=True"),
    ),
    Format(
        files=("*.msgpack",),
        what=to_say("a checkpoint of Flax"),
        advice=worded(_CONVERT_WITH_4, option="from_flax=True"),
    ),
    Format(
        files=("*.gguf", "*.ggml", "ggml-*.bin"),
        what=to_say("rounded weights for llama.cpp"),
        advice=_CHOOSE_ORIGINAL,
    ),
    Format(
        files=(
            "*.onnx",
            "*.onnx_data",
            "openvino_model*.*",
            "*.tflite",
            "*.mlmodel",
            "*.mlpackage",
            "*.ot",
            "*.engine",
        ),
        what=to_say("a model that was exported to be run, and cannot be looked into"),
        advice=_CHOOSE_ORIGINAL,
    ),
    Format(
        files=("*.nemo",),
        what=to_say("an archive of NVIDIA NeMo"),
        advice=to_say("Convert it to the form of transformers with NeMo, and give the folder that it writes."),
    ),
    Format(
        files=("*.ckpt", "*.pt", "*.pth", "*.pkl", "*.bin"),
        what=to_say("a pickle of PyTorch"),
        advice=to_say(
            "If you trust those who made it, load it in the program that wrote it, and write the model that is inside "
            "with save_pretrained."
        ),
    ),
)
"""In the order in which they are looked for."""
UNFINISHED = ("*.crdownload", "*.part", "*.partial", "*.incomplete", "*.download", "*.aria2", "*.!ut", "*.tmp")
"""How programs call a file while it is downloaded."""
OF_TRAINING = ("optimizer.*", "scheduler.*", "scaler.*", "rng_state*", "training_args.bin")
"""Files beside the weights from which a training goes on."""
ARCHIVES = ("*.zip", "*.tar", "*.tar.gz", "*.tgz", "*.tar.bz2", "*.tar.xz", "*.7z", "*.rar", "*.gz", "*.zst")


def weights_in(format_of: Format, model: str, file: str) -> Message:
    """The sentence for a model whose weights are in a form that is not read."""
    return worded(
        "The weights of {model} come only as {file}. That is {what}, and Headlight reads only {weights}. {advice}",
        model=model,
        file=file,
        what=format_of.what,
        weights=WEIGHTS,
        advice=format_of.advice,
    )


def format_of(file: str) -> Format | None:
    """The form of weights that is not read and that a file is in, by its name."""
    return None if is_any(file, OF_TRAINING) else next((form for form in FORMATS if is_any(file, form.files)), None)


def is_archive(file: str) -> bool:
    """Whether a file is many in one, by its name."""
    return is_any(file, ARCHIVES)


def archive_message(file: str) -> Message:
    """The sentence for an archive in the place of a model."""
    return worded(
        "{file} is an archive, with its files packed into one. Unpack it, and give the path of the folder.", file=file
    )


def is_any(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name.lower(), pattern) for pattern in patterns)
