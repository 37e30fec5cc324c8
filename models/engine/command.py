"""The commands that read a corpus, in this process or by the workers of a cluster."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from models.analysis.over_texts.atlas import atlases_of
from models.analysis.over_texts.atlas_file import atlas_json
from models.analysis.over_texts.corpus import CorpusText, sample_for, texts_of
from models.engine.corpus import ATLAS, CONTENT, FAITHFULNESS, TEXTS_A_PART, CorpusWork, Sums
from models.opening.registry import languages_of, load

WORKS = {
    "atlas": "what every head of a model does over many texts",
    "content": "how often an embedded BERT finds the content words of texts",
    "faithfulness": "how far each method of attribution can be believed",
}


class ReadCorpus(Protocol):
    """Reads texts in parts and returns the merged sums."""

    def __call__(self, work: CorpusWork[Any, Sums], texts: Iterator[CorpusText]) -> Sums: ...


def add_corpus(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that reads a corpus."""
    parser.add_argument("--model", required=True, help="a name of the list, a Hugging Face id, or a folder")
    parser.add_argument(
        "--text",
        type=Path,
        help="lines, a .csv or .tsv (with --column), a .conllu, or a folder of such files; without it, the sample "
        "in the language of the model",
    )
    parser.add_argument("--column", default="", help="the column of a table with the texts: its name or number")
    parser.add_argument("--texts", type=int, help="read no more than so many texts")
    parser.add_argument("--out", type=Path, required=True, help="the JSON to write")
    parser.add_argument("--part", type=int, default=TEXTS_A_PART, help=f"texts read at a time ({TEXTS_A_PART})")


def write_result(arguments: argparse.Namespace, read: ReadCorpus) -> None:
    """Read the corpus that a command names and write the result as JSON."""
    texts = islice(
        texts_of(arguments.text or sample_for(languages_of(arguments.model)), column=arguments.column), arguments.texts
    )
    arguments.out.write_text(_result_as_json(arguments, read, texts), encoding="utf-8")


def _result_as_json(arguments: argparse.Namespace, read: ReadCorpus, texts: Iterator[CorpusText]) -> str:
    if arguments.command == "atlas":
        return atlas_json(atlases_of(load(arguments.model), read(ATLAS, texts)))
    if arguments.command == "content":
        return json.dumps(read(CONTENT, texts).shares())
    means = read(FAITHFULNESS, texts).means()
    return json.dumps({name: {"comprehensiveness": fall, "sufficiency": left} for name, (fall, left) in means.items()})


def tell_progress(n_texts: int) -> None:
    sys.stderr.write(f"{n_texts} texts\n")
