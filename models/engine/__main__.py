"""The engine by command.

python -m models.engine serve --least 1 --most 8 --gpus 0.25          # serve models on the Ray cluster of this machine
python -m models.engine atlas --model mini-bert --text corpus.txt --out atlas.json              # in this process
python -m models.engine atlas --model mini-bert --text corpus.txt --out atlas.json --workers 8  # on the cluster
python -m models.engine content --model headlight-bert --text corpus.txt --out content.json
python -m models.engine faithfulness --model sentiment --text reviews.txt --out faithfulness.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from models.analysis.over_texts.atlas import atlases_of
from models.analysis.over_texts.atlas_file import atlas_json
from models.analysis.over_texts.corpus import SAMPLE, CorpusText, texts_of
from models.engine.corpus import ATLAS, CONTENT, FAITHFULNESS, TEXTS_A_PART, CorpusWork, Sums, over_parts
from models.opening.registry import load
from models.values.errors import HeadlightError


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    served = commands.add_parser("serve", help="serve models on the Ray cluster that this machine belongs to")
    served.add_argument("--least", type=int, default=1, help="so many replicas at least (1)")
    served.add_argument("--most", type=int, default=4, help="so many at most, as many as there is work for (4)")
    served.add_argument("--cpus", type=float, default=1, help="processors of each replica (1)")
    served.add_argument("--gpus", type=float, default=0, help="the part of a GPU that each has (0)")
    for command, about in WORKS.items():
        _add_corpus(commands.add_parser(command, help=about))
    arguments = parser.parse_args()
    try:
        _serve(arguments) if arguments.command == "serve" else _read_corpus(arguments)
    except (HeadlightError, OSError, ValueError, ModuleNotFoundError) as error:
        parser.exit(1, f"{error}\n")


WORKS = {
    "atlas": "what every head of a model does over many texts",
    "content": "how often an embedded BERT finds the content words of texts",
    "faithfulness": "how far each method of attribution can be believed",
}


def _add_corpus(asked: argparse.ArgumentParser) -> None:
    asked.add_argument("--model", required=True, help="a name of the list, a Hugging Face id, or a folder")
    asked.add_argument(
        "--text",
        type=Path,
        default=SAMPLE,
        help="lines, a .csv or .tsv (with --column), a .conllu, or a folder of such files; without it, the sample",
    )
    asked.add_argument("--column", default="", help="the column of a table with the texts: its name or number")
    asked.add_argument("--texts", type=int, help="read no more than so many texts")
    asked.add_argument("--out", type=Path, required=True, help="the JSON to write")
    asked.add_argument("--workers", type=int, default=0, help="so many workers of the cluster; 0: in this process (0)")
    asked.add_argument("--gpus", type=float, default=0, help="the part of a GPU that each worker has (0)")
    asked.add_argument(
        "--part", type=int, default=TEXTS_A_PART, help=f"texts a worker takes at a time ({TEXTS_A_PART})"
    )


def _serve(arguments: argparse.Namespace) -> None:
    from models.engine.ray_cluster import connect, deploy

    connect()
    deploy(least=arguments.least, most=arguments.most, cpus=arguments.cpus, gpus=arguments.gpus)


def _read_corpus(arguments: argparse.Namespace) -> None:
    texts = islice(texts_of(arguments.text, column=arguments.column), arguments.texts)
    arguments.out.write_text(_result(arguments, texts), encoding="utf-8")


def _result(arguments: argparse.Namespace, texts: Iterator[CorpusText]) -> str:
    """Return the result of a corpus as JSON."""
    if arguments.command == "atlas":
        return atlas_json(atlases_of(load(arguments.model), _read(ATLAS, arguments, texts)))
    if arguments.command == "content":
        return json.dumps(_read(CONTENT, arguments, texts).shares())
    means = _read(FAITHFULNESS, arguments, texts).means()
    return json.dumps({name: {"comprehensiveness": fall, "sufficiency": left} for name, (fall, left) in means.items()})


def _read(work: CorpusWork[Any, Sums], arguments: argparse.Namespace, texts: Iterator[CorpusText]) -> Sums:
    if not arguments.workers:
        return over_parts(work, arguments.model, texts, n_texts=arguments.part, progress=_tell)
    from models.engine.ray_corpus import over_machines

    return over_machines(
        work,
        arguments.model,
        texts,
        workers=arguments.workers,
        n_texts=arguments.part,
        gpus=arguments.gpus,
        progress=_tell,
    )


def _tell(n_texts: int) -> None:
    sys.stderr.write(f"{n_texts} texts\n")


if __name__ == "__main__":
    main()
