"""The commands of an installed Headlight; in a clone: `python -m headlights`.

headlights app                                          the app in the browser; what follows goes to Streamlit
headlights serve --workers 4                            several processes of it behind one address
headlights show "The cat sat." --model mini-bert        a text with its attention, in the browser
headlights show "The cat sat." --layer 1 --head 3 --out cat.svg     .html, .svg, .png or .npz
headlights atlas --model mini-bert --out atlas.json     what every head does over many texts
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import models
import serving
import viz

ROOT = Path(models.__file__).parents[1]
MODULES = {
    "app": ("streamlit", "run", str(ROOT / "app.py")),
    "serve": (serving.__name__,),
    "atlas": (f"{models.__name__}.analysis", "atlas"),
}
"""The module that each command starts, with its first arguments; further ones are passed on."""
NEEDS_APP = ("app", "serve")
PROGRAM, COMMAND = "headlights", "HEADLIGHT_COMMAND"
"""The name of the program, and the environment variable that holds it, for the help of the modules that it starts."""
NOT_INSTALLED = 'The app needs more packages than the library. Install them with: pip install "headlights[app]"'


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks for; return the exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] and given[0] in MODULES:
        return start(given[0], given[1:])
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in MODULES:
        commands.add_parser(name, add_help=False)
    shown = commands.add_parser("show", help="a text with its attention")
    shown.add_argument("text")
    shown.add_argument("--text-b", help="a second text, for models that read pairs")
    shown.add_argument("--model", default="mini-bert", help="a name of the list, a Hugging Face id, or a folder")
    shown.add_argument("--layer", type=int, default=0)
    shown.add_argument("--head", type=int, default=0)
    shown.add_argument("--picture", choices=("arcs", "map", "overview"), default="arcs", help="of an .svg or a .png")
    shown.add_argument("--out", type=Path, help=".html, .svg, .png or .npz (default: the viewer in the browser)")
    return show(parser, parser.parse_args(given))


def start(command: str, rest: Sequence[str]) -> int:
    """Start a module in this Python; return its exit status."""
    if command in NEEDS_APP and find_spec("streamlit") is None:
        sys.stderr.write(f"{NOT_INSTALLED}\n")
        return 1
    words = [sys.executable, "-m", *MODULES[command], *rest]
    os.environ[COMMAND] = PROGRAM
    if platform.system() != "Windows":
        os.execv(words[0], words)  # so that a signal reaches the program
    return subprocess.run(words, check=False).returncode


def show(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> int:
    """Record a text and write it as a file, or open the viewer in the browser."""
    out = asked.out or Path(tempfile.mkdtemp(prefix="headlights-")) / "attention.html"
    try:
        shown = viz.show(models.load(asked.model).record(asked.text, asked.text_b), layer=asked.layer, head=asked.head)
        shown.save(out, **({} if out.suffix == ".html" else {"picture": asked.picture}))
    except (models.HeadlightError, OSError) as error:
        parser.exit(1, f"{error}\n")
    if asked.out is None:
        webbrowser.open(out.as_uri())
    return 0


if __name__ == "__main__":
    sys.exit(main())
