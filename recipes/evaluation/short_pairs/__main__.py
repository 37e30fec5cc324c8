"""Print how many of the 200 pairs a checkpoint tells: of each kind, of each half, and of all.

python -m recipes.evaluation.short_pairs --checkpoint models/pretrained/headlight-bert
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tokenizers import Tokenizer

from models.checkpoints.bert import load_checkpoint
from recipes.evaluation.short_pairs.score import score_short_pairs


def main() -> None:
    """Read the command line and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="a folder with a model and its tokenizer")
    parser.add_argument("--wrong", action="store_true", help="print the pairs that it gets wrong, too")
    arguments = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(arguments.checkpoint / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    found = score_short_pairs(load_checkpoint(arguments.checkpoint).eval(), tokenizer)
    sys.stdout.write(json.dumps(found.shares, indent=2) + "\n")
    if arguments.wrong:
        sys.stdout.writelines(f"{p:.3f}\t{pair.first}\t{pair.second}\n" for pair, p in found.wrong)


if __name__ == "__main__":
    main()
