"""Uploaded models are not trusted: their files are checked before anything opens them.

Weights are safetensors, which hold numbers alone; a pickle can run code and is refused. Sizes are read from the header
and held to the limits before a number is loaded. The first opening happens in a process of its own, under a time limit.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab import runs
from lab.limits import MEGABYTE, Limits
from lab.metrics import COLUMNS
from lab.recipe import Recipe, clean_name, read_recipe
from lab.runs import Run
from lab.uploads.archive import known_files, unzip_files
from lab.uploads.json_tables import parse_json, too_large
from lab.uploads.snapshots import Files, check_snapshots, of_the_model, write_snapshots
from lab.uploads.tokenizer_forms import rebuilt, rebuilt_config
from lab.uploads.weight_shapes import BUFFERS, shapes_of
from models.opening.guest import GuestModel
from models.training.trainer.metric_lines import metrics_in
from models.values.errors import HeadlightError, LabError
from models.values.wording import to_say, worded

NEEDED = ("config.json", "model.safetensors", "tokenizer.json")
MOST_JSON = {"config.json": MEGABYTE, "tokenizer.json": 16 * MEGABYTE}
SMALL_FILE = MEGABYTE
"""The most bytes of any other file of text."""
LAYOUTS: dict[str, dict[str, int]] = {
    "bert": {
        "vocab_size": 200_000,
        "hidden_size": 4096,
        "num_hidden_layers": 48,
        "num_attention_heads": 64,
        "intermediate_size": 16_384,
        "max_position_embeddings": 8192,
        "type_vocab_size": 16,
    },
    "gpt2": {
        "vocab_size": 200_000,
        "n_embd": 4096,
        "n_layer": 48,
        "n_head": 64,
        "n_inner": 16_384,
        "n_positions": 8192,
    },
    "bart": {
        "vocab_size": 200_000,
        "d_model": 4096,
        "encoder_layers": 48,
        "decoder_layers": 48,
        "encoder_attention_heads": 64,
        "decoder_attention_heads": 64,
        "encoder_ffn_dim": 16_384,
        "decoder_ffn_dim": 16_384,
        "max_position_embeddings": 8192,
    },
}
"""The layouts that are opened, and the most of each of their sizes."""
MOST_LABELS = 1000
TOKENIZER_CLASSES = frozenset(
    {"BertTokenizer", "BertTokenizerFast", "PreTrainedTokenizerFast", "PreTrainedTokenizer", "TokenizersBackend"}
)
_MADE_ANEW = ("special_tokens_map.json", "vocab.txt")
"""Left out: tokenizer.json and its configuration say the same."""
_GENERATION = ("bos_token_id", "decoder_start_token_id", "eos_token_id", "max_length", "pad_token_id")
"""The settings of generation_config.json that are kept."""
_RUNS_CODE = ("auto_map", "custom_pipelines", "trust_remote_code")
_MEASURED = re.compile(rf"{'|'.join(COLUMNS)}|held_out_[a-z_]{{1,30}}")
"""The names of the numbers in a curve."""
UNNAMED = "uploaded"
SENTENCE = "The animal didn't cross the street because it was too tired."


def take_upload(
    files: Sequence[tuple[str, bytes]], name: str, limits: Limits, *, client: str = "", owner: str = ""
) -> Run:
    """Return a run of a client made of an uploaded zip, or of the files themselves as (name, content). Without a name
    it keeps its own. Raises LabError, saying why not."""
    if not limits.is_on:
        raise LabError(to_say("The training lab is switched off on this server."))
    contents = look_through(files, limits)
    recipe, metrics = _training_of(contents)
    limits.folder.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix=".upload-", dir=limits.folder))
    try:
        checkpoint = place / runs.MODEL
        checkpoint.mkdir()
        for file, content in of_the_model(contents).items():
            (checkpoint / file).write_bytes(content)
        snapshots = write_snapshots(contents, place)
        _try_to_open(checkpoint, snapshots)
        own = clean_name(name or (recipe.name if recipe else UNNAMED))
        training = {} if recipe is None else {runs.RECIPE: replace(recipe, name=own).to_json(), runs.METRICS: metrics}
        run = runs.adopt(limits.folder, checkpoint, own, training, client=client, owner=owner)
        if snapshots:
            (place / runs.SNAPSHOTS).replace(run.folder / runs.SNAPSHOTS)
        return run
    finally:
        shutil.rmtree(place, ignore_errors=True)


def look_through(files: Sequence[tuple[str, bytes]], limits: Limits) -> dict[str, bytes]:
    """Return the files of a checkpoint by name, each looked through. Raises LabError."""
    total = sum(len(content) for _, content in files)
    if total > limits.model_bytes:
        raise LabError(
            worded(
                "The upload is {size} MB, and this server takes models of at most {most} MB.",
                size=f"{total / MEGABYTE:,.1f}",
                most=f"{limits.model_bytes / MEGABYTE:,.0f}",
            )
        )
    if len(files) == 1 and files[0][0].lower().endswith(".zip"):
        contents = dict(unzip_files(files[0][1], limits))
    else:
        contents = dict(known_files(iter(files)))
    missing = [name for name in NEEDED if name not in contents]
    if missing:
        raise LabError(
            worded(
                "The upload lacks {missing}. A model consists of {needed} and, if there is one, tokenizer_config.json, "
                "in one .zip or selected together.",
                missing=", ".join(missing),
                needed=", ".join(NEEDED),
            )
        )
    return check_files(contents, limits)


def check_files(files: Files, limits: Limits) -> dict[str, bytes]:
    """Return the files with unwanted settings removed. Raises LabError for files that are not safe to open."""
    shapes = shapes_of(files["model.safetensors"])
    n_parameters = sum(math.prod(shape) for name, shape in shapes.items() if not BUFFERS.fullmatch(name))
    if n_parameters > limits.parameters * 1.05:  # tables that are not trained count, too
        raise LabError(
            worded(
                "The weights are {numbers} numbers, and this server opens models of at most {most} parameters.",
                numbers=f"{n_parameters:,}",
                most=f"{limits.parameters:,}",
            )
        )
    config = _table(files, "config.json")
    _check_config(config)
    kept = {name: content for name, content in files.items() if name not in _MADE_ANEW}
    kept["tokenizer.json"] = _as_json(rebuilt(_table(files, "tokenizer.json"), d_vocab=config["vocab_size"]))
    kept["config.json"] = _as_json({name: value for name, value in config.items() if name not in _RUNS_CODE})
    if "tokenizer_config.json" in files:
        kept["tokenizer_config.json"] = _as_json(
            rebuilt_config(_table(files, "tokenizer_config.json"), classes=TOKENIZER_CLASSES)
        )
    if "generation_config.json" in files:
        given = _table(files, "generation_config.json")
        kept["generation_config.json"] = _as_json({name: given[name] for name in _GENERATION if name in given})
    check_snapshots(files, limits)
    for name, content in files.items():
        if name.endswith((".md", ".txt")) and len(content) > SMALL_FILE:
            raise LabError(too_large(name, len(content), SMALL_FILE))
    return kept


def _training_of(files: Files) -> tuple[Recipe | None, str]:
    """Return the recipe of an upload and the lines of its curves, as far as they are numbers of known names. Raises
    LabError for a recipe that is none."""
    if runs.RECIPE not in files:
        return None, ""
    try:
        recipe = read_recipe(files[runs.RECIPE].decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LabError(worded("A recipe cannot be read: {why}", why=str(error))) from error
    lines = [
        {name: value for name, value in line.items() if _MEASURED.fullmatch(name)}
        for line in metrics_in(files.get(runs.METRICS, b"")[:SMALL_FILE])
    ]
    return recipe, "".join(f"{json.dumps(line)}\n" for line in lines)


# -- the settings ------------------------------------------------------------------------------------------------------


def _check_config(config: Mapping[str, Any]) -> None:
    layout = str(config.get("model_type"))
    if layout not in LAYOUTS:
        raise LabError(
            worded(
                "config.json says model_type {given}, expected one of {known}: the lab opens what it trains. You can "
                "open other models by their Hugging Face id or folder in your own copy of Headlight.",
                given=repr(layout[:40]),
                known=", ".join(LAYOUTS),
            )
        )
    for name, most in LAYOUTS[layout].items():
        value = config.get(name)
        if value is None and name in {"n_inner", "type_vocab_size"}:
            continue
        if type(value) is not int or not 0 < value <= most:
            raise LabError(
                worded(
                    "config.json says {name} {given}, expected a whole number from 1 to {most}.",
                    name=name,
                    given=repr(str(value)[:40]),
                    most=f"{most:,}",
                )
            )
    labels = config.get("id2label", {})
    if not isinstance(labels, dict) or len(labels) > MOST_LABELS or any(len(str(one)) > 200 for one in labels.values()):
        raise LabError(
            worded(
                "The id2label in config.json is not a table of at most {most} short labels.", most=f"{MOST_LABELS:,}"
            )
        )


def _table(files: Files, name: str) -> dict[str, Any]:
    return parse_json(files[name], name, MOST_JSON.get(name, SMALL_FILE))


def _as_json(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


# -- the first opening -------------------------------------------------------------------------------------------------


def _try_to_open(checkpoint: Path, snapshots: Sequence[Path]) -> None:
    """Open a checkpoint and its snapshots and let them read, in a process that may die of it. Raises LabError."""
    try:
        model = GuestModel(checkpoint, name=to_say("The upload"))
        try:
            model.record(SENTENCE)
            for snapshot in snapshots:
                model.turn_to(snapshot)
                model.record(SENTENCE)
        finally:
            model.close()
    except HeadlightError as error:
        raise LabError(str(error)) from error
