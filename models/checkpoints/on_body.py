r"""A classifier alone: a folder whose configuration names the checkpoint that the layers below it are taken from.

    python -m models.checkpoints.on_body --model tagger --out FOLDER

writes such a model whole, for transformers and for other machines. Only folders of this repository are opened so.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import load_file
from torch import Tensor
from transformers import AutoTokenizer

from models.checkpoints import folder as files
from models.checkpoints.bert import bert_model, save_checkpoint
from models.scratch.classification import ClassifierModel
from models.values.errors import ModelLoadError
from models.values.wording import worded

PRETRAINED = Path(__file__).resolve().parents[1] / "pretrained"
BODY = "body"
"""The field of config.json with the name of a folder beside this one."""
_ENCODER = re.compile(r"bert\.(embeddings\.|encoder\.layer\.(\d+)\.)")


def body_of(folder: Path) -> Path | None:
    """Where the layers of a model lie that is a classifier alone; None for one that is whole."""
    try:
        name = files.read_config(folder).get(BODY)
    except files.UNREADABLE:
        return None
    return folder.parent / name if isinstance(name, str) else None


def load_on_body(folder: Path, body: Path) -> ClassifierModel:
    """A classifier with as many of the first layers of `body` as its configuration says. Raises ModelLoadError."""

    def build(config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> ClassifierModel:
        model = bert_model(config, {**encoder_of(body, n_layers=config["num_hidden_layers"]), **weights})
        if not isinstance(model, ClassifierModel):
            raise TypeError("it has no classifier.")
        return model

    return files.open_folder(folder, build, expected=worded("a classifier on the layers of {model}", model=body.name))


def classifier_alone(folder: Path) -> dict[str, Any]:
    """Return the classifier in a folder that has nothing else, as JSON types: its labels, the number of layers below
    it, its weight and bias. Raises OSError if a file is missing."""
    config, weights = files.read_config(folder), load_file(folder / files.WEIGHTS)
    return {
        "labels": [config["id2label"][str(number)] for number in range(len(config["id2label"]))],
        "n_layers": config["num_hidden_layers"],
        "weight": weights["classifier.weight"].tolist(),
        "bias": weights["classifier.bias"].tolist(),
    }


def encoder_of(body: Path, *, n_layers: int) -> dict[str, Tensor]:
    """The embeddings and the first `n_layers` layers of a checkpoint, under its names."""
    weights = {}
    for name, weight in load_file(body / files.WEIGHTS).items():
        part = _ENCODER.match(name)
        if part and (part.group(2) is None or int(part.group(2)) < n_layers):
            weights[name] = weight
    return weights


def write_whole(folder: Path, body: Path, target: Path) -> None:
    """Write a classifier with its layers and its tokenizer, for any program that opens a BERT."""
    save_checkpoint(load_on_body(folder, body), target)
    AutoTokenizer.from_pretrained(body, local_files_only=True).save_pretrained(target)


def main() -> None:
    """Read the command line and write the whole model. Raises ModelLoadError for one that is whole already."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="the name of an embedded model")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    arguments = parser.parse_args()
    folder = PRETRAINED / arguments.model
    body = body_of(folder)
    if body is None:
        raise ModelLoadError(arguments.model, f"{folder} is no classifier on the layers of another model: it is whole.")
    write_whole(folder, body, arguments.out)


if __name__ == "__main__":
    main()
