"""Serve models on a Ray cluster, and read a corpus by its workers.

python -m models.engine.ray serve --least 1 --most 8 --gpus 0.25      # on the cluster that this machine belongs to
python -m models.engine.ray atlas --model mini-bert --text corpus.txt --out atlas.json --workers 8
python -m models.engine.ray content --model headlight-bert --text corpus.txt --out content.json --workers 8
python -m models.engine.ray faithfulness --model sentiment --text reviews.txt --out faithfulness.json --workers 8
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from models.analysis.over_texts.corpus import CorpusText
from models.checkpoints.devices import DTYPES, FLOAT32
from models.engine.command import WORKS, add_corpus, tell_progress, write_result
from models.engine.corpus import CorpusWork, Sums
from models.values.errors import HeadlightError


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    served = commands.add_parser("serve", help="serve models on the Ray cluster that this machine belongs to")
    served.add_argument("--least", type=int, default=1, help="so many replicas at least (1)")
    served.add_argument("--most", type=int, default=4, help="so many at most, as many as there is work for (4)")
    served.add_argument("--cpus", type=float, default=1, help="processors of each replica (1)")
    served.add_argument("--gpus", type=float, default=0, help="the part of a GPU that each has (0)")
    served.add_argument("--dtype", choices=DTYPES, default=FLOAT32, help="the numbers that models compute in (float32)")
    for command, about in WORKS.items():
        corpus = commands.add_parser(command, help=about)
        add_corpus(corpus)
        corpus.add_argument("--workers", type=int, default=1, help="workers of the cluster (1)")
        corpus.add_argument("--gpus", type=float, default=0, help="the part of a GPU that each worker has (0)")
    return parser


def main() -> None:
    """Read the command line and do what it says."""
    parser = _parser()
    arguments = parser.parse_args()
    from models.engine.ray.cluster import connect, deploy
    from models.engine.ray.corpus import over_machines

    def read_corpus(work: CorpusWork[Any, Sums], texts: Iterator[CorpusText]) -> Sums:
        return over_machines(
            work,
            arguments.model,
            texts,
            workers=arguments.workers,
            n_texts=arguments.part,
            gpus=arguments.gpus,
            progress=tell_progress,
        )

    try:
        if arguments.command != "serve":
            write_result(arguments, read_corpus)
        else:
            connect()
            deploy(
                least=arguments.least,
                most=arguments.most,
                cpus=arguments.cpus,
                gpus=arguments.gpus,
                dtype=arguments.dtype,
            )
    except (HeadlightError, OSError, ValueError) as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
