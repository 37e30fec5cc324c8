"""Write both parts as tab-separated text, to read or to train on elsewhere.

python -m recipes.sentences.parallel es --out runs/parallel --pairs 20000
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

from recipes.sentences.parallel import REALISERS, pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(REALISERS))
    parser.add_argument("--out", type=Path, required=True, help="folder for learned.tsv and held-out.tsv")
    parser.add_argument("--pairs", type=int, default=20_000, help="pairs to learn from")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, held_out, count in (
        ("learned", False, arguments.pairs),
        ("held-out", True, arguments.pairs // 20),
    ):
        drawn = islice(pairs(arguments.language, arguments.seed, held_out), count)
        lines = dict.fromkeys(f"{pair.source}\t{pair.target}" for pair in drawn)
        (arguments.out / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
