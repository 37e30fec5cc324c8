"""Say what is wrong with the files of a checkpoint, by their first bytes, their headers and their sizes."""

from __future__ import annotations

import json
import struct
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from math import isnan
from pathlib import Path
from typing import Any

from models.checkpoints.faults.formats import INDEX, WEIGHTS
from models.checkpoints.faults.names import CONFIG, SHARD, list_names
from models.values.wording import Message, to_say, worded

POINTER = b"version https://git-lfs.github.com/spec/"
"""How a file begins that git has left in the place of a large one."""
HTML = (b"<!doctype html", b"<html")
PICKLES = (b"PK\x03\x04", b"\x80\x02", b"\x80\x04")
"""How a pickle of PyTorch begins, zipped or plain."""
GGUF = b"GGUF"
READ_FIRST = 512
MOST_HEADER = 100_000_000
"""The most bytes of a header, as the reader of safetensors has it."""
SUFFIXES = frozenset({".codes", ".json", ".model", ".safetensors", ".spm", ".txt"})
"""Of the files that a model or a tokenizer is read from."""
NOT_READ = frozenset({"all_results.json", "eval_results.json", "train_results.json", "trainer_state.json"})
SETTINGS = ("generation_config.json", "special_tokens_map.json", "tokenizer_config.json")
"""Small files of JSON beside the configuration; a tokenizer.json of many megabytes is read once alone."""
SPOILED = to_say("Download it again, or copy it anew.")
QUANTISED_ENDINGS = (
    ".SCB",
    ".absmax",
    ".g_idx",
    ".nested_absmax",
    ".quant_map",
    ".qweight",
    ".qzeros",
    ".weight_packed",
)
"""The names of what stands beside weights of 8 or 4 bits: bitsandbytes, GPTQ, AWQ, compressed-tensors."""
WHOLE = ("I", "U")
"""How the types of whole numbers begin in the header of safetensors: I8, U8, I32, …"""
WIDENED = frozenset({"mxfp4", "fp8"})
"""Ways of rounding that transformers takes back itself, without another package."""
Config = Mapping[str, Any]


def fault_of_contents(folder: Path, model: str) -> Message | None:
    """Return a sentence about the first file of a checkpoint that cannot be what its name says; None if all can.

    Raises OSError for a file that cannot be read.
    """
    for file in _files_to_read(folder):
        if (fault := _fault_of_beginning(file, model)) is not None:
            return fault
    if (fault := _fault_of_config(folder, model)) is not None:
        return fault
    if (fault := _fault_of_shards(folder, model)) is not None:
        return fault
    for file in weights_of(folder):
        if (fault := _fault_of_weights(file, model)) is not None:
            return fault
    return _fault_of_rounding(folder, model)


def read_json(file: Path, *, encoding: str = "utf-8-sig") -> Any:
    """The content of a JSON file. Raises OSError and ValueError."""
    return json.loads(file.read_text(encoding=encoding))


def quantisation_of(config: Config) -> str:
    """Return how a configuration says that the weights are rounded to a few bits; empty if it does not."""
    said = config.get("quantization_config")
    if not said:  # null, or an empty table
        return ""
    return str((said.get("quant_method") or "4 bit") if isinstance(said, Mapping) else said)[:80]


def quantised_message(model: str, how: str) -> Message:
    """The sentence for weights of a few bits."""
    return worded(
        "The weights of {model} are quantised ({how}): rounded to a few bits, and packed. Headlight opens weights of "
        "16 or 32 bits. Choose the model that it was made from.",
        model=model,
        how=how,
    )


def _files_to_read(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.iterdir()):
        if file.suffix in SUFFIXES and file.name not in NOT_READ and file.is_file():
            yield file


def weights_of(folder: Path) -> list[Path]:
    """The files with the weights, as transformers takes them: one, or the shards."""
    whole = folder / WEIGHTS
    return [whole] if whole.is_file() else sorted(file for file in folder.iterdir() if SHARD.fullmatch(file.name))


def _fault_of_beginning(file: Path, model: str) -> Message | None:
    with file.open("rb") as opened:
        begins = opened.read(READ_FIRST)
    if begins.startswith(POINTER):
        return worded(
            "{file} of {model} is no more than a pointer, which git leaves in the place of a large file (git-lfs). Run "
            "`git lfs install` and `git lfs pull` in its folder, or download the file itself.",
            file=file.name,
            model=model,
        )
    if begins.lstrip().lower().startswith(HTML):
        return worded(
            "{file} of {model} is a web page: the page about the file was saved in the place of the file. Download the "
            "file itself.",
            file=file.name,
            model=model,
        )
    if file.suffix == ".json" and begins.startswith(BOM_UTF8):
        return worded(
            "{file} of {model} begins with a byte order mark, as some editors of Windows write it, and transformers "
            "does not read it. Save it as UTF-8 without one.",
            file=file.name,
            model=model,
        )
    if not begins and file.suffix in {".json", ".safetensors", ".model", ".spm"}:
        return worded("{file} of {model} is empty. {advice}", file=file.name, model=model, advice=SPOILED)
    return None


# -- the configuration ------------------------------------------------------------------------------------------------


