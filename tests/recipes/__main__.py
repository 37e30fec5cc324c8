"""Run the tests of the recipes and of the benchmarks, and note that they have passed.

python run.py test --recipes            # what follows goes to pytest
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tests.checks import PYTEST
from tests.recipes.tested import ROOT, TESTED, TESTS, digest


def main(arguments: Sequence[str]) -> int:
    """Run the tests; write `tested.txt` if all of them were run and passed. Return the exit status of pytest."""
    before = digest()
    command = [sys.executable, "-m", *PYTEST, *TESTS, *arguments]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if status == 0 and not arguments:
        TESTED.write_text(before + "\n", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
