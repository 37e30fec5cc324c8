"""`python -m models.analysis`: every analysis with its title, what it needs, what it returns, its cost, its paper."""

from __future__ import annotations

import argparse
import sys

from models.analysis.registry import analyses


def main() -> None:
    """Write the list."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for analysis in analyses():
        sys.stdout.write(f"{analysis.name}: {analysis.title}\n")
        for name in ("needs", "returns", "cost", "paper"):
            sys.stdout.write(f"    {name:<8} {getattr(analysis, name)}\n")


if __name__ == "__main__":
    main()
