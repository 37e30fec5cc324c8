"""Read a corpus in this process; `python -m models.engine.ray` reads it on a cluster.

python -m models.engine atlas --model mini-bert --text corpus.txt --out atlas.json
python -m models.engine content --model headlight-bert --text corpus.txt --out content.json
python -m models.engine faithfulness --model sentiment --text reviews.txt --out faithfulness.json
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from models.analysis.over_texts.corpus import CorpusText
from models.engine.command import WORKS, add_corpus, tell_progress, write_result
from models.engine.corpus import CorpusWork, Sums, over_parts
from models.values.errors import HeadlightError


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for command, about in WORKS.items():
        add_corpus(commands.add_parser(command, help=about))
    arguments = parser.parse_args()

    def read_corpus(work: CorpusWork[Any, Sums], texts: Iterator[CorpusText]) -> Sums:
        return over_parts(work, arguments.model, texts, n_texts=arguments.part, progress=tell_progress)

    try:
        write_result(arguments, read_corpus)
    except (HeadlightError, OSError, ValueError, ModuleNotFoundError) as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
