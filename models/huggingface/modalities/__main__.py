"""The viewer with a picture or a sound in it, as a file to open: tiny models with random weights, see `examples.py`.

python -m models.huggingface.modalities picture picture.html
python -m models.huggingface.modalities sound sound.html
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from models.huggingface.modalities.examples import recorded_picture, recorded_sound

VIEWER = "viz.viewer.html"  # by its name: nothing of `models/` needs a picture
RECORDED = {"picture": recorded_picture, "sound": recorded_sound}


def main() -> None:
    """Read the command line, record, write the file."""
    parser = argparse.ArgumentParser(prog="python -m models.huggingface.modalities")
    parser.add_argument("source", choices=RECORDED, help="what a model with random weights is given")
    parser.add_argument("file", type=Path, help="where to write the viewer, as one HTML file")
    arguments = parser.parse_args()
    document: str = import_module(VIEWER).viewer_html(RECORDED[arguments.source]())
    arguments.file.write_text(document, encoding="utf-8")


if __name__ == "__main__":
    main()
