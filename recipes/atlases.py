"""The atlases that lie beside the embedded models, over the sample in the language that each reads, and the lenses.

python -m recipes.atlases            all of them
python -m recipes.atlases mini-bert  or some
"""

from __future__ import annotations

import argparse
import sys

from models.analysis.over_texts.atlas import atlas
from models.analysis.over_texts.atlas_file import FILE, atlas_json
from models.analysis.over_texts.corpus import sample_texts
from models.analysis.over_texts.jacobian_lens import jacobian_lens
from models.analysis.over_texts.lens_file import FILE as LENS
from models.analysis.over_texts.lens_file import write_lens
from models.opening.registry import REGISTRY, embedded_folder, languages_of, load

TEXTS_OF_LENS = {"headlight-bert": 300, "headlight-ko": 200, "mini-bert": 300, "mini-llama": 300}
"""The embedded models whose answers layer by layer a page shows, and how many texts their lens is computed from and
judged on, half and half."""


def with_an_atlas() -> list[str]:
    """The embedded models, each folder once: that transformers opens one, too, changes no weight."""
    folders = {name: embedded_folder(name) for name in REGISTRY}
    found = {folder: name for name, folder in reversed(folders.items()) if folder is not None}
    return [name for name in REGISTRY if name in found.values()]


def write(name: str) -> None:
    """Make the atlas of an embedded model, and its lens, and put them beside its weights.

    Raises ValueError for another model.
    """
    folder = embedded_folder(name)
    if folder is None:
        raise ValueError(f"{name!r} is not embedded, expected one of {', '.join(with_an_atlas())}.")
    model, texts = load(name, device="cpu"), sample_texts(languages_of(name))
    (folder / FILE).write_text(atlas_json(atlas(model, texts)) + "\n", encoding="utf-8")
    if name in TEXTS_OF_LENS:
        write_lens(jacobian_lens(model, texts[: TEXTS_OF_LENS[name]]), folder / LENS)


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="names of embedded models; without any, all")
    for name in parser.parse_args().models or with_an_atlas():
        write(name)
        sys.stderr.write(f"{name}\n")


if __name__ == "__main__":
    main()
