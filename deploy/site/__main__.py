"""Build the site into a folder, and check that no link in it is broken and that nothing in it loads from elsewhere.

python run.py site               builds build/site
python run.py site --out DIR
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from deploy.site.links import faults
from deploy.site.stage import stage

ROOT = Path(__file__).resolve().parents[2]


def build(out: Path, *, runs_notebooks: bool = True) -> list[str]:
    """Build the site into `out`, in the place of what was there, and return what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        stage(ROOT, Path(folder), runs_notebooks=runs_notebooks)
        command = [sys.executable, "-m", "zensical", "build", "--clean"]
        subprocess.run(command, cwd=folder, check=True)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(Path(folder) / "site", out)
    return list(faults(out))


def main() -> int:
    """Build, and report; the exit status is 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="the folder (default: build/site)")
    out = parser.parse_args().out
    wrong = build(out)
    sys.stdout.write("".join(f"{fault}\n" for fault in wrong) + f"{out}: {len(wrong)} faults\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