def _fault_of_config(folder: Path, model: str) -> Message | None:
    try:
        config = read_json(folder / CONFIG)
        is_damaged = _has_nan(config)
    except ValueError as error:
        return _damaged_json(CONFIG, model, error)
    except RecursionError:
        is_damaged = True
    if is_damaged:
        return worded("{file} of {model} is damaged. {advice}", file=CONFIG, model=model, advice=SPOILED)
    if not isinstance(config, dict):
        return worded(
            "{file} of {model} is not a table of names and values, as the configuration of a model is. {advice}",
            file=CONFIG,
            model=model,
            advice=SPOILED,
        )
    return next((fault for name in SETTINGS if (fault := fault_of_json(folder / name, model)) is not None), None)


def _has_nan(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (isinstance(value, float) and isnan(value)) or any(map(_has_nan, parts))


def fault_of_json(file: Path, model: str) -> Message | None:
    """Return a sentence about a file that is not JSON; None if it is, or if there is no such file."""
    try:
        read_json(file)
    except FileNotFoundError:
        return None
    except ValueError as error:
        return _damaged_json(file.name, model, error)
    return None


def _damaged_json(file: str, model: str, error: ValueError) -> Message:
    if isinstance(error, json.JSONDecodeError):
        return worded(
            "{file} of {model} is damaged in line {line}, at character {column}: it is not JSON there. Correct it, or "
            "download it again.",
            file=file,
            model=model,
            line=error.lineno,
            column=error.colno,
        )
    return worded("{file} of {model} is damaged. {advice}", file=file, model=model, advice=SPOILED)


# -- the weights ------------------------------------------------------------------------------------------------------


def _fault_of_shards(folder: Path, model: str) -> Message | None:
    """The fault of weights in several files: an index that is damaged, shards that are not there."""
    if (folder / WEIGHTS).is_file():
        return None
    try:
        files = sorted(set(read_json(folder / INDEX)["weight_map"].values()))
    except json.JSONDecodeError as error:
        return _damaged_json(INDEX, model, error)
    except (ValueError, LookupError, TypeError, AttributeError):
        return worded("{file} of {model} is damaged. {advice}", file=INDEX, model=model, advice=SPOILED)
    missing = [str(name) for name in files if not (folder / str(name)).is_file()]
    if not missing:
        return None
    return worded(
        "{model} lacks {n} of the {of} files with its weights: {files}. Download or copy them into the folder, too.",
        model=model,
        n=len(missing),
        of=len(files),
        files=list_names(missing),
    )


def header_of(file: Path) -> dict[str, Any] | None:
    """The header of a safetensors file; None if it has none that can be read. Raises OSError."""
    with file.open("rb") as opened:
        length = opened.read(8)
        if len(length) < 8 or struct.unpack("<Q", length)[0] > MOST_HEADER:
            return None
        try:
            header = json.loads(opened.read(struct.unpack("<Q", length)[0]))
        except (ValueError, RecursionError):
            return None
    return header if isinstance(header, dict) else None


def _fault_of_weights(file: Path, model: str) -> Message | None:
    n_bytes = file.stat().st_size
    with file.open("rb") as opened:
        begins = opened.read(8)
    if begins.startswith((*PICKLES, GGUF)):
        return worded(
            "{file} of {model} has the name of a safetensors file, and is of another form: a file is not converted by "
            "another name. Choose the model in its original form.",
            file=file.name,
            model=model,
        )
    announced = struct.unpack("<Q", begins)[0] if len(begins) == 8 else 0
    if 0 < announced <= MOST_HEADER and 8 + announced > n_bytes:
        return _cut_short(file, model, n_bytes, 8 + announced)
    header = header_of(file)
    try:
        ends = [int(about["data_offsets"][1]) for name, about in (header or {}).items() if name != "__metadata__"]
    except (LookupError, TypeError, ValueError):
        header = None
    if header is None:
        return worded("{file} of {model} is damaged. {advice}", file=file.name, model=model, advice=SPOILED)
    expected = 8 + announced + max(ends, default=0)
    return None if n_bytes >= expected else _cut_short(file, model, n_bytes, expected)


def _cut_short(file: Path, model: str, n_bytes: int, expected: int) -> Message:
    return worded(
        "{file} of {model} is cut short: it has {n} bytes, and should have {expected}. The download or the copy broke "
        "off, so do it again.",
        file=file.name,
        model=model,
        n=f"{n_bytes:,}",
        expected=f"{expected:,}",
    )


def _fault_of_rounding(folder: Path, model: str) -> Message | None:
    """The sentence for weights that are packed into a few bits, as the configuration or their names say."""
    config = read_json(folder / CONFIG)
    if method := quantisation_of(config):
        return None if method in WIDENED else quantised_message(model, method)
    for file in weights_of(folder):
        header = header_of(file) or {}
        packed = next((name for name in header if name.endswith(QUANTISED_ENDINGS)), None)
        if packed is not None:
            return quantised_message(model, packed)
        whole = next((name for name, about in header.items() if _is_of_whole_numbers(name, about)), None)
        if whole is not None:
            return quantised_message(model, f"{whole}: {header[whole]['dtype']}")
    return None


def _is_of_whole_numbers(name: str, about: Any) -> bool:
    """Whether a weight is stored in whole numbers, without the scale that would make it what was trained."""
    return name.endswith(".weight") and str(about.get("dtype")).startswith(WHOLE)
