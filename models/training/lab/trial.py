"""Open a checkpoint folder for the first time and let it read: `python -m models.training.lab.trial FOLDER`.

A process of its own, because a file made to break a reader breaks this one and not the server.
"""

from __future__ import annotations

import sys
from pathlib import Path

from models.errors import HeadlightError
from models.registry import load_folder

SENTENCE = "The animal didn't cross the street because it was too tired."


def main() -> int:
    """Read the command line and try; what is wrong goes to the standard output, in a sentence."""
    try:
        load_folder(Path(sys.argv[1]), name="the uploaded model", device="cpu").record(SENTENCE)
    except HeadlightError as error:
        sys.stdout.write(str(error))
        return 1
    except (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
        sys.stdout.write(f"The model cannot be used: its files contradict each other ({str(error)[:200]}).")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
