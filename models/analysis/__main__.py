"""The analyses by command.

python -m models.analysis                                                # every analysis with what it says of itself
python -m models.analysis atlas --model mini-bert --text corpus.txt --out atlas.json
python -m models.analysis atlas --model mini-bert --out atlas.json --lens lens.safetensors
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import islice
from pathlib import Path

from models import load
from models.analysis.over_texts.atlas import atlas
from models.analysis.over_texts.atlas_file import atlas_json
from models.analysis.over_texts.corpus import SAMPLE, texts_of
from models.analysis.over_texts.jacobian_lens import jacobian_lens
from models.analysis.over_texts.lens_file import write_lens
from models.analysis.registry import analyses
from models.values.errors import HeadlightError

EVERY = 100
TEXTS_OF_LENS = 200


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        prog=os.environ.get("HEADLIGHT_COMMAND"),
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command")
    asked = commands.add_parser("atlas", help="what every head of a model does over many texts, as JSON")
    asked.add_argument("--model", required=True, help="a name of the list, a Hugging Face id, or a folder")
    asked.add_argument(
        "--text",
        type=Path,
        default=SAMPLE,
        help="lines, a .csv or .tsv (with --column), a .conllu, or a folder of such files; without it, the "
        "English sample",
    )
    asked.add_argument("--column", default="", help="the column of a table with the texts: its name or number")
    asked.add_argument("--texts", type=int, help="read no more than so many texts")
    asked.add_argument("--out", type=Path, required=True, help="the file to write")
    asked.add_argument("--lens", type=Path, help="a file for the Jacobian lens, too, from the first 200 of the texts")
    asked.add_argument("--device", default="auto", help='"auto", "cpu", "cuda", "xpu" or "mps"')
    asked.add_argument("--dtype", default="float32", help='"float32", "bfloat16" or "float16"')
    arguments = parser.parse_args()
    if arguments.command == "atlas":
        try:
            _write_atlas(arguments)
        except (HeadlightError, OSError, ValueError) as error:
            parser.exit(1, f"{error}\n")
    else:
        _write_list()


def _write_atlas(arguments: argparse.Namespace) -> None:
    model = load(arguments.model, device=arguments.device, dtype=arguments.dtype)
    texts = islice(texts_of(arguments.text, column=arguments.column), arguments.texts)
    arguments.out.write_text(atlas_json(atlas(model, texts, progress=_tell)), encoding="utf-8")
    if arguments.lens:
        texts = islice(texts_of(arguments.text, column=arguments.column), arguments.texts or TEXTS_OF_LENS)
        write_lens(jacobian_lens(model, texts, progress=lambda done, _of: _tell(done)), arguments.lens)


def _tell(n_texts: int) -> None:
    if n_texts % EVERY == 0:
        sys.stderr.write(f"{n_texts} texts\n")


def _write_list() -> None:
    for analysis in analyses():
        sys.stdout.write(f"{analysis.name}: {analysis.title}\n")
        for name in ("needs", "formula", "returns", "cost", "paper"):
            if getattr(analysis, name):
                sys.stdout.write(f"    {name:<8} {getattr(analysis, name)}\n")


if __name__ == "__main__":
    main()
